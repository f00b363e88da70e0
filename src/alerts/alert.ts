import { z } from 'zod'
import { changeOf } from '#collection/change-of'
import type { Calendar } from '#insights/calendar/period'
import { bucketStart } from '#insights/calendar/period'
import { nameFor } from '#projects/name'
import { alertCondition, alertVerdict, type AlertVerdict } from './condition'
import { recipient, recipients } from './recipient'
import { watchedMetric } from './watched-metric'
import { type CheckRhythm, checkRhythmNames, checkRhythms } from './alert-words'

/** A change of state. */
export interface AlertChange {
  at: Date
  verdict: AlertVerdict
}

/** The part of an alert that members edit. */
export const editableAlert = z.strictObject({
  name: nameFor('Name the alert.'),
  watched: watchedMetric,
  condition: alertCondition,
  every: z.enum(checkRhythmNames, { error: `Choose one of ${checkRhythmNames.join(', ')}.` }).default('15m'),
  recipients,
  coolDownMinutes: z
    .number({ error: 'Give the minutes as a whole number.' })
    .int('Give the minutes as a whole number.')
    .min(0)
    .max(7 * 24 * 60, 'A week is the longest.')
    .default(60),
})

/** A condition on a number, and the recipients who are notified when it is met. */
export const alertSchema = z.strictObject({
  id: z.string(),
  projectId: z.number(),
  ...editableAlert.shape,
  recipients: z.array(recipient),
  createdBy: z.string(),
  createdAt: z.date(),
  mutedUntil: z.date().optional(),
  /** Absent until the first check. */
  verdict: alertVerdict.optional(),
  /** When the current state began. */
  since: z.date(),
  checkedAt: z.date().optional(),
  nextCheckAt: z.date(),
  /** The state of the last notification. */
  told: z.enum(['ok', 'firing']),
  toldAt: z.date().optional(),
})
export type Alert = z.infer<typeof alertSchema>

const conditionFitsWatched = ({
  condition: wanted,
  watched: of,
}: {
  condition?: { type: string }
  watched?: { type: string }
}) => wanted?.type !== 'absence' || of?.type !== 'insight'

const absenceNeedsEvent = {
  path: ['watched'],
  error: 'Only events can be absent. Choose an event instead of an insight.',
}

export const newAlert = editableAlert.refine(conditionFitsWatched, absenceNeedsEvent)
export type NewAlert = z.infer<typeof newAlert>

/** The part of an unsaved alert that its preview chart needs. */
export const alertDraft = editableAlert.pick({ watched: true, condition: true }).strip()

export const alertChange = changeOf(editableAlert)

export const muting = z.strictObject({
  /** The hours for which notifications are muted; 0 unmutes. */
  hours: z
    .number({ error: 'Give the hours as a number.' })
    .min(0)
    .max(24 * 365, 'A year is the longest.'),
})

const minute = 60_000
/** Daily checks wait this long after midnight for the day's last events. */
const afterMidnightMs = 10 * minute

/** Returns the next check in the project's time zone: on the quarter hour, or after midnight. */
export function nextCheck(every: CheckRhythm, calendar: Calendar): Date {
  if (every === '1d') return nextDaily(calendar)
  const stepMs = checkRhythms[every].minutes * minute
  return new Date((Math.floor(calendar.now.getTime() / stepMs) + 1) * stepMs)
}

function nextDaily(calendar: Calendar): Date {
  const today = dailyCheckAt(calendar.now, calendar)
  if (today > calendar.now) return today
  // some days have 25 hours, none 36
  return dailyCheckAt(
    new Date(bucketStart(calendar.now, 'day', calendar).getTime() + 36 * 60 * minute),
    calendar,
  )
}

const dailyCheckAt = (at: Date, calendar: Calendar): Date =>
  new Date(bucketStart(at, 'day', calendar).getTime() + afterMidnightMs)
