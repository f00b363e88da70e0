import type { ExperimentAnswer, MetricMoments, QuantileMoments } from '#insights/kinds/experiment/answer'
import { mergeMoments, type Moments, noMoments } from '#statistics/moments'

/** The moments of one variant in each phase. */
type PhaseMoments = readonly Moments[]

/** The moments of each variant over the phases, and for each treatment those of the control that it is compared with. */
export interface PooledArms {
  arms: Moments[]
  controls: Moments[]
}

/**
 * Pools the phases, each weighted by its share of all units, as strata. Merged as they are, phases with other weights
 * would mix an effect with a difference between the times (Simpson’s paradox). A treatment and its control are of the
 * phases that have both: a variant that was added or removed does not keep the others from being compared.
 */
export function pooledArms(byVariant: readonly PhaseMoments[]): PooledArms {
  const [control = [], ...treatments] = byVariant
  const phases = control.map((_, phase) => phase)
  const whole = treatments.flatMap(() => [control])
  // one phase has nothing to pool, and its values are shown even where a variant has no units
  if (phases.length <= 1) return { arms: byVariant.map(mergeMoments), controls: whole.map(mergeMoments) }
  const sizes = phases.map((phase) => byVariant.reduce((sum, own) => sum + (own[phase]?.n ?? 0), 0))
  const withBoth = (treatment: PhaseMoments) =>
    phases.filter((phase) => [control, treatment].every((own) => (own[phase]?.n ?? 0) > 1))
  const compared = phases.filter((phase) => treatments.some((own) => withBoth(own).includes(phase)))
  return {
    arms: [pooled(control, compared, sizes), ...treatments.map((own) => pooled(own, withBoth(own), sizes))],
    controls: treatments.map((own) => pooled(control, withBoth(own), sizes)),
  }
}

/**
 * The moments of a variant over some phases: those of a sample of the same size whose means have the stratified variance.
 */
function pooled(own: PhaseMoments, phases: readonly number[], sizes: readonly number[]): Moments {
  const whole = phases.reduce((sum, phase) => sum + (sizes[phase] ?? 0), 0)
  const strata = phases.flatMap((phase) =>
    own[phase] ? [{ moments: own[phase], share: (sizes[phase] ?? 0) / whole }] : [],
  )
  return strata.length > 1 ? stratified(strata) : mergeMoments(strata.map(({ moments }) => moments))
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

/** A variant’s quantile in each phase in which it has events. */
type PhaseQuantiles = ReadonlyMap<number, QuantileMoments>

/** The quantiles of each variant over the phases, and for each treatment that of the control in the phases that have both. */
export function pooledQuantiles(
  { cells }: Pick<ExperimentAnswer, 'cells'>,
  variants: readonly string[],
  metric: number,
): { arms: (QuantileMoments | undefined)[]; controls: (QuantileMoments | undefined)[] } {
  const byVariant = variants.map(
    (key): PhaseQuantiles =>
      new Map(
        cells.flatMap(({ variant, phase, metrics }) => {
          const numbers = metrics[metric]
          return variant === key && numbers && !isMoments(numbers) && numbers.events > 0
            ? [[phase, numbers]]
            : []
        }),
      ),
  )
  const [control = new Map(), ...treatments] = byVariant
  const events = (phase: number) => byVariant.reduce((sum, own) => sum + (own.get(phase)?.events ?? 0), 0)
  // one phase has nothing to pool, and its values are shown even where a variant has no events
  const isWhole = new Set(byVariant.flatMap((own) => [...own.keys()])).size <= 1
  const over = (own: PhaseQuantiles, among: readonly PhaseQuantiles[]) =>
    pooledQuantile(
      [...own].flatMap(([phase, numbers]) =>
        isWhole || (control.has(phase) && among.some((one) => one.has(phase)))
          ? [{ numbers, weight: events(phase) }]
          : [],
      ),
    )
  return {
    arms: [over(control, treatments), ...treatments.map((own) => over(own, [own]))],
    controls: treatments.map((own) => over(control, [own])),
  }
}

/** The mean of quantiles by their weights. Undefined without events. */
function pooledQuantile(
  all: readonly { numbers: QuantileMoments; weight: number }[],
): QuantileMoments | undefined {
  if (all.length === 0) return undefined
  const whole = all.reduce((sum, { weight }) => sum + weight, 0)
  const value = all.reduce((sum, { numbers, weight }) => sum + (weight / whole) * numbers.value, 0)
  const reach = Math.hypot(
    ...all.map(({ numbers, weight }) => ((weight / whole) * (numbers.high - numbers.low)) / 2),
  )
  return {
    events: all.reduce((sum, { numbers }) => sum + numbers.events, 0),
    units: all.reduce((sum, { numbers }) => sum + numbers.units, 0),
    value,
    low: value - reach,
    high: value + reach,
  }
}
