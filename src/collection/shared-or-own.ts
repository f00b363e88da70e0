import { z } from 'zod'
import type { Viewer } from '#projects/access'
import { type FailedOutcome, failedOutcome } from '#projects/problems'

/** The owner of an entry that the whole project sees, or one member. */
export const sharedOrOwn = z.strictObject({
  /** The member it belongs to; undefined if it is shared with the project. */
  memberId: z.string().optional(),
})
type SharedOrOwn = z.infer<typeof sharedOrOwn>

export const isVisibleTo = ({ memberId }: SharedOrOwn, viewer: Viewer): boolean =>
  memberId === undefined || (viewer.kind === 'member' && viewer.memberId === memberId)

/** Returns the owner of a new entry. Only members have entries of their own; `things` names them. */
export function ownerOf(isShared: boolean, viewer: Viewer, things: string): SharedOrOwn | FailedOutcome {
  if (isShared) return { memberId: undefined }
  if (viewer.kind === 'member') return { memberId: viewer.memberId }
  return failedOutcome(`Only members have ${things} of their own.`, 'isShared')
}
