import type { Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import { type FailedOutcome, failedOutcome, type Outcome } from '#projects/problems'
import type { StoreTransaction } from '#store/store'
import { canonicalText } from './canonical-text'

/** The state that a change is based on, and the stored one. Without a basis, a change applies to any state. */
interface ChangeBasis {
  name: string
  /** The field of the input: "version", "revision" or "changedAt". */
  field: string
  basis: number | string | undefined
  current: number | string
  /** Reads the author and the time of the stored state. */
  latest: () => LastChange | Promise<LastChange>
}

interface LastChange {
  by: string | undefined
  at: Date
}

/** Refuses a change that is based on an older state than the stored one. */
export async function refuseOutdated(change: ChangeBasis): Promise<FailedOutcome | undefined> {
  const { name, field, basis, current, latest } = change
  if (basis === undefined || basis === current) return undefined
  const { by, at } = await latest()
  const author = by === undefined ? '' : `by ${by} `
  const message = `“${name}” was changed ${author}at ${timeText(at)}. Load it again, then repeat your change.`
  return { ...failedOutcome(message, field), changedBy: by }
}

/** “10:05 UTC on 2026-03-02” */
function timeText(at: Date): string {
  const [day = '', time = ''] = at.toISOString().split('T')
  return `${time.slice(0, 5)} UTC on ${day}`
}

/** Finds the version that becomes the newest one again, with the note of that in the history. */
export function earlierVersion<Version extends { version: number }>(
  versions: readonly Version[],
  version: number,
  noun: string,
): Outcome<{ found: Version; note: string }> {
  const found = versions.find((one) => one.version === version)
  return found
    ? { done: true, found, note: `Back to version ${version}.` }
    : failedOutcome(`There is no version ${version} of this ${noun}.`, 'version')
}

/** Whether two states are the same but for the fields that every change updates. */
export function isSameBut<Entity extends object>(
  stamps: readonly (keyof Entity)[],
  one: Entity,
  other: Entity,
): boolean {
  const text = (entity: Entity) =>
    canonicalText({ ...entity, ...Object.fromEntries(stamps.map((stamp) => [stamp, undefined])) })
  return text(one) === text(other)
}

interface RecordedChange {
  action: AuditAction
  /** The topic that other processes hear of the change. */
  topic: string | undefined
  subject: string
  projectId: number
  /** The audited fields; absent of something new. */
  before?: unknown
  /** The audited fields; absent of something removed. */
  after?: unknown
}

/** Announces a change to every process and records it in the audit log. */
export async function recordChange(
  transaction: StoreTransaction,
  { topic, before, after, ...change }: RecordedChange,
  viewer: Viewer,
  now: Date,
): Promise<void> {
  if (topic !== undefined) await transaction.announce(topic)
  const fields = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
  await recordAudit(transaction, { ...change, ...fields }, viewer, now)
}
