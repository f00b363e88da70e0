import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { bucketStart, type Calendar } from '../insights/period'
import { nameFor } from '../projects/name'
import { letterRecipients, type GivenRecipient } from './recipient'
import type { ReportRhythm } from './words'

/** Figures that come by letter, again and again. */
export interface Report {
  id: string
  projectId: number
  name: string
  about: ReportAbout
  every: ReportRhythm
  /** On the project's clock. */
  hour: number
  recipients: LetterRecipient[]
  createdBy: string
  createdAt: Date
  pausedAt: Date | undefined
  nextAt: Date
  sentAt: Date | undefined
  /** Why the last one could not be made. */
  trouble: string | undefined
}

export type LetterRecipient = Exclude<GivenRecipient, { by: 'webhook' }>

export const reportAbout = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('web') }),
    z.strictObject({
      type: z.literal('dashboard'),
      dashboard: z.string().min(1, 'Choose a dashboard.').max(100),
    }),
  ],
  { error: 'Choose what it is about: web analytics or a dashboard.' },
)
export type ReportAbout = z.infer<typeof reportAbout>

const fields = {
  name: nameFor('Name the report after what it tells.'),
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
  ...fields,
  every: fields.every.default('week'),
  hour: fields.hour.default(8),
  isPaused: fields.isPaused.default(false),
})

export const reportChange = z.strictObject(fields).partial()

/** The first day of each day, week or month at that hour; where the clocks skip the hour, the one after. */
export function nextReport(every: ReportRhythm, hour: number, calendar: Calendar): Date {
  const begun = at(bucketStart(calendar.now, every, calendar), hour, calendar)
  if (begun > calendar.now) return begun
  const day = zoned(bucketStart(calendar.now, every, calendar), calendar).toPlainDate()
  const next = day.add(every === 'day' ? { days: 1 } : every === 'week' ? { weeks: 1 } : { months: 1 })
  return atHour(next, hour, calendar)
}

const zoned = (instant: Date, { timeZone }: Calendar) =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone)

const at = (start: Date, hour: number, calendar: Calendar): Date =>
  atHour(zoned(start, calendar).toPlainDate(), hour, calendar)

const atHour = (day: Temporal.PlainDate, hour: number, { timeZone }: Calendar): Date =>
  new Date(day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) }).epochMilliseconds)
