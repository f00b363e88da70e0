import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { changeOf } from '#collection/change-of'
import { bucketStart, type Calendar } from '#insights/calendar/period'
import { nameFor } from '#projects/name'
import { mailRecipients } from './recipient'
import type { ReportRhythm } from './alert-words'

const reportAbout = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('web') }),
    z.strictObject({
      type: z.literal('dashboard'),
      dashboard: z.string().min(1, 'Choose a dashboard.').max(100),
    }),
  ],
  { error: 'Choose the content: web analytics or a dashboard.' },
)
export type ReportAbout = z.infer<typeof reportAbout>

/** The part of a report that members edit. */
export const editableReport = z.strictObject({
  name: nameFor('Name the report.'),
  about: reportAbout,
  every: z.enum(['day', 'week', 'month'], { error: 'Choose day, week or month.' }).default('week'),
  /** In the project's time zone. */
  hour: z
    .number({ error: 'Give the hour as a number.' })
    .int('Give a whole hour.')
    .min(0, 'The first hour is 0.')
    .max(23, 'The last hour is 23.')
    .default(8),
  recipients: mailRecipients.min(1, 'Choose a recipient.'),
})

/** A mail with figures, sent on a schedule. */
export const reportSchema = z.strictObject({
  id: z.string(),
  projectId: z.number(),
  ...editableReport.shape,
  createdBy: z.string(),
  createdAt: z.date(),
  pausedAt: z.date().optional(),
  nextAt: z.date(),
  sentAt: z.date().optional(),
  /** Why the last report could not be written. */
  trouble: z.string().optional(),
})
export type Report = z.infer<typeof reportSchema>

export const newReport = editableReport.extend({ isPaused: z.boolean().default(false) })

export const reportChange = changeOf(newReport)

/** Returns the next first day of a day, week or month at that hour, or an hour later where clocks skip it. */
export function nextReport(every: ReportRhythm, hour: number, calendar: Calendar): Date {
  const begun = startAtHour(bucketStart(calendar.now, every, calendar), hour, calendar)
  if (begun > calendar.now) return begun
  const day = inTimeZone(bucketStart(calendar.now, every, calendar), calendar).toPlainDate()
  const next = day.add(every === 'day' ? { days: 1 } : every === 'week' ? { weeks: 1 } : { months: 1 })
  return atHour(next, hour, calendar)
}

const inTimeZone = (instant: Date, { timeZone }: Calendar) =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone)

const startAtHour = (start: Date, hour: number, calendar: Calendar): Date =>
  atHour(inTimeZone(start, calendar).toPlainDate(), hour, calendar)

const atHour = (day: Temporal.PlainDate, hour: number, { timeZone }: Calendar): Date =>
  new Date(day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) }).epochMilliseconds)
