import { type Flag, mainEnvironment } from '#flags/flag'
import { toPosthog } from '#flags/posthog-form'
import {
  listed,
  missing,
  pageParameters,
  type PosthogCall,
  type PosthogEndpoint,
  type PosthogOutcome,
  refused,
  success,
} from './endpoint'
import { groupTypesOf } from './projects'

type GroupTypes = Awaited<ReturnType<typeof groupTypesOf>>

const flagBody = (flag: Flag, groupTypes: GroupTypes) => {
  const written = toPosthog(flag, mainEnvironment, groupTypes)
  const [only, ...more] = written.filters.groups
  return {
    ...written,
    rollout_percentage:
      only && more.length === 0 && only.properties.length === 0 ? only.rollout_percentage : null,
    created_at: flag.createdAt.toISOString(),
    updated_at: flag.changedAt.toISOString(),
    created_by: null,
    is_simple_flag: more.length === 0 && (only?.properties.length ?? 0) === 0,
    experiment_set: [],
    can_edit: false,
  }
}

async function flagOf({ product, project, viewer, part }: PosthogCall): Promise<Flag | undefined> {
  const named = part('flag')
  const flags = await product.flags.list(project.id, viewer)
  return flags.find(({ id, key }) => String(id) === named || key === named)
}

async function listFlags(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, query } = call
  const search = (query.get('search') ?? '').toLowerCase()
  const active = query.get('active')
  if (active !== null && active !== 'true' && active !== 'false')
    return refused('Ask for active=true or active=false.', 'active')
  const groupTypes = await groupTypesOf(call)
  const flags = (await product.flags.list(project.id, viewer))
    .filter(({ archivedAt }) => !archivedAt)
    .map((flag) => flagBody(flag, groupTypes))
    .filter((flag) => active === null || String(flag.active) === active)
    .filter(({ key, name }) => `${key}\n${name}`.toLowerCase().includes(search))
  return listed(call, flags)
}

export const flagEndpoints: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/feature_flags',
    changedBy: 'flags',
    query: [...pageParameters, 'search', 'active'],
    handle: listFlags,
  },
  {
    method: 'GET',
    path: '/projects/{project}/feature_flags/{flag}',
    changedBy: 'flags',
    handle: async (call) => {
      const flag = await flagOf(call)
      return flag ? success(flagBody(flag, await groupTypesOf(call))) : missing
    },
  },
]
