import { covariancesOf, type Moments } from './moments'

/** The scale of a comparison: a difference of two arms in the metric’s own units, or a share of the control’s value. */
export type EffectScale = 'absolute' | 'relative'

/**
 * The computation of a metric’s value from its moments. `mean` uses one value; `ratio` a numerator and a denominator.
 * With `covariate`, the same values before the exposure follow, and the effect is adjusted by them (CUPED).
 */
export interface Estimand {
  kind: 'mean' | 'proportion' | 'ratio'
  covariate?: boolean
}

/** The estimated difference of a treatment from the control. */
export interface Effect {
  scale: EffectScale
  value: number
  standardError: number
  /** Degrees of freedom by Welch and Satterthwaite. */
  freedom: number
  units: readonly [control: number, treatment: number]
  /** The unadjusted values of both arms. */
  values: readonly [control: number, treatment: number]
  /** The variance of the control's unadjusted value, and its covariance with an absolute effect. */
  control?: { variance: number; covariance: number } | undefined
}

/** Why two arms cannot be compared. */
type EffectProblem = 'too-few-units' | 'no-variance' | 'zero-control' | 'zero-denominator'

type EffectOutcome = { done: true; effect: Effect } | { done: false; problem: EffectProblem }

/**
 * The effect of a treatment. Variances of ratios, of relative effects and of adjusted ones follow from the delta method:
 * the estimate is a smooth function of means, and its variance that of its linear approximation. A relative effect is
 * divided by the absolute value of the unadjusted control, also where the difference is adjusted.
 */
export function estimateEffect(
  control: Moments,
  treatment: Moments,
  { estimand, scale, theta = 0 }: { estimand: Estimand; scale: EffectScale; theta?: number },
): EffectOutcome {
  if (control.n < 2 || treatment.n < 2) return { done: false, problem: 'too-few-units' }
  const [a, b] = [armOf(control, estimand, theta), armOf(treatment, estimand, theta)]
  if (!a || !b) return { done: false, problem: 'zero-denominator' }
  if (scale === 'relative' && a.value === 0) return { done: false, problem: 'zero-control' }
  const parts = scale === 'relative' ? relativeParts(a, b) : absoluteParts(a, b)
  const [va, vb] = [parts.controlVariance / control.n, parts.treatmentVariance / treatment.n]
  if (!(va + vb > 0)) return { done: false, problem: 'no-variance' }
  const effect: Effect = {
    scale,
    value: parts.value,
    standardError: Math.sqrt(va + vb),
    freedom: welchFreedom([a.variance / control.n, control.n], [b.variance / treatment.n, treatment.n]),
    units: [control.n, treatment.n],
    values: [a.value, b.value],
    ...(scale === 'absolute' && {
      control: {
        variance: bilinearForm(a.gradient, a.gradient, a.covariances) / control.n,
        covariance: -bilinearForm(a.adjustedGradient, a.gradient, a.covariances) / control.n,
      },
    }),
  }
  return { done: true, effect }
}

interface Arm {
  /** The unadjusted value. */
  value: number
  adjusted: number
  /** The derivatives of both by the means of the values. */
  gradient: readonly number[]
  adjustedGradient: readonly number[]
  covariances: readonly (readonly number[])[]
  /** The variance of the adjusted value of one unit. */
  variance: number
}

function armOf(moments: Moments, estimand: Estimand, theta: number): Arm | undefined {
  const { means } = moments
  const width = estimand.kind === 'ratio' ? 2 : 1
  const own = valueOf(means, 0, width)
  if (!own) return undefined
  const before = estimand.covariate ? valueOf(means, width, width) : undefined
  if (estimand.covariate && !before) return undefined
  const covariances =
    estimand.kind === 'proportion' && !estimand.covariate
      ? [[own.value * (1 - own.value)]]
      : covariancesOf(moments)
  const gradient = means.map((_, i) => own.gradient[i] ?? 0)
  const adjustedGradient = means.map((_, i) => (own.gradient[i] ?? 0) - theta * (before?.gradient[i] ?? 0))
  return {
    value: own.value,
    adjusted: own.value - theta * (before?.value ?? 0),
    gradient,
    adjustedGradient,
    covariances,
    variance: bilinearForm(adjustedGradient, adjustedGradient, covariances),
  }
}

/** A mean, or the ratio of two, with its derivatives. Undefined if it would divide by 0. */
function valueOf(
  means: readonly number[],
  from: number,
  width: number,
): { value: number; gradient: number[] } | undefined {
  const zeros = means.map(() => 0)
  const [top = 0, bottom = 0] = means.slice(from)
  if (width === 1) return { value: top, gradient: zeros.with(from, 1) }
  if (bottom === 0) return undefined
  return {
    value: top / bottom,
    gradient: zeros.with(from, 1 / bottom).with(from + 1, -top / bottom ** 2),
  }
}

interface EffectParts {
  value: number
  controlVariance: number
  treatmentVariance: number
}

const absoluteParts = (a: Arm, b: Arm): EffectParts => ({
  value: b.adjusted - a.adjusted,
  controlVariance: a.variance,
  treatmentVariance: b.variance,
})

function relativeParts(a: Arm, b: Arm): EffectParts {
  const base = Math.abs(a.value)
  const difference = b.adjusted - a.adjusted
  const byBase = difference / (a.value * base)
  const gradient = a.adjustedGradient.map((one, i) => one / base + byBase * (a.gradient[i] ?? 0))
  return {
    value: difference / base,
    controlVariance: bilinearForm(gradient, gradient, a.covariances),
    treatmentVariance: b.variance / base ** 2,
  }
}

function welchFreedom(...arms: readonly (readonly [variance: number, units: number])[]): number {
  const whole = arms.reduce((sum, [variance]) => sum + variance, 0)
  return whole ** 2 / arms.reduce((sum, [variance, units]) => sum + variance ** 2 / (units - 1), 0)
}

/**
 * The factor by which behaviour before the exposure explains the metric: the slope of a regression over both arms. For
 * ratios, of the linear approximations of both ratios. 0 where the behaviour before does not vary.
 * Deng, Xu, Kohavi and Walker, Improving the sensitivity of online controlled experiments, 2013.
 */
export function covariateFactor(arms: readonly Moments[], kind: Estimand['kind']): number {
  const width = kind === 'ratio' ? 2 : 1
  let [covariance, variance] = [0, 0]
  for (const arm of arms) {
    if (arm.n < 2) continue
    const own = valueOf(arm.means, 0, width)
    const before = valueOf(arm.means, width, width)
    if (!own || !before) return 0
    const matrix = covariancesOf(arm)
    covariance += (arm.n - 1) * bilinearForm(own.gradient, before.gradient, matrix)
    variance += (arm.n - 1) * bilinearForm(before.gradient, before.gradient, matrix)
  }
  return variance > 0 ? covariance / variance : 0
}

/**
 * The value of a metric and the variance of one unit around it, for planning. With a covariate, that of the value
 * adjusted by `theta`. Undefined without a value.
 */
export function unitBaseline(
  moments: Moments,
  estimand: Estimand,
  theta = 0,
): { mean: number; variance: number } | undefined {
  const arm = moments.n < 2 ? undefined : armOf(moments, estimand, theta)
  return arm && { mean: arm.value, variance: arm.variance }
}

const bilinearForm = (
  one: readonly number[],
  other: readonly number[],
  matrix: readonly (readonly number[])[],
): number =>
  one.reduce((all, x, i) => all + other.reduce((row, y, j) => row + x * y * (matrix[i]?.[j] ?? 0), 0), 0)
