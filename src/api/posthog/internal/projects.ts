import { groupTypesIn } from '#flags/posthog-form'
import type { Project } from '#projects/project'
import {
  listed,
  missing,
  numberOf,
  pageParameters,
  type PosthogCall,
  type PosthogEndpoint,
  success,
} from './endpoint'

/** PostHog has organizations around projects; a Tilth is one. */
const organization = {
  id: '00000000-0000-0000-0000-000000000001',
  name: 'Tilth',
  slug: 'tilth',
  membership_level: 1,
}

const projectBody = ({ id, slug, name, timeZone, writeKey, createdAt }: Project) => ({
  id,
  uuid: `00000000-0000-0000-0001-${String(id).padStart(12, '0')}`,
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

export const projectEndpoints: readonly PosthogEndpoint[] = [
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
    path: '/projects',
    query: pageParameters,
    handle: async (call) => listed(call, call.product.projects.list(call.viewer).map(projectBody)),
  },
  {
    method: 'GET',
    path: '/projects/{project}',
    handle: async ({ project }) => success(projectBody(project)),
  },
  { method: 'GET', path: '/projects/{project}/groups_types', handle: groupTypes },
]

const isOrganization = ({ part }: PosthogCall): boolean =>
  ['@current', organization.id, organization.slug].includes(part('organization'))
