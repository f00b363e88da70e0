/** Roles in a project, from the one who may do everything down. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

/** What can be done in a project, and the least role that may. A secret key carries a list of the same names. */
export const rights = {
  'project:read': { least: 'viewer', label: 'See the project and its settings' },
  'project:write': { least: 'admin', label: 'Change the project’s name, address part and time zone' },
  'project:archive': { least: 'owner', label: 'Archive the project' },
  'members:read': { least: 'viewer', label: 'See who belongs to the project' },
  'members:write': { least: 'admin', label: 'Invite, change and remove members' },
  'owners:write': { least: 'owner', label: 'Make somebody an owner, or take that away' },
  'keys:read': { least: 'admin', label: 'See secret keys (never their text)' },
  'keys:write': { least: 'admin', label: 'Create and revoke secret keys, renew the write key' },
  'events:read': { least: 'viewer', label: 'See events and the people behind them' },
  'insights:write': { least: 'editor', label: 'Save insights, dashboards, cohorts, goals and annotations' },
  'flags:write': { least: 'editor', label: 'Make, change, turn and archive flags' },
  'posts:write': { least: 'editor', label: 'Write, publish and archive posts and pages' },
  'site:write': { least: 'admin', label: 'Change how the site looks, and where its addresses lead' },
  'persons:write': { least: 'admin', label: 'Export and erase what is known of a person' },
  'shares:write': { least: 'editor', label: 'Share insights and dashboards with people outside' },
  'alerts:write': { least: 'editor', label: 'Set up alerts and reports by e-mail' },
  'sql:read': { least: 'editor', label: 'Ask in SQL, and see the SQL of any question' },
  'audit:read': { least: 'admin', label: 'Read the audit log' },
} satisfies Record<string, { least: Role; label: string }>

export type Right = keyof typeof rights

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value)

export function isRight(value: unknown): value is Right {
  return typeof value === 'string' && Object.hasOwn(rights, value)
}

/** What can be handed to a key. Who owns a project is decided by people alone. */
export const scopes: readonly Right[] = Object.keys(rights)
  .filter(isRight)
  .filter((right) => right !== 'owners:write')

/** Where a request came from, as far as it may be kept: see the audit log and the list of sessions. */
export interface Origin {
  /** Cut to its network, never the whole address. */
  address: string
  /** "Firefox on Linux": parsed, never the raw header. */
  client: string
  requestId: string
}

export interface MemberViewer {
  kind: 'member'
  memberId: string
  name: string
  email: string
  sessionId: string
  /** When the password was last given; some things want that to be recent. */
  authenticatedAt: Date
  roles: ReadonlyMap<number, Role>
  origin: Origin
}

export interface KeyViewer {
  kind: 'key'
  keyId: string
  name: string
  projectId: number
  scopes: ReadonlySet<Right>
  origin: Origin
}

/** Somebody with a shell on the machine, or Tilth itself while it starts: they could open the files anyway. */
export interface OperatorViewer {
  kind: 'operator'
  name: string
  origin: Origin
}

/** On whose behalf something is asked for. Passed into every method of the product. */
export type Viewer = MemberViewer | KeyViewer | OperatorViewer

export type RefusalReason = 'not-found' | 'not-allowed' | 'confirm-password'

/** Thrown by the product's methods; pages and the API turn it into their own words. */
export class Refused extends Error {
  override readonly name = 'Refused'
  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message)
  }
}

export function roleIn(projectId: number, viewer: Viewer): Role | undefined {
  if (viewer.kind === 'operator') return 'owner'
  return viewer.kind === 'member' ? viewer.roles.get(projectId) : undefined
}

export function may(right: Right, projectId: number, viewer: Viewer): boolean {
  if (viewer.kind === 'key') return viewer.projectId === projectId && viewer.scopes.has(right)
  const role = roleIn(projectId, viewer)
  return role !== undefined && covers(role, right)
}

export const covers = (role: Role, right: Right): boolean =>
  roles.indexOf(role) <= roles.indexOf(rights[right].least)

/** Somebody who may not even read a project is told the same as if there were none. */
export function requireRight(right: Right, projectId: number, viewer: Viewer): void {
  if (may(right, projectId, viewer)) return
  if (!may('project:read', projectId, viewer)) throw new Refused('not-found', 'There is no such project.')
  const remedy =
    viewer.kind === 'key'
      ? `Use a key with the scope "${right}".`
      : `It takes the role ${rights[right].least}; ask an owner of the project.`
  throw new Refused('not-allowed', `You may not do this: ${rights[right].label.toLowerCase()}. ${remedy}`)
}

/** Nobody hands out more than they hold: a key that may invite must not make a member who may do more than the key. */
export function requireEveryRightOf(role: Role, projectId: number, viewer: Viewer): void {
  if (role === 'owner') requireRight('owners:write', projectId, viewer)
  requireEvery(
    Object.keys(rights)
      .filter(isRight)
      .filter((right) => covers(role, right)),
    projectId,
    viewer,
  )
}

export function requireEvery(wanted: readonly Right[], projectId: number, viewer: Viewer): void {
  for (const right of wanted) requireRight(right, projectId, viewer)
}

const recentMs = 10 * 60_000

/** What would let a stranger at an unlocked screen stay for good asks for the password again after ten minutes. */
export function requireRecentPassword(viewer: Viewer, now: Date): void {
  if (viewer.kind !== 'member' || hasRecentPassword(viewer, now)) return
  throw new Refused('confirm-password', 'Give your password again to go on.')
}

export const hasRecentPassword = (viewer: MemberViewer, now: Date): boolean =>
  now.getTime() - viewer.authenticatedAt.getTime() < recentMs

export const nowhere: Origin = { address: '', client: 'this machine', requestId: '' }

export const operator = (name = 'operator'): OperatorViewer => ({ kind: 'operator', name, origin: nowhere })
