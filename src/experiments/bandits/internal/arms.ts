import type { ExperimentAnswer } from '#insights/kinds/experiment/answer'
import { chancesOfLargestMean, chancesOfLargestShare, meanBeliefs, shareBelief } from '#statistics/best-arm'
import { inverseProbabilityMoments, type WeightedMoments } from '#statistics/inverse-probability'
import type { Moments } from '#statistics/moments'
import type { ExperimentMetric } from '../../experiment'
import type { ExperimentPhase } from '../../internal/phases'
import { ownValues, shapeOf } from '../../results/internal/metric-shape'
import { momentsByPhase } from '../../results/internal/pooling'
import type { BanditArm } from '../progress'

/** The moments of one metric, every unit weighted by the inverse of the probability that its phase gave its variant. */
export function weightedMoments(
  answer: Pick<ExperimentAnswer, 'cells'>,
  variants: readonly string[],
  { metric, phases }: { metric: number; phases: readonly ExperimentPhase[] },
): WeightedMoments[] {
  const byVariant = momentsByPhase(answer, variants, { metric, phases: phases.length })
  return inverseProbabilityMoments(
    variants.map((variant, v) =>
      phases.map(({ weights }, phase) => ({
        moments: byVariant[v]?.[phase] ?? nothing,
        probability: (weights[variant] ?? 0) / 100,
      })),
    ),
  )
}

const nothing: Moments = { n: 0, means: [], deviations: [] }

/** Returns the numbers of each variant by the decision metric, which has this place in the answer. */
export function armsOf(
  answer: Pick<ExperimentAnswer, 'cells'>,
  variants: readonly string[],
  {
    metric,
    place = 0,
    phases,
  }: { metric: ExperimentMetric; place?: number; phases: readonly ExperimentPhase[] },
): BanditArm[] {
  const weighted = weightedMoments(answer, variants, { metric: place, phases })
  const known = weighted.map(({ moments, effectiveUnits }) => {
    const { n, means, deviations } = ownValues(moments, metric.measured)
    const ofMean = n > 1 ? (deviations[0]?.[0] ?? 0) / (n - 1) / n : 0
    return { mean: means[0] ?? 0, variance: ofMean * effectiveUnits, units: effectiveUnits }
  })
  const chances = chancesOfBest(known, metric)
  return variants.map((variant, i) => ({
    variant,
    units: weighted[i]?.moments.n ?? 0,
    mean: known[i]?.mean ?? 0,
    chance: chances[i] ?? 0,
  }))
}

/** The best has the smallest number where a decrease is the goal. */
function chancesOfBest(
  known: readonly { mean: number; variance: number; units: number }[],
  { goal, measured }: Pick<ExperimentMetric, 'goal' | 'measured'>,
): number[] {
  if (shapeOf(measured) === 'share')
    return chancesOfLargestShare(
      known.map(({ mean, units }) => shareBelief(goal === 'increase' ? mean : 1 - mean, units)),
    )
  return chancesOfLargestMean(
    meanBeliefs(known.map((arm) => ({ ...arm, mean: goal === 'increase' ? arm.mean : -arm.mean }))),
  )
}
