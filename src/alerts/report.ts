import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { bucketStart, type Calendar } from '#insights/calendar/period'
import { nameFor } from '#projects/name'
import { letterRecipients, type GivenRecipient } from './recipient'
import type { ReportRhythm } from './alert-words'

/** A mail with figures, sent on a schedule. */
export interface Report {
  id: string
  projectId: number
  name: string
  about: ReportAbout
  every: ReportRhythm
  /** In the project's time zone. */
  hour: number
  recipients: LetterRecipient[]
  createdBy: string
  createdAt: Date
  pausedAt: Date | undefined
  nextAt: Date
  sentAt: Date | undefined
  /** Why the last report could not be written. */
  trouble: string | undefined
}

type LetterRecipient = Exclude<GivenRecipient, { by: 'webhook' }>

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

const reportFields = {
  name: nameFor('Name the report.'),
  about: reportAbout,
  every: z.enum(['day', 'week', 'month'], { error: 'Choose day, week or month.' }),
  hour: z
    .number({ error: 'Give the hour as a number.' })
    .int('Give a whole hour.')
    .min(0, 'The first hour is 0.')
    .max(23, 'The last hour is 23.'),
  recipients: letterRecipients.transform((all) =>
    all.filter((one): one is LetterRecipient => one.by !== 'webhook'),
  ),
  isPaused: z.boolean(),
}

export const newReport = z.strictObject({
  ...reportFields,
  every: reportFields.every.default('week'),
  hour: reportFields.hour.default(8),
  isPaused: reportFields.isPaused.default(false),
})

export const reportChange = z.strictObject(reportFields).partial()

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
