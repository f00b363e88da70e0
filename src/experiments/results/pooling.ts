import type { ExperimentAnswer, MetricMoments, QuantileMoments } from '#insights/compile/experiment-answer'
import { mergeMoments, type Moments, noMoments } from '#statistics/moments'

/** The moments of one variant in each phase. */
type PhaseMoments = readonly Moments[]

/**
 * The moments of a variant over all phases, each phase weighted by its share of all units, as strata. Merged as they are,
 * phases with other weights would mix an effect with a difference between the times (Simpson’s paradox). The result is
 * the moments of a sample of the same size whose means have the stratified variance.
 */
export function pooledMoments(byVariant: readonly PhaseMoments[]): Moments[] {
  const phases = byVariant[0]?.length ?? 0
  // one phase has nothing to pool, and its values are shown even where a variant has no units
  if (phases <= 1) return byVariant.map((own) => mergeMoments(own))
  const unitsIn = (phase: number) => byVariant.reduce((sum, own) => sum + (own[phase]?.n ?? 0), 0)
  // a phase that lacks a variant compares nothing
  const used = Array.from({ length: phases }, (_, phase) => phase).filter((phase) =>
    byVariant.every((own) => (own[phase]?.n ?? 0) > 1),
  )
  const whole = used.reduce((sum, phase) => sum + unitsIn(phase), 0)
  if (used.length <= 1) return byVariant.map((own) => mergeMoments(used.flatMap((phase) => own[phase] ?? [])))
  return byVariant.map((own) =>
    stratified(
      used.flatMap((phase) => (own[phase] ? [{ moments: own[phase], share: unitsIn(phase) / whole }] : [])),
    ),
  )
}

function stratified(strata: readonly { moments: Moments; share: number }[]): Moments {
  const [first] = strata
  if (!first) return noMoments(0)
  const n = strata.reduce((sum, { moments }) => sum + moments.n, 0)
  const total = (of: (stratum: { moments: Moments; share: number }) => number) =>
    strata.reduce((sum, stratum) => sum + of(stratum), 0)
  return {
    n,
    means: first.moments.means.map((_, i) => total(({ moments, share }) => share * (moments.means[i] ?? 0))),
    deviations: first.moments.deviations.map((row, i) =>
      row.map(
        (_, j) =>
          n *
          (n - 1) *
          total(
            ({ moments, share }) =>
              (share ** 2 * (moments.deviations[i]?.[j] ?? 0)) / ((moments.n - 1) * moments.n),
          ),
      ),
    ),
  }
}

/** Whether the metric’s numbers are moments of units, and not a quantile of events. */
export const isMoments = (numbers: MetricMoments | QuantileMoments): numbers is MetricMoments =>
  'means' in numbers

/** The moments of one metric by variant and phase; segments and days are merged. */
export function momentsByPhase(
  { cells }: Pick<ExperimentAnswer, 'cells'>,
  variants: readonly string[],
  { metric, phases }: { metric: number; phases: number },
): PhaseMoments[] {
  return variants.map((variant) =>
    Array.from({ length: phases }, (_, phase) =>
      mergeMoments(
        cells.flatMap((cell) => {
          const numbers = cell.metrics[metric]
          return cell.variant === variant && cell.phase === phase && numbers && isMoments(numbers)
            ? [numbers]
            : []
        }),
      ),
    ),
  )
}
