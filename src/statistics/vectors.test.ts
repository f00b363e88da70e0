import { describe, expect, test } from 'vitest'
import published from '#test/vectors/statistics.json' with { type: 'json' }
import { chanceAbove, expectedLoss, posteriorOf, quantileEffect } from './bayesian'
import { covariateFactor, type Effect, type EffectScale, type Estimand, estimateEffect } from './effect'
import { type Alternative, welchTest } from './frequentist'
import { covariancesOf, type Moments, momentsOf } from './moments'
import { type Adjustment, adjustments } from './multiple-tests'
import { detectableEffect, powerOf, unitsNeeded } from './power'
import { pooledShareError, type Proportion, wilsonInterval } from './proportions'
import { sampleRatioTest } from './sample-ratio'
import { sequentialTest } from './sequential'
import { chiSquareTail, incompleteBeta, normalCdf, normalQuantile, studentTail } from './special-functions'

/**
 * Published numbers: every vector of the file goes through the evaluator of its family, and every number that the vector
 * expects must be computed within the vector's tolerance.
 */
type Input = Record<string, unknown>
type Computed = Record<string, unknown>

const numberIn = (input: Input, name: string): number => {
  const value = input[name]
  if (typeof value !== 'number') throw new Error(`${name} is not a number`)
  return value
}
const numbersIn = (input: Input, name: string): number[] => {
  const value = input[name]
  if (!Array.isArray(value)) throw new Error(`${name} is not a list`)
  return value.map(Number)
}
const inputIn = (input: Input, name: string): Input => {
  const value = input[name]
  if (typeof value !== 'object' || value === null) throw new Error(`${name} is not an object`)
  return Object.fromEntries(Object.entries(value))
}

const sharesIn = (input: Input): [Proportion, Proportion] => {
  const [first, second] = numbersIn(input, 'x').map((count, i) => ({
    count,
    size: numbersIn(input, 'n')[i] ?? 0,
  }))
  if (!first || !second) throw new Error('two shares are needed')
  return [first, second]
}
const shareIn = (input: Input): Proportion => ({ count: numberIn(input, 'x'), size: numberIn(input, 'n') })
const ci = ({ low, high }: { low: number; high: number }) => [low, high]

/** The moments that sums of values and sums of their products stand for. */
const momentsFromSums = (
  n: number,
  sums: readonly number[],
  products: readonly (readonly number[])[],
): Moments => ({
  n,
  means: sums.map((sum) => sum / n),
  deviations: products.map((row, i) =>
    row.map((product, j) => product - ((sums[i] ?? 0) * (sums[j] ?? 0)) / n),
  ),
})

/** The moments of an arm as its type gives them. */
function armIn(input: Input): Moments {
  const n = numberIn(input, 'n')
  if (input.type === 'ratio') {
    const product = numberIn(input, 'm_d_sum_of_products')
    return momentsFromSums(
      n,
      [numberIn(input, 'm_sum'), numberIn(input, 'd_sum')],
      [
        [numberIn(input, 'm_sum_squares'), product],
        [product, numberIn(input, 'd_sum_squares')],
      ],
    )
  }
  const squares = input.type === 'proportion' ? 'sum' : 'sum_squares'
  return momentsFromSums(n, [numberIn(input, 'sum')], [[numberIn(input, squares)]])
}

function effectIn(input: Input, standard: EffectScale = 'relative'): Effect {
  const kind = inputIn(input, 'a').type
  const estimand: Estimand = { kind: kind === 'ratio' || kind === 'proportion' ? kind : 'mean' }
  const scale = input.difference === undefined ? standard : input.difference
  const outcome = estimateEffect(armIn(inputIn(input, 'a')), armIn(inputIn(input, 'b')), {
    estimand,
    scale: scale === 'absolute' ? 'absolute' : 'relative',
  })
  if (!outcome.done) throw new Error(outcome.problem)
  return outcome.effect
}

function adjustedRatio(a: Moments, b: Moments, theta: number): Effect {
  const outcome = estimateEffect(a, b, {
    estimand: { kind: 'ratio', covariate: true },
    scale: 'relative',
    theta,
  })
  if (!outcome.done) throw new Error(outcome.problem)
  return outcome.effect
}

/** The order of the values of a ratio metric before and after the exposure. */
const ratioValues = ['m_post', 'd_post', 'm_pre', 'd_pre'] as const

function ratioArmIn(input: Input): Moments {
  const product = (one: string, other: string) =>
    one === other
      ? (numbersIn(input, one)[1] ?? 0)
      : numberIn(input, `${one}_${other}` in input ? `${one}_${other}` : `${other}_${one}`)
  return momentsFromSums(
    numberIn(input, 'n'),
    ratioValues.map((name) => numbersIn(input, name)[0] ?? 0),
    ratioValues.map((one) => ratioValues.map((other) => product(one, other))),
  )
}

const ratioUnitsIn = (input: Input, arm: 'a' | 'b'): Moments =>
  momentsOf(
    numbersIn(input, `m_post_${arm}`).map((_, i) =>
      ratioValues.map((name) => numbersIn(input, `${name}_${arm}`)[i] ?? 0),
    ),
  )

const welchIn = (input: Input): Computed => {
  const [x, y] = [numbersIn(input, 'x'), numbersIn(input, 'y')].map((values) =>
    momentsOf(values.map((v) => [v])),
  )
  if (!x || !y) throw new Error('two samples are needed')
  // the sources subtract the second sample from the first
  const outcome = estimateEffect(y, x, { estimand: { kind: 'mean' }, scale: 'absolute' })
  if (!outcome.done) throw new Error(outcome.problem)
  const { p, interval } = welchTest(outcome.effect)
  const { value, standardError, freedom } = outcome.effect
  return { t: value / standardError, df: freedom, p, ci: ci(interval) }
}

const adjusted =
  (how: Adjustment) =>
  (input: Input): Computed => ({
    adjusted: adjustments[how](numbersIn(input, 'p')),
  })

/** The plan of an experiment that should tell two shares apart, as the product plans it. */
const sharesPlan = (control: number, treatment: number, alpha: number) => ({
  baseline: { mean: control, variance: control * (1 - control), isShare: true },
  effect: treatment / control - 1,
  alpha,
  scale: 'absolute' as const,
})

const tested = (input: Input, effect: Effect, alternative: Alternative = 'two-sided'): Computed => {
  const { p, interval } = welchTest(effect, { alternative })
  return {
    effect: effect.value,
    stderr: effect.standardError,
    p,
    ci: ci(interval),
    ci_finite: alternative === 'greater' ? interval.low : interval.high,
  }
}

const evaluators: readonly [family: RegExp, evaluate: (input: Input, id: string) => Computed][] = [
  [
    /^prop-z/,
    (input) => {
      const [one, other] = sharesIn(input)
      const z = (one.count / one.size - other.count / other.size) / pooledShareError(one, other)
      return { z, p: 2 * normalCdf(-Math.abs(z)) }
    },
  ],
  [/^prop-pairwise-holm|^mt-holm/, adjusted('holm')],
  [/^mt-bh$/, adjusted('bh')],
  [
    /^mt-bh1995/,
    (input) => {
      const below = (p: readonly number[]) => p.filter((one) => one <= numberIn(input, 'q')).length
      const p = numbersIn(input, 'p')
      return { bh_rejected: below(adjustments.bh(p)) }
    },
  ],
  [/^wilson/, (input) => ({ ci: ci(wilsonInterval(shareIn(input))) })],
  [/^welch/, welchIn],
  [
    /^(prop-ph|gb-t|gb-full|ph-t|ph-ratio)/,
    (input) => {
      const { alternative } = input
      return tested(
        input,
        effectIn(input),
        alternative === 'greater' || alternative === 'less' ? alternative : 'two-sided',
      )
    },
  ],
  [
    /^delta-rel/,
    (input) => {
      const arm = (name: 'a' | 'b'): Moments => {
        const [mean, variance, n] = [`mean_${name}`, `var_${name}`, `n_${name}`].map((one) =>
          numberIn(input, one),
        )
        if (mean === undefined || variance === undefined || n === undefined)
          throw new Error('an arm is missing')
        return { n, means: [mean], deviations: [[variance * (n - 1)]] }
      }
      const outcome = estimateEffect(arm('a'), arm('b'), { estimand: { kind: 'mean' }, scale: 'relative' })
      if (!outcome.done) throw new Error(outcome.problem)
      return { variance: outcome.effect.standardError ** 2 }
    },
  ],
  [
    /^gb-(ratio-bayes|bayes-mean)/,
    (input) => {
      const effect = effectIn(input)
      const { mean, interval, standardDeviation, chanceAboveZero, risk } = posteriorOf(effect)
      return {
        effect: mean,
        ci: ci(interval),
        stderr: standardDeviation,
        chance_to_win: chanceAboveZero,
        risk,
        risk_treatment: risk[1],
      }
    },
  ],
  [/^gb-risk/, (input) => ({ risk: expectedLoss(numberIn(input, 'mu'), numberIn(input, 'sigma')) })],
  [
    /^gb-quantile/,
    (input) => {
      const estimate = (name: string) => {
        const one = inputIn(input, name)
        return {
          n: numberIn(one, 'n'),
          value: numberIn(one, 'q'),
          low: numberIn(one, 'lo'),
          high: numberIn(one, 'hi'),
        }
      }
      const { mean, interval } = posteriorOf(quantileEffect(estimate('control'), estimate('treatment')))
      return { effect: mean, ci: ci(interval) }
    },
  ],
  [
    /^evanmiller/,
    (input) => {
      const share = (name: 'a' | 'b') => {
        const one = inputIn(input, name)
        return { alpha: 1 + numberIn(one, 'success'), beta: 1 + numberIn(one, 'fail') }
      }
      return { p_b_beats_a: chanceAbove(share('a'), share('b')) }
    },
  ],
  [
    /^seq-gb-one/,
    (input, id) => {
      const alternative = id.includes('greater') ? 'greater' : 'less'
      const { interval } = sequentialTest(effectIn(input), { tuning: numberIn(input, 'tuning'), alternative })
      return { bound: alternative === 'greater' ? interval.low : interval.high }
    },
  ],
  [
    /^seq-gb/,
    (input) => {
      const effect = effectIn(input)
      const { p, interval } = sequentialTest(effect, { tuning: numberIn(input, 'tuning') })
      return { effect: effect.value, stderr: effect.standardError, p, ci: ci(interval) }
    },
  ],
  [
    /^cuped-theta/,
    (input) => {
      const arm = momentsOf(
        numbersIn(input, 'post').map((post, i) => [post, numbersIn(input, 'pre')[i] ?? 0]),
      )
      return { theta: covariateFactor([arm, arm], 'mean') }
    },
  ],
  [
    /^cuped-variance-identity/,
    (input) => {
      const arm = momentsOf(
        numbersIn(input, 'post').map((post, i) => [post, numbersIn(input, 'pre')[i] ?? 0]),
      )
      const theta = covariateFactor([arm], 'mean')
      const [[own = 0, shared = 0] = [], [, before = 0] = []] = covariancesOf(arm)
      return { theta, ratio: (own - 2 * theta * shared + theta ** 2 * before) / own }
    },
  ],
  [
    /^cuped-ratio-gb/,
    (input) => {
      const [a, b] = [ratioArmIn(inputIn(input, 'a')), ratioArmIn(inputIn(input, 'b'))]
      const effect = adjustedRatio(a, b, covariateFactor([a, b], 'ratio'))
      const sequential = sequentialTest(effect, { tuning: 5000 })
      return {
        ...tested(input, effect),
        ci_sequential_5000: ci(sequential.interval),
        p_sequential_5000: sequential.p,
      }
    },
  ],
  [
    /^cuped-ratio-neg/,
    (input) => {
      const [a, b] = [ratioUnitsIn(input, 'a'), ratioUnitsIn(input, 'b')]
      const effect = adjustedRatio(a, b, numberIn(input, 'theta'))
      return { effect: effect.value, stderr: effect.standardError }
    },
  ],
  [
    /^rel-diff-sign/,
    (input) => {
      const arm = (name: string): Moments => ({ n: 10, means: [numberIn(input, name)], deviations: [[9]] })
      const outcome = estimateEffect(arm('mean_a'), arm('mean_b'), {
        estimand: { kind: 'mean' },
        scale: 'relative',
      })
      if (!outcome.done) throw new Error(outcome.problem)
      return { effect: outcome.effect.value }
    },
  ],
  [/^srm/, (input) => ({ p: sampleRatioTest(numbersIn(input, 'observed'), weightsIn(input)).p })],
  [
    /^power-r-prop/,
    (input) => ({
      n: unitsNeeded(
        sharesPlan(numberIn(input, 'p1'), numberIn(input, 'p2'), 0.05),
        numberIn(input, 'power'),
      ),
    }),
  ],
  [
    /^power-stata/,
    (input) => ({
      power: powerOf({
        ...sharesPlan(numberIn(input, 'p1'), numberIn(input, 'p2'), 0.05),
        units: numberIn(input, 'n'),
      }),
    }),
  ],
  [
    /^power-gpower/,
    (input) => {
      const control = numberIn(input, 'p')
      const treatment = control + numberIn(input, 'mde_abs')
      const plan = sharesPlan(control, treatment, numberIn(input, 'alpha'))
      return { n_total: 2 * unitsNeeded(plan, numberIn(input, 'power')) }
    },
  ],
  [
    /^mde-gb-1/,
    (input) => ({
      mde: detectableEffect(
        {
          baseline: { mean: numberIn(input, 'mean'), variance: numberIn(input, 'var') },
          units: numberIn(input, 'n') / numberIn(input, 'variations'),
          alpha: 0.05,
        },
        numberIn(input, 'power'),
      ),
    }),
  ],
  [/^fn-norm-cdf/, (input) => ({ value: normalCdf(numberIn(input, 'z')) })],
  [/^fn-norm-ppf/, (input) => ({ value: normalQuantile(numberIn(input, 'p')) })],
  [/^fn-t-sf/, (input) => ({ value: studentTail(numberIn(input, 't'), numberIn(input, 'df')) })],
  [/^fn-chi2/, (input) => ({ value: chiSquareTail(numberIn(input, 'x'), numberIn(input, 'df')) })],
  [
    /^fn-betainc/,
    (input) => ({ value: incompleteBeta(numberIn(input, 'a'), numberIn(input, 'b'), numberIn(input, 'x')) }),
  ],
]

const weightsIn = (input: Input): number[] =>
  input.weights === undefined ? numbersIn(input, 'observed').map(() => 1) : numbersIn(input, 'weights')

interface Tolerance {
  abs?: number
  rel?: number
}

function isWithin(actual: number, expected: number, tolerance: number | Tolerance): boolean {
  const { abs = 0, rel = 0 } = typeof tolerance === 'number' ? { abs: tolerance } : tolerance
  return Math.abs(actual - expected) <= Math.max(abs, rel * Math.abs(expected))
}

describe('the published numbers', () => {
  test.each(published.vectors.map((vector) => [vector.id, vector] as const))('%s', (id, vector) => {
    const evaluate = evaluators.find(([family]) => family.test(id))?.[1]
    if (!evaluate) throw new Error('no evaluator')
    const computed = evaluate(Object.fromEntries(Object.entries(vector.input)), id)
    for (const [name, expected] of Object.entries(vector.expected)) {
      const [actual, wanted] = [[computed[name]].flat(), [expected].flat().map(Number)]
      const isRight = (value: number, i: number) =>
        typeof actual[i] === 'number' && isWithin(actual[i], value, vector.tolerance)
      expect(wanted.every(isRight), `${name}: ${String(actual)} instead of ${String(wanted)}`).toBe(true)
    }
  })
})

describe('numbers of other products that are known to be wrong', () => {
  const divergence = (id: string) => {
    const found = published.divergences.find((one) => one.id === id)
    if (!found?.input) throw new Error(`no divergence ${id}`)
    return found.input
  }

  test('the power of a sequential test is that of its interval at the planned size', () => {
    const { effect, mean, n, variations } = divergence('power-gb-seq')
    const plan = {
      baseline: { mean, variance: divergence('power-gb-seq').var },
      units: n / variations,
      effect,
      alpha: 0.05,
      isSequential: true,
    }
    expect(powerOf(plan)).toBeCloseTo(0.072_064_947_8, 6)
    expect(detectableEffect(plan, 0.8)).toBeCloseTo(0.110_442_900_7, 6)
  })

  test('the chance to win of two shares is exact', () => {
    expect(chanceAbove({ alpha: 50, beta: 52 }, { alpha: 52, beta: 50 })).toBeGreaterThan(0)
    expect(chanceAbove({ alpha: 49, beta: 51 }, { alpha: 151, beta: 149 })).toBeCloseTo(0.591_652_884_6, 6)
  })
})
