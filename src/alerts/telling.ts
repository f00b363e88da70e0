import type { Verdict } from './condition'

/** What was said of an alert last, and what keeps it quiet. */
export interface Telling {
  told: 'ok' | 'firing'
  toldAt: Date | undefined
  mutedUntil: Date | undefined
  coolDownMinutes: number
}

export type Tidings = 'firing' | 'recovered' | 'still-firing'

const minute = 60_000
export const remindAfterMs = 24 * 60 * minute

/**
 * Whether anybody is to hear of this verdict. Only a change is told, and a day later, that it still is so. What fires
 * again within the cool-down is told when that is over, if it still fires by then.
 */
export function tidingsOf(
  { state }: Pick<Verdict, 'state'>,
  { told, toldAt, mutedUntil, coolDownMinutes }: Telling,
  now: Date,
): Tidings | undefined {
  if (state === 'unknown' || (mutedUntil && now < mutedUntil)) return undefined
  const sinceTold = toldAt ? now.getTime() - toldAt.getTime() : Number.POSITIVE_INFINITY
  if (state === 'ok') return told === 'firing' ? 'recovered' : undefined
  if (told === 'firing') return sinceTold >= remindAfterMs ? 'still-firing' : undefined
  return sinceTold >= coolDownMinutes * minute ? 'firing' : undefined
}
