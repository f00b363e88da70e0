import type { Project } from '#projects/project'
import {
  listed,
  missing,
  pageParameters,
  success,
  type UmamiCall,
  type UmamiEndpoint,
  type UmamiOutcome,
  websiteIdOf,
} from './endpoint'

/** The caller is a key, which Umami's clients expect to be a user. It changes nothing here, so it is no admin. */
export const userBody = ({ viewer, project }: Pick<UmamiCall, 'viewer' | 'project'>) => ({
  id: viewer.keyId,
  username: viewer.name,
  role: 'user',
  createdAt: project.createdAt.toISOString(),
  isAdmin: false,
})

const websiteBody = (project: Project, { viewer }: UmamiCall) => ({
  id: websiteIdOf(project),
  name: project.name,
  domain: domainOf(project),
  shareId: null,
  resetAt: null,
  userId: viewer.keyId,
  teamId: null,
  createdBy: viewer.keyId,
  createdAt: project.createdAt.toISOString(),
  updatedAt: project.createdAt.toISOString(),
  deletedAt: null,
})

const domainOf = ({ siteAddress, hosts }: Project): string => URL.parse(siteAddress)?.host ?? hosts[0] ?? ''

/** A key belongs to one project, so that a list of websites has at most one. */
async function listWebsites(call: UmamiCall): Promise<UmamiOutcome> {
  const { product, viewer, query } = call
  const search = (query.get('search') || query.get('query') || '').toLowerCase()
  const found = product.projects
    .list(viewer)
    .filter(({ archivedAt }) => !archivedAt)
    .filter((project) => `${project.name} ${domainOf(project)}`.toLowerCase().includes(search))
  return listed(
    call,
    found.map((project) => websiteBody(project, call)),
  )
}

/** Users of Umami have teams; a Tilth has none, and says so to clients that list them before the websites. */
const listTeams = async (call: UmamiCall): Promise<UmamiOutcome> => listed(call, [])

async function showWebsite(call: UmamiCall): Promise<UmamiOutcome> {
  const { product, viewer, project } = call
  return success(websiteBody(product.projects.find(String(project.id), viewer), call))
}

/** The instants of the first and the last event that is stored. */
async function dateRange({ product, project, viewer }: UmamiCall): Promise<UmamiOutcome> {
  const events = await product.insights.catalogue.events(project.id, viewer)
  const first = Math.min(...events.map(({ firstAt }) => firstAt.getTime()))
  const last = Math.max(...events.map(({ lastAt }) => lastAt.getTime()))
  const text = (at: number) => (Number.isFinite(at) ? new Date(at).toISOString() : null)
  const [startDate, endDate] = [text(first), text(last)]
  // version 2 has other names
  return success({ startDate, endDate, mindate: startDate, maxdate: endDate })
}

/** A key knows its own user alone. */
const asSelf = (handle: UmamiEndpoint['handle']) => async (call: UmamiCall) =>
  call.part('user') === call.viewer.keyId ? await handle(call) : missing

const listParameters = [...pageParameters, 'includeTeams', 'query'] as const

export const websiteEndpoints: readonly UmamiEndpoint[] = [
  { method: 'POST', path: '/auth/verify', handle: async (call) => success({ ...userBody(call), teams: [] }) },
  { method: 'GET', path: '/auth/verify', handle: async (call) => success({ ...userBody(call), teams: [] }) },
  { method: 'POST', path: '/auth/logout', handle: async () => success({ ok: true }) },
  { method: 'GET', path: '/me', handle: async (call) => success({ user: userBody(call) }) },
  { method: 'GET', path: '/me/websites', query: listParameters, handle: listWebsites },
  { method: 'GET', path: '/me/teams', query: listParameters, handle: listTeams },
  { method: 'GET', path: '/teams', query: listParameters, handle: listTeams },
  { method: 'GET', path: '/websites', query: listParameters, handle: listWebsites },
  {
    method: 'GET',
    path: '/users/{user}/websites',
    query: listParameters,
    handle: asSelf(listWebsites),
  },
  { method: 'GET', path: '/users/{user}', handle: asSelf(async (call) => success(userBody(call))) },
  { method: 'GET', path: '/users/{user}/teams', query: listParameters, handle: asSelf(listTeams) },
  { method: 'GET', path: '/websites/{website}', handle: showWebsite },
  { method: 'GET', path: '/websites/{website}/daterange', handle: dateRange },
]
