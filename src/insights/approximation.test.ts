import { expect, test } from 'vitest'
import { aWorld } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { Engine } from '#engine/engine'
import { sql, uint } from '#engine/sql'
import { operator } from '#projects/access'
import type { Project } from '#projects/project'
import type { AnsweredQuery } from './answered-query'
import { type AskOptions, Insights } from './ask'
import { csvOf } from './csv'

const testEngine = anEngine()

const margin = { within: 0.005, above: 100 }

/** So many persons, each with a visit; the first ten of them buy, too. */
const visitsOf = (persons: number): TestEvent[] =>
  Array.from({ length: persons }, (_, i) => `person ${i}`).flatMap((person, i) => [
    { person, event: '$pageview', at: i, session: person, columns: { path: '/' } },
    ...(i < 10 ? [{ person, event: 'buy', at: i + 1, session: person }] : []),
  ])

const projectNumbered = (id: number): Project => ({
  id,
  slug: `project-${id}`,
  name: 'A project',
  timeZone: 'UTC',
  writeKey: 'tk_write',
  hosts: [],
  siteAddress: '',
  aliases: [],
  intake: {},
  answers: {},
  createdAt: new Date('2026-01-01'),
  archivedAt: undefined,
})

function insightsUpTo(exactUpTo: number | undefined, memory: number[] = []) {
  const world = aWorld()
  world.advance('3 days')
  const engine: Pick<Engine, 'query'> = {
    query: (statement, limits) =>
      testEngine.engine().query(statement, {
        ...limits,
        onReadStats: (read) => {
          memory.push(read.memoryBytes ?? 0)
          limits?.onReadStats?.(read)
        },
      }),
  }
  return new Insights({
    engine,
    projects: { numbered: projectNumbered },
    world,
    cohorts: () => Promise.resolve(() => undefined),
    exactUpTo,
  })
}

async function answerOf(insights: Insights, project: number, query: object): Promise<AnsweredQuery> {
  const outcome = await insights.ask(project, query, operator(), { explain: true, showsMargin: true })
  if (!outcome.done) throw new Error(outcome.problems[0]?.message)
  return outcome
}

/** In no order: the statements of several series run at once. */
const statementsOf = ({ explained = [] }: AnsweredQuery): string[] =>
  explained.map((one) => one.sql).toSorted()
const approximateColumns = ({ table }: AnsweredQuery): string[] =>
  table.columns.flatMap(({ name, within }) => (within === undefined ? [] : [name]))

const reachesBuy = { type: 'event', event: 'buy' }
const persons = { math: 'persons' }
const counting: [object, columns: string[]][] = [
  [{ kind: 'totals' }, ['Visitors', 'Conversions', 'Conversion rate']],
  [{ kind: 'totals', goal: reachesBuy, compare: 'previous' }, ['Visitors', 'Conversions', 'Conversion rate']],
  [
    { kind: 'breakdown', dimensions: ['page', 'entry'], goal: reachesBuy },
    ['Visitors', 'Conversions', 'Conversion rate'],
  ],
  [{ kind: 'goals', goals: [reachesBuy] }, ['Conversions', 'Conversion rate']],
  [
    { kind: 'trend', series: [{ event: null, measure: persons }, { event: null }], compare: 'previous' },
    ['Any event: unique people', 'Any event: unique people, before'],
  ],
  [{ kind: 'trend', series: [{ event: null, measure: { math: 'visitors' } }], chart: 'number' }, ['Total']],
  [
    { kind: 'trend', series: [{ event: null, measure: { math: 'per_person' } }] },
    ['Any event: average per person'],
  ],
]

test.each(counting)(
  'above the bound, %j counts all its persons approximately and says so',
  async (query, columns) => {
    const project = await testEngine.addProject(visitsOf(150))
    const insights = insightsUpTo(100)
    const answer = await answerOf(insights, project, query)
    expect(answer.approximate).toEqual(margin)
    expect(approximateColumns(answer)).toEqual(columns)
    expect(csvOf(answer.table)).toContain(`${columns[0]} (±0.5 %)`)
    expect(statementsOf(answer).join()).toContain('uniqCombined64')
    expect(statementsOf(answer).join()).not.toContain('uniqExact')

    const exact = await answerOf(insights, project, { ...query, exact: true })
    expect(exact).not.toHaveProperty('approximate')
    expect(approximateColumns(exact)).toEqual([])
    expect(statementsOf(exact).join()).not.toContain('uniqCombined')
    // the engine counts so few exactly by both
    expect(exact.table.rows).toEqual(answer.table.rows)
  },
)

test.each(counting)(
  'up to the bound, %j is answered by the same statements as without one',
  async (query) => {
    const project = await testEngine.addProject(visitsOf(100))
    const answer = await answerOf(insightsUpTo(100), project, query)
    const unbounded = await answerOf(insightsUpTo(undefined), project, query)
    expect(answer).not.toHaveProperty('approximate')
    expect(statementsOf(answer)).toEqual(statementsOf(unbounded))
    expect(answer.table).toEqual(unbounded.table)
  },
)

test.each([
  // persons, of which estimates may be off
  [99, false],
  [100, false],
  [102, false],
  [103, true],
])('with a bound of 100, whether %d persons are counted approximately: %s', async (amount, isApproximate) => {
  const project = await testEngine.addProject(visitsOf(amount))
  const { approximate } = await answerOf(insightsUpTo(100), project, { kind: 'totals' })
  expect(approximate !== undefined).toBe(isApproximate)
})

test.each([
  { kind: 'trend', series: [{ event: 'buy', measure: persons }] },
  { kind: 'totals', filter: { type: 'event', key: '$event', operator: 'exact', value: ['buy'] } },
  { kind: 'trend', series: [{ event: null }] },
  { kind: 'trend', series: [{ event: null, measure: { math: 'sessions' } }] },
  { kind: 'trend', series: [{ event: null, measure: { math: 'weekly_actives' } }] },
  { kind: 'trend', series: [{ event: null, measure: persons }], cumulative: true },
  {
    kind: 'trend',
    series: [
      { event: null, measure: persons },
      { event: 'buy', measure: persons },
    ],
    formulas: [{ text: 'A - B' }],
  },
])('%j is exact in a project above the bound', async (query) => {
  const project = await testEngine.addProject(visitsOf(150))
  expect(await answerOf(insightsUpTo(100), project, query)).not.toHaveProperty('approximate')
})

test('callers that do not show a margin get exact numbers, also beside those that do', async () => {
  const project = await testEngine.addProject(visitsOf(150))
  const insights = insightsUpTo(100)
  const ask = (options: AskOptions) => insights.ask(project, { kind: 'totals' }, operator(), options)
  const answers = await Promise.all([ask({ showsMargin: true }), ask({}), ask({ showsMargin: true })])
  expect(answers.map((one) => one.done && one.approximate)).toEqual([margin, undefined, margin])
})

test('as soon as one count of an answer is above the bound, all of them are approximate', async () => {
  const project = await testEngine.addProject(visitsOf(150))
  const series = [
    { event: 'buy', measure: persons },
    { event: '$pageview', measure: persons },
  ]
  const answer = await answerOf(insightsUpTo(100), project, { kind: 'trend', series })
  expect(approximateColumns(answer)).toEqual(['buy: unique people', 'Page view: unique people'])
  expect(statementsOf(answer).join()).not.toContain('uniqExact')
})

test('a million persons are counted in a fraction of the memory', async () => {
  const project = await testEngine.addProject(visitsOf(1))
  await testEngine.engine().command(sql`
    insert into events (project_id, uuid, event, timestamp, received_at, distinct_id, person_id, has_person, traffic)
    select ${uint(project)}, generateUUIDv7(), 'seen', toDateTime64('2026-03-01 12:00:00', 3), toDateTime64('2026-03-01 12:00:00', 3),
      toString(number), generateUUIDv4(number), 1, 'human'
    from numbers(1000000)`)
  const query = { kind: 'trend', series: [{ event: 'seen', measure: persons }], period: '7d' }
  const mostOf = async (exact: boolean) => {
    const memory: number[] = []
    const answer = await answerOf(insightsUpTo(100), project, { ...query, exact })
    const again = await answerOf(insightsUpTo(100, memory), project, { ...query, exact })
    expect(again.approximate).toEqual(exact ? undefined : margin)
    expect(again.table.rows).toEqual(answer.table.rows)
    return Math.max(...memory)
  }
  const [exact, approximate] = [await mostOf(true), await mostOf(false)]
  expect(approximate).toBeGreaterThan(0)
  expect(exact / approximate).toBeGreaterThan(3)
})
