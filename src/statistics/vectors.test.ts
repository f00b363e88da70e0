import { describe, expect, test } from 'vitest'
import published from '#test/vectors/statistics.json' with { type: 'json' }
import {
  chanceAbove,
  chanceRateAbove,
  expectedLoss,
  expectedShareLoss,
  posteriorOf,
  quantileEffect,
} from './bayesian'
import { covariateFactor, type Effect, type EffectScale, type Estimand, estimateEffect } from './effect'
import { type Alternative, welchTest } from './frequentist'
import { covariancesOf, type Moments, momentsFromSums, momentsOf } from './moments'
import { type Adjustment, adjustments } from './multiple-tests'
import { detectableEffect, powerOf, shareEffectPower, unitsForMeans, unitsForShares } from './power'
import {
  agrestiCaffoInterval,
  betaInterval,
  newcombeInterval,
  type Proportion,
  sharesTest,
  shareTest,
  wilsonInterval,
} from './proportions'
import { sampleRatioTest } from './sample-ratio'
import {
  bernoulliSequence,
  bestMixture,
  gammaPoissonBoundary,
  logHalfNormalMixture,
  logNormalMixture,
  mixtureRatioTest,
  sequentialTest,
  stitchedBoundary,
} from './sequential'
import { chiSquareTail, incompleteBeta, normalCdf, normalQuantile, studentTail } from './special-functions'
import { winsorized, winsorLimits } from './internal/winsorize'

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

const sharesIn = (input: Input): [Proportion, Proportion, ...Proportion[]] => {
  const [first, second, ...rest] = numbersIn(input, 'x').map((count, i) => ({
    count,
    size: numbersIn(input, 'n')[i] ?? 0,
  }))
  if (!first || !second) throw new Error('two shares are needed')
  return [first, second, ...rest]
}
const shareIn = (input: Input): Proportion => ({ count: numberIn(input, 'x'), size: numberIn(input, 'n') })
const ci = ({ low, high }: { low: number; high: number }) => [low, high]

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
  [/^prop-z/, (input) => shareTest(sharesIn(input)[0], sharesIn(input)[1])],
  [
    /^prop-chi2/,
    (input) => {
      const { statistic, freedom, p } = sharesTest(
        sharesIn(input),
        input.p0 === undefined ? undefined : numberIn(input, 'p0'),
      )
      return { statistic, df: freedom, p }
    },
  ],
  [/^prop-pairwise-holm|^mt-holm/, adjusted('holm')],
  [/^mt-bonf/, adjusted('bonferroni')],
  [/^mt-hochberg/, adjusted('hochberg')],
  [/^mt-bh$/, adjusted('bh')],
  [/^mt-tea-by/, adjusted('by')],
  [
    /^mt-bh1995/,
    (input) => {
      const below = (p: readonly number[]) => p.filter((one) => one <= numberIn(input, 'q')).length
      const p = numbersIn(input, 'p')
      return { bh_rejected: below(adjustments.bh(p)), bonferroni_rejected: below(adjustments.bonferroni(p)) }
    },
  ],
  [/^prop-agresti/, (input) => ({ ci: ci(agrestiCaffoInterval(sharesIn(input)[0], sharesIn(input)[1])) })],
  [/^newcombe/, (input) => ({ ci: ci(newcombeInterval(sharesIn(input)[0], sharesIn(input)[1])) })],
  [/^wilson/, (input) => ({ ci: ci(wilsonInterval(shareIn(input))) })],
  [
    /^beta-interval/,
    (input) => {
      const [alpha = 0, beta = 0] = numbersIn(input, 'prior')
      return { ci: ci(betaInterval(shareIn(input), [alpha, beta])) }
    },
  ],
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
    /^bb-gb/,
    (input) => {
      const share = (name: 'a' | 'b') => {
        const [[count = 0, size = 0], [alpha = 0, beta = 0]] = [
          numbersIn(input, name),
          numbersIn(input, `prior_${name}`),
        ]
        return { alpha: alpha + count, beta: beta + size - count }
      }
      const [keep, choose] = expectedShareLoss(share('a'), share('b'))
      return { risk_keep_a: keep, risk_choose_b: choose }
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
    /^gamma-poisson/,
    (input) => {
      const rate = (name: 'a' | 'b') => {
        const one = inputIn(input, name)
        return { events: numberIn(one, 'events'), exposure: numberIn(one, 'exposure') }
      }
      return { p_b_beats_a: chanceRateAbove(rate('a'), rate('b')) }
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
    /^confseq-best-rho/,
    (input) => ({ rho: bestMixture(numberIn(input, 'v_opt'), numberIn(input, 'alpha_opt')) }),
  ],
  [
    /^confseq-nm-log/,
    (input) => ({
      log_mixture: logNormalMixture(
        numberIn(input, 's'),
        numberIn(input, 'v'),
        bestMixture(numberIn(input, 'v_opt'), numberIn(input, 'alpha_opt')),
      ),
    }),
  ],
  [
    /^confseq-nm1-log/,
    (input) => ({
      log_mixture: logHalfNormalMixture(
        numberIn(input, 's'),
        numberIn(input, 'v'),
        bestMixture(numberIn(input, 'v_opt'), 0.05, { isOneSided: true }),
      ),
    }),
  ],
  [
    /^confseq-gp/,
    (input) => ({
      bound: gammaPoissonBoundary({
        variance: numberIn(input, 'v'),
        alpha: numberIn(input, 'alpha'),
        bestAt: numberIn(input, 'v_opt'),
        scale: numberIn(input, 'c'),
      }),
    }),
  ],
  [
    /^confseq-stitch/,
    (input) => ({
      bound: stitchedBoundary({
        variance: numberIn(input, 'v'),
        alpha: numberIn(input, 'alpha'),
        least: numberIn(input, 'v_min'),
        scale: numberIn(input, 'c'),
      }),
    }),
  ],
  [
    /^confseq-bern/,
    (input) => ({
      ci: ci(
        bernoulliSequence(numberIn(input, 'successes'), numberIn(input, 'trials'), {
          alpha: numberIn(input, 'alpha'),
          bestAt: numberIn(input, 't_opt'),
        }),
      ),
    }),
  ],
  [
    /^msprt/,
    (input) => {
      const { ratio, p } = mixtureRatioTest({
        pairs: numberIn(input, 'n_pairs'),
        difference: numberIn(input, 'mean_difference'),
        variance: numberIn(input, 'variance'),
        mixture: numberIn(input, 'tau2'),
      })
      return { L: ratio, p }
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
      n: unitsForShares(
        { control: numberIn(input, 'p1'), treatment: numberIn(input, 'p2'), alpha: 0.05 },
        numberIn(input, 'power'),
      ),
    }),
  ],
  [
    /^power-stata/,
    (input) => ({
      power: shareEffectPower({
        control: numberIn(input, 'p1'),
        treatment: numberIn(input, 'p2'),
        alpha: 0.05,
        units: numberIn(input, 'n'),
      }),
    }),
  ],
  [
    /^power-r-t-n/,
    (input) => ({
      n: unitsForMeans({
        difference: numberIn(input, 'delta'),
        deviation: numberIn(input, 'sd'),
        alpha: 0.05,
        power: numberIn(input, 'power'),
      }),
    }),
  ],
  [
    /^power-gpower/,
    (input) => {
      const control = numberIn(input, 'p')
      const treatment = control + numberIn(input, 'mde_abs')
      return {
        n_total:
          2 *
          unitsForShares({ control, treatment, alpha: numberIn(input, 'alpha') }, numberIn(input, 'power')),
      }
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
  [
    /^winsor/,
    (input) => {
      const x = numbersIn(input, 'x')
      const [below = 0, above = 0] = numbersIn(input, 'limits')
      const limited = winsorized(x, winsorLimits(x, { below, above }))
      const mean = (values: readonly number[]) =>
        values.reduce((sum, value) => sum + value, 0) / values.length
      return { mean_before: mean(x), mean_after: mean(limited), x: limited }
    },
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
