import type { z } from 'zod'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import { failedOutcome, type FailedOutcome } from '#projects/problems'
import type { Experiment, ExperimentMetric } from '../experiment'
import type { banditSettings } from '../internal/experiment-schema'

export type BanditSettings = z.infer<typeof banditSettings>

export const banditIntervals = ['hour', 'day'] as const
export type BanditInterval = (typeof banditIntervals)[number]

export const intervalMs: Readonly<Record<BanditInterval, number>> = { hour: 3_600_000, day: 86_400_000 }

export const defaultBandit = { smallestPercent: 5, burnInUnits: 100, interval: 'day' } as const

/** The metric that decides how the weights move. */
export const decisionMetric = ({ metrics }: Pick<Experiment, 'metrics'>): ExperimentMetric | undefined =>
  metrics.find(({ role }) => role === 'primary')

const noReward: Partial<Record<MeasuredMetric['type'], string>> = {
  value: 'the mean or the extreme of a property exists only for units that have one',
  ratio: 'a ratio is a number of a variant, not of a unit',
  quantile: 'a quantile is a number of a variant, not of a unit',
}

/** Why an experiment cannot be a bandit; undefined if it can, or if it is none. */
export function banditProblem(
  { kind, bandit, metrics }: Pick<Experiment, 'kind' | 'bandit' | 'metrics'>,
  variants: number,
): FailedOutcome | undefined {
  if (kind !== 'bandit') return undefined
  const primary = metrics.filter(({ role }) => role === 'primary')
  if (primary.length > 1)
    return failedOutcome('A bandit has one primary metric: its weights follow one number.', 'metrics')
  const refused = primary[0] && noReward[primary[0].measured.type]
  if (refused !== undefined)
    return failedOutcome(
      `“${primary[0]?.name}” cannot decide a bandit: ${refused}. Use a conversion, a count, a sum or a funnel.`,
      'metrics',
    )
  const quantile = metrics.find(({ measured }) => measured.type === 'quantile')
  if (quantile)
    return failedOutcome(
      `A bandit cannot measure “${quantile.name}”: quantiles of times with other weights cannot be pooled. Use a count or a mean.`,
      'metrics',
    )
  const smallest = bandit?.smallestPercent ?? 0
  return smallest * variants >= 100
    ? failedOutcome(
        `${variants} variants with at least ${smallest}% each leave nothing to move. Choose a smaller weight than ${Math.round(1000 / variants) / 10}%.`,
        'bandit.smallestPercent',
      )
    : undefined
}
