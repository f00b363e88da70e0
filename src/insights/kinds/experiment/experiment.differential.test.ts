import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { caseCount, expectAgreement } from '#test/random/differential'
import { expectedExperiment } from '#test/plain/experiment'
import { expectedExposures } from '#test/plain/experiment-exposures'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { ExperimentAnswer, ExperimentCell } from './answer'
import type { ExperimentExposuresAnswer } from '#insights/kinds/experiment-exposures/answer'
import { experimentExposuresQuery } from '../experiment-exposures/schema'
import { experimentQuery } from './schema'

const engine = anEngine()

const calendar = { timeZone: 'UTC', weekStart: 'monday', now: new Date('2026-03-31T12:00:00Z') } as const

const beginning = Date.parse('2026-03-02T10:00:00Z')

const happened: fc.Arbitrary<TestEvent> = fc
  .record({
    person: fc.constantFrom('ana', 'ben', 'cleo', 'dan', 'eve'),
    event: fc.constantFrom(
      '$feature_flag_called',
      '$feature_flag_called',
      '$feature_flag_called',
      'a',
      'a',
      'b',
      'c',
    ),
    session: fc.constantFrom('one', 'two', 'three'),
    // no two at the same instant: which came first would be decided by ids
    quarter: fc.integer({ min: -40, max: 80 }),
    flag: fc.constantFrom('checkout', 'checkout', 'checkout', 'other'),
    value: fc.constantFrom('control', 'control', 'test', 'test', 'false', ''),
    price: fc.constantFrom('1', '2', '10', '-3', 'free'),
    plan: fc.constantFrom('p', 'q'),
    extra: fc.constantFrom<Record<string, string>>(
      {},
      {},
      {},
      {},
      { $override_feature_flags: '1' },
      { $feature_flag_original_response: 'test' },
      { late: '1' },
    ),
    traffic: fc.constantFrom('human' as const, 'human' as const, 'human' as const, 'bot' as const),
    company: fc.constantFrom('u', 'v', ''),
    browser: fc.constantFrom('Firefox', 'Safari'),
    isOnPhone: fc.boolean(),
  })
  .map(({ quarter, flag, value, price, plan, extra, traffic, company, browser, isOnPhone, ...one }) => ({
    ...one,
    at: new Date(beginning + quarter * 900_000).toISOString(),
    columns: { traffic, browser },
    ...(isOnPhone && { distinctId: `${one.person}-phone` }),
    ...(company !== '' && { groups: { company } }),
    properties: {
      price,
      plan,
      $device_id: one.session,
      ...(one.event === '$feature_flag_called' && { $feature_flag: flag, $feature_flag_response: value }),
      ...('late' in extra
        ? { $feature_flag_evaluated_at: String(beginning + quarter * 900_000 - 1_000_000) }
        : extra),
    },
  }))

const window = {
  windowHours: fc.constantFrom(1, 4),
  delayHours: fc.constantFrom(0, 0.5, 3),
  onlyComplete: fc.boolean(),
}
const bounds = {
  atMost: fc.constantFrom({ value: 2 }, { percentile: 75 }),
  atLeast: fc.constantFrom({ value: 1 }, { percentile: 10 }),
}
/** The filters with which a decomposition asks for its parts. */
const partFilter = fc.constantFrom(
  { type: 'event', key: 'plan', operator: 'exact', value: ['p'] },
  { type: 'event', key: 'plan', operator: 'is_not', value: ['p'] },
  { type: 'event', key: '$feature_flag_evaluated_at', operator: 'is_not_set' },
  {
    all: [
      { type: 'event', key: '$feature_flag_evaluated_at', operator: 'is_set' },
      { type: 'event', key: 'plan', operator: 'is_not', value: ['q'] },
    ],
  },
)
const matcher = fc.record(
  { event: fc.constantFrom('a', 'b', null), filter: partFilter },
  { requiredKeys: ['event'] },
)
const amount = fc.record(
  { happening: matcher, property: fc.constant('price') },
  { requiredKeys: ['happening'] },
)
const boundedAmount = fc.record(
  { happening: matcher, property: fc.constant('price'), ...bounds },
  { requiredKeys: ['happening'] },
)
const metric = fc.oneof(
  fc.record(
    { type: fc.constant('conversion'), happening: matcher, ...window },
    { requiredKeys: ['type', 'happening'] },
  ),
  fc.record(
    { type: fc.constant('total'), amount, ...bounds, ...window },
    { requiredKeys: ['type', 'amount'] },
  ),
  fc.record(
    {
      type: fc.constant('value'),
      of: fc.constantFrom('mean', 'min', 'max'),
      happening: matcher,
      property: fc.constant('price'),
      ...bounds,
      ...window,
    },
    { requiredKeys: ['type', 'of', 'happening', 'property'] },
  ),
  fc.record(
    { type: fc.constant('ratio'), numerator: boundedAmount, denominator: boundedAmount, ...window },
    { requiredKeys: ['type', 'numerator', 'denominator'] },
  ),
  fc.record(
    {
      type: fc.constant('funnel'),
      steps: fc.constantFrom(
        [{ event: 'a' }, { event: 'b' }],
        [{ event: 'a' }, { event: 'b' }, { event: 'c' }],
        [{ event: 'a' }, { event: 'a' }],
        [{ event: null }, { event: 'a' }, { event: null }],
      ),
      ...window,
    },
    { requiredKeys: ['type', 'steps'] },
  ),
)

const queries = fc.record(
  {
    kind: fc.constant('experiment'),
    flag: fc.constant('checkout'),
    variants: fc.constant(['control', 'test']),
    phases: fc.constantFrom(
      ['2026-03-02T10:00:00Z'],
      ['2026-03-02T06:00:00Z', '2026-03-02T14:00:00Z', '2026-03-02T20:00:00Z'],
    ),
    until: fc.constantFrom('2026-03-03T02:00:00Z', '2026-03-02T18:10:00Z'),
    exposure: fc.constantFrom({
      by: 'event',
      event: '$feature_flag_called',
      property: '$feature_flag_response',
    }),
    unit: fc.constantFrom({ by: 'session' }, { by: 'device' }, { by: 'group', group: 'company' }),
    severalVariants: fc.constant('first'),
    lookbackDays: fc.constantFrom(1, 2),
    segment: fc.constant({ type: 'event', key: 'plan' }),
    course: fc.boolean(),
    metrics: fc.array(metric, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['kind', 'flag', 'variants', 'phases', 'metrics'] },
)

const cases = fc.record({
  events: fc.uniqueArray(happened, { maxLength: 30, size: 'max', selector: ({ at }) => at }),
  question: queries,
})
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

const cellKey = ({ variant, phase, segment, day }: ExperimentCell): string =>
  JSON.stringify([variant, phase, segment, day])
const setKey = ({ seen }: { seen: readonly string[] }): string => seen.join()

const sorted = <One>(all: readonly One[], key: (one: One) => string): One[] =>
  all.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))

/** Numbers within what rounding allows. */
const near = (value: unknown): unknown => {
  if (typeof value === 'number' && !Number.isInteger(value)) return expect.closeTo(value, 6)
  if (Array.isArray(value)) return value.map(near)
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' ? expect.closeTo(value, 6) : value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, near(one)]))
}

test(`the engine and an evaluator without SQL agree on ${caseCount} small experiments`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => engine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, question }, project) => {
      const answer = await engine.ask<ExperimentAnswer>(project, question)
      const plain = expectedExperiment(experimentQuery.parse(question), events, calendar)
      expect(sorted(answer.exposed, setKey)).toEqual(sorted(plain.exposed, setKey))
      expect(sorted(answer.cells, cellKey)).toEqual(near(sorted(plain.cells, cellKey)))
    },
  })
})

/** Makes the same query about the states of all units. */
const exposuresOf = ({
  kind: _,
  metrics,
  lookbackDays: _days,
  segment: _by,
  course: _course,
  ...query
}: Case['question']) => ({
  kind: 'experiment-exposures',
  ...query,
  metric: metrics[0],
})

test(`the engine and an evaluator without SQL agree on the exposures of ${caseCount} small experiments`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => engine.addProjects(all.map(({ events }) => events)),
    agree: async ({ events, question }, project) => {
      const asked = exposuresOf(question)
      const answer = await engine.ask<ExperimentExposuresAnswer>(project, asked)
      const plain = expectedExposures(experimentExposuresQuery.parse(asked), events, calendar)
      const inOrder = (found: ExperimentExposuresAnswer) => ({
        ...found,
        cells: sorted(found.cells, (cell) => JSON.stringify(cell)),
        several: sorted(found.several, (one) => JSON.stringify([one.seen, one.cause])),
      })
      expect(inOrder(answer)).toEqual(inOrder(plain))
    },
  })
})
