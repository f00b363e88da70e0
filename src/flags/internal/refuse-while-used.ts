import { type FailedOutcome, failedOutcome } from '#projects/problems'
import type { Flag } from '../flag'

/** Refuses to remove what flags still use, and names the first of them; undefined where no flag uses it. */
export function refuseWhileUsed(flags: readonly Flag[], how: string): FailedOutcome | undefined {
  if (flags.length === 0) return undefined
  const named = flags.slice(0, 3).map(({ key }) => `“${key}”`)
  const more = flags.length > 3 ? ` and ${flags.length - 3} more` : ''
  return failedOutcome(`${how} ${named.join(', ')}${more}. Take it out of there first.`)
}
