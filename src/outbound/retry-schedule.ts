const minute = 60_000

/** The pauses after failed attempts: somewhat over a day in all. */
const pausesMs = [30_000, 2 * minute, 10 * minute, 60 * minute, 6 * 60 * minute, 18 * 60 * minute]

/** Returns the time of the next attempt; undefined after the last one. */
export function nextAttemptAt(attempts: number, now: Date, atLeastSeconds = 0): Date | undefined {
  const pause = pausesMs[attempts - 1]
  return pause === undefined ? undefined : new Date(now.getTime() + Math.max(pause, atLeastSeconds * 1000))
}
