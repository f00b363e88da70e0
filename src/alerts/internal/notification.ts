import type { Alert } from '../alert'
import type { AlertVerdict } from '../condition'

/** The last notification of an alert, and its mute. */
export type NotificationState = Pick<Alert, 'told' | 'toldAt' | 'mutedUntil' | 'coolDownMinutes'>

export type NotificationReason = 'firing' | 'recovered' | 'still-firing'

const minute = 60_000
const remindAfterMs = 24 * 60 * minute

/**
 * Decides whether a verdict sends a notification. Only changes do, and a reminder a day later. An alert that fires
 * again within the cool-down notifies after it, if it still fires then.
 */
export function notificationReasonOf(
  { state }: Pick<AlertVerdict, 'state'>,
  { told, toldAt, mutedUntil, coolDownMinutes }: NotificationState,
  now: Date,
): NotificationReason | undefined {
  if (state === 'unknown' || (mutedUntil && now < mutedUntil)) return undefined
  const sinceTold = toldAt ? now.getTime() - toldAt.getTime() : Number.POSITIVE_INFINITY
  if (state === 'ok') return told === 'firing' ? 'recovered' : undefined
  if (told === 'firing') return sinceTold >= remindAfterMs ? 'still-firing' : undefined
  return sinceTold >= coolDownMinutes * minute ? 'firing' : undefined
}
