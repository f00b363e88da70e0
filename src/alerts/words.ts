import type { Unit } from '../ui/format'
import { amount } from '../ui/format'

/** How often numbers are looked at, and how people say it. */
export const rhythms = {
  '5m': { label: 'Every 5 minutes', minutes: 5 },
  '15m': { label: 'Every 15 minutes', minutes: 15 },
  '1h': { label: 'Every hour', minutes: 60 },
  '6h': { label: 'Every 6 hours', minutes: 360 },
  '1d': { label: 'Every day', minutes: 1440 },
} as const
export type Rhythm = keyof typeof rhythms
export const rhythmNames = Object.keys(rhythms).filter(isRhythm)
function isRhythm(name: string): name is Rhythm {
  return Object.hasOwn(rhythms, name)
}

export const alertIntervals = ['hour', 'day', 'week', 'month'] as const
export type AlertInterval = (typeof alertIntervals)[number]

export interface Threshold {
  type: 'threshold'
  is: 'above' | 'below'
  value: number
  interval: AlertInterval
  /** The interval that is over, or the one that it is now. */
  of: 'complete' | 'running'
}

export interface Relative {
  type: 'relative'
  does: 'rise' | 'fall' | 'change'
  by: number
  as: 'percent' | 'amount'
  against: 'previous' | 'week-before'
  interval: AlertInterval
}

export interface Absence {
  type: 'absence'
  minutes: number
}

export type ConditionSaid = Threshold | Relative | Absence

const verbs = { rise: 'rise', fall: 'fall', change: 'rise or fall' } as const

/** "views of the last complete day fall by more than 30% against the day a week before" */
export function conditionWords(what: string, condition: ConditionSaid, unit?: Unit): string {
  if (condition.type === 'absence') return `there are no ${what} for ${spanWords(condition.minutes)}`
  if (condition.type === 'threshold') {
    const { is, value, interval, of } = condition
    const when = of === 'complete' ? `the last complete ${interval}` : `this ${interval} so far`
    return `${what} of ${when} ${is === 'above' ? 'are above' : 'are below'} ${amount(value, unit)}`
  }
  const { does, by, as, interval } = condition
  const change = as === 'percent' ? `${amount(by)}%` : amount(by, unit)
  return `${what} of the last complete ${interval} ${verbs[does]} by more than ${change} against ${beforeWords(condition)}`
}

export const beforeWords = ({ against, interval }: Pick<Relative, 'against' | 'interval'>): string =>
  against === 'week-before' && interval !== 'week'
    ? `the same ${interval} a week before`
    : `the ${interval} before`

/** "90 minutes", "2 hours", "3 days" */
export function spanWords(minutes: number): string {
  if (minutes % 1440 === 0) return counted(minutes / 1440, 'day')
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute')
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** The whole of it, as whoever sets it up reads it back. */
export function alertSentence(
  told: readonly string[],
  what: string,
  condition: ConditionSaid,
  unit?: Unit,
): string {
  const whom = told.length === 0 ? 'nobody' : listed(told)
  return `Tell ${whom} when ${conditionWords(what, condition, unit)}.`
}

export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`

export const stateLabels = { ok: 'OK', firing: 'Firing', unknown: 'Unknown' } as const

export const reportRhythms = { day: 'Every day', week: 'Every week', month: 'Every month' } as const
export type ReportRhythm = keyof typeof reportRhythms
