import { type Flag, mainEnvironment } from '#flags/flag'
import { fromPosthog, toPosthog } from '#flags/posthog-form'
import type { Outcome } from '#projects/problems'
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
  withoutFields,
} from './endpoint'
import { groupTypesOf } from './projects'

type GroupTypes = Awaited<ReturnType<typeof groupTypesOf>>

export const flagBody = (flag: Flag, groupTypes: GroupTypes) => {
  const written = toPosthog(flag, mainEnvironment, groupTypes)
  const [only, ...more] = written.filters.groups
  const share = only && more.length === 0 && only.properties.length === 0 ? only.rollout_percentage : null
  return {
    ...written,
    // Terraform reads it as a whole number
    rollout_percentage: Number.isInteger(share) ? share : null,
    created_at: flag.createdAt.toISOString(),
    updated_at: flag.changedAt.toISOString(),
    created_by: null,
    is_simple_flag: more.length === 0 && (only?.properties.length ?? 0) === 0,
    experiment_set: [],
    can_edit: true,
  }
}

export async function flagOf(call: PosthogCall, named = call.part('flag')): Promise<Flag | undefined> {
  const { product, project, viewer } = call
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

/** Fields of PostHog's that decide nothing: notes for its own screens, and what it computes. */
const ignoredFields: ReadonlySet<string> = new Set([
  'id',
  'description',
  'rollout_percentage',
  'created_at',
  'updated_at',
  'created_by',
  'last_modified_by',
  'is_simple_flag',
  'experiment_set',
  'surveys',
  'features',
  'can_edit',
  'user_access_level',
  'version',
  'status',
  'team_id',
  'has_experiment',
  'usage_dashboard',
  'analytics_dashboards',
  'has_enriched_analytics',
  'creation_context',
  '_create_in_folder',
  '_should_create_usage_dashboard',
])

const flagFields: ReadonlySet<string> = new Set([
  'key',
  'name',
  'active',
  'filters',
  'tags',
  'deleted',
  'ensure_experience_continuity',
  'evaluation_runtime',
  'evaluation_contexts',
  'evaluation_tags',
  'bucketing_identifier',
  'is_remote_configuration',
  'has_encrypted_payloads',
])

function inputOf({ input }: PosthogCall): Outcome<{ fields: Record<string, unknown> }> {
  const fields = withoutFields(input, ignoredFields)
  return unknownField(fields, flagFields) ?? { done: true, fields }
}

async function createFlag(call: PosthogCall): Promise<PosthogOutcome> {
  const read = inputOf(call)
  if (!read.done) return read
  const { product, project, viewer } = call
  const groupTypes = await groupTypesOf(call)
  const translated = fromPosthog(read.fields, mainEnvironment, groupTypes)
  if (!translated.done) return translated
  const outcome = await product.flags.create(project.id, translated.value, viewer)
  return shownAs(outcome, ({ flag }) => flagBody(flag, groupTypes))
}

async function changeFlag(call: PosthogCall): Promise<PosthogOutcome> {
  const flag = await flagOf(call)
  if (!flag) return missing
  const read = inputOf(call)
  if (!read.done) return read
  const { deleted, ...fields } = read.fields
  const { product, project, viewer } = call
  if (fields['key'] !== undefined && fields['key'] !== flag.key)
    return refused('The key of a flag never changes. Create another flag.', 'key')
  if (deleted === true) return await archiveFlag(call, flag)
  if (deleted === false && flag.archivedAt) {
    const restored = await product.flags.restore(project.id, flag.key, viewer)
    if (!restored.done) return restored
  }
  const groupTypes = await groupTypesOf(call)
  const outcome = await product.flags.importFrom(
    project.id,
    { results: [{ ...fields, key: flag.key }], group_type_mapping: groupTypes },
    viewer,
  )
  if (!outcome.done) return outcome
  const [problem] = outcome.refused
  if (problem) return { done: false, problems: problem.problems }
  const changed = await flagOf(call)
  return changed ? success(flagBody(changed, groupTypes)) : missing
}

/** Archives a flag that no client asks for: PostHog deletes any at once. */
async function archiveFlag(call: PosthogCall, flag: Flag): Promise<PosthogOutcome> {
  const { product, project, viewer } = call
  const groupTypes = await groupTypesOf(call)
  if (flag.archivedAt) return success(flagBody(flag, groupTypes))
  return shownAs(await product.flags.archive(project.id, flag.key, viewer), (done) =>
    flagBody(done.flag, groupTypes),
  )
}

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
    path: '/projects/{project}/feature_flags/{flag}',
    handle: async (call) => {
      const flag = await flagOf(call)
      return flag ? success(flagBody(flag, await groupTypesOf(call))) : missing
    },
  },
  { method: 'PATCH', path: '/projects/{project}/feature_flags/{flag}', handle: changeFlag },
]
