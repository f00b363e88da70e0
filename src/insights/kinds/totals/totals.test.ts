import { expect, test } from 'vitest'
import { personsBehind } from '#test/product/persons-behind'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { BounceRule } from '#insights/bounce-rule'
import type { VisitTotals } from '#insights/compile/visit-totals'

const testEngine = anEngine()

const march = { kind: 'totals', period: '2026-03-01..2026-03-31' }

/** Makes one visit in which these things happened, a minute apart. */
const visitOf = (...names: string[]): TestEvent[] =>
  names.map((event, at) => ({ person: 'ana', event, at, session: 'one', columns: { path: '/' } }))

test.each([
  // events             bounce rate   seconds
  [['$pageview'], 1, 0],
  [['$pageview', '$pageleave'], 1, 0],
  [['$pageview', '$engagement', '$web_vitals'], 1, 0],
  [['$pageview', '$feature_flag_called', '$feature_flag_seen'], 1, 0],
  [['$pageview', '$pageview'], 0, 60],
  [['$pageview', 'signed up'], 0, 60],
  [['$pageview', '$autocapture'], 0, 60],
  [['$screen'], 1, 0],
  [['signed up'], null, 0],
])('a visit of %j has a bounce rate of %j and lasts %d seconds', async (names, bounceRate, duration) => {
  const project = await testEngine.addProject(visitOf(...names))
  const { figures } = await testEngine.ask<VisitTotals>(project, march)
  expect(figures).toMatchObject({ visits: 1, bounceRate, duration })
})

test.each<[bounceRule: BounceRule, names: string[], bounceRate: number | null, duration: number]>([
  // visits whose events are a minute apart, by PostHog's rule
  [{ of: 'posthog', seconds: 10 }, ['$pageview'], 1, 0],
  [{ of: 'posthog', seconds: 10 }, ['$pageview', 'signed up'], 0, 60],
  [{ of: 'posthog', seconds: 61 }, ['$pageview', 'signed up'], 1, 60],
  [{ of: 'posthog', seconds: 60 }, ['$pageview', 'signed up'], 0, 60],
  [{ of: 'posthog', seconds: 61 }, ['$pageview', '$autocapture'], 0, 60],
  [{ of: 'posthog', seconds: 61 }, ['$pageview', '$pageview'], 0, 60],
  [{ of: 'posthog', seconds: 10 }, ['signed up'], null, 0],
  [{ of: 'plausible', engagedSeconds: undefined }, ['$pageview', 'signed up'], 0, 60],
  [{ of: 'plausible', engagedSeconds: undefined }, ['$pageview', '$pageleave'], 1, 0],
])(
  'by the rule %j, a visit of %j has a bounce rate of %j and lasts %d seconds',
  async (bounceRule, names, bounceRate, duration) => {
    const project = await testEngine.addProject(visitOf(...names))
    const { figures } = await testEngine.ask<VisitTotals>(project, march, {}, { bounceRule })
    expect(figures).toMatchObject({ visits: 1, bounceRate, duration })
  },
)

test('of two views at the same millisecond, the entry page is that of the lesser uuid, and always the same', async () => {
  const told = ['/a', '/b', '/c'].map(
    (path) => ({ ...visitOf('$pageview')[0], columns: { path } }) as TestEvent,
  )
  const entries = await Promise.all(
    [1, 2, 3].map(async () => {
      const project = await testEngine.addProject([...told].toReversed())
      const query = { ...march, kind: 'breakdown', dimensions: ['entry', 'exit'] }
      const first = await testEngine.ask<object>(project, query)
      expect(await testEngine.ask<object>(project, query)).toEqual(first)
      return first
    }),
  )
  expect(entries).toHaveLength(3)
})

test('while a period is not over, it is held against as much of the other', async () => {
  const at = (day: string) =>
    ({ ...visitOf('$pageview')[0], at: day, session: day, person: day }) as TestEvent
  const project = await testEngine.addProject([
    at('2026-03-10T09:00:00Z'),
    at('2026-03-09T09:00:00Z'),
    at('2026-03-09T20:00:00Z'),
  ])
  const now = { now: new Date('2026-03-10T12:00:00Z') }
  const { compared } = await testEngine.ask<VisitTotals>(
    project,
    { ...march, period: 'today', compare: 'previous' },
    now,
  )
  expect(compared?.figures.visitors).toBe(1)
  expect(compared?.course.reduce((sum, { visits }) => sum + visits, 0)).toBe(2)
})

test('the persons behind a period and its days are the visitors of visits that began then', async () => {
  const story: TestEvent[] = [
    // a visit over midnight counts where it began
    { person: 'ana', event: '$pageview', at: '2026-03-02T23:50:00Z', session: 'one', columns: { path: '/' } },
    { person: 'ana', event: '$pageview', at: '2026-03-03T00:10:00Z', session: 'one', columns: { path: '/' } },
    { person: 'ben', event: '$pageview', at: '2026-03-03T09:00:00Z', session: 'two', columns: { path: '/' } },
  ]
  const project = await testEngine.addProject(story)
  const query = { ...march, interval: 'day' }
  const calendar = { timeZone: 'UTC' }
  const { course } = await testEngine.ask<VisitTotals>(project, query, calendar)
  const behind = (point: object) =>
    personsBehind(testEngine, { project, story, question: query, calendar }, point)
  expect(await behind({})).toEqual(['ana', 'ben'])
  expect(await behind({ bucket: 1 })).toEqual(['ana'])
  expect(await behind({ bucket: 2 })).toEqual(['ben'])
  expect(course.slice(1, 3).map(({ visitors }) => visitors)).toEqual([1, 1])
  expect(await behind({ bucket: 31 })).toBe('There are 31 intervals, counted from 0.')
})
