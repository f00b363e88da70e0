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
  shownAs,
  success,
  unknownField,
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
    can_edit: true,
  }
}

/** Fields that PostHog's serializer takes and Tilth's flags have. */
const written = [
  'key',
  'name',
  'active',
  'filters',
  'tags',
  'deleted',
  'rollout_percentage',
  'ensure_experience_continuity',
  'evaluation_runtime',
  'evaluation_contexts',
  'evaluation_tags',
  'bucketing_identifier',
  'is_remote_configuration',
  'has_encrypted_payloads',
]
/** Fields that PostHog ignores when they come back, and what its own clients send along. */
const readOnly = [
  'id',
  'team_id',
  'version',
  'created_at',
  'updated_at',
  'created_by',
  'is_simple_flag',
  'experiment_set',
  'has_experiment',
  'can_edit',
  'description',
  'creation_context',
]
const knownFields: ReadonlySet<string> = new Set([...written, ...readOnly])

/** The input as Tilth's flags read it, which recognise PostHog's form by `filters` or `active`. */
function inputIn({ input }: PosthogCall): Record<string, unknown> {
  const { rollout_percentage: percentage, ...fields } = Object.fromEntries(
    Object.entries(input).filter(([field]) => written.includes(field) && field !== 'deleted'),
  )
  if (percentage === undefined || percentage === null || 'filters' in fields) return fields
  return { ...fields, filters: { groups: [{ properties: [], rollout_percentage: percentage }] } }
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

async function createFlag(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, input } = call
  const unknown = unknownField(input, knownFields)
  if (unknown) return unknown
  const outcome = await product.flags.create(
    project.id,
    { filters: { groups: [] }, ...inputIn(call) },
    viewer,
  )
  const groupTypes = await groupTypesOf(call)
  return shownAs(outcome, ({ flag }) => flagBody(flag, groupTypes))
}

async function changeFlag(call: PosthogCall): Promise<PosthogOutcome> {
  const { input } = call
  const unknown = unknownField(input, knownFields)
  if (unknown) return unknown
  const flag = await flagOf(call)
  if (!flag) return missing
  if (input['key'] !== undefined && input['key'] !== flag.key)
    return refused('The key of a flag cannot be changed. Make another flag.', 'key')
  const outcome = await changedFlag(call, flag)
  const groupTypes = await groupTypesOf(call)
  return shownAs(outcome, (done) => flagBody(done.flag, groupTypes))
}

/** PostHog deletes a flag by a change, which archives it here. */
async function changedFlag(call: PosthogCall, flag: Flag) {
  const { product, project, viewer, input } = call
  if (input['deleted'] === true) {
    if (flag.archivedAt) return { done: true, flag } as const
    return await product.flags.archive(project.id, flag.key, viewer, { anyway: true })
  }
  const isRestored = input['deleted'] === false && flag.archivedAt !== undefined
  const restored = isRestored ? await product.flags.restore(project.id, flag.key, viewer) : undefined
  const { key: _, ...change } = inputIn(call)
  if (restored?.done === false || Object.keys(change).length === 0)
    return restored ?? ({ done: true, flag } as const)
  const active = flag.environments[mainEnvironment]?.isOn ?? false
  return await product.flags.change(project.id, flag.key, { active, ...change }, viewer)
}

const flagPath = '/projects/{project}/feature_flags/{flag}'

export const flagEndpoints: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/feature_flags',
    query: [...pageParameters, 'search', 'active'],
    handle: listFlags,
  },
  { method: 'POST', path: '/projects/{project}/feature_flags', status: 201, handle: createFlag },
  {
    method: 'GET',
    path: flagPath,
    handle: async (call) => {
      const flag = await flagOf(call)
      return flag ? success(flagBody(flag, await groupTypesOf(call))) : missing
    },
  },
  { method: 'PATCH', path: flagPath, handle: changeFlag },
  { method: 'PUT', path: flagPath, handle: changeFlag },
  // PostHog refuses DELETE too
  {
    method: 'DELETE',
    path: flagPath,
    handle: async () => refused('Delete a flag by a PATCH with {"deleted": true}, which archives it.'),
  },
]
