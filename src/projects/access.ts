/** Roles in a project, from the one with all rights down. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Rights in a project, each with the lowest role that has it. A secret key has a list of the same names. */
export const rights = {
  'project:read': { least: 'viewer', label: 'See the project and its settings' },
  'project:write': {
    least: 'admin',
    label: 'Change the project’s name, URL slug, site address and time zone',
  },
  'project:archive': { least: 'owner', label: 'Archive the project' },
  'members:read': { least: 'viewer', label: 'See who belongs to the project' },
  'members:write': { least: 'admin', label: 'Invite, change and remove members' },
  'owners:write': { least: 'owner', label: 'Grant and revoke ownership' },
  'keys:read': { least: 'admin', label: 'See secret keys (never their text)' },
  'keys:write': { least: 'admin', label: 'Create and revoke secret keys, renew the write key' },
  'events:read': { least: 'viewer', label: 'See events and the people behind them' },
  'insights:write': { least: 'editor', label: 'Save insights, dashboards, cohorts, goals and annotations' },
  'flags:write': { least: 'editor', label: 'Create, change, toggle and archive flags' },
  'experiments:read': { least: 'viewer', label: 'See experiments and their results' },
  'experiments:write': { least: 'editor', label: 'Create, change, start, end and ship experiments' },
  'surveys:read': { least: 'viewer', label: 'See surveys and their results' },
  'surveys:write': { least: 'editor', label: 'Create, change, launch and archive surveys' },
  'posts:write': { least: 'editor', label: 'Write, publish and archive posts and pages' },
  'letters:read': { least: 'viewer', label: 'See newsletters, their figures and their subscribers' },
  'letters:write': { least: 'editor', label: 'Send posts by e-mail, and set up lists of subscribers' },
  'subscribers:write': { least: 'admin', label: 'Import, export and remove subscribers' },
  'site:write': { least: 'admin', label: 'Change the site’s appearance and redirects' },
  'persons:write': { least: 'admin', label: 'Export and erase persons' },
  'shares:write': { least: 'editor', label: 'Share insights and dashboards with people outside' },
  'alerts:write': { least: 'editor', label: 'Set up alerts and reports by e-mail' },
  'proposals:write': { least: 'editor', label: 'Propose changes for members to approve' },
  'sql:read': { least: 'editor', label: 'Run SQL, and see the SQL of insights' },
  'audit:read': { least: 'admin', label: 'Read the audit log' },
} satisfies Record<string, { least: Role; label: string }>

export type Right = keyof typeof rights

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value)

export function isRight(value: unknown): value is Right {
  return typeof value === 'string' && Object.hasOwn(rights, value)
}

/** The rights that a key can have. Only people can own a project. */
export const scopes: readonly Right[] = Object.keys(rights)
  .filter(isRight)
  .filter((right) => right !== 'owners:write')

/** The origin of a request, as far as it may be stored: see the audit log and the list of sessions. */
export interface RequestOrigin {
  /** The network, never the whole address. */
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
  /** When the password was last entered; some actions require that to be recent. */
  authenticatedAt: Date
  roles: ReadonlyMap<number, Role>
  /** Projects that are closed until a second factor is used; their roles are left out above. */
  closedProjects?: ReadonlySet<number>
  origin: RequestOrigin
}

export interface KeyViewer {
  kind: 'key'
  keyId: string
  name: string
  projectId: number
  scopes: ReadonlySet<Right>
  origin: RequestOrigin
}

/** An assistant that a member has let act in one project. */
export interface AgentViewer {
  kind: 'agent'
  connectionId: string
  memberId: string
  /** "Ada, through Claude Code". */
  name: string
  projectId: number
  /** The rights that the consent allows and the member's role of this moment covers. */
  scopes: ReadonlySet<Right>
  origin: RequestOrigin
}

/** A person with a shell on the machine, or Tilth itself during start-up. Both could open the files anyway. */
interface OperatorViewer {
  kind: 'operator'
  name: string
  origin: RequestOrigin
}

/** The caller of a method. Every method of the product takes one and checks its rights. */
export type Viewer = MemberViewer | KeyViewer | AgentViewer | OperatorViewer

/** Whether the caller is a program, which has a list of rights in one project in place of a role. */
export const isProgram = (viewer: Viewer): viewer is KeyViewer | AgentViewer =>
  viewer.kind === 'key' || viewer.kind === 'agent'

export type AccessRefusalReason = 'not-found' | 'not-allowed' | 'confirm-password' | 'second-factor'

/** Thrown by the product's methods; pages and the API translate it. */
export class AccessRefusedError extends Error {
  override readonly name = 'AccessRefusedError'
  constructor(
    readonly reason: AccessRefusalReason,
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
  if (isProgram(viewer)) return viewer.projectId === projectId && viewer.scopes.has(right)
  const role = roleIn(projectId, viewer)
  return role !== undefined && roleCovers(role, right)
}

export const roleCovers = (role: Role, right: Right): boolean =>
  roles.indexOf(role) <= roles.indexOf(rights[right].least)

/** Whether the viewer may know that the project exists: its members and its programs do, whatever else they may. */
const belongsTo = (projectId: number, viewer: Viewer): boolean =>
  isProgram(viewer) ? viewer.projectId === projectId : may('project:read', projectId, viewer)

/**
 * Throws if the viewer lacks the right. A hidden project is refused like a missing one.
 *
 * @example
 * requireRight('flags:write', projectId, viewer)
 */
export function requireRight(right: Right, projectId: number, viewer: Viewer): void {
  if (may(right, projectId, viewer)) return
  if (viewer.kind === 'member' && viewer.closedProjects?.has(projectId))
    throw new AccessRefusedError(
      'second-factor',
      'This project requires a second factor. Set one up in your account first.',
    )
  if (!belongsTo(projectId, viewer)) throw new AccessRefusedError('not-found', 'There is no such project.')
  throw new AccessRefusedError(
    'not-allowed',
    `You may not do this: ${rights[right].label.toLowerCase()}. ${remedyFor(right, viewer)}`,
  )
}

function remedyFor(right: Right, { kind }: Viewer): string {
  if (kind === 'key') return `Use a key with the scope "${right}".`
  if (kind === 'agent') return 'The member who connected the assistant did not allow it, or may not do it.'
  return `This requires the role ${rights[right].least}. Ask a project owner.`
}

/**
 * Prevents a grant of rights that the grantor lacks: a key that may invite must not create a member with more rights.
 */
export function requireEveryRightOf(role: Role, projectId: number, viewer: Viewer): void {
  if (role === 'owner') requireRight('owners:write', projectId, viewer)
  requireEvery(
    Object.keys(rights)
      .filter(isRight)
      .filter((right) => roleCovers(role, right)),
    projectId,
    viewer,
  )
}

export function requireEvery(required: readonly Right[], projectId: number, viewer: Viewer): void {
  for (const right of required) requireRight(right, projectId, viewer)
}

const recentPasswordMs = 10 * 60_000

/**
 * Throws if the password was entered more than ten minutes ago, so that an unlocked screen does not give a passer-by
 * lasting access.
 */
export function requireRecentPassword(viewer: Viewer, now: Date): void {
  if (viewer.kind !== 'member' || hasRecentPassword(viewer, now)) return
  throw new AccessRefusedError('confirm-password', 'Enter your password to continue.')
}

const hasRecentPassword = (viewer: MemberViewer, now: Date): boolean =>
  now.getTime() - viewer.authenticatedAt.getTime() < recentPasswordMs

export const localOrigin: RequestOrigin = { address: '', client: 'this machine', requestId: '' }

export const operator = (name = 'operator'): OperatorViewer => ({
  kind: 'operator',
  name,
  origin: localOrigin,
})
