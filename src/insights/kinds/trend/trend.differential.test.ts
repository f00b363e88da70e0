import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectAgreement, caseCount } from '#test/random/differential'
import { plainTrend } from '#test/plain/trend'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { sql, strings } from '#engine/sql'
import { mathNames, mathWords } from '#insights/measures/maths'
import type { Calendar } from '#insights/calendar/period'
import { trendKind } from './trend'
import { trendQuery } from './schema'

const testEngine = anEngine()

/** Days on which the clocks change, begin at one, or never were. */
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

const told = (day: string) =>
  fc.record({
    person: fc.constantFrom('ana', 'ben', 'eve', 'kim'),
    event: fc.constantFrom('buy', 'look', 'leave', '$pageview'),
    at: fc
      .integer({ min: -6 * 96, max: 5 * 96 })
      .map((quarter) => new Date(Date.parse(`${day}T00:00:00Z`) + quarter * 900_000).toISOString()),
    session: maybe(fc.constantFrom('s1', 's2')),
    distinctId: maybe(fc.constantFrom('phone', 'desk')),
    columns: fc.constantFrom({ browser: 'Firefox' }, { browser: 'Chrome' }, {}),
    groups: fc.constantFrom({ company: 'x' }, { company: 'y' }, {}),
    properties: fc.record(
      {
        price: fc.constantFrom('3', '10', '-2.5', 'free', ''),
        plan: fc.constantFrom('a', 'b', '', '2:='),
        $survey_submission_id: fc.constantFrom('one', 'two'),
      },
      { requiredKeys: [] },
    ),
  })

const price = { type: 'event', key: 'price' }

const measures = fc.constantFrom(...mathNames).map((math) => {
  const { needs } = mathWords(math)
  return {
    math,
    ...(needs === 'property' && { property: price }),
    ...(needs === 'group' && { group: 'company' }),
  }
})

const series = fc.record({
  event: fc.constantFrom('buy', 'look', null),
  measure: fc.oneof({ weight: 9, arbitrary: measures }, fc.constant({ math: 'per_person', property: price })),
})

const cuts = fc.constantFrom(
  { type: 'event', key: 'plan' },
  { type: 'event', key: '$browser' },
  { type: 'cohort', cohorts: ['c1', 'c2'] },
)

const cases = fc.constantFrom(...places).chain(({ timeZone, day }) =>
  fc.record({
    events: fc.array(told(day), { maxLength: 10 }),
    calendar: fc.record({
      timeZone: fc.constant(timeZone),
      weekStart: fc.constantFrom('monday', 'sunday'),
      now: fc.constantFrom(...[-1, 1, 30].map((days) => new Date(`${shift(day, days)}T07:20:00Z`))),
    }),
    question: fc
      .record({
        kind: fc.constant('trend'),
        period: fc.constantFrom(
          `${shift(day, -1)}..${shift(day, 1)}`,
          `${shift(day, -3)}..${shift(day, 2)}`,
          `${day}..${day}`,
          `${shift(day, -1)}T05:10:00Z..${shift(day, 1)}T17:00:00Z`,
        ),
        interval: maybe(fc.constantFrom('hour', 'day', 'week', 'month')),
        series: fc.array(series, { minLength: 1, maxLength: 2 }),
        breakdowns: fc.array(cuts, { maxLength: 3 }),
        limit: fc.integer({ min: 1, max: 3 }),
        cumulative: fc.boolean(),
        smoothing: maybe(fc.integer({ min: 2, max: 3 })),
        compare: fc.oneof(
          { weight: 3, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constantFrom('previous', `${shift(day, -5)}..${shift(day, -2)}`) },
        ),
      })
      .map((query) => ({
        ...query,
        cumulative:
          query.cumulative && query.series.every(({ measure }) => mathWords(measure.math).accumulates),
        formulas: query.series.length > 1 ? [{ text: 'A / B' }] : [],
      })),
  }),
)

type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never

test(`the engine and a pencil agree on ${caseCount} small trends`, async () => {
  await expectAgreement<Case, number>({
    cases,
    prepare: (all) => testEngine.addProjects(all.map(({ events }) => events as TestEvent[])), // absent and undefined are the same to it
    agree: async ({ events, calendar, question }, project) => {
      const parsed = trendQuery.parse(question)
      const plain = plainTrend(parsed, { events: events as TestEvent[], calendar, cohorts }) // as above

      expect(rounded(await engineSays(project, question, calendar))).toEqual(rounded(plain))
    },
  })
})

async function engineSays(project: number, query: object, calendar: Calendar): Promise<object> {
  const read = trendKind.read(query)
  const cohort = (id: string) => cohortStatement(cohorts[id as keyof typeof cohorts]) // the queries name no others
  const outcome = read.done ? await read.ready.answer(testEngine.scope(project, calendar, { cohort })) : read
  if (!outcome.done) throw new Error(outcome.problems[0]?.message)
  const { lines, valuesInAll } = outcome.answer
  const byLine = Object.groupBy(lines, ({ breakdown, isOthers }) => JSON.stringify([breakdown, isOthers]))
  return {
    lines: Object.values(byLine)
      .flatMap((group) => group ?? [])
      .map(({ series: place, breakdown: values, isOthers = false, ...line }) => ({
        series: place,
        breakdown: values,
        isOthers,
        values: line.values,
        total: line.total,
        ...(line.compared && { compared: line.compared }),
      })),
    ...(valuesInAll !== undefined && { valuesInAll }),
  }
}

const cohortStatement = (persons: readonly string[]) =>
  sql`select toUUID(arrayJoin(${strings(persons.map(uuidFor))})) as person_id`

/** Sums of fractions differ in their last digits by the order of adding. */
const rounded = (answer: object): unknown =>
  JSON.parse(
    JSON.stringify(answer, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(10)) + 0 : value,
    ),
  )
