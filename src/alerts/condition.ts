import { z } from 'zod'
import { alertIntervals, type ConditionSaid } from './words'

const finite = (what: string) => z.number({ error: `Give ${what} as a number.` })

const interval = z.enum(alertIntervals, { error: `Choose one of ${alertIntervals.join(', ')}.` })

const mostMinutes = 31 * 24 * 60

/** When somebody wants to be told. */
export const condition = z.discriminatedUnion(
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
        by: finite('the change').positive('A change is more than nothing.'),
        as: z.enum(['percent', 'amount']).default('percent'),
        against: z.enum(['previous', 'week-before']).default('previous'),
        interval,
      })
      .refine(({ against, interval: of }) => against === 'previous' || of !== 'month', {
        path: ['against'],
        error: 'A month is not compared with one a week before. Compare it with the month before.',
      })
      .refine(({ does, as, by }) => does !== 'fall' || as !== 'percent' || by < 100, {
        path: ['by'],
        error: 'Nothing falls by 100% or more. To hear of none at all, choose absence.',
      }),
    z.strictObject({
      type: z.literal('absence'),
      minutes: z
        .number({ error: 'Say for how many minutes.' })
        .int('Give the minutes as a whole number.')
        .min(5, 'Wait at least 5 minutes: events may take a moment to arrive.')
        .max(mostMinutes, 'Wait 31 days at most.'),
    }),
  ],
  { error: 'Choose a condition: threshold, relative or absence.' },
)
export type Condition = z.infer<typeof condition> & ConditionSaid

/** Numbers of one alert at one moment. */
export interface Reading {
  /** Null where there was nothing to measure. */
  value: number | null
  /** What it is held against. */
  against?: number | null
}

export type Verdict =
  | { state: 'ok' | 'firing'; value: number; against?: number }
  /** Nothing can be said, and the sentence says why. Nobody is told: what cannot be seen is no alarm. */
  | { state: 'unknown'; why: string }

export const unknown = (why: string): Verdict => ({ state: 'unknown', why })

export function judge({ value, against }: Reading, wanted: Condition): Verdict {
  if (value === null) return unknown('There was nothing to measure.')
  if (wanted.type === 'absence') return { state: value === 0 ? 'firing' : 'ok', value }
  if (wanted.type === 'threshold') {
    const isThere = wanted.is === 'above' ? value > wanted.value : value < wanted.value
    return { state: isThere ? 'firing' : 'ok', value }
  }
  if (against === null || against === undefined) return unknown('There was nothing to compare it with.')
  const isThere = hasChanged(value, against, wanted)
  return { state: isThere ? 'firing' : 'ok', value, against }
}

type Change = Extract<Condition, { type: 'relative' }>

/** From nothing, every rise is more than any percentage. */
function hasChanged(value: number, against: number, { does, by, as }: Change): boolean {
  const difference = value - against
  const size =
    as === 'amount' || difference === 0
      ? Math.abs(difference)
      : (Math.abs(difference) / Math.abs(against)) * 100
  if (size <= by) return false
  return does === 'change' || (does === 'rise' ? difference > 0 : difference < 0)
}

/** Whether it is about there being too little: then what was not collected looks just the same. */
export const isAboutTooLittle = (wanted: Condition): boolean =>
  wanted.type === 'absence' || (wanted.type === 'threshold' ? wanted.is === 'below' : wanted.does !== 'rise')
