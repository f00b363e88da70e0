import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { personsBehind } from '#test/product/persons-behind'
import { anEngine } from '#test/product/test-engine'
import type { StickinessAnswer } from './answer'
import { stickinessKind } from './stickiness'

const testEngine = anEngine()

interface Case {
  id: string
  events: Record<string, string[]>
  from: string
  to: string
  interval: 'hour' | 'day' | 'week'
  interval_count?: number
  week_start?: 'sunday'
  expected?: number[]
  expected_first?: number[]
  expected_rest_zero?: number
}

// the file of published cases, as it is
const { stickiness } = JSON.parse(
  readFileSync(
    new URL('../../../../test/vectors/retention-lifecycle-stickiness.json', import.meta.url),
    'utf8',
  ),
) as { stickiness: { cases: Case[] } }

/** The case by the hour says its last hour as one that counts. */
const periodOf = ({ interval, from, to }: Case): string =>
  interval === 'hour' ? `${from.replace('Z', ':00Z')}..2020-01-12T01:00:00Z` : `${from}..${to}`

test.each(stickiness.cases.map((one) => [one.id, one] as const))('%s', async (_, one) => {
  const events = Object.entries(one.events).flatMap(([person, days]) =>
    days.map((day) => ({ person, event: 'a', at: `${day}T12:00:00Z` })),
  )
  const answer = await testEngine.ask<StickinessAnswer>(
    await testEngine.addProject(events),
    {
      kind: 'stickiness',
      period: periodOf(one),
      series: [{ event: 'a' }],
      interval: one.interval,
      every: one.interval_count ?? 1,
    },
    { weekStart: one.week_start ?? 'monday' },
  )
  const rest = Array<number>(one.expected_rest_zero ?? 0).fill(0)
  expect(answer.counts).toEqual([one.expected ?? [...(one.expected_first ?? []), ...rest]])
})

const days = (person: string, event: string, dates: number[]) =>
  dates.map((date) => ({ person, event, at: `2026-03-0${date}T12:00:00Z` }))

const story = [
  ...days('ana', 'read', [2, 3, 4]),
  ...days('ana', 'write', [2, 2]),
  ...days('ben', 'read', [2, 4]),
  ...days('cleo', 'write', [3, 4]),
]

const query = {
  kind: 'stickiness',
  period: '2026-03-02..2026-03-04',
  series: [{ event: 'read' }, { event: 'write' }, { event: null }],
}

test('several events are counted each on its own, and any of them together', async () => {
  const answer = await testEngine.ask<StickinessAnswer>(await testEngine.addProject(story), query)
  expect(answer).toMatchObject({
    labels: ['read', 'write', 'Any event'],
    counts: [
      [0, 1, 1],
      [1, 1, 0],
      [0, 2, 1],
    ],
    totals: [2, 2, 3],
  })
})

test('at least so many days, and beside the days before', async () => {
  const project = await testEngine.addProject([...story, ...days('ben', 'read', [1])])
  const answer = await testEngine.ask<StickinessAnswer>(project, {
    ...query,
    cumulative: true,
    compare: 'previous',
  })
  expect(answer.counts[0]).toEqual([2, 2, 1])
  expect(answer.compared).toMatchObject({
    counts: [
      [1, 0, 0],
      [0, 0, 0],
      [1, 0, 0],
    ],
    totals: [1, 0, 1],
  })
})

test.each([
  [{ n: 2 }, ['ben']],
  [{ n: 3 }, ['ana']],
  [{ n: 1 }, []],
])('says who did it on exactly %o days', async (point, expected) => {
  const project = await testEngine.addProject(story)
  expect(
    await personsBehind(testEngine, { project, story, question: query }, { series: 0, ...point }),
  ).toEqual(expected)
})

test('a period of too many intervals is answered by a sentence', async () => {
  const read = stickinessKind.read({ kind: 'stickiness', period: '30d', interval: 'hour' })
  const outcome = read.done ? await read.ready.answer(testEngine.scope(1)) : read
  expect(outcome).toEqual({
    done: false,
    problems: [
      {
        field: 'interval',
        message:
          'The period has more than 250 intervals of one hour. Choose a shorter period or a longer interval.',
      },
    ],
  })
})

test('a series may be of some of the events only, and count companies', async () => {
  const events = story.map((event, i) => ({
    ...event,
    groups: { company: event.person === 'cleo' ? 'other' : 'acme' },
    properties: i % 2 === 0 ? { plan: 'pro' } : undefined,
  }))
  const project = await testEngine.addProject(events)
  const filter = { type: 'event', key: 'plan', operator: 'is_set' }
  const series = [{ event: 'read', filter }, { event: 'read' }]
  const answer = await testEngine.ask<StickinessAnswer>(project, {
    ...query,
    series,
    per: { group: 'company' },
  })
  expect(answer.counts).toEqual([
    [0, 1, 0],
    [0, 0, 1],
  ])
})
