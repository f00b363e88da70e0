import { groupTypesIn } from '#flags/posthog-form'
import type { Right, Role } from '#projects/access'
import type { Project } from '#projects/project'
import {
  listed,
  missing,
  numberOf,
  pageParameters,
  type PosthogCall,
  type PosthogEndpoint,
  type PosthogOutcome,
  refused,
  shownAs,
  success,
} from './endpoint'

/** PostHog has organizations around projects; a Tilth is one. */
const organization = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Tilth',
  slug: 'tilth',
  membership_level: 1,
}

const projectBody = ({ id, slug, name, timeZone, writeKey, createdAt }: Project) => ({
  id,
  uuid: `00000000-0000-4000-8001-${String(id).padStart(12, '0')}`,
  organization: organization.id,
  api_token: writeKey,
  name,
  slug,
  timezone: timeZone,
  created_at: createdAt.toISOString(),
  is_demo: false,
})

const organizationBody = ({ product, viewer }: PosthogCall) => {
  const projects = product.projects.list(viewer).map(projectBody)
  return { ...organization, projects, teams: projects }
}

/** The id in earlier versions, which is no UUID of RFC 9562. Configurations of Terraform may name it. */
const earlierId = '00000000-0000-0000-0000-000000000001'

/** The caller is a key, which PostHog's clients expect to be a person. */
const userBody = (call: PosthogCall) => ({
  id: call.viewer.kind === 'key' ? numberOf(call.viewer.keyId) : 0,
  uuid: call.viewer.kind === 'key' ? call.viewer.keyId : '',
  distinct_id: call.viewer.name,
  first_name: call.viewer.name,
  email: '',
  team: projectBody(call.project),
  organization: organizationBody(call),
  organizations: [organization],
})

/** The types of groups by their numbers, as flags in PostHog's form name them. */
export async function groupTypesOf({ product, project, viewer }: PosthogCall) {
  const flags = await product.flags.list(project.id, viewer)
  return groupTypesIn(flags.filter(({ archivedAt }) => !archivedAt))
}

const groupTypes = async (call: PosthogCall) => {
  const types = Object.entries(await groupTypesOf(call))
  return success(types.map(([index, type]) => ({ group_type: type, group_type_index: Number(index) })))
}

/** A key belongs to one project, in which it may do what its scopes say. */
const keyBody = ({ viewer, project }: PosthogCall) => ({
  id: viewer.kind === 'key' ? viewer.keyId : '',
  label: viewer.name,
  scopes: viewer.kind === 'key' ? posthogScopesOf(viewer.scopes) : [],
  scoped_teams: [project.id],
  scoped_organizations: [],
})

/** PostHog's names of what the scopes of a key allow. Its MCP server offers an agent the tools of these alone. */
const posthogScopes: Readonly<Record<Right, readonly string[]>> = {
  'project:read': ['user:read', 'organization:read', 'project:read', 'feature_flag:read'],
  'project:write': ['project:write'],
  'project:archive': [],
  'members:read': ['organization_member:read'],
  'members:write': [],
  'owners:write': [],
  'keys:read': [],
  'keys:write': [],
  'events:read': [
    'action:read',
    'annotation:read',
    'cohort:read',
    'dashboard:read',
    'event_definition:read',
    'insight:read',
    'person:read',
    'property_definition:read',
    'query:read',
  ],
  'insights:write': ['action:write', 'annotation:write', 'dashboard:write', 'insight:write'],
  'flags:write': ['feature_flag:write'],
  'experiments:read': ['experiment:read'],
  'experiments:write': ['experiment:write'],
  'surveys:read': ['survey:read'],
  'surveys:write': ['survey:write'],
  'posts:write': [],
  'letters:read': [],
  'letters:write': [],
  'subscribers:write': [],
  'site:write': [],
  'persons:write': ['person:write'],
  'shares:write': [],
  'alerts:write': [],
  'proposals:write': [],
  'sql:read': [],
  'audit:read': [],
}

const posthogScopesOf = (held: ReadonlySet<Right>): string[] =>
  [...held].flatMap((right) => posthogScopes[right])

const projectFields: ReadonlySet<string> = new Set(['name', 'timezone'])

async function changeProject(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, input } = call
  const unknown = Object.keys(input).find((field) => !projectFields.has(field))
  if (unknown !== undefined)
    return refused(
      `Tilth has no setting "${unknown}" here. docs/posthog.md lists what it has of PostHog’s API.`,
      unknown,
    )
  const { name, timezone: timeZone } = input
  const fields = { ...(name !== undefined && { name }), ...(timeZone !== undefined && { timeZone }) }
  return shownAs(await product.projects.change(project.id, fields, viewer), (done) =>
    projectBody(done.project),
  )
}

/** PostHog's levels of membership in an organization. */
const levels: Readonly<Record<Role, number>> = { owner: 15, admin: 8, editor: 1, viewer: 1 }

/** The members of the key's project. They are changed in the studio. */
async function listMembers(call: PosthogCall): Promise<PosthogOutcome> {
  if (!isOrganization(call)) return missing
  const { product, project, viewer } = call
  const members = await product.projects.members.list(project.id, viewer)
  return listed(
    call,
    members.map(({ member: { id, name, email }, role, joinedAt }) => ({
      id,
      user: { id: numberOf(id), uuid: id, distinct_id: id, first_name: name, last_name: '', email },
      level: levels[role],
      joined_at: joinedAt.toISOString(),
      updated_at: joinedAt.toISOString(),
    })),
  )
}

export const projectEndpoints: readonly PosthogEndpoint[] = [
  { method: 'GET', path: '/personal_api_keys/@current', handle: async (call) => success(keyBody(call)) },
  { method: 'GET', path: '/users/@me', handle: async (call) => success(userBody(call)) },
  { method: 'GET', path: '/user', handle: async (call) => success(userBody(call)) },
  {
    method: 'GET',
    path: '/organizations',
    query: pageParameters,
    handle: async (call) => listed(call, [organizationBody(call)]),
  },
  {
    method: 'GET',
    path: '/organizations/{organization}',
    handle: async (call) => (isOrganization(call) ? success(organizationBody(call)) : missing),
  },
  {
    method: 'GET',
    path: '/organizations/{organization}/projects',
    query: pageParameters,
    handle: async (call) =>
      isOrganization(call) ? listed(call, call.product.projects.list(call.viewer).map(projectBody)) : missing,
  },
  {
    method: 'GET',
    path: '/organizations/{organization}/members',
    query: pageParameters,
    handle: listMembers,
  },
  {
    method: 'GET',
    path: '/organizations/{organization}/projects/{project}',
    handle: async (call) => (isOrganization(call) ? success(projectBody(call.project)) : missing),
  },
  {
    method: 'PATCH',
    path: '/organizations/{organization}/projects/{project}',
    handle: async (call) => (isOrganization(call) ? await changeProject(call) : missing),
  },
  {
    method: 'GET',
    path: '/projects',
    query: pageParameters,
    handle: async (call) => listed(call, call.product.projects.list(call.viewer).map(projectBody)),
  },
  {
    method: 'GET',
    path: '/projects/{project}',
    handle: async ({ project }) => success(projectBody(project)),
  },
  { method: 'PATCH', path: '/projects/{project}', handle: changeProject },
  { method: 'GET', path: '/projects/{project}/groups_types', handle: groupTypes },
]

const isOrganization = ({ part }: PosthogCall): boolean =>
  ['@current', organization.id, earlierId, organization.slug].includes(part('organization'))
