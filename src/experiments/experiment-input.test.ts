import { expect, test } from 'vitest'
import type { ZodType } from 'zod'
import { measuredMetric } from '#insights/kinds/experiment/schema'
import { parseInput } from '#projects/problems'
import {
  endInput,
  experimentChange,
  newExperiment,
  pastRunInput,
  savedMetricsInput,
  shipInput,
  startInput,
} from './experiment-input'
import { savedMetricCollection } from './metrics/saved-metrics'
import { planInput } from './planning/history'
import { decompositionInput } from './results/decomposition'
import { exposuresInput, peopleInput } from './results/results-input'
import { segmentInput } from './results/segments'

const filter = { all: [{ type: 'event', key: 'plan', operator: 'exact', value: ['pro'] }] }
const matcher = { event: 'ordered', label: 'Orders', filter }
const common = { windowHours: 24, delayHours: 1, onlyComplete: true }
const bounds = { atLeast: { value: 1 }, atMost: { percentile: 99 } }
const amount = { happening: matcher, property: 'price' }

const measured = [
  { type: 'conversion', happening: matcher, ...common },
  { type: 'total', amount, ...bounds, ...common },
  { type: 'value', of: 'mean', happening: matcher, property: 'price', ...bounds, ...common },
  {
    type: 'ratio',
    numerator: { ...amount, ...bounds },
    denominator: { happening: matcher, ...bounds },
    ...common,
  },
  { type: 'funnel', steps: [matcher, { event: 'paid' }], ...common },
  { type: 'quantile', happening: matcher, property: 'price', level: 0.9, ...common },
]

const metrics = measured.map((one, i) => ({
  id: `metric-${i + 1}`,
  name: 'Orders',
  role: 'secondary',
  goal: 'increase',
  margin: 5,
  measured: one,
  savedMetric: 'x',
}))

const web = {
  assignedBy: 'conditions',
  previewsDraft: true,
  variants: {
    test: {
      transforms: [{ selector: 'h1', html: 'Hello', css: 'color: red' }],
      conditions: { url: '/', urlMatchType: 'exact', utm: { utm_source: 'a', utm_medium: 'b' } },
    },
  },
}

const experiment = {
  name: 'Checkout',
  kind: 'fixed',
  hypothesis: 'It sells.',
  flag: 'checkout',
  control: 'control',
  exposure: { by: 'event', event: 'seen', property: 'variant', filter },
  unit: { by: 'group', group: 'company' },
  entry: filter,
  severalVariants: 'first',
  web,
  notes: 'None',
  recipients: [
    { by: 'webhook', url: 'https://hooks.example.com/tilth' },
    { by: 'member', member: 'ana' },
    { by: 'mail', address: 'ana@example.com' },
  ],
  bandit: { smallestPercent: 5, burnInUnits: 100, interval: 'day' },
  rollout: { set: 0, steps: [{ share: 10, minutes: 60 }], waitsForPeople: true, whenDone: 'ship' },
  metrics,
  analysis: {
    method: 'bayesian',
    level: 0.95,
    prior: { mean: 0, standardDeviation: 0.5 },
    lookbackDays: 14,
    smallestEffect: 0.05,
    power: 0.8,
    minimumUnits: 50,
  },
}
const { flag: _flag, ...change } = { ...experiment, changedAt: '2026-03-01T10:00:00Z' }
const savedMetric = {
  name: 'Orders',
  description: '',
  goal: 'increase',
  measured: measured[1],
  tags: ['shop'],
}

/** A complete input of each schema. */
const inputs: [name: string, schema: ZodType, input: object][] = [
  ['a new experiment', newExperiment, experiment],
  ['a change', experimentChange, change],
  ['a start', startInput, { at: '2026-03-01T10:00:00Z', turnsFlagOn: true }],
  ['an end', endInput, { outcome: 'stopped', note: 'Done', rollsBack: false }],
  ['a shipped variant', shipInput, { variant: 'test', note: 'Done' }],
  ['a past run', pastRunInput, { from: '2026-03-01T10:00:00Z', until: '2026-03-02T10:00:00Z', note: '' }],
  ['saved metrics by id', savedMetricsInput, { ids: ['a'], role: 'primary' }],
  ['saved metrics by tag', savedMetricsInput, { tag: 'shop', role: 'primary' }],
  ['a new saved metric', savedMetricCollection.newEntry, savedMetric],
  ['a changed saved metric', savedMetricCollection.change, savedMetric],
  ['a plan', planInput, { days: 28, event: 'seen', path: '/', traffic: 50 }],
  ['segments', segmentInput, { type: 'event', key: 'plan' }],
  ['a decomposition', decompositionInput, { metric: 'metric-1', key: 'plan' }],
  ['exposures', exposuresInput, { metric: 'metric-1' }],
  ['people', peopleInput, { metric: 'metric-1', page: 1 }],
]

const wrongValues: unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  0.001,
  1.5,
  1e9,
  1e300,
  Number.NaN,
  '',
  'x',
  'X '.repeat(60_000),
  {},
  [],
  [null],
  [{}],
  { value: 'x' },
  { percentile: 0 },
  { by: 'x' },
  { type: 'x' },
  { all: 'x' },
  Array.from({ length: 3000 }, () => 'x'),
]

/** The input once for each of its values, at any depth, with that value changed, and once for each object with a field more. */
function* variations(input: unknown): Generator {
  yield* wrongValues
  if (Array.isArray(input)) {
    for (const [i, member] of input.entries())
      for (const wrong of variations(member)) yield input.with(i, wrong)
  } else if (typeof input === 'object' && input !== null) {
    yield { ...input, surprise: 1 }
    for (const [name, member] of Object.entries(input))
      for (const wrong of variations(member)) yield { ...input, [name]: wrong }
  }
}

/** The parser’s own words. */
const ofParser =
  /invalid|expected|received|too small|too big|unrecognized|^undefined|\bnan\b|[<>]=?\s*\d|\[object|[^.]$/i

test.each(inputs)('what is wrong with %s is said in sentences', (_, schema, input) => {
  expect(parseInput(schema, input)).toMatchObject({ done: true })
  const messages = new Set<string>()
  for (const wrong of variations(input)) {
    const parsed = parseInput(schema, wrong)
    if (!parsed.done) for (const { message } of parsed.problems) messages.add(message)
  }
  expect(messages.size).toBeGreaterThan(1)
  expect([...messages].filter((message) => ofParser.test(message))).toEqual([])
})

test('the inputs above have every field', () => {
  const fieldsOf = (given: object) => Object.keys(given).toSorted()
  expect(fieldsOf(experiment)).toEqual(fieldsOf(newExperiment.shape))
  expect(fieldsOf(change)).toEqual(fieldsOf(experimentChange.shape))
  expect(measured.map(({ type }) => type)).toEqual(
    measuredMetric.options.flatMap(({ shape }) => shape.type.value),
  )
})

const orders = { happening: { event: 'ordered' } }

test.each<[string, object, string, RegExp]>([
  [
    'bounds of a count that exclude each other',
    { type: 'total', amount: orders, atLeast: { value: 5 }, atMost: { value: 1 } },
    'atMost',
    /^The upper bound must be above the lower one, which is 5/,
  ],
  [
    'bounds that make every value the same',
    { type: 'value', of: 'max', ...orders, property: 'price', atLeast: { value: 5 }, atMost: { value: 5 } },
    'atMost',
    /above the lower one/,
  ],
  [
    'percentiles that exclude each other',
    { type: 'total', amount: orders, atLeast: { percentile: 99 }, atMost: { percentile: 1 } },
    'atMost',
    /above the lower one, which is percentile 99/,
  ],
  [
    'a count of at most nothing',
    { type: 'total', amount: orders, atMost: { value: 0 } },
    'atMost',
    /^A count is never below 0/,
  ],
  [
    'bounds of a part of a ratio that exclude each other',
    {
      type: 'ratio',
      numerator: { ...orders, atLeast: { value: 5 }, atMost: { value: 1 } },
      denominator: { happening: { event: 'seen' } },
    },
    'numerator.atMost',
    /above the lower one/,
  ],
  [
    'a ratio of a thing with itself',
    { type: 'ratio', numerator: orders, denominator: { happening: { event: 'ordered', label: 'Again' } } },
    'denominator',
    /^Both parts of the ratio are the same/,
  ],
  [
    'a window of no time',
    { type: 'funnel', steps: [{ event: 'a' }, { event: 'b' }], windowHours: 0.0001 },
    'windowHours',
    /^A window lasts at least a second/,
  ],
])('%s: refused', (_, contradictory, field, sentence) => {
  const ofExperiment = {
    name: 'Checkout',
    flag: 'checkout',
    metrics: [{ name: 'x', measured: contradictory }],
  }
  const message = expect.stringMatching(sentence)
  expect(parseInput(newExperiment, ofExperiment)).toEqual({
    done: false,
    problems: [{ field: `metrics.0.measured.${field}`, message }],
  })
  expect(parseInput(savedMetricCollection.newEntry, { name: 'x', measured: contradictory })).toEqual({
    done: false,
    problems: [{ field: `measured.${field}`, message }],
  })
  // those that were stored before are still answered
  expect(measuredMetric.safeParse(contradictory).success).toBe(true)
})

test.each([
  { type: 'total', amount: orders, atLeast: { value: 1 }, atMost: { value: 5 } },
  { type: 'total', amount: { ...orders, property: 'profit' }, atMost: { value: 0 } },
  { type: 'total', amount: orders, atLeast: { value: 5 }, atMost: { percentile: 1 } },
  { type: 'ratio', numerator: { ...orders, property: 'price' }, denominator: orders },
  { type: 'funnel', steps: [{ event: 'ordered' }, { event: 'ordered' }] },
])('a metric is taken whose settings agree: %j', (agreeing) => {
  expect(parseInput(savedMetricCollection.newEntry, { name: 'x', measured: agreeing }).done).toBe(true)
})
