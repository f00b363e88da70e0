import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import { type Origin, requireRight, type Viewer } from './access'
import { appendAudit, auditOf, brokenAuditLink, findProjectMembers } from './store'

/** Everything that is written down, and how the log says it: "Ana ‹label› ‹subject›". */
export const auditActions = {
  'project.create': 'created the project',
  'project.change': 'changed the project',
  'project.archive': 'archived the project',
  'project.restore': 'brought back the project',
  'write-key.renew': 'renewed the write key of',
  'member.join': 'joined',
  'member.role': 'changed the role of',
  'member.remove': 'removed',
  'member.change': 'changed the account of',
  'member.password': 'changed the password of',
  'invitation.create': 'invited',
  'invitation.revoke': 'took back the invitation of',
  'key.create': 'created the secret key',
  'key.revoke': 'revoked the secret key',
  'sign-in': 'signed in as',
  'sign-in.failed': 'gave a wrong password for',
  'sign-out': 'signed out',
  'session.revoke': 'ended a session of',
} as const

export type AuditAction = keyof typeof auditActions

export interface AuditEntry {
  sequence: number
  at: Date
  projectId: number | undefined
  action: AuditAction
  /** What it was done to, by name as it was then. */
  subject: string
  actor: { kind: Viewer['kind']; id: string; name: string }
  origin: Origin
  before: unknown
  after: unknown
}

export interface AuditPage {
  /** Entries older than this sequence number. */
  before?: number
  size: number
  action?: AuditAction
  actor?: string
}

export type NewAuditEntry = Omit<AuditEntry, 'sequence' | 'before' | 'after' | 'projectId'> &
  Partial<Pick<AuditEntry, 'before' | 'after' | 'projectId'>>

export type Deed = Pick<NewAuditEntry, 'action' | 'subject' | 'projectId' | 'before' | 'after'>

/** Part of the transaction that makes the change. Never a secret in `before` or `after`. */
export function record(transaction: StoreTransaction, deed: Deed, viewer: Viewer, now: Date): Promise<void> {
  return appendAudit(transaction, { ...deed, at: now, actor: actorOf(viewer), origin: viewer.origin })
}

function actorOf(viewer: Viewer): AuditEntry['actor'] {
  if (viewer.kind === 'member') return { kind: 'member', id: viewer.memberId, name: viewer.name }
  if (viewer.kind === 'key') return { kind: 'key', id: viewer.keyId, name: viewer.name }
  return { kind: 'operator', id: 'operator', name: viewer.name }
}

export const auditPageSize = 50

export class Audit {
  constructor(private readonly ground: { store: Store; world: World }) {}

  /** Newest first: what was done in the project, and how its members signed in. */
  async list(projectId: number, page: Partial<AuditPage>, viewer: Viewer): Promise<AuditEntry[]> {
    requireRight('audit:read', projectId, viewer)
    const people = await findProjectMembers(this.ground.store, projectId)
    return await auditOf(this.ground.store, projectId, people, {
      ...page,
      size: Math.min(page.size ?? auditPageSize, 500),
    })
  }

  /** For `tilth doctor`: which entry was tampered with, if any. */
  firstBrokenLink(): Promise<number | undefined> {
    return brokenAuditLink(this.ground.store)
  }
}
