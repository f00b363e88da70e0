import { describe, expect, test } from 'vitest'
import { seededRandom } from '#test/seeded-random'
import type { ExperimentAnswer, ExperimentCell, MetricMoments } from '#insights/compile/experiment-answer'
import type { MeasuredMetric } from '#insights/kinds/experiment/question'
import { momentsOf } from '#statistics/moments'
import type { AnalysisSettings, ExperimentMetric } from '../experiment'
import type { ExperimentPhase } from '../phases'
import { analyse, decisiveEstimate, metricsByPhase } from './analyse'
import type { EstimatedComparison, ExperimentReport } from './report'
import { verdictOf } from './verdict'
import { verdictInWords } from './verdict-in-words'

const analysis: AnalysisSettings = {
  method: 'bayesian',
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
  }: {
    metrics?: ExperimentMetric[]
    settings?: Partial<AnalysisSettings>
    phases?: ExperimentPhase[]
    variants?: string[]
    more?: Partial<ExperimentAnswer>
  } = {},
): ExperimentReport {
  const experiment = {
    kind: 'fixed' as const,
    control: 'control',
    metrics,
    analysis: { ...analysis, ...settings },
  }
  return analyse(experiment, variants, phases, answerOf(cells, more))
}

const comparison = (of: ExperimentReport, place = 0): EstimatedComparison => {
  const found = of.metrics[place]?.comparisons[0]
  if (found?.state !== 'estimated') throw new Error(`no estimate: ${JSON.stringify(found)}`)
  return found
}

const verdict = (of: ExperimentReport, settings: Partial<AnalysisSettings> = {}, isRunning = true) => {
  const full = { ...analysis, ...settings }
  const found = verdictOf(of, { analysis: full, days: 10, isRunning, isRollout: false })
  return { advice: found.advice, words: verdictInWords(found, full.level) }
}

describe('estimates', () => {
  const cells = [cell('control', [share(100, 1000)]), cell('test', [share(150, 1000)])]

  test('a share, by the Bayesian method', () => {
    const found = comparison(report(cells))
    expect(found.relative?.value).toBeCloseTo(0.5, 10)
    expect(found.absolute.value).toBeCloseTo(0.05, 10)
    expect(found.absolute.standardError).toBeCloseTo(Math.sqrt((0.09 + 0.1275) / 1000), 10)
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
    const byPhase = metricsByPhase(experiment, ['control', 'test'], [phase(2), phase(9)], answerOf(cells))
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
    expect(metricsByPhase(experiment, ['control', 'test'], [phase(2)], answerOf(cells))).toEqual([])
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

describe('verdicts', () => {
  const better = [cell('control', [share(1000, 10_000)]), cell('test', [share(1200, 10_000)])]

  test('a clear winner is to be shipped', () => {
    const { advice, words } = verdict(report(better))
    expect(advice).toBe('ship')
    expect(words).toMatch(
      /^Ship “test”: Purchases \+20% \(95% interval \+\d+% to \+\d+%\), and no guardrail got worse\.$/,
    )
  })

  test('a split that is not the configured one says nothing else, and says its size', () => {
    const { advice, words } = verdict(
      report([cell('control', [share(1000, 10_000)]), cell('test', [share(1200, 9000)])]),
    )
    expect(advice).toBe('check-split')
    expect(words).toContain('up to 5.3% off')
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
    const { advice, words } = verdict(report([cell('control', [share(5, 40)]), cell('test', [share(9, 40)])]))
    expect([advice, words]).toEqual([
      'wait',
      'Too few people have been exposed to say anything. Wait about 3 days.',
    ])
  })

  test('unclear waits for the planned size, and ends there', () => {
    const of = (size: number) =>
      report([cell('control', [share(size / 10, size)]), cell('test', [share(size / 10 + 1, size)])])
    expect(verdict(of(1000)).words).toMatch(
      /^No variant is clearly better or worse yet. Wait about \d+ days\.$/,
    )
    expect(verdict(of(100_000))).toMatchObject({
      advice: 'no-difference',
      words: expect.stringContaining('no variant differs by as much as 5.0%'),
    })
  })

  test('at the planned size, an effect that matters and is not excluded is not called none', () => {
    const { advice, words } = verdict(
      report([cell('control', [share(7000, 70_000)]), cell('test', [share(7200, 70_000)])]),
    )
    expect(advice).toBe('cannot-tell')
    expect(words).toContain('An effect of 5.0% would have been found with a probability of 80%.')
  })

  test('an experiment without a primary metric has nothing to decide by', () => {
    expect(verdict(report(better, { metrics: [metric({ role: 'secondary' })] })).advice).toBe('no-metric')
  })

  test('no exposures are no verdict', () => {
    expect(verdict(report([])).words).toBe('No one has been exposed yet. Wait.')
  })
})
