import { measuredSum, shrink, type UncertainValue } from '#statistics/shrinkage'
import { normalQuantile } from '#statistics/special-functions'
import type { ProgrammeEstimate } from '../experiment-programme'

/** The effect of one variant, relative to its control, and without a prior of its experiment. */
export interface RelativeEffect extends UncertainValue {
  isShipped: boolean
}

interface EffectsTogether {
  /** By the order of the effects; undefined where there are too few. */
  shrunk: (ProgrammeEstimate | undefined)[]
  /** The shipped ones on top of each other; undefined if there is none. */
  shipped: { measured: ProgrammeEstimate; shrunk: ProgrammeEstimate | undefined } | undefined
}

const z = normalQuantile(0.975)

/**
 * Reads the effects of a programme together. Those of variants that were not shipped say which effects are usual, and so how
 * much of a shipped one is luck. Relative effects multiply, so that logarithms are added: +10 % and +10 % are +21 %.
 */
export function effectsTogether(effects: readonly RelativeEffect[]): EffectsTogether {
  const logarithms = effects.map(({ value, standardError }) => ({
    value: Math.log1p(value),
    standardError: standardError / (1 + value),
  }))
  const shipped = effects.flatMap(({ isShipped }, index) => (isShipped ? [index] : []))
  const shrinkage = shrink(logarithms)
  return {
    shrunk: effects.map((_, index) => shrinkage && estimateOf(shrinkage.sumOf([index]))),
    shipped:
      shipped.length === 0
        ? undefined
        : {
            measured: estimateOf(measuredSum(shipped.flatMap((index) => logarithms[index] ?? []))),
            shrunk: shrinkage && estimateOf(shrinkage.sumOf(shipped)),
          },
  }
}

/** Whether an effect has a logarithm: below −100 % the sign of the metric has changed. */
export const canMultiply = ({ value }: Pick<UncertainValue, 'value'>): boolean => value > -1

const estimateOf = ({ value, standardError }: UncertainValue): ProgrammeEstimate => ({
  value: Math.expm1(value),
  low: Math.expm1(value - z * standardError),
  high: Math.expm1(value + z * standardError),
})
