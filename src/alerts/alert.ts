import { z } from 'zod'
import type { Calendar } from '../insights/period'
import { bucketStart } from '../insights/period'
import { nameFor } from '../projects/name'
import { condition, type Condition, type Verdict } from './condition'
import { type Recipient, recipients } from './recipient'
import type { Telling } from './telling'
import { watched, type Watched } from './watched'
import { type Rhythm, rhythmNames, rhythms } from './words'

/** A number somebody wants to be told about. */
export interface Alert extends Telling {
  id: string
  projectId: number
  name: string
  watched: Watched
  condition: Condition
  every: Rhythm
  recipients: Recipient[]
  createdBy: string
  createdAt: Date
  /** Undefined until it was looked at for the first time. */
  verdict: Verdict | undefined
  /** Since when its state is what it is. */
  since: Date
  checkedAt: Date | undefined
  nextCheckAt: Date
}

/** A state it went into. */
export interface AlertChange {
  at: Date
  verdict: Verdict
}

const fields = {
  name: nameFor('Name the alert after what it tells.'),
  watched,
  condition,
  every: z.enum(rhythmNames, { error: `Choose one of ${rhythmNames.join(', ')}.` }),
  recipients,
  coolDownMinutes: z
    .number({ error: 'Give the minutes as a whole number.' })
    .int('Give the minutes as a whole number.')
    .min(0)
    .max(7 * 24 * 60, 'A week is the longest.'),
}

const isOfOneSort = ({
  condition: wanted,
  watched: of,
}: {
  condition?: { type: string }
  watched?: { type: string }
}) => wanted?.type !== 'absence' || of?.type !== 'insight'

const onlyOfEvents = {
  path: ['watched'],
  error: 'Absence is of an event. Choose one in place of the insight.',
}

export const newAlert = z
  .strictObject({
    ...fields,
    every: fields.every.default('15m'),
    coolDownMinutes: fields.coolDownMinutes.default(60),
  })
  .refine(isOfOneSort, onlyOfEvents)
export type NewAlert = z.infer<typeof newAlert>

/** What can be drawn of one that is still being set up. */
export const alertDraft = z.object({ watched, condition })

export const alertChange = z.strictObject(fields).partial()

export const muting = z.strictObject({
  /** How long nobody is told; 0 ends it. */
  hours: z
    .number({ error: 'Give the hours as a number.' })
    .min(0)
    .max(24 * 365, 'A year is the longest.'),
})

const minute = 60_000
/** A day's last events are given so long to arrive. */
const afterMidnightMs = 10 * minute

/** The next time on the project's clock: each quarter of an hour, each day after midnight. */
export function nextCheck(every: Rhythm, calendar: Calendar): Date {
  if (every === '1d') return nextDaily(calendar)
  const stepMs = rhythms[every].minutes * minute
  return new Date((Math.floor(calendar.now.getTime() / stepMs) + 1) * stepMs)
}

function nextDaily(calendar: Calendar): Date {
  const today = checkOfDay(calendar.now, calendar)
  if (today > calendar.now) return today
  // some days have 25 hours, none 36
  return checkOfDay(
    new Date(bucketStart(calendar.now, 'day', calendar).getTime() + 36 * 60 * minute),
    calendar,
  )
}

const checkOfDay = (at: Date, calendar: Calendar): Date =>
  new Date(bucketStart(at, 'day', calendar).getTime() + afterMidnightMs)
