import type { Viewer } from '#projects/access'
import { type FailedOutcome, failedOutcome } from '#projects/problems'

/** An entry that the whole project sees, or one member. */
export interface SharedOrOwn {
  /** The member it belongs to; undefined if it is shared with the project. */
  memberId: string | undefined
}

export const isVisibleTo = ({ memberId }: SharedOrOwn, viewer: Viewer): boolean =>
  memberId === undefined || (viewer.kind === 'member' && viewer.memberId === memberId)

/** Returns the owner of a new entry. Only members have entries of their own; `things` names them. */
export function ownerOf(isShared: boolean, viewer: Viewer, things: string): SharedOrOwn | FailedOutcome {
  if (isShared) return { memberId: undefined }
  if (viewer.kind === 'member') return { memberId: viewer.memberId }
  return failedOutcome(`Only members have ${things} of their own.`, 'isShared')
}
