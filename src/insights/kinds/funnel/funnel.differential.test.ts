import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { expectedFunnel } from '#test/plain/funnel'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { sql, strings } from '#engine/sql'
import type { Calendar } from '#insights/calendar/period'
import type { FunnelPart, FunnelStepAnswer } from './answer'
import { funnelKind } from './funnel'
import { funnelQuery } from './schema'

const testEngine = anEngine()

const places = [
  { timeZone: 'UTC', day: '2026-03-02' },
  { timeZone: 'America/Sao_Paulo', day: '2018-11-04' },
  { timeZone: 'Europe/Berlin', day: '2026-03-29' },
  { timeZone: 'Asia/Kathmandu', day: '2026-03-02' },
  { timeZone: 'Pacific/Apia', day: '2011-12-31' },
]

const shift = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const cohorts = { c1: ['ana', 'ben'], c2: ['ana', 'eve'] }

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })

/** Often at the same instant, mostly close together. */
const moment = (day: string) =>
  fc
    .oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: -96, max: 288 }))
    .map((quarter) => new Date(Date.parse(`${day}T00:00:00Z`) + quarter * 900_000).toISOString())

const told = (day: string) =>
  fc.record({
    person: fc.constantFrom('ana', 'ben', 'eve'),
    event: fc.constantFrom('a', 'b', 'c', 'x'),
    at: moment(day),
    session: maybe(fc.constantFrom('s1', 's2')),
    groups: fc.constantFrom({ company: 'u' }, { company: 'v' }, {}),
    properties: fc.record({ plan: fc.constantFrom('p', 'q', '', '2:=') }, { requiredKeys: [] }),
  })

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 1, arbitrary: fc.constant(null) },
)

const steps = fc.oneof(
  fc.constantFrom(['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'a', 'c'], ['a', 'a', 'b']),
  fc.array(name, { minLength: 2, maxLength: 4 }),
)

const range = fc.constantFrom({ from: 0, to: 1 }, { from: 1, to: 2 }, { from: 0, to: 2 }, { from: 0, to: 3 })

const breakdown = fc.constantFrom(
  { type: 'event', key: 'plan' },
  { type: 'event', key: 'plan' },
  { type: 'cohort', cohorts: ['c1', 'c2'] },
)

const queries = (day: string) =>
  fc.record({
    kind: fc.constant('funnel'),
    period: fc.constantFrom(
      `${day}..${day}`,
      `${shift(day, -1)}..${shift(day, 1)}`,
      `${shift(day, -1)}T05:10:00Z..${day}T01:00:00Z`,
    ),
    steps: fc
      .tuple(steps, maybe(fc.integer({ min: 1, max: 2 })))
      .map(([all, optional]) => all.map((event, i) => ({ event, optional: i === optional }))),
    order: fc.constantFrom('ordered', 'ordered', 'strict', 'unordered'),
    window: fc.constantFrom(
      { amount: 15, unit: 'minute' },
      { amount: 30, unit: 'minute' },
      { amount: 1, unit: 'hour' },
      { amount: 1, unit: 'day' },
    ),
    exclusions: fc.array(fc.record({ event: fc.constantFrom('x', 'c', null), range }), { maxLength: 2 }),
    per: fc.oneof(
      { weight: 3, arbitrary: fc.constant('person') },
      { weight: 1, arbitrary: fc.constant('session') },
      { weight: 1, arbitrary: fc.constant({ group: 'company' }) },
    ),
    breakdown: maybe(breakdown),
    attribution: fc.constantFrom('first', 'last', 'all steps', { step: 0 }, { step: 1 }),
    limit: fc.integer({ min: 1, max: 3 }),
    view: fc.constantFrom('steps', 'steps', 'trend'),
    interval: fc.constantFrom('hour', 'day'),
    compare: fc.constantFrom(undefined, undefined, undefined, 'previous', `${shift(day, -1)}..${day}`),
  })

const cases = fc
  .constantFrom(...places)
  .chain(({ timeZone, day }) =>
    fc.record({
      events: fc.array(told(day), { maxLength: 12 }),
      calendar: fc.record({
        timeZone: fc.constant(timeZone),
        weekStart: fc.constant('monday'),
        now: fc.constantFrom(...[0, 1, 2, 30].map((days) => new Date(`${shift(day, days)}T01:20:00Z`))),
      }),
      question: queries(day),
    }),
  )
  .map(({ question, ...one }) => ({ ...one, question: meant(question) }))
  .filter(({ question }) => funnelQuery.safeParse(question).success)

/** Most funnels drawn by lot make no sense; these are near them and do. */
function meant<
  Query extends {
    steps: { optional: boolean }[]
    order: string
    exclusions: { event: string | null; range: { from: number; to: number } }[]
  },
>(query: Query) {
  const last = query.steps.length - 1
  const all = query.steps.map((step, i) => ({
    ...step,
    optional: step.optional && query.order === 'ordered' && i < last,
  }))
  const kept = query.exclusions.map(({ event, range: { from, to } }) =>
    query.order === 'unordered' ? { event, from: 0, to: last } : { event, from, to: Math.min(to, last) },
  )
  return { ...query, steps: all, exclusions: query.order === 'strict' ? [] : kept }
}

type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

test(`the engine and a pencil agree on ${caseCount} small funnels`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events as TestEvent[])), // absent and undefined are the same to it
    agree: async ({ events, calendar, question }, project) => {
      const parsed = funnelQuery.parse(question)
      const fixture = { events: events as TestEvent[], calendar: calendar as Calendar, cohorts } // as above
      const plain = expectedFunnel(parsed, fixture)

      expect(rounded(await engineSays(project, question, fixture.calendar))).toEqual(rounded(plain))
    },
  })
})

async function engineSays(project: number, query: object, calendar: Calendar): Promise<object> {
  const read = funnelKind.read(query)
  const cohort = (id: string) => cohortStatement(cohorts[id as keyof typeof cohorts]) // the queries name no others
  const outcome = read.done ? await read.ready.answer(testEngine.scope(project, calendar, { cohort })) : read
  if (!outcome.done) throw new Error(outcome.problems[0]?.message)
  const { compared, ...main } = outcome.answer
  return { ...partOf(main), ...(compared && { compared: partOf(compared) }) }
}

const partOf = ({ steps: all, breakdowns, valuesInAll, trend }: FunnelPart) => ({
  steps: all.map(figures),
  ...(breakdowns && {
    breakdowns: breakdowns.map(({ value, isOthers, steps: own }) => ({
      value: isOthers ? 'all others' : value,
      steps: own.map(figures),
    })),
    valuesInAll,
  }),
  ...(trend && { trend: { entered: trend.entered, converted: trend.converted } }),
})

const figures = ({ persons, medianSeconds, averageSeconds }: FunnelStepAnswer) => ({
  persons,
  medianSeconds,
  averageSeconds,
})

const cohortStatement = (persons: readonly string[]) =>
  sql`select toUUID(arrayJoin(${strings(persons.map(uuidFor))})) as person_id`

/** Averages differ in their last digits by the order of adding. */
const rounded = (answer: object): unknown =>
  JSON.parse(
    JSON.stringify(answer, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(10)) + 0 : value,
    ),
  )
