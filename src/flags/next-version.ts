import { recordChange } from '#collection/versions'
import type { Viewer } from '#projects/access'
import type { StoreTransaction } from '#store/store'
import type { Flag } from './flag'
import { saveFlags } from './store'

interface FlagVersionDetails {
  note: string
  /** The change as the audit log records it. */
  before?: unknown
  after: unknown
  viewer: Viewer
  now: Date
}

/** Saves a changed flag as its next version, which SDKs are told of. */
export async function saveNextVersion(
  transaction: StoreTransaction,
  changed: Flag,
  { note, viewer, now, ...audited }: FlagVersionDetails,
): Promise<Flag> {
  const flag = { ...changed, version: changed.version + 1, changedAt: now }
  await saveFlags(transaction, [{ flag, by: viewer.name, note }])
  const { projectId, key: subject } = flag
  const change = { action: 'flag.change', topic: 'flags', subject, projectId, ...audited } as const
  await recordChange(transaction, change, viewer, now)
  return flag
}
