import { covariateFactor, type Estimand, unitBaseline } from '#statistics/effect'
import type { Moments } from '#statistics/moments'
import type { ExperimentMetric } from '../../experiment'

/** Returns the share of the variance that behaviour before the exposure explains; undefined where it is not used. */
export function explainedShare(
  { measured }: ExperimentMetric,
  kind: Estimand['kind'],
  moments: Moments,
  variance: number,
): number | undefined {
  const hasBefore = measured.type !== 'funnel' && moments.means.length === (kind === 'ratio' ? 4 : 2)
  if (!hasBefore || !(variance > 0)) return undefined
  const theta = covariateFactor([moments], kind)
  const adjusted = unitBaseline(moments, { kind, covariate: true }, theta)
  return adjusted && Math.max(0, 1 - adjusted.variance / variance)
}
