import { describe, expect, test } from 'vitest'
import { seededRandom } from '#test/random/seeded-random'
import type { ExperimentAnswer, ExperimentCell, MetricMoments } from '#insights/kinds/experiment/answer'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import { momentsOf } from '#statistics/moments'
import { studentQuantile } from '#statistics/special-functions'
import type { AnalysisSettings, ExperimentMetric } from '../../experiment'
import type { ExperimentPhase } from '../../internal/phases'
import { analyse, metricsByPhase } from './analyse'
import type { Look } from './looks'
import { decisiveEstimate } from './readings'
import type { EstimatedComparison, ExperimentReport } from '../report'
import { verdictOf } from '../verdict'
import { verdictInWords } from './verdict-words'

const analysis: AnalysisSettings = {
  method: 'bayesian',
  decision: { rule: 'planned-size', units: 1000 },
  level: 0.95,
  prior: undefined,
  lookbackDays: 0,
  smallestEffect: 0.05,
  power: 0.8,
  minimumUnits: 50,
}

const window = { delayHours: 0, onlyComplete: false }
const conversion: MeasuredMetric = { type: 'conversion', happening: { event: 'bought' }, ...window }
const total: MeasuredMetric = { type: 'total', amount: { happening: { event: 'bought' } }, ...window }

const metric = (more: Partial<ExperimentMetric> = {}): ExperimentMetric => ({
  id: 'm',
  name: 'Purchases',
  role: 'primary',
  goal: 'increase',
  margin: 5,
  measured: conversion,
  ...more,
})

const phase = (
  day: number,
  weights: Record<string, number> = { control: 50, test: 50 },
): ExperimentPhase => ({
  startedAt: new Date(Date.UTC(2026, 2, day)),
  weights,
  hasFixedVariants: false,
})

/** The moments of a share, as the engine gathers them. */
function share(count: number, size: number): MetricMoments {
  const mean = size === 0 ? 0 : count / size
  return { n: size, means: [mean], deviations: [[size * mean * (1 - mean)]] }
}

const cell = (
  variant: string,
  metrics: ExperimentCell['metrics'],
  { units, phase: at = 0 }: { units?: number; phase?: number } = {},
): ExperimentCell => {
  const [first] = metrics
  return {
    variant,
    phase: at,
    segment: '',
    day: '',
    units: units ?? (first && 'n' in first ? first.n : 0),
    metrics,
  }
}

const answerOf = (cells: ExperimentCell[], more: Partial<ExperimentAnswer> = {}): ExperimentAnswer => ({
  cells,
  exposed: [],
  limits: [],
  ...more,
})

function report(
  cells: ExperimentCell[],
  {
    metrics = [metric()],
    settings = {},
    phases = [phase(2)],
    variants = ['control', 'test'],
    more = {},
    look = settings.method === 'sequential' ? 'any' : 'planned',
  }: {
    metrics?: ExperimentMetric[]
    settings?: Partial<AnalysisSettings>
    phases?: ExperimentPhase[]
    variants?: string[]
    more?: Partial<ExperimentAnswer>
    look?: Look
  } = {},
): ExperimentReport {
  const experiment = {
    kind: 'fixed' as const,
    control: 'control',
    metrics,
    analysis: { ...analysis, ...settings },
  }
  return analyse({ experiment, variants, phases, currency: 'EUR' }, answerOf(cells, more), look)
}

const comparison = (of: ExperimentReport, place = 0): EstimatedComparison => {
  const found = of.metrics[place]?.comparisons[0]
  if (found?.state !== 'estimated') throw new Error(`no estimate: ${JSON.stringify(found)}`)
  return found
}

const verdict = (
  of: ExperimentReport,
  settings: Partial<AnalysisSettings> = {},
  { isRunning = true, look = 'planned' }: { isRunning?: boolean; look?: Look } = {},
) => {
  const full = {
    ...analysis,
    ...(look === 'any' && { decision: { rule: 'any-time' as const } }),
    ...settings,
  }
  const found = verdictOf(of, { analysis: full, look, days: 10, isRunning, isRollout: false })
  return { advice: found.advice, words: verdictInWords(found, full.level) }
}

describe('estimates', () => {
  const cells = [cell('control', [share(100, 1000)]), cell('test', [share(150, 1000)])]

  test('a share, by the Bayesian method', () => {
    const found = comparison(report(cells))
    expect(found.relative?.value).toBeCloseTo(0.5, 10)
    expect(found.absolute.value).toBeCloseTo(0.05, 10)
    expect(found.absolute.standardError).toBeCloseTo(Math.sqrt((2 * 0.125 * 0.875) / 1000), 10)
    expect(found.relative?.chance).toBeGreaterThan(0.99)
    expect(found.reading).toBe('better')
  })

  test('the interval for every look is wider, and has a p-value', () => {
    const once = comparison(report(cells, { settings: { method: 'frequentist' } }))
    const always = comparison(report(cells, { settings: { method: 'sequential' } }))
    expect(once.relative?.p).toBeLessThan(0.01)
    expect(always.relative?.p).toBeGreaterThan(once.relative?.p ?? 1)
    expect(always.relative?.low).toBeLessThan(once.relative?.low ?? 0)
  })

  test('a prior draws relative effects towards it', () => {
    const prior = { mean: 0, standardDeviation: 0.1 }
    expect(comparison(report(cells, { settings: { prior } })).relative?.value).toBeLessThan(0.4)
  })

  test('less is better where the goal is a decrease', () => {
    const found = comparison(report(cells, { metrics: [metric({ goal: 'decrease' })] }))
    expect(found.reading).toBe('worse')
    expect(found.relative?.chance).toBeLessThan(0.01)
  })

  test.each<[string, ExperimentCell[], string]>([
    ['no units', [], 'too-few-units'],
    ['one unit', [cell('control', [share(0, 1)]), cell('test', [share(1, 1)])], 'too-few-units'],
    [
      'four conversions',
      [cell('control', [share(1, 5000)]), cell('test', [share(3, 5000)])],
      'too-few-conversions',
    ],
    ['no variance', [cell('control', [share(100, 100)]), cell('test', [share(100, 100)])], 'no-variance'],
  ])('with %s there is no number', (_, few, reason) => {
    expect(report(few).metrics[0]?.comparisons[0]).toMatchObject({ state: 'no-estimate', reason })
  })

  test('a control of nothing has no relative effect', () => {
    const found = comparison(report([cell('control', [share(0, 1000)]), cell('test', [share(50, 1000)])]))
    expect(found.relative).toBeUndefined()
    expect(found.reading).toBe('better')
  })

  test('several variants are corrected by Holm’s method, and one of three by chance is no winner', () => {
    const found = report(
      [
        cell('control', [share(1000, 10_000)]),
        cell('test', [share(1092, 10_000)]),
        cell('b', [share(1001, 10_000)]),
        cell('c', [share(1002, 10_000)]),
      ],
      {
        settings: { method: 'frequentist' },
        variants: ['control', 'test', 'b', 'c'],
        phases: [phase(2, { control: 25, test: 25, b: 25, c: 25 })],
      },
    )
    const one = comparison(found)
    expect(decisiveEstimate(one).p).toBeLessThan(0.05)
    expect(decisiveEstimate(one).adjustedP).toBeGreaterThan(0.05)
    expect(one.reading).toBe('unclear')
  })
})

describe('phases', () => {
  test('a change of weights while the metric changes is no effect', () => {
    // both variants convert at 10%, then at 30%; almost all of the treatment came in the second phase
    const cells = [
      cell('control', [share(900, 9000)], { phase: 0 }),
      cell('test', [share(100, 1000)], { phase: 0 }),
      cell('control', [share(300, 1000)], { phase: 1 }),
      cell('test', [share(2700, 9000)], { phase: 1 }),
    ]
    const phases = [phase(2, { control: 90, test: 10 }), phase(9, { control: 10, test: 90 })]
    const found = report(cells, { phases })
    expect(comparison(found).absolute.value).toBeCloseTo(0, 12)
    expect(comparison(found).reading).toBe('unclear')
    expect(found.phases.map(({ ratio }) => ratio?.p)).toEqual([1, 1])
  })

  test('each phase has values and estimates of its own, and one phase has none beside the whole', () => {
    const experiment = { kind: 'fixed' as const, control: 'control', metrics: [metric()], analysis }
    const cells = [
      cell('control', [share(100, 1000)], { phase: 0 }),
      cell('test', [share(200, 1000)], { phase: 0 }),
      cell('control', [share(300, 1000)], { phase: 1 }),
      cell('test', [share(270, 900)], { phase: 1 }),
    ]
    const measured = { experiment, variants: ['control', 'test'], currency: 'EUR' }
    const byPhase = metricsByPhase({ ...measured, phases: [phase(2), phase(9)] }, answerOf(cells))
    expect(byPhase.map(([found]) => found?.values.map(({ value, units }) => [value, units]))).toEqual([
      [
        [0.1, 1000],
        [0.2, 1000],
      ],
      [
        [0.3, 1000],
        [0.3, 900],
      ],
    ])
    const readings = byPhase.map(([found]) =>
      found?.comparisons.map((one) => 'reading' in one && one.reading),
    )
    expect(readings).toEqual([['better'], ['unclear']])
    expect(metricsByPhase({ ...measured, phases: [phase(2)] }, answerOf(cells))).toEqual([])
  })

  test('phases of the same split pool to nearly the whole', () => {
    const cells = [
      cell('control', [share(100, 1000)], { phase: 0 }),
      cell('test', [share(120, 1000)], { phase: 0 }),
      cell('control', [share(110, 1000)], { phase: 1 }),
      cell('test', [share(130, 1000)], { phase: 1 }),
    ]
    const pooled = comparison(report(cells, { phases: [phase(2), phase(9)] }))
    const whole = comparison(report([cell('control', [share(210, 2000)]), cell('test', [share(250, 2000)])]))
    expect(pooled.absolute.value).toBeCloseTo(whole.absolute.value, 12)
    expect(pooled.absolute.standardError).toBeCloseTo(whole.absolute.standardError, 4)
  })
})

describe('phases that lack a variant', () => {
  const both = { control: 50, test: 50, other: 0 }
  const all = { control: 40, test: 30, other: 30 }
  const variants = ['control', 'test', 'other']
  const comparisonOf = (of: ExperimentReport, variant: string) =>
    of.metrics[0]?.comparisons.find((one) => one.variant === variant)

  /** The difference of two shares in strata, each weighted by its share of all units. */
  function plainPooled(strata: { size: number; control: [number, number]; test: [number, number] }[]) {
    const whole = strata.reduce((sum, { size }) => sum + size, 0)
    const varianceOf = ([count, n]: [number, number]) => ((count / n) * (1 - count / n)) / (n - 1)
    return {
      value: strata.reduce(
        (sum, { size, control, test: own }) =>
          sum + (size / whole) * (own[0] / own[1] - control[0] / control[1]),
        0,
      ),
      standardError: Math.sqrt(
        strata.reduce(
          (sum, { size, control, test: own }) =>
            sum + (size / whole) ** 2 * (varianceOf(control) + varianceOf(own)),
          0,
        ),
      ),
    }
  }

  test('a variant that never had a share does not keep the others from being compared', () => {
    const found = report(
      [
        cell('control', [share(100, 1000)], { phase: 0 }),
        cell('test', [share(150, 1000)], { phase: 0 }),
        cell('control', [share(100, 1000)], { phase: 1 }),
        cell('test', [share(150, 1000)], { phase: 1 }),
      ],
      { variants, phases: [phase(2, both), phase(9, both)] },
    )
    expect(comparisonOf(found, 'test')).toMatchObject({ state: 'estimated', reading: 'better' })
    expect(comparisonOf(found, 'other')).toEqual({
      variant: 'other',
      state: 'no-estimate',
      reason: 'too-few-units',
    })
    expect(found.metrics[0]?.values.map(({ units }) => units)).toEqual([2000, 2000, 0])
  })

  test('after a variant is removed, the others are compared in both phases', () => {
    const found = report(
      [
        cell('control', [share(40, 400)], { phase: 0 }),
        cell('test', [share(30, 300)], { phase: 0 }),
        cell('other', [share(15, 300)], { phase: 0 }),
        cell('control', [share(200, 2000)], { phase: 1 }),
        cell('test', [share(300, 2000)], { phase: 1 }),
      ],
      { variants, phases: [phase(2, all), phase(9, both)] },
    )
    const expected = plainPooled([
      { size: 1000, control: [40, 400], test: [30, 300] },
      { size: 4000, control: [200, 2000], test: [300, 2000] },
    ])
    const one = comparisonOf(found, 'test')
    expect(one?.state === 'estimated' && one.absolute.value).toBeCloseTo(expected.value, 12)
    expect(one?.state === 'estimated' && one.absolute.standardError).toBeCloseTo(expected.standardError, 12)
    // the removed one is compared with the control of its own time only
    const other = comparisonOf(found, 'other')
    expect(other?.state === 'estimated' && other.absolute.value).toBeCloseTo(0.05 - 0.1, 12)
  })

  test('a quantile is compared within the phases that have both variants', () => {
    const quantile = (value: number) => ({
      events: 500,
      units: 200,
      value,
      low: value - 10,
      high: value + 10,
    })
    const loading: MeasuredMetric = {
      type: 'quantile',
      happening: { event: 'loaded' },
      property: 'ms',
      level: 0.75,
      ...window,
    }
    const found = report(
      [
        // everything was slow before the second variant came
        cell('control', [quantile(900)], { phase: 0, units: 200 }),
        cell('control', [quantile(300)], { phase: 1, units: 200 }),
        cell('test', [quantile(300)], { phase: 1, units: 200 }),
      ],
      { metrics: [metric({ measured: loading, goal: 'decrease' })], phases: [phase(2), phase(9)] },
    )
    expect(comparison(found).absolute.value).toBeCloseTo(0, 12)
    expect(comparison(found).reading).toBe('unclear')
  })
})

test('a quantile of many events of few units has no estimate', () => {
  const quantile = (value: number) => ({ events: 5000, units: 3, value, low: value - 1, high: value + 1 })
  const loading: MeasuredMetric = {
    type: 'quantile',
    happening: { event: 'loaded' },
    property: 'ms',
    level: 0.75,
    ...window,
  }
  const found = report(
    [cell('control', [quantile(900)], { units: 200 }), cell('test', [quantile(300)], { units: 200 })],
    { metrics: [metric({ measured: loading, goal: 'decrease' })] },
  )
  expect(found.metrics[0]?.comparisons).toEqual([
    { variant: 'test', state: 'no-estimate', reason: 'too-few-units' },
  ])
  const alone = report([cell('control', [quantile(900)], { units: 200 })], {
    metrics: [metric({ measured: loading })],
  })
  expect(alone.metrics[0]?.values.map(({ value }) => value)).toEqual([900, null])
})

describe('few conversions', () => {
  test('none in a tenth of the units, where half of one was to be expected, is no finding', () => {
    // nine in ten get the control, and 6 of all 10,000 bought: a variant of 1,000 has none in 57 of 100 cases
    const found = report([cell('control', [share(6, 9000)]), cell('test', [share(0, 1000)])], {
      phases: [phase(2, { control: 90, test: 10 })],
    })
    expect(comparison(found).reading).toBe('unclear')
    expect(verdict(found, {}, { look: 'any' }).advice).toBe('wait')
  })

  test('none where six were to be expected is one', () => {
    const found = report([cell('control', [share(60, 9000)]), cell('test', [share(0, 1000)])], {
      phases: [phase(2, { control: 90, test: 10 })],
    })
    expect(comparison(found).reading).toBe('worse')
  })

  const few = { phases: [phase(2, { control: 90, test: 10 })] }
  /** Units of which the first have these values, and the others none. */
  const unitsWith = (n: number, ...values: number[][]): MetricMoments => {
    const rows = [
      ...values,
      ...Array.from({ length: n - values.length }, () => (values[0] ?? [0, 0]).map(() => 0)),
    ]
    const { means, deviations } = momentsOf(rows)
    return { n, means: [...means], deviations: deviations.map((row) => [...row]) }
  }

  test('the same for sums: no revenue in a tenth of the units, where half of one was to pay', () => {
    const paid = unitsWith(9000, ...[20, 30, 25, 20, 40, 22].map((one) => [one]))
    const none = unitsWith(1000, [0])
    const found = report([cell('control', [paid]), cell('test', [none])], {
      ...few,
      metrics: [metric({ measured: total })],
    })
    expect(comparison(found).reading).toBe('unclear')
  })

  test('the same for the numerator of a ratio', () => {
    const views = (n: number, clicked: number) =>
      unitsWith(n, ...Array.from({ length: n }, (_one, i) => [i < clicked ? 1 : 0, 1 + (i % 3)]))
    const measured: MeasuredMetric = {
      type: 'ratio',
      numerator: { happening: { event: 'clicked' } },
      denominator: { happening: { event: 'viewed' } },
      ...window,
    }
    const found = report([cell('control', [views(9000, 6)]), cell('test', [views(1000, 0)])], {
      ...few,
      metrics: [metric({ measured })],
    })
    expect(comparison(found).reading).toBe('unclear')
  })

  test('an average of a handful of orders is no estimate, whatever the number of exposed units', () => {
    const measured: MeasuredMetric = {
      type: 'value',
      of: 'mean',
      happening: { event: 'ordered' },
      property: 'total',
      ...window,
    }
    const orders = (...totals: number[]) => unitsWith(1000, ...totals.map((one) => [one, 1]))
    const found = report([cell('control', [orders(50, 51, 52, 49)]), cell('test', [orders(60, 61, 59)])], {
      metrics: [metric({ measured })],
    })
    expect(found.metrics[0]?.comparisons).toEqual([
      { variant: 'test', state: 'no-estimate', reason: 'too-few-units' },
    ])
    const many = (middle: number) => orders(...Array.from({ length: 40 }, (_one, i) => middle + (i % 5)))
    const enough = report([cell('control', [many(50)]), cell('test', [many(60)])], {
      metrics: [metric({ measured })],
    })
    expect(comparison(enough).reading).toBe('better')
  })

  /** The probability of a number of conversions of which `expected` were to be expected. */
  const probabilities = (expected: number): number[] => {
    const found = [Math.exp(-expected)]
    while (found.length < expected + 8 * Math.sqrt(expected) + 8)
      found.push(((found.at(-1) ?? 0) * expected) / found.length)
    return found
  }

  test.each([
    [1, 1],
    [2, 2],
    [5, 5],
    [12, 12],
    [9, 1],
    [18, 2],
    [45, 5],
    [1, 9],
    [2, 18],
    [5, 45],
  ])(
    'of all A/A experiments with %d and %d expected conversions, at most one in twenty finds something',
    (a, b) => {
      const size = 10_000
      let wrong = 0
      for (const [x, p] of probabilities(a).entries())
        for (const [y, q] of probabilities(b).entries()) {
          const cells = [cell('control', [share(x, a * size)]), cell('test', [share(y, b * size)])]
          const [one] =
            report(cells, { phases: [phase(2, { control: a, test: b })] }).metrics[0]?.comparisons ?? []
          wrong += one?.state === 'estimated' && one.reading !== 'unclear' ? p * q : 0
        }
      expect(wrong).toBeLessThan(0.055)
    },
  )
})

test('behaviour before the exposure narrows the interval; both estimates are there', () => {
  const random = seededRandom(3)
  const units = (lift: number) =>
    momentsOf(
      Array.from({ length: 500 }, () => {
        const before = 10 * random()
        return [before + lift + random(), before]
      }),
    )
  const of = ({ n, means, deviations }: ReturnType<typeof units>): MetricMoments => ({
    n,
    means: [...means],
    deviations: deviations.map((row) => [...row]),
  })
  const found = comparison(
    report([cell('control', [of(units(0))]), cell('test', [of(units(0.2))])], {
      metrics: [metric({ measured: total })],
      settings: { lookbackDays: 14 },
    }),
  )
  expect(found.adjusted?.varianceReduction).toBeGreaterThan(0.95)
  expect(found.adjusted?.absolute.value).toBeCloseTo(0.2, 1)
  expect(found.absolute.standardError).toBeGreaterThan(3 * (found.adjusted?.absolute.standardError ?? 1))
  expect(found.reading).toBe('better')
})

test('a ratio adjusted by the same ratio before the exposure, by its definition', () => {
  const random = seededRandom(11)
  const rowsOf = (lift: number) =>
    Array.from({ length: 400 }, () => {
      const habit = random()
      const views = (): number => 1 + Math.floor(4 * random())
      const [now, before] = [views(), views()]
      const clicks = (of: number, chance: number) =>
        Array.from({ length: of }, () => (random() < chance ? 1 : 0)).reduce<number>(
          (sum, one) => sum + one,
          0,
        )
      return [clicks(now, habit * lift), now, clicks(before, habit), before]
    })
  const arms = [rowsOf(0.8), rowsOf(0.95)]
  const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
  /** The ratio of two columns, and for each unit how far it draws the ratio from its value. */
  const linear = (rows: readonly number[][], top: number, bottom: number) => {
    const [tops, bottoms] = [rows.map((row) => row[top] ?? 0), rows.map((row) => row[bottom] ?? 0)]
    const ratio = meanOf(tops) / meanOf(bottoms)
    return { ratio, parts: tops.map((one, i) => (one - ratio * (bottoms[i] ?? 0)) / meanOf(bottoms)) }
  }
  const sumOf = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, x, i) => sum + x * (other[i] ?? 0), 0)
  const known = arms.map((rows) => ({ now: linear(rows, 0, 1), before: linear(rows, 2, 3), n: rows.length }))
  const theta =
    known.reduce((sum, { now, before }) => sum + sumOf(now.parts, before.parts), 0) /
    known.reduce((sum, { before }) => sum + sumOf(before.parts, before.parts), 0)
  const [control = 0, treatment = 0] = known.map(({ now, before }) => now.ratio - theta * before.ratio)
  const variances = known.map(({ now, before, n }) => {
    const rest = now.parts.map((one, i) => one - theta * (before.parts[i] ?? 0))
    return sumOf(rest, rest) / (n - 1) / n
  })

  const measured: MeasuredMetric = {
    type: 'ratio',
    numerator: { happening: { event: 'clicked' } },
    denominator: { happening: { event: 'viewed' } },
    ...window,
  }
  const cells = arms.map((rows, i) => {
    const { n, means, deviations } = momentsOf(rows)
    const moments = { n, means: [...means], deviations: deviations.map((row) => [...row]) }
    return cell(['control', 'test'][i] ?? '', [moments])
  })
  const { adjusted, absolute } = comparison(
    report(cells, { metrics: [metric({ measured })], settings: { lookbackDays: 14 } }),
  )
  expect(adjusted?.absolute.value).toBeCloseTo(treatment - control, 12)
  expect(adjusted?.absolute.standardError).toBeCloseTo(
    Math.sqrt((variances[0] ?? 0) + (variances[1] ?? 0)),
    12,
  )
  // the denominator of the relative effect is the unadjusted control
  expect(adjusted?.relative?.value).toBeCloseTo((treatment - control) / (known[0]?.now.ratio ?? 0), 12)
  expect(adjusted?.absolute.standardError).toBeLessThan(absolute.standardError)
})

test.each<[string, number[], number[], number[]]>([
  // p-values, by Holm, by Benjamini and Hochberg; ties have the same
  ['ties', [0.01, 0.01, 0.04, 0.04], [0.04, 0.04, 0.08, 0.08], [0.02, 0.02, 0.04, 0.04]],
  ['in any order', [0.04, 0.01, 0.03], [0.06, 0.03, 0.06], [0.04, 0.03, 0.04]],
])(
  'primary metrics by Holm’s method and secondary ones by Benjamini and Hochberg’s: %s',
  (_, p, holm, bh) => {
    // the treatment that has exactly this p-value by a test of so many units that t is normal
    const cellsOf = (values: readonly number[]) => {
      const n = 1_000_000
      const moments = (mean: number): MetricMoments => ({ n, means: [mean], deviations: [[n - 1]] })
      const reach = (value: number) =>
        (studentQuantile(1 - value / 2, 2 * n - 2) * Math.sqrt(2)) / Math.sqrt(n)
      return [
        cell(
          'control',
          values.map(() => moments(0)),
        ),
        cell(
          'test',
          values.map((value) => moments(reach(value))),
        ),
      ]
    }
    const correctedAs = (role: ExperimentMetric['role']) =>
      report(cellsOf(p), {
        settings: { method: 'frequentist' },
        metrics: p.map((_one, i) => metric({ id: `m${i}`, role, measured: total })),
      }).metrics.map(({ comparisons: [one] }) =>
        one?.state === 'estimated' ? one.absolute.adjustedP : undefined,
      )
    // a tenth of the error rate is that of harm
    correctedAs('primary').forEach((value, i) => expect(value).toBeCloseTo((holm[i] ?? 0) / 0.9, 6))
    correctedAs('secondary').forEach((value, i) => expect(value).toBeCloseTo(bh[i] ?? 0, 6))
    expect(correctedAs('guardrail')).toEqual(p.map(() => undefined))
  },
)

test('units of several variants, other values and previews are counted', () => {
  const { excluded } = report([], {
    more: {
      exposed: [
        { seen: ['control'], units: 10 },
        { seen: ['control', 'test'], units: 3 },
        { seen: ['', 'control', 'test'], units: 1 },
        { seen: [''], units: 7 },
        { seen: ['(preview)'], units: 2 },
      ],
    },
  })
  expect(excluded).toEqual({
    severalVariants: [{ variants: ['control', 'test'], units: 4 }],
    otherValues: 7,
    previews: 2,
  })
})

describe('what decides, what is shown and what is said are one', () => {
  test('of two shares the chance to win is exact, and a winner is not missed for a small control', () => {
    const found = comparison(
      report([cell('control', [share(8, 29)]), cell('test', [share(18, 32)])], {
        settings: { minimumUnits: 5 },
      }),
    )
    expect(found.absolute.chance).toBeCloseTo(0.9873, 4)
    expect(found.relative?.chance).toBe(found.absolute.chance)
    expect(found.reading).toBe('better')
  })

  test('of all A/A experiments with fifty conversions, as many seem better as worse', () => {
    const random = seededRandom(29)
    const drawn = () =>
      Array.from({ length: 1000 }, () => (random() < 0.05 ? 1 : 0)).reduce<number>((a, b) => a + b, 0)
    const readings = { better: 0, worse: 0, unclear: 0, safe: 0, violated: 0 }
    for (let i = 0; i < 3000; i++)
      readings[
        comparison(
          report([cell('control', [share(drawn(), 1000)]), cell('test', [share(drawn(), 1000)])]),
        ).reading
      ] += 1
    expect(readings.better).toBeGreaterThan(30)
    expect(readings.better).toBeLessThan(110)
    expect(readings.worse).toBeGreaterThan(30)
    expect(readings.worse).toBeLessThan(110)
  })

  test.each<[Look, AnalysisSettings['method'], ExperimentMetric['role']]>([
    ['planned', 'bayesian', 'primary'],
    ['planned', 'frequentist', 'secondary'],
    ['any', 'bayesian', 'primary'],
    ['any', 'frequentist', 'secondary'],
    ['early', 'frequentist', 'primary'],
  ])(
    'an interval excludes 0, on either scale, exactly where something is found: %s, %s, %s',
    (look, method, role) => {
      const random = seededRandom(7)
      const [seen, all] = [new Set<string>(), ['a', 'b', 'c']]
      for (let i = 0; i < 300; i++) {
        const size = 60 + Math.floor(5000 * random())
        const rate = 0.02 + 0.5 * random()
        const counted = (lift: number) =>
          share(Math.min(size, Math.round(size * rate * (1 + lift * (random() - 0.5)))), size)
        const metrics = all.map((id) => metric({ id, role }))
        const cells = ['control', 'test', 'other'].map((variant) =>
          cell(
            variant,
            all.map(() => counted(variant === 'control' ? 0 : 0.5)),
          ),
        )
        const found = report(cells, {
          metrics,
          look,
          settings: { method },
          variants: ['control', 'test', 'other'],
        })
        for (const one of found.metrics.flatMap(({ comparisons }) => comparisons)) {
          if (one.state !== 'estimated') continue
          const readingOf = (low: number, high: number) =>
            low > 0 ? 'better' : high < 0 ? 'worse' : 'unclear'
          expect(readingOf(one.absolute.low, one.absolute.high)).toBe(one.reading)
          expect(one.relative && readingOf(one.relative.low, one.relative.high)).toBe(one.reading)
          expect((one.absolute.adjustedP ?? 0) < 0.05).toBe(one.reading !== 'unclear')
          seen.add(one.reading)
        }
      }
      expect([...seen].toSorted()).toEqual(['better', 'unclear', 'worse'])
    },
  )
})

describe('before the planned end', () => {
  const early = (cells: ExperimentCell[], metrics?: ExperimentMetric[]) =>
    verdict(report(cells, { look: 'early', ...(metrics && { metrics }) }), {}, { look: 'early' })

  test('a winner is not shipped, and the days that are left are said', () => {
    const settings = { decision: { rule: 'planned-size', units: 20_000 } } as const
    const found = report([cell('control', [share(1000, 10_000)]), cell('test', [share(1200, 10_000)])], {
      look: 'early',
      settings,
    })
    expect(comparison(found).reading).toBe('better')
    expect(verdict(found, settings, { look: 'early' })).toEqual({
      advice: 'wait',
      words: 'Nothing is decided before the planned end. Wait about 10 days.',
    })
  })

  test('what is clearly worse, or beyond the margin of a guardrail, is stopped', () => {
    expect(early([cell('control', [share(1200, 10_000)]), cell('test', [share(900, 10_000)])]).advice).toBe(
      'stop',
    )
    const guardrail = metric({ id: 'g', name: 'Errors', role: 'guardrail', goal: 'decrease', margin: 10 })
    const cells = [
      cell('control', [share(1000, 10_000), share(1000, 10_000)]),
      cell('test', [share(1000, 10_000), share(1400, 10_000)]),
    ]
    expect(early(cells, [metric(), guardrail]).advice).toBe('stop')
  })
})

describe('verdicts', () => {
  const better = [cell('control', [share(1000, 10_000)]), cell('test', [share(1200, 10_000)])]

  test('a clear winner is to be shipped', () => {
    const { advice, words } = verdict(report(better))
    expect(advice).toBe('ship')
    expect(words).toMatch(/^Ship “test”: Purchases \+20% \(95% interval \+\d+% to \+\d+%\)\.$/)
  })

  test('a split that is not the configured one says nothing else, and says its size', () => {
    const { advice, words } = verdict(
      report([cell('control', [share(1000, 10_000)]), cell('test', [share(1200, 9000)])]),
    )
    expect(advice).toBe('check-split')
    expect(words).toContain('up to 5.3% off')
  })

  test('a small variant that got four of sixty, where half of one was to be expected, is no mismatch yet', () => {
    // it has four or more in 34 of 10,000 experiments, which chi-square takes for one in 100,000
    const phases = [phase(2, { control: 99, test: 1 })]
    const found = report([cell('control', [share(6, 56)]), cell('test', [share(0, 4)])], { phases })
    expect(verdict(found).advice).toBe('wait')
    const tenTimes = report([cell('control', [share(60, 560)]), cell('test', [share(0, 40)])], { phases })
    expect(verdict(tenTimes).advice).toBe('check-split')
  })

  test('a holdout or a variant that people are put into does not raise the alarm', () => {
    const fixed = { ...phase(2), hasFixedVariants: true }
    expect(
      verdict(report([cell('control', [share(1, 100)]), cell('test', [share(1, 900)])], { phases: [fixed] }))
        .advice,
    ).toBe('wait')
  })

  test('clearly worse is to be stopped', () => {
    const { advice, words } = verdict(
      report([cell('control', [share(1200, 10_000)]), cell('test', [share(1000, 10_000)])]),
    )
    expect([advice, words.startsWith('Stop: “test” is worse, Purchases −17%')]).toEqual(['stop', true])
  })

  const guardrail = metric({ id: 'g', name: 'Errors', role: 'guardrail', goal: 'decrease', margin: 10 })
  const withErrors = (errors: number, control = 2000) => [
    cell('control', [share(1000, 10_000), share(control, 10_000)]),
    cell('test', [share(1200, 10_000), share(errors, 10_000)]),
  ]

  test.each<[string, ExperimentCell[], string]>([
    ['well within its margin', withErrors(2000), 'ship'],
    ['beyond its margin', withErrors(2600), 'stop'],
    ['not known yet', withErrors(22, 20), 'wait'],
  ])('with a guardrail that is %s', (_, cells, advice) => {
    expect(verdict(report(cells, { metrics: [metric(), guardrail] })).advice).toBe(advice)
  })

  test('too few people say nothing, with the days until there are enough', () => {
    const few = report([cell('control', [share(5, 40)]), cell('test', [share(9, 40)])])
    const { advice, words } = verdict(few, {}, { look: 'any' })
    expect([advice, words]).toEqual([
      'wait',
      'Too few people have been exposed to say anything. Wait about 3 days.',
    ])
  })

  test('unclear waits for the planned size, and ends there', () => {
    const of = (size: number) =>
      report([cell('control', [share(size / 10, size)]), cell('test', [share(size / 10 + 1, size)])])
    expect(verdict(of(10_000), {}, { look: 'any' }).words).toMatch(
      /^No variant is clearly better or worse yet. Wait about \d+ days\.$/,
    )
    expect(verdict(of(1000), {}, { look: 'any' }).words).toBe(
      'No variant is clearly better or worse yet. At this rate it takes more than a year: look for a larger effect.',
    )
    expect(verdict(of(100_000))).toMatchObject({
      advice: 'no-difference',
      words: expect.stringContaining('no variant differs by as much as 5%'),
    })
  })

  test('at the planned size, an effect that matters and is not excluded is not called none', () => {
    const { advice, words } = verdict(
      report([cell('control', [share(7000, 70_000)]), cell('test', [share(7200, 70_000)])]),
    )
    expect(advice).toBe('cannot-tell')
    expect(words).toContain('by now an effect of 5% would have been found with a probability of 80%.')
  })

  test('an experiment without a primary metric has nothing to decide by', () => {
    expect(verdict(report(better, { metrics: [metric({ role: 'secondary' })] })).advice).toBe('no-metric')
  })

  test('no exposures are no verdict', () => {
    expect(verdict(report([])).words).toBe('No one has been exposed yet. Wait.')
  })
})
