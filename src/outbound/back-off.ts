const minute = 60_000

/** How long after each attempt that failed the next one follows: somewhat over a day in all. */
const pauses = [30_000, 2 * minute, 10 * minute, 60 * minute, 6 * 60 * minute, 18 * 60 * minute]

/** When to try again after so many attempts; undefined when it is given up. */
export function nextAttempt(attempts: number, now: Date, atLeastSeconds = 0): Date | undefined {
  const pause = pauses[attempts - 1]
  return pause === undefined ? undefined : new Date(now.getTime() + Math.max(pause, atLeastSeconds * 1000))
}
