import { describe, expect, test } from 'vitest'
import { present } from '#test/product/fixture'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import vectors from '#test/vectors/timezones.json' with { type: 'json' }
import { type Sql, sql, strings } from '#engine/sql'
import { readQuery } from '#insights/ask'
import { bucketsOf, type Interval, periodOn } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import { windowsOf } from './internal/actives'
import type { TrendAnswer } from './answer'

const testEngine = anEngine()

/** Three days; the story begins on Monday, 2 March 2026, at 10:00. */
const days = '2026-03-02..2026-03-04'
const day = 24 * 60

const story: TestEvent[] = [
  {
    person: 'ana',
    event: 'buy',
    at: 0,
    session: 'a',
    properties: { price: '10' },
    columns: { browser: 'Firefox' },
  },
  {
    person: 'ana',
    event: 'buy',
    at: 1,
    session: 'a',
    properties: { price: '20' },
    columns: { browser: 'Firefox' },
  },
  {
    person: 'ben',
    event: 'buy',
    at: 2,
    session: 'b',
    properties: { price: '60' },
    columns: { browser: 'Chrome' },
  },
  { person: 'ana', event: 'buy', at: day, properties: { price: 'free' }, columns: { browser: 'Chrome' } },
  { person: 'eve', event: 'buy', at: day + 1, groups: { company: 'x' }, properties: { price: '5' } },
  { person: 'eve', event: 'look', at: 2 * day, distinctId: 'eve-phone' },
]

const ask = (project: number, query: object): Promise<TrendAnswer> =>
  testEngine.ask(project, { kind: 'trend', period: days, ...query })

const buys = (measure: object = {}, more: object = {}) => ({ event: 'buy', measure, ...more })
const price = { type: 'event', key: 'price' }

describe('what becomes a number', () => {
  test.each([
    // measure                                          Monday, Tuesday, Wednesday  the whole
    [{ math: 'total' }, [3, 2, 0], 5],
    [{ math: 'persons' }, [2, 2, 0], 3],
    [{ math: 'visitors' }, [2, 2, 0], 3],
    [{ math: 'sessions' }, [2, 0, 0], 2],
    [{ math: 'groups', group: 'company' }, [0, 1, 0], 1],
    [{ math: 'sum', property: price }, [90, 5, 0], 95],
    [{ math: 'average', property: price }, [30, 5, null], 23.75],
    [{ math: 'median', property: price }, [20, 5, null], 15],
    [{ math: 'p75', property: price }, [40, 5, null], 30],
    [{ math: 'p90', property: price }, [52, 5, null], 48],
    [{ math: 'min', property: price }, [10, 5, null], 5],
    [{ math: 'max', property: price }, [60, 5, null], 60],
    [{ math: 'per_person', property: price }, [45, 5, null], 95 / 3],
    [{ math: 'per_person' }, [1.5, 1, null], 5 / 3],
    [{ math: 'daily_actives' }, [2, 2, 0], 0],
    [{ math: 'weekly_actives' }, [2, 3, 3], 3],
    [{ math: 'monthly_actives' }, [2, 3, 3], 3],
  ])('%j', async (measure, values, total) => {
    const project = await testEngine.addProject(story)

    const { lines } = await ask(project, { series: [buys(measure)] })

    expect(lines).toMatchObject([{ values: values.map(near), total: near(total) }])
  })

  test.each([
    ['nps', [0, 100], 40],
    ['csat', [100, null], 100],
  ])(
    '%s counts submissions: partial answers and ratings outside of the scale add nothing',
    async (math, values, total) => {
      const answer = (score: string, submission: string | undefined, at = 0): TestEvent => ({
        person: 'ana',
        event: 'survey sent',
        at,
        properties: { score, ...(submission && { $survey_submission_id: submission }) },
      })
      const project = await testEngine.addProject([
        answer('10', 'one'),
        answer('10', 'one', 1),
        answer('7', undefined),
        answer('5', 'two'),
        answer('11', 'three'),
        answer('', 'four'),
        answer('9', undefined, day),
        answer('10', undefined, day),
      ])

      const { lines } = await ask(project, {
        period: '2026-03-02..2026-03-03',
        interval: 'day',
        series: [{ event: 'survey sent', measure: { math, property: { type: 'event', key: 'score' } } }],
      })

      expect(lines).toMatchObject([{ values: values.map(near), total: near(total) }])
    },
  )

  test('a text that an engine would take for infinity is no number', async () => {
    const project = await testEngine.addProject([
      { person: 'ana', event: 'buy', at: 0, properties: { price: 'inf' } },
      { person: 'ana', event: 'buy', at: 0, properties: { price: 'nan' } },
      { person: 'ana', event: 'buy', at: 0, properties: { price: '3' } },
    ])

    const { lines } = await ask(project, { series: [buys({ math: 'sum', property: price })] })

    expect(lines[0]?.total).toBe(3)
  })

  test('values have names: of countries, and of groups that say theirs', async () => {
    const project = await testEngine.addProject([
      { person: 'ana', event: 'buy', at: 0, columns: { country: 'DE' }, groups: { company: 'x' } },
      { person: 'ben', event: 'buy', at: 0, groups: { company: 'y' } },
    ])
    await testEngine.fill('groups', [
      {
        project_id: project,
        type: 'company',
        key: 'x',
        properties: { name: 'X-Ray' },
        created_at: '2026-03-01 00:00:00',
        version: 1,
      },
    ])
    const labels = async (breakdown: object) => {
      const { lines } = await ask(project, { series: [buys({})], breakdowns: [breakdown] })
      return lines.map(({ label }) => label).toSorted()
    }

    expect(await labels({ type: 'event', key: '$geoip_country_code' })).toEqual(['Germany', 'Unknown'])
    expect(await labels({ type: 'group', group: 'company', key: '$group_key' })).toEqual(['X-Ray', 'y'])
  })

  test('what is measured can be a property of the person, the session or the group', async () => {
    const project = await testEngine.addProject([
      { person: 'ana', event: 'buy', at: 0, session: 's', groups: { company: 'x' } },
      { person: 'ana', event: 'buy', at: 2, session: 's', groups: { company: 'x' } },
    ])
    await testEngine.fill('persons', [
      {
        project_id: project,
        person_id: uuidFor('ana'),
        properties: { age: '30' },
        created_at: '2026-03-01 00:00:00',
        version: 1,
      },
    ])
    await testEngine.fill('groups', [
      {
        project_id: project,
        type: 'company',
        key: 'x',
        properties: { seats: '7' },
        created_at: '2026-03-01 00:00:00',
        version: 1,
      },
    ])
    const most = (property: object) => buys({ math: 'max', property })

    const { lines } = await ask(project, {
      series: [
        most({ type: 'person', key: 'age' }),
        most({ type: 'session', key: '$session_duration' }),
        most({ type: 'group', group: 'company', key: 'seats' }),
      ],
    })

    expect(lines.map(({ total }) => total)).toEqual([30, 120, 7])
  })
})

const near = (value: number | null): unknown => (value === null ? null : expect.closeTo(value, 9))

describe('breakdowns', () => {
  test('the largest values have lines, everything else is one more', async () => {
    const project = await testEngine.addProject([
      ...['a', 'a', 'a', 'b', 'b', 'c', 'd'].map((plan): TestEvent => ({
        person: 'ana',
        event: 'buy',
        at: 0,
        properties: { plan },
      })),
      { person: 'ana', event: 'buy', at: 0 },
    ])

    const { lines, valuesInAll } = await ask(project, {
      series: [buys({ math: 'persons' })],
      breakdowns: [{ type: 'event', key: 'plan' }],
      limit: 2,
    })

    expect(valuesInAll).toBe(5)
    expect(lines.map(({ label, total, isOthers }) => [label, total, isOthers])).toEqual([
      ['(none)', 1, undefined],
      ['a', 1, undefined],
      ['Others', 1, true],
    ])
  })

  test('an empty text is a value, and not the same as none', async () => {
    const project = await testEngine.addProject([
      { person: 'ana', event: 'buy', at: 0, properties: { plan: '' } },
      { person: 'ana', event: 'buy', at: 0, properties: { plan: '' } },
      { person: 'ana', event: 'buy', at: 0 },
    ])

    const { lines } = await ask(project, { series: [buys()], breakdowns: [{ type: 'event', key: 'plan' }] })

    expect(lines.map(({ breakdown, total }) => [breakdown, total])).toEqual([
      [[''], 2],
      [[null], 1],
    ])
  })

  test('three at once, with values that look like the seams between them', async () => {
    const project = await testEngine.addProject([
      { person: 'ana', event: 'buy', at: 0, properties: { a: '1:x', b: '😀2:', c: '' } },
      { person: 'ana', event: 'buy', at: 0, properties: { a: '1:x', c: '0:' } },
      { person: 'ana', event: 'buy', at: 1, properties: { a: '1:x', c: '0:' } },
    ])

    const { lines } = await ask(project, {
      series: [buys()],
      breakdowns: ['a', 'b', 'c'].map((key) => ({ type: 'event', key })),
    })

    expect(lines.map(({ breakdown, total }) => [breakdown, total])).toEqual([
      [['1:x', null, '0:'], 2],
      [['1:x', '😀2:', ''], 1],
    ])
  })

  test('numbers in bins of the same width', async () => {
    const project = await testEngine.addProject(story)

    const { lines } = await ask(project, {
      series: [buys()],
      breakdowns: [{ ...price, bins: 5 }],
    })

    expect(lines.map(({ breakdown, total }) => [...breakdown, total])).toEqual([
      ['5 – 16', 2],
      [null, 1],
      ['16 – 27', 1],
      ['49 – 60', 1],
    ])
  })

  test('a person in several cohorts is under each of them, and once in the rest', async () => {
    const project = await testEngine.addProject(story)
    const cohort = (id: string) => cohortsOf(id)
    const scope = testEngine.scope(project, {}, { cohort })
    const query = (limit: number) => ({
      kind: 'trend' as const,
      period: days,
      series: [buys()],
      breakdowns: [{ type: 'cohort', cohorts: ['c1', 'c2', 'c3'] }],
      limit,
    })

    expect(await totals(query(10), scope)).toEqual([
      ['c1', 4],
      ['c2', 3],
      ['c3', 3],
      [null, 1],
    ])
    expect(await totals(query(1), scope)).toEqual([
      ['c1', 4],
      ['others', 4],
    ])
  })

  test('merged persons are one, and in the cohorts of who they are now', async () => {
    const project = await testEngine.addProject(story)
    await testEngine.fill('person_overrides', [
      { project_id: project, from_person_id: uuidFor('ana'), to_person_id: uuidFor('ben'), version: 1 },
    ])
    const scope = testEngine.scope(project, {}, { hasMerged: true, cohort: cohortsOf })
    const query = {
      kind: 'trend' as const,
      period: days,
      series: [buys({ math: 'persons' }, { filter: { type: 'cohort', cohort: 'c1', operator: 'in' } })],
      breakdowns: [{ type: 'cohort', cohorts: ['c1', 'c2'] }],
    }

    expect(await totals(query, scope)).toEqual([['c1', 1]])
  })

  test('the best of each series take turns, and all series have the same lines', async () => {
    const plans = (event: string, values: string[]): TestEvent[] =>
      values.map((plan) => ({ person: 'ana', event, at: 0, properties: { plan } }))
    const project = await testEngine.addProject([
      ...plans('buy', ['a', 'a', 'a', 'b', 'b', 'c']),
      ...plans('look', ['c', 'c', 'd']),
    ])

    const { lines, valuesInAll } = await ask(project, {
      series: [buys(), { event: 'look' }],
      breakdowns: [{ type: 'event', key: 'plan' }],
      limit: 2,
      formulas: [{ text: 'B / A' }],
    })

    expect(valuesInAll).toBe(4)
    expect(lines.map(({ label, total }) => [label, total])).toEqual([
      ['buy: a', 3],
      ['buy: c', 1],
      ['buy: Others', 2],
      ['look: a', 0],
      ['look: c', 2],
      ['look: Others', 1],
      ['B / A: a', 0],
      ['B / A: c', 2],
      ['B / A: Others', 0.5],
    ])
  })

  test('a map is one of countries', async () => {
    const project = await testEngine.addProject([
      { person: 'ana', event: 'buy', at: 0, columns: { country: 'NZ' } },
    ])

    const { lines } = await ask(project, { series: [buys()], chart: 'map' })

    expect(lines).toMatchObject([{ breakdown: ['NZ'], total: 1 }])
  })
})

const everybody: Record<string, string[]> = { c1: ['ana', 'ben'], c2: ['ana'], c3: ['ana'] }

function cohortsOf(id: string): Sql | undefined {
  const persons = everybody[id]?.map(uuidFor)
  return persons && sql`select toUUID(arrayJoin(${strings(persons)})) as person_id`
}

async function totals(query: { kind: 'trend' }, scope: QueryScope): Promise<unknown[]> {
  const read = readQuery(query)
  if (!read.done) throw new Error(read.problems[0]?.message)
  const outcome = await read.ready.answer(scope)
  if (!outcome.done) throw new Error(outcome.problems[0]?.message)
  const { lines } = outcome.answer
  return lines.map(({ breakdown, isOthers, total }) => [isOthers ? 'others' : breakdown[0], total])
}

describe('over time', () => {
  test('cumulative persons are those who came for the first time', async () => {
    const project = await testEngine.addProject(story)

    const { lines } = await ask(project, {
      series: [buys({ math: 'persons' }), buys(), buys({ math: 'max', property: price })],
      cumulative: true,
    })

    expect(lines.map(({ values, total }) => [...values, total])).toEqual([
      [2, 3, 3, 3],
      [3, 5, 5, 5],
      [60, 60, 60, 60],
    ])
  })

  test('smoothing averages what is known of the last buckets', async () => {
    const project = await testEngine.addProject(story)

    const { lines } = await ask(project, {
      series: [buys(), buys({ math: 'average', property: price })],
      smoothing: 2,
    })

    expect(lines.map(({ values }) => values)).toEqual([
      [3, 2.5, 1],
      [30, 17.5, 5],
    ])
  })

  test('a formula without an answer is no point, and not infinity', async () => {
    const project = await testEngine.addProject(story)

    const { lines } = await ask(project, {
      series: [buys({}, { isHidden: true }), { event: 'look', isHidden: true }],
      formulas: [{ text: 'A / B', label: 'Bought per look' }],
    })

    expect(lines).toMatchObject([{ label: 'Bought per look', values: [null, null, 0], total: 5 }])
  })

  test('what is still to come is left open, and the comparison goes as far as the period has', async () => {
    const project = await testEngine.addProject([
      { person: 'ana', event: 'buy', at: '2026-02-23T08:00:00Z' },
      { person: 'ana', event: 'buy', at: '2026-02-24T11:00:00Z' },
      { person: 'ana', event: 'buy', at: '2026-02-24T13:00:00Z' },
      { person: 'ana', event: 'buy', at: '2026-02-28T13:00:00Z' },
      { person: 'ana', event: 'buy', at: '2026-03-02T08:00:00Z' },
    ])

    const answer = await testEngine.ask<TrendAnswer>(
      project,
      { kind: 'trend', period: 'this-week', compare: 'previous', series: [buys()] },
      { now: new Date('2026-03-03T12:00:00Z') },
    )

    expect(answer).toMatchObject({
      lastIsIncomplete: true,
      end: '2026-03-09T00:00:00.000Z',
      compared: { from: '2026-02-23T00:00:00.000Z', until: '2026-03-02T00:00:00.000Z' },
      lines: [
        {
          values: [1, 0, null, null, null, null, null],
          total: 1,
          compared: { values: [1, 2, 0, 0, 0, 1, 0], total: 2 },
        },
      ],
    })
  })

  test('a calendar by the hour says for each hour of the week who was there', async () => {
    const project = await testEngine.addProject([
      { person: 'ana', event: 'buy', at: '2026-03-02T10:00:00Z' },
      { person: 'ana', event: 'buy', at: '2026-03-09T10:30:00Z' },
      { person: 'ben', event: 'buy', at: '2026-03-10T23:30:00Z' },
    ])

    const { lines } = await ask(project, {
      period: '2026-03-02..2026-03-15',
      series: [buys({ math: 'persons' })],
      chart: 'calendar',
      interval: 'hour',
    })

    const busy = lines[0]?.week?.flatMap((value, hour) => (value ? [[hour, value]] : []))
    expect(lines[0]?.week).toHaveLength(168)
    expect(busy).toEqual([
      [10, 1],
      [47, 1],
    ])
  })

  test('monthly actives of a month that is not over look back from today', async () => {
    const project = await testEngine.addProject([
      { person: 'ana', event: 'buy', at: '2026-02-12T10:00:00Z' },
      { person: 'ben', event: 'buy', at: '2026-02-05T10:00:00Z' },
    ])

    const answer = await testEngine.ask<TrendAnswer>(
      project,
      { kind: 'trend', period: 'this-month', interval: 'month', series: [buys({ math: 'monthly_actives' })] },
      { now: new Date('2026-03-10T12:00:00Z') },
    )

    expect(answer.lines).toMatchObject([{ values: [1], total: 1 }])
  })
})

describe('the buckets add up to the total', () => {
  const aroundIts = (date: string): TestEvent[] =>
    Array.from({ length: 170 }, (_, i) => ({
      person: 'ana',
      event: 'buy',
      at: new Date(Date.parse(`${date}T00:00:00Z`) + (i - 85) * 31 * 60_000).toISOString(),
      properties: { price: String(i) },
    }))

  const shift = (date: string, by: number) =>
    new Date(Date.parse(`${date}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10)

  test.each(vectors.cases)('in $tz around $date, whatever the interval', async ({ tz, date }) => {
    const project = await testEngine.addProject(aroundIts(date))
    const query = (interval: Interval) => ({
      kind: 'trend',
      period: `${date}..${shift(date, 1)}`,
      interval,
      series: [buys(), buys({ math: 'sum', property: price })],
    })

    const answers = await Promise.all(
      (['minute', 'hour', 'day', 'week', 'month'] satisfies Interval[]).map((interval) =>
        testEngine.ask<TrendAnswer>(project, query(interval), { timeZone: tz, now: new Date('2027-01-01') }),
      ),
    )

    const sums = answers.flatMap(({ lines }) =>
      lines.map(({ values }) => values.reduce((sum: number, value) => sum + (value ?? 0), 0)),
    )
    const wholes = answers.flatMap(({ lines }) => lines.map(({ total }) => total))
    expect(sums).toEqual(wholes)
    expect(new Set(wholes).size).toBe(2)
    expect(wholes[0]).toBeGreaterThan(40)
  })
})

describe('queries that cannot be answered get a sentence', () => {
  test.each([
    [{ series: [] }, /at least one event/],
    [{ series: [buys({ math: 'sum' })] }, /Say of which property: Sum/],
    [{ series: [buys({ math: 'groups' })] }, /type of groups/],
    [{ series: [buys({ math: 'average', property: price })], cumulative: true }, /"Average" does not add up/],
    [{ series: [buys({ math: 'weekly_actives' })], cumulative: true }, /does not add up/],
    [{ series: [buys({ math: 'weekly_actives' })], chart: 'calendar' }, /Count persons/],
    [{ series: [buys()], chart: 'calendar', cumulative: true }, /Do not accumulate/],
    [{ series: [buys()], formulas: [{ text: 'A / B' }] }, /asks for B, but the only series is A/],
    [{ series: [buys({}, { isHidden: true })] }, /Show at least one/],
    [{ series: [buys()], limit: 5000 }, /at most 100 values/],
    [{ series: [buys()], limit: 101 }, /at most 100 values/],
    [{ series: [buys()], limit: 1001, chart: 'table' }, /1000 in a table/],
    [{ series: [buys()], period: '10y', interval: 'minute' }, /more than 3000 points/],
    [
      {
        series: [buys()],
        period: '100d',
        interval: 'hour',
        breakdowns: [{ type: 'event', key: 'a' }],
        limit: 100,
      },
      /too much for a chart/,
    ],
    [{ series: [buys()], period: '2026-03-04..2026-03-02' }, /Say a period/],
    [{ series: [buys()], breakdowns: [{ type: 'cohort', cohorts: ['gone'] }] }, /no cohort "gone"/],
    [
      { series: [buys()], breakdowns: ['a', 'b', 'c', 'd'].map((key) => ({ type: 'event', key })) },
      /three properties at most/,
    ],
  ])('%j', async (query, sentence) => {
    await expect(ask(1, query)).rejects.toThrow(sentence)
  })
})

test('a table has a row for each of many values', async () => {
  const events = Array.from({ length: 150 }, (_, index) => ({
    person: 'ana',
    event: 'buy',
    at: index,
    properties: { article: `article ${index}` },
  }))
  const id = await testEngine.addProject(events)
  const query = {
    kind: 'trend',
    series: [buys()],
    period: '2026-03-02..2026-03-02',
    breakdowns: [{ type: 'event', key: 'article' }],
    limit: 1000,
    chart: 'table',
  }
  const { lines, valuesInAll } = await testEngine.ask<TrendAnswer>(id, query)
  expect([lines.length, valuesInAll]).toEqual([150, 150])
})

test('a day that never was gets a sentence, and so does a comparison with it', async () => {
  const apia = { timeZone: 'Pacific/Apia' }
  const about = (period: string, compare?: string) =>
    testEngine.ask(1, { kind: 'trend', series: [buys()], period, compare }, apia)

  await expect(about('2011-12-30..2011-12-30')).rejects.toThrow('The date range is empty.')
  await expect(about('2011-12-31..2011-12-31', '2011-12-30..2011-12-30')).rejects.toThrow(
    'The date range is empty',
  )
})

test('days looked back over begin in turn, although an hour is lived twice', () => {
  const calendar = { timeZone: 'America/New_York', weekStart: 'monday', now: new Date('2024-12-01') } as const
  const period = periodOn(calendar, '2024-11-03..2024-11-03')
  const buckets = present(bucketsOf(period, 'minute', calendar))

  const windows = windowsOf(1, { period, buckets, countedUntil: period.until }, 'minute', calendar)

  const begins = windows.map(({ from }) => from.getTime())
  expect(begins).toHaveLength(25 * 60 + 1)
  expect(begins).toEqual(begins.toSorted((one, other) => one - other))
})

test.each([
  // period                   interval  now                      the last bucket
  ['2026-03-02..2026-03-08', 'week', '2026-03-20T00:00:00Z', false],
  ['2026-03-02..2026-03-08', 'week', '2026-03-08T12:00:00Z', true],
  ['2026-03-02..2026-03-10', 'week', '2026-03-20T00:00:00Z', true],
])('the last bucket of %s by %s as of %s is incomplete: %j', async (period, interval, now, isIncomplete) => {
  const project = await testEngine.addProject(story)

  const answer = await testEngine.ask<TrendAnswer>(
    project,
    { kind: 'trend', series: [buys()], period, interval },
    { now: new Date(now) },
  )

  expect(answer.lastIsIncomplete).toBe(isIncomplete)
})

describe('the persons behind a number', () => {
  const query = {
    kind: 'trend',
    period: days,
    series: [buys(), buys({ math: 'weekly_actives' })],
    breakdowns: [{ type: 'event', key: '$browser' }],
    limit: 1,
  }

  test.each([
    // point                                                     persons
    [{ series: 0, breakdown: ['Firefox'] }, []],
    [{ series: 0, breakdown: ['Chrome'] }, ['ana', 'ben']],
    [{ series: 0, breakdown: ['Chrome'], bucket: 0 }, ['ben']],
    [{ series: 0, isOthers: true }, ['ana', 'eve']],
    [{ series: 0, isOthers: true, bucket: 1 }, ['eve']],
    [{ series: 1, breakdown: ['Chrome'], bucket: 1 }, ['ana', 'ben']],
    [{ series: 1, isOthers: true, bucket: 2 }, ['ana', 'eve']],
  ])('%j', async (point, persons) => {
    const project = await testEngine.addProject([
      ...story,
      { person: 'ben', event: 'buy', at: 3, columns: { browser: 'Chrome' } },
    ])

    const found = await behind(project, query, point)

    const missing = persons.length === 0
    expect(found).toEqual(missing ? 'The answer has no such line.' : persons.map(uuidFor).toSorted())
  })

  test('behind a point of a growing curve is everyone up to there', async () => {
    const project = await testEngine.addProject(story)
    const growing = { kind: 'trend', period: days, series: [buys({ math: 'persons' })], cumulative: true }

    expect(await behind(project, growing, { series: 0, bucket: 1 })).toHaveLength(3)
  })

  test('a formula has no persons behind it', async () => {
    expect(await behind(1, query, { series: 'formula 1' })).toMatch(/no persons behind a formula/)
  })
})

async function behind(project: number, query: object, point: object): Promise<string[] | string | undefined> {
  const scope = testEngine.scope(project)
  const read = readQuery(query)
  if (!read.done) return read.problems[0]?.message
  const outcome = await read.ready.personsBehind?.(point, scope)
  if (!outcome?.done) return outcome?.problems[0]?.message
  const rows = await scope.run<{ person: string }>(outcome.statement)
  return rows.map(({ person }) => person).toSorted()
}
