import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type RequestOrigin, requireRight, type Viewer } from './access'
import type { AuditAction } from './audit-actions'
import { appendAudit, auditOf, brokenAuditLink, emptyAuditBefore, findProjectMembers } from './store'

export interface AuditEntry {
  sequence: number
  at: Date
  projectId: number | undefined
  action: AuditAction
  /** What it was done to, by name as it was then. */
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

export type AuditedAction = Pick<NewAuditEntry, 'action' | 'subject' | 'projectId' | 'before' | 'after'>

/** Part of the transaction that makes the change. Never a secret in `before` or `after`. */
export function recordAudit(
  transaction: StoreTransaction,
  auditRecord: AuditedAction,
  viewer: Viewer,
  now: Date,
): Promise<void> {
  return appendAudit(transaction, { ...auditRecord, at: now, actor: actorOf(viewer), origin: viewer.origin })
}

/** Removes what a project's entries before an instant say; the entry about doing so stays. Returns how many they were. */
export const expireAudit = (
  transaction: StoreTransaction,
  { projectId, before }: { projectId: number; before: Date },
  now: Date,
): Promise<number> => emptyAuditBefore(transaction, projectId, before, now)

function actorOf(viewer: Viewer): AuditEntry['actor'] {
  if (viewer.kind === 'member') return { kind: 'member', id: viewer.memberId, name: viewer.name }
  if (viewer.kind === 'key') return { kind: 'key', id: viewer.keyId, name: viewer.name }
  return { kind: 'operator', id: 'operator', name: viewer.name }
}

export const auditPageSize = 50

export class Audit {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  /** Newest first: what was done in the project, and how its members signed in. */
  async list(projectId: number, page: Partial<AuditPage>, viewer: Viewer): Promise<AuditEntry[]> {
    requireRight('audit:read', projectId, viewer)
    const people = await findProjectMembers(this.dependencies.store, projectId)
    return await auditOf(this.dependencies.store, projectId, people, {
      ...page,
      size: Math.min(Math.max(page.size ?? auditPageSize, 1), 500),
    })
  }

  /** For `tilth doctor`: which entry was tampered with, if any. */
  firstBrokenLink(): Promise<number | undefined> {
    return brokenAuditLink(this.dependencies.store)
  }
}
