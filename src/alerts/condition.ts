import { z } from 'zod'
import { alertIntervals, type ConditionParts } from './alert-words'

const finite = (what: string) => z.number({ error: `Give ${what} as a number.` })

const interval = z.enum(alertIntervals, { error: `Choose one of ${alertIntervals.join(', ')}.` })

const mostMinutes = 31 * 24 * 60

/** The condition under which an alert fires. */
export const alertCondition = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('threshold'),
      is: z.enum(['above', 'below']),
      value: finite('the threshold'),
      interval,
      of: z.enum(['complete', 'running']).default('complete'),
    }),
    z
      .strictObject({
        type: z.literal('relative'),
        does: z.enum(['rise', 'fall', 'change']),
        by: finite('the change').positive('The change is above 0.'),
        as: z.enum(['percent', 'amount']).default('percent'),
        against: z.enum(['previous', 'week-before']).default('previous'),
        interval,
      })
      .refine(({ against, interval: of }) => against === 'previous' || of !== 'month', {
        path: ['against'],
        error: 'A month cannot be compared with the previous week. Choose the previous month.',
      })
      .refine(({ does, as, by }) => does !== 'fall' || as !== 'percent' || by < 100, {
        path: ['by'],
        error: 'A fall is at most 99%. To be notified of no events at all, choose absence.',
      }),
    z.strictObject({
      type: z.literal('absence'),
      minutes: z
        .number({ error: 'Give the number of minutes.' })
        .int('Give the minutes as a whole number.')
        .min(5, 'Use at least 5 minutes: events take a moment to arrive.')
        .max(mostMinutes, 'Use at most 31 days.'),
    }),
  ],
  { error: 'Choose a condition: threshold, relative or absence.' },
)
export type AlertCondition = z.infer<typeof alertCondition> & ConditionParts

/** The numbers of one alert at one moment. */
export interface AlertReading {
  /** Null if there was nothing to measure. */
  value: number | null
  /** The number it is compared with. */
  against?: number | null
}

export const alertVerdict = z.union([
  z.strictObject({ state: z.enum(['ok', 'firing']), value: z.number(), against: z.number().optional() }),
  /** The state cannot be determined; `why` is a sentence for users. Notifies no recipient. */
  z.strictObject({ state: z.literal('unknown'), why: z.string() }),
])
export type AlertVerdict = z.infer<typeof alertVerdict>

export const unknownVerdict = (why: string): AlertVerdict => ({ state: 'unknown', why })

export function judge({ value, against }: AlertReading, wanted: AlertCondition): AlertVerdict {
  if (value === null) return unknownVerdict('There was no data.')
  if (wanted.type === 'absence') return { state: value === 0 ? 'firing' : 'ok', value }
  if (wanted.type === 'threshold') {
    const isThere = wanted.is === 'above' ? value > wanted.value : value < wanted.value
    return { state: isThere ? 'firing' : 'ok', value }
  }
  if (against === null || against === undefined) return unknownVerdict('There was no data to compare with.')
  const isThere = hasChanged(value, against, wanted)
  return { state: isThere ? 'firing' : 'ok', value, against }
}

type ChangeCondition = Extract<AlertCondition, { type: 'relative' }>

/** A rise from zero exceeds every percentage. */
function hasChanged(value: number, against: number, { does, by, as }: ChangeCondition): boolean {
  const difference = value - against
  const size =
    as === 'amount' || difference === 0
      ? Math.abs(difference)
      : (Math.abs(difference) / Math.abs(against)) * 100
  if (size <= by) return false
  return does === 'change' || (does === 'rise' ? difference > 0 : difference < 0)
}

/** Whether a low number fires the alert. A gap in collection has the same effect. */
export const isAboutTooLittle = (wanted: AlertCondition): boolean =>
  wanted.type === 'absence' || (wanted.type === 'threshold' ? wanted.is === 'below' : wanted.does !== 'rise')
