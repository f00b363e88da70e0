import { expect, test } from 'vitest'
import { personsBehind } from '#test/product/persons-behind'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { VisitTotals } from '#insights/compile/visit-totals'
import type { GoalsAnswer } from './answer'

const testEngine = anEngine()

const goals = [
  { type: 'event', event: 'signup' },
  { type: 'page', path: '/thanks' },
  { type: 'revenue' },
  { type: 'event', event: 'never' },
]
const query = { kind: 'goals', period: '2026-03-02..2026-03-03', interval: 'day', goals }

const visit = (person: string, day: number, ...events: Partial<TestEvent>[]): TestEvent[] =>
  events.map((event, minute) => ({
    person,
    event: '$pageview',
    at: `2026-03-0${day}T09:0${minute}:00Z`,
    session: `${person} ${day}`,
    ...event,
    columns: { path: '/', ...event.columns },
  }))

const story = [
  ...visit('ana', 2, {}, { event: 'signup' }, { event: 'signup' }),
  ...visit('ana', 3, { columns: { path: '/thanks', revenue: 7, country: 'DE' } }),
  ...visit('ben', 2, {}, { event: 'signup' }, { event: 'order', columns: { revenue: 5 } }),
  ...visit('cleo', 3, {}),
  ...visit('cleo', 1, { event: 'signup' }),
]

test('each goal has its visitors, their share, its revenue and its course, from one statement a period', async () => {
  const project = await testEngine.addProject(story)
  const { goals: answered } = await testEngine.ask<GoalsAnswer>(project, query)

  expect(answered).toEqual([
    { figures: { conversions: 2, rate: 2 / 3, times: 3, revenue: 0 }, course: [2, 0] },
    { figures: { conversions: 1, rate: 1 / 3, times: 1, revenue: 7 }, course: [0, 1] },
    { figures: { conversions: 2, rate: 2 / 3, times: 2, revenue: 12 }, course: [1, 1] },
    { figures: { conversions: 0, rate: 0, times: 0, revenue: 0 }, course: [0, 0] },
  ])
})

test('the days before are compared', async () => {
  const project = await testEngine.addProject(story)
  const days = { ...query, period: '2026-03-02..2026-03-02', compare: 'previous' }
  const { goals: answered } = await testEngine.ask<GoalsAnswer>(project, days)

  expect(answered[0]).toMatchObject({ figures: { conversions: 2 }, compared: { conversions: 1, rate: 1 } })
})

test.each([
  {},
  { filter: { type: 'event', key: '$geoip_country_code', operator: 'exact', value: ['DE'] } },
  { filter: { type: 'session', key: '$entry_pathname', operator: 'exact', value: ['/'] } },
])('a goal has the conversions that web analytics has for it, of %j', async (change) => {
  const project = await testEngine.addProject(story)
  const { goals: answered } = await testEngine.ask<GoalsAnswer>(project, { ...query, ...change })
  const single = await Promise.all(
    goals.map(async (goal) => {
      const { goals: _, interval: __, ...rest } = query
      const asked = { ...rest, ...change, kind: 'totals', goal }
      const { figures } = await testEngine.ask<VisitTotals>(project, asked)
      return [figures.conversions, figures.conversionRate]
    }),
  )
  expect(answered.map(({ figures }) => [figures.conversions, figures.rate])).toEqual(single)
})

test('the persons behind a goal are those who reached it', async () => {
  const project = await testEngine.addProject(story)
  const behind = async (goal: number) =>
    await personsBehind(testEngine, { project, story, question: query }, { goal })

  expect(await behind(0)).toEqual(['ana', 'ben'])
  expect(await behind(1)).toEqual(['ana'])
  expect(await behind(3)).toEqual([])
  expect(await behind(4)).toBe('There is no goal 5 in this query.')
})
