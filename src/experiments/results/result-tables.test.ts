import { expect, test } from 'vitest'
import { csvOf } from '#insights/csv'
import type { AnswerTable } from '#insights/kind'
import type { CoursePoint, MetricCourse } from './course'
import type { EffectEstimate, ExperimentReport, MetricComparison, MetricReport } from './report'
import { courseTable, resultTable } from './result-tables'
import type { ExperimentVerdict } from './verdict'

const at = new Date('2026-03-09T08:30:00+02:00')

const estimate = (value: number, more: Partial<EffectEstimate> = {}): EffectEstimate => ({
  value,
  standardError: 0.01,
  low: value - 0.25,
  high: value + 0.25,
  p: undefined,
  adjustedP: undefined,
  chance: undefined,
  loss: undefined,
  ...more,
})

const estimated = (more: Partial<Extract<MetricComparison, { state: 'estimated' }>>): MetricComparison => ({
  variant: 'test',
  state: 'estimated',
  relative: estimate(0.5),
  absolute: estimate(0.125),
  adjusted: undefined,
  reading: 'unclear',
  ...more,
})

const metric = (more: Partial<MetricReport> = {}): MetricReport => ({
  id: 'orders',
  name: 'Orders',
  role: 'primary',
  goal: 'increase',
  margin: 5,
  shape: 'share',
  values: [
    { variant: 'control', units: 1000, value: 0.1234567890123, steps: [] },
    { variant: 'test', units: 1001, value: 0.25, steps: [] },
  ],
  comparisons: [estimated({})],
  limits: [],
  ...more,
})

const reportOf = (metrics: MetricReport[]): ExperimentReport => ({
  control: 'control',
  variants: [],
  phases: [],
  weightedSplit: undefined,
  excluded: { severalVariants: [], otherValues: 0, previews: 0 },
  metrics,
})

const tableOf = (metrics: MetricReport[], verdict: ExperimentVerdict = { advice: 'no-metric' }) =>
  resultTable({ report: reportOf(metrics), verdict, at })

/** The rows by the names of their columns, without empty cells. */
const named = ({ columns, rows }: AnswerTable) =>
  rows.map((row) =>
    Object.fromEntries(row.flatMap((cell, i) => (cell === null ? [] : [[columns[i]?.name, cell]]))),
  )

const about = { metric: 'Orders', role: 'primary', goal: 'increase' }
const known = { advice: 'no-metric', asOf: '2026-03-09T06:30:00.000Z' }

test('a metric has a row for each variant, the control first, with all digits and the time in UTC', () => {
  expect(named(tableOf([metric({ comparisons: [estimated({ relative: undefined })] })]))).toEqual([
    { ...about, variant: 'control', units: 1000, value: 0.1234567890123, reading: 'control', ...known },
    {
      ...about,
      variant: 'test',
      units: 1001,
      value: 0.25,
      absolute: 0.125,
      absoluteLow: -0.125,
      absoluteHigh: 0.375,
      reading: 'unclear',
      ...known,
    },
  ])
})

test('an adjusted comparison has the adjusted estimates, as the page has', () => {
  const p = { p: 0.01, adjustedP: 0.02 }
  const adjusted = { relative: estimate(0.25, p), absolute: estimate(0.0625, p), varianceReduction: 0.3 }
  const [, row] = named(tableOf([metric({ comparisons: [estimated({ adjusted, reading: 'better' })] })]))
  expect(row).toMatchObject({
    absolute: 0.0625,
    relative: 0.25,
    relativeLow: 0,
    relativeHigh: 0.5,
    p: 0.01,
    adjustedP: 0.02,
    reading: 'better',
  })
})

test.each(['share', 'mean', 'ratio', 'quantile'] as const)('a %s is its number, in no unit', (shape) =>
  expect(named(tableOf([metric({ shape })]))[1]).toMatchObject({ value: 0.25, absolute: 0.125 }),
)

test('money is a number, with its currency beside it', () =>
  expect(named(tableOf([metric({ shape: 'mean', currency: 'EUR' })]))[1]).toMatchObject({
    value: 0.25,
    currency: 'EUR',
    absolute: 0.125,
  }))

test('a variant with too few units has the reason in place of a reading, and no estimate', () => {
  const comparisons: MetricComparison[] = [{ variant: 'test', state: 'no-estimate', reason: 'too-few-units' }]
  const values = [
    { variant: 'control', units: 3, value: 0.5, steps: [] },
    { variant: 'test', units: 0, value: null, steps: [] },
  ]
  expect(named(tableOf([metric({ values, comparisons })]))[1]).toEqual({
    ...about,
    variant: 'test',
    units: 0,
    reading: 'too-few-units',
    ...known,
  })
})

test('a bandit has its advice, and the chance of each variant to be better than the control', () => {
  const comparisons = [estimated({ absolute: estimate(0.125, { chance: 0.97, loss: 0.001 }) })]
  const verdict = { advice: 'keep-going', variant: 'test', chance: 0.9 } as const
  expect(named(tableOf([metric({ comparisons })], verdict))[1]).toMatchObject({
    chance: 0.97,
    advice: 'keep-going',
  })
})

test('a rollout has the readings of its guardrails', () => {
  const guardrail = metric({ role: 'guardrail', comparisons: [estimated({ reading: 'violated' })] })
  const verdict = { advice: 'roll-out', unclear: [], harmed: ['Orders'] } as const
  expect(named(tableOf([guardrail], verdict))[1]).toMatchObject({
    role: 'guardrail',
    reading: 'violated',
    advice: 'roll-out',
  })
})

test('before the start there are the names of the columns alone', () => {
  const table = resultTable({ report: undefined, verdict: { advice: 'not-started' }, at })
  expect(csvOf(table)).toBe(
    '\uFEFFmetric,role,goal,variant,units,value,currency,absolute,absoluteLow,absoluteHigh,relative,relativeLow,relativeHigh,p,adjustedP,chance,reading,advice,asOf\r\n',
  )
})

test('a name that a spreadsheet would compute is written as a text', () => {
  const [, line] = csvOf(tableOf([metric({ name: '=1+1' })])).split('\r\n')
  expect(line).toMatch(/^'=1\+1,primary,/)
})

const point = (day: string, more: Partial<CoursePoint> = {}): CoursePoint => ({
  day,
  units: { control: 100, variant: 90 },
  values: { control: 0.1, variant: 0.2 },
  estimate: estimate(0.5, { p: 0.04, adjustedP: 0.05 }),
  isRelative: true,
  reason: undefined,
  ...more,
})

const courseOf = (...variants: MetricCourse['variants']): MetricCourse[] => [
  { id: 'orders', name: 'Orders', role: 'primary', goal: 'increase', shape: 'share', variants },
]

test('the course has a row for each day and variant, with the control’s numbers and the age of the answer', () => {
  const course = courseOf(
    { variant: 'test', points: [point('2026-03-01'), point('2026-03-02', { isRelative: false })] },
    {
      variant: 'other',
      points: [point('2026-03-01', { estimate: undefined, reason: 'too-few-units' })],
    },
  )
  const counts = { units: 90, value: 0.2, controlUnits: 100, controlValue: 0.1 }
  const effect = { effect: 0.5, low: 0.25, high: 0.75, p: 0.04, adjustedP: 0.05 }
  const asOf = '2026-03-09T06:30:00.000Z'
  expect(named(courseTable({ course, at }))).toEqual([
    { day: '2026-03-01', ...about, variant: 'test', ...counts, scale: 'relative', ...effect, asOf },
    { day: '2026-03-02', ...about, variant: 'test', ...counts, scale: 'absolute', ...effect, asOf },
    { day: '2026-03-01', ...about, variant: 'other', ...counts, reason: 'too-few-units', asOf },
  ])
})

test('a metric without any day yet has no row', () =>
  expect(courseTable({ course: courseOf({ variant: 'test', points: [] }), at }).rows).toEqual([]))
