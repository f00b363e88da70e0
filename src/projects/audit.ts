import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type RequestOrigin, requireRight, type Viewer } from './access'
import type { AuditAction } from './audit-actions'
import { appendAudit, auditOf, brokenAuditLink, emptyAuditBefore } from './stored-audit'
import { findProjectMembers } from './internal/stored-members'

export interface AuditEntry {
  sequence: number
  at: Date
  projectId: number | undefined
  action: AuditAction
  /** The name of the changed thing at that time. */
  subject: string
  actor: { kind: Viewer['kind']; id: string; name: string }
  origin: RequestOrigin
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

type AuditedAction = Pick<NewAuditEntry, 'action' | 'subject' | 'projectId' | 'before' | 'after'>

/** Runs in the transaction of the change. `before` and `after` never contain a secret. */
export function recordAudit(
  transaction: StoreTransaction,
  auditRecord: AuditedAction,
  viewer: Viewer,
  now: Date,
): Promise<void> {
  return appendAudit(transaction, { ...auditRecord, at: now, actor: actorOf(viewer), origin: viewer.origin })
}

/** Removes the content of a project's entries before an instant; the entry about this stays. Returns their number. */
export const expireAudit = (
  transaction: StoreTransaction,
  { projectId, before }: { projectId: number; before: Date },
  now: Date,
): Promise<number> => emptyAuditBefore(transaction, projectId, before, now)

function actorOf(viewer: Viewer): AuditEntry['actor'] {
  if (viewer.kind === 'member') return { kind: 'member', id: viewer.memberId, name: viewer.name }
  if (viewer.kind === 'key') return { kind: 'key', id: viewer.keyId, name: viewer.name }
  if (viewer.kind === 'agent') return { kind: 'agent', id: viewer.connectionId, name: viewer.name }
  return { kind: 'operator', id: 'operator', name: viewer.name }
}

const auditPageSize = 50

export class Audit {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  /** Returns actions in the project and sign-ins of its members, the newest first. */
  async list(projectId: number, page: Partial<AuditPage>, viewer: Viewer): Promise<AuditEntry[]> {
    requireRight('audit:read', projectId, viewer)
    const people = await findProjectMembers(this.dependencies.store, projectId)
    return await auditOf(this.dependencies.store, projectId, people, {
      ...page,
      size: Math.min(Math.max(page.size ?? auditPageSize, 1), 500),
    })
  }

  /** Returns the first entry that was tampered with, if any, for `tilth doctor`. */
  firstBrokenLink(): Promise<number | undefined> {
    return brokenAuditLink(this.dependencies.store)
  }
}
