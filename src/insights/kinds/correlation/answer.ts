import { eventLabel, propertyLabel } from '#events/taxonomy'
import { valueName } from '#events/value-names'
import type { AnswerTable } from '../../kind'
import { deviations, type CorrelationTotals, type TraitRow } from './query'
import type { CorrelationQuery } from './schema'

/** A trait that converting persons have more often or less often. */
export interface CorrelationTrait {
  name: string
  /** The value of a property; empty for an event. */
  value: string
  label: string
  /** The persons with the trait who converted. */
  converted: number
  dropped: number
  /** The odds ratio: above 1, persons with the trait convert more often. */
  oddsRatio: number
  /** The 95 % confidence interval. */
  interval: { from: number; to: number }
}

export interface CorrelationAnswer extends CorrelationTotals {
  /** The strongest traits first. */
  raising: CorrelationTrait[]
  lowering: CorrelationTrait[]
}

export function answerOf(
  query: CorrelationQuery,
  { converted, dropped }: CorrelationTotals,
  rows: readonly TraitRow[],
): CorrelationAnswer {
  const raising = rows.filter(({ log_odds }) => log_odds > 0)
  const lowering = rows.filter(({ log_odds }) => log_odds < 0).toReversed()
  const told = (row: TraitRow) => traitOf(query, row)
  return { converted, dropped, raising: raising.map(told), lowering: lowering.map(told) }
}

function traitOf({ by }: CorrelationQuery, row: TraitRow): CorrelationTrait {
  const { name, value, converted, dropped, log_odds, error } = row
  return {
    name,
    value,
    label: by === 'event' ? eventLabel(name) : `${propertyLabel(name)}: ${valueName(name, value)}`,
    converted,
    dropped,
    oddsRatio: Math.exp(log_odds),
    interval: { from: Math.exp(log_odds - deviations * error), to: Math.exp(log_odds + deviations * error) },
  }
}

export function table({ raising, lowering }: CorrelationAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Trait', as: 'text' },
      { name: 'Converted', as: 'number' },
      { name: 'Dropped off', as: 'number' },
      { name: 'Odds ratio', as: 'number' },
      { name: '95% CI from', as: 'number' },
      { name: '95% CI to', as: 'number' },
    ],
    rows: [...raising, ...lowering.toReversed()].map((one) => [
      one.label,
      one.converted,
      one.dropped,
      one.oddsRatio,
      one.interval.from,
      one.interval.to,
    ]),
  }
}
