import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { personsBehind } from '#test/product/persons-behind'
import { anEngine, uuidFor } from '#test/product/test-engine'
import type { RetentionAnswer } from './answer'

const testEngine = anEngine()

interface Case {
  id: string
  period: 'Day' | 'Week' | 'Month' | 'Hour'
  type: 'recurring' | 'first_time'
  week_start: 'sunday' | 'monday'
  date_to: string
  interval_starts: string[]
  cumulative: boolean
  min_occurrences: number
  target_events: [person: string, at: string][]
  expected: number[][]
}

// the file of published cases, as it is
const { retention } = JSON.parse(
  readFileSync(
    new URL('../../../../test/vectors/retention-lifecycle-stickiness.json', import.meta.url),
    'utf8',
  ),
) as { retention: { cases: Case[] } }

test.each(retention.cases.map((one) => [one.id, one] as const))('%s', async (_, one) => {
  const project = await testEngine.addProject(
    one.target_events.map(([person, at]) => ({ person, event: '$pageview', at })),
  )
  const answer = await testEngine.ask<RetentionAnswer>(
    project,
    {
      kind: 'retention',
      period: `${one.interval_starts[0]?.slice(0, 10)}..${one.date_to.slice(0, 10)}`,
      interval: one.period.toLowerCase(),
      target: { event: '$pageview' },
      mode: one.type === 'recurring' ? 'recurring' : 'first-ever',
      rolling: one.cumulative,
      minimum: one.min_occurrences,
    },
    { weekStart: one.week_start },
  )
  expect(answer.starts.map((start) => start.slice(0, 19))).toEqual(one.interval_starts)
  expect(answer.series.map(({ counts }) => counts)).toEqual([one.expected])
})

const plan = (name: string) => ({ properties: { plan: name } })

/** Three sign up on a Monday and the day after, and some of them come back to read. */
const story = [
  { person: 'ana', event: 'signup', at: '2026-03-02T09:00:00Z', ...plan('pro') },
  { person: 'ana', event: 'signup', at: '2026-03-03T09:00:00Z', ...plan('free') },
  { person: 'ben', event: 'signup', at: '2026-03-02T10:00:00Z', ...plan('free') },
  { person: 'cleo', event: 'signup', at: '2026-03-03T10:00:00Z' },
  { person: 'ana', event: 'read', at: '2026-03-04T10:00:00Z' },
  { person: 'cleo', event: 'read', at: '2026-03-04T11:00:00Z' },
  { person: 'ben', event: 'read', at: '2026-03-01T11:00:00Z' },
]

const query = {
  kind: 'retention',
  period: '2026-03-02..2026-03-04',
  target: { event: 'signup' },
  returning: { event: 'read' },
}

test('coming back may be another event than the one that starts it', async () => {
  const answer = await testEngine.ask<RetentionAnswer>(await testEngine.addProject(story), query)
  expect(answer.series).toEqual([
    {
      breakdown: [],
      sizes: [2, 2, 0],
      counts: [[2, 0, 1], [2, 2], [0]],
      rates: [[1, 0, 0.5], [1, 1], [null]],
      mean: [1, 0.5, 0.5],
    },
  ])
})

test('a person who is counted once is counted at their first event', async () => {
  const project = await testEngine.addProject(story)
  const later = { ...query, period: '2026-03-03..2026-03-04' }
  const sizes = async (mode: string) =>
    (await testEngine.ask<RetentionAnswer>(project, { ...later, mode })).series[0]?.sizes
  expect(await sizes('recurring')).toEqual([2, 0])
  expect(await sizes('first-in-period')).toEqual([2, 0])
  expect(await sizes('first-ever')).toEqual([1, 0])
})

test('a breakdown goes by what was true when they started; all beyond the largest are the others', async () => {
  const answer = await testEngine.ask<RetentionAnswer>(await testEngine.addProject(story), {
    ...query,
    breakdown: { type: 'event', key: 'plan' },
    limit: 2,
  })
  expect(
    answer.series.map(({ breakdown, isOthers, sizes }) => [isOthers ? 'others' : breakdown, sizes]),
  ).toEqual([
    [['free'], [1, 1, 0]],
    [[null], [0, 1, 0]],
    ['others', [1, 0, 0]],
  ])
})

test('cells that are not over are marked, and not part of the mean', async () => {
  const now = new Date('2026-03-04T12:00:00Z')
  const answer = await testEngine.ask<RetentionAnswer>(await testEngine.addProject(story), query, { now })
  expect(answer.complete).toEqual([2, 1, 0])
  expect(answer.series[0]?.mean).toEqual([1, 0, null])
})

test('without a period it covers as many intervals as a screen has room for', async () => {
  const project = await testEngine.addProject(story)
  const intervals = async (interval: string) =>
    (await testEngine.ask<RetentionAnswer>(project, { ...query, period: undefined, interval })).starts.length
  expect(await Promise.all(['hour', 'day', 'week', 'month'].map(intervals))).toEqual([24, 11, 12, 12])
})

test.each([
  [{ period: '32d' }, 'more than 31 intervals of one day'],
  [{ breakdown: { type: 'cohort', cohorts: ['c'] } }, 'Filter by yours'],
  [{ limit: 101 }, 'Show at most 100 values of a breakdown.'],
])('what cannot be asked gets a sentence: %o', async (change, sentence) => {
  await expect(testEngine.ask(1, { ...query, ...change })).rejects.toThrow(sentence)
})

const broken = { breakdown: { type: 'event', key: 'plan' }, limit: 1 }

test.each([
  [{}, { cohort: 0, interval: 0 }, ['ana', 'ben']],
  [{}, { cohort: 0, interval: 2 }, ['ana']],
  [{}, { cohort: 0, interval: 2, returned: false }, ['ben']],
  [{}, { cohort: 2, interval: 1 }, 'There are 3 intervals, counted from 0.'],
  [{ rolling: true }, { cohort: 0, interval: 1 }, ['ana']],
  [broken, { series: 0, cohort: 1, interval: 0 }, ['ana']],
  [broken, { series: 1, cohort: 1, interval: 1 }, ['cleo']],
  [broken, { series: 2, cohort: 1, interval: 1 }, 'This series no longer exists. Load the insight again.'],
  [
    { per: { group: 'company' } },
    { cohort: 0, interval: 0 },
    'This counts groups. Count by persons to list them.',
  ],
])('says who is behind a cell: %o %o', async (change, point, expected) => {
  const asked = { project: await testEngine.addProject(story), story, question: { ...query, ...change } }
  expect(await personsBehind(testEngine, asked, point)).toEqual(expected)
})

test('what starts it may be filtered, and broken down by what the person is', async () => {
  const project = await testEngine.addProject(story)
  const person = { project_id: project, is_identified: true, created_at: '2026-03-01T00:00:00Z', version: 1 }
  await testEngine.fill(
    'persons',
    ['ana', 'ben'].map((name) => ({
      ...person,
      person_id: uuidFor(name),
      properties: { team: `of ${name}` },
    })),
  )
  const answer = await testEngine.ask<RetentionAnswer>(project, {
    ...query,
    target: {
      event: 'signup',
      filter: { type: 'event', key: 'plan', operator: 'exact', value: ['free', 'pro'] },
    },
    filter: { type: 'person', key: 'team', operator: 'is_set' },
    breakdown: { type: 'person', key: 'team' },
    mode: 'first-ever',
  })
  expect(answer.series.map(({ breakdown, counts }) => [breakdown, counts])).toEqual([
    [['of ana'], [[1, 0, 1], [0, 0], [0]]],
    [['of ben'], [[1, 0, 0], [0, 0], [0]]],
  ])
})
