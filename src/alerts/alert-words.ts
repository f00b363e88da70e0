import type { Unit } from '#ui/format'
import { amount } from '#ui/format'

/** The intervals at which alerts are checked, with their labels. */
export const checkRhythms = {
  '5m': { label: 'Every 5 minutes', minutes: 5 },
  '15m': { label: 'Every 15 minutes', minutes: 15 },
  '1h': { label: 'Every hour', minutes: 60 },
  '6h': { label: 'Every 6 hours', minutes: 360 },
  '1d': { label: 'Every day', minutes: 1440 },
} as const
export type CheckRhythm = keyof typeof checkRhythms
export const checkRhythmNames = Object.keys(checkRhythms).filter(isRhythm)
function isRhythm(name: string): name is CheckRhythm {
  return Object.hasOwn(checkRhythms, name)
}

export const alertIntervals = ['hour', 'day', 'week', 'month'] as const
export type AlertInterval = (typeof alertIntervals)[number]

interface ThresholdCondition {
  type: 'threshold'
  is: 'above' | 'below'
  value: number
  interval: AlertInterval
  /** The last complete interval, or the current one. */
  of: 'complete' | 'running'
}

interface RelativeCondition {
  type: 'relative'
  does: 'rise' | 'fall' | 'change'
  by: number
  as: 'percent' | 'amount'
  against: 'previous' | 'week-before'
  interval: AlertInterval
}

interface AbsenceCondition {
  type: 'absence'
  minutes: number
}

export type ConditionParts = ThresholdCondition | RelativeCondition | AbsenceCondition

const verbs = { rise: 'rise', fall: 'fall', change: 'rise or fall' } as const

/** "views of the last complete day fall by more than 30% against the day a week before" */
export function conditionWords(what: string, condition: ConditionParts, unit?: Unit): string {
  if (condition.type === 'absence') return `there are no ${what} for ${spanWords(condition.minutes)}`
  if (condition.type === 'threshold') {
    const { is, value, interval, of } = condition
    const when = of === 'complete' ? `the last complete ${interval}` : `this ${interval} so far`
    return `${what} of ${when} ${is === 'above' ? 'are above' : 'are below'} ${amount(value, unit)}`
  }
  const { does, by, as, interval } = condition
  const change = as === 'percent' ? `${amount(by)}%` : amount(by, unit)
  return `${what} of the last complete ${interval} ${verbs[does]} by more than ${change} compared with ${comparedWords(condition)}`
}

const comparedWords = ({ against, interval }: Pick<RelativeCondition, 'against' | 'interval'>): string =>
  against === 'week-before' && interval !== 'week'
    ? `the same ${interval} of the previous week`
    : `the previous ${interval}`

/** "90 minutes", "2 hours", "3 days" */
function spanWords(minutes: number): string {
  if (minutes % 1440 === 0) return counted(minutes / 1440, 'day')
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute')
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Returns the whole alert as one sentence, shown below the form. */
export function alertSentence(
  recipients: readonly string[],
  what: string,
  condition: ConditionParts,
  unit?: Unit,
): string {
  const occasion = `when ${conditionWords(what, condition, unit)}.`
  return recipients.length === 0
    ? `No recipients yet. Fires ${occasion}`
    : `Notify ${inList(recipients)} ${occasion}`
}

const inList = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`

export const stateLabels = { ok: 'OK', firing: 'Firing', unknown: 'Unknown' } as const

export const reportRhythms = { day: 'Every day', week: 'Every week', month: 'Every month' } as const
export type ReportRhythm = keyof typeof reportRhythms
