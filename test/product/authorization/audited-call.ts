import type { MemberViewer, Right, Role, Viewer } from '#projects/access'
import type { AuditEntry } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import type { Member } from '#projects/members'
import type { Project } from '#projects/project'
import type { Product } from '#server/product'
import type { TestProduct } from '#test/product/fixture'

/** Two projects and their members. */
export interface Cast {
  acme: Project
  other: Project
  byRole: Record<Role, Member>
  stranger: Member
  /** The member that deeds are done to. */
  somebody: Member
  anOwner: Member
}

export type Stage = TestProduct & Cast

/** The first project alone, and the browser of its owner Ana; Ben edits it. */
export interface OwnerStage extends Stage {
  ana: Member
  ben: Member
  viewer: MemberViewer
}

/** The contents of an entry of the audit log, beside who did it and when. */
export type Written = Partial<
  Pick<AuditEntry, 'subject' | 'before' | 'after' | 'projectId' | 'actor' | 'origin'>
>

/** A guarded action and its right. A key must also hold the rights that the action hands out or uses elsewhere. */
export interface AuditedCall {
  right: Right
  handsOut?: readonly Right[]
  does: (stage: Stage, viewer: Viewer) => unknown
  /** The entry that is written of it; absent where none is. */
  action?: AuditAction
  writes?: (stage: Stage, viewer: Viewer) => Written
}

/** An action on the installation, the viewers who may do it, and the rule in words. */
export interface InstallationCall {
  by: readonly string[]
  rule: string
  does: AuditedCall['does']
}

/** Asks the product of the stage. */
export const asking = async <Answer>(
  { product }: Stage,
  ask: (product: Product) => Promise<Answer>,
): Promise<Answer> => await ask(product)
