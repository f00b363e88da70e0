import { describe, expect, test } from 'vitest'
import { anEngine, type TestEvent, uuidFor } from '#test/product/test-engine'
import { readQuery } from '#insights/ask'
import type { Calendar } from '#insights/calendar/period'
import type { FunnelAnswer, FunnelPart } from './answer'
import { mostSteps } from './schema'

const testEngine = anEngine()

const named = (...names: (string | null)[]) => names.map((event) => ({ event }))
const period = '2026-03-02..2026-03-04'

/** Makes the events of a person from "a@0 b@5 c@30": names, each with the minutes after the beginning. */
const did = (person: string, story: string, more: Partial<TestEvent> = {}): TestEvent[] =>
  story.split(' ').map((one) => {
    const [event = '', minutes = '0'] = one.split('@')
    return { person, event, at: Number(minutes), ...more }
  })

const ask = async (stories: TestEvent[][], query: object, changes?: Partial<Calendar>) =>
  await testEngine.ask<FunnelAnswer>(
    await testEngine.addProject(stories.flat()),
    { kind: 'funnel', period, ...query },
    changes,
  )

const counts = ({ steps }: FunnelPart) => steps.map(({ persons }) => persons)

async function refusal(query: object): Promise<string> {
  const read = readQuery({ kind: 'funnel', steps: named('a', 'b'), ...query })
  const outcome = read.done ? await read.ready.answer(testEngine.scope(1)) : read
  return outcome.done ? 'answered' : outcome.problems.map(({ message }) => message).join(' ')
}

test('tells how many got how far, and how long it took them', async () => {
  const answer = await ask(
    [did('ana', 'a@0 b@10 c@40'), did('ben', 'a@0 b@30'), did('eve', 'a@0'), did('kim', 'b@0')],
    { steps: named('a', 'b', 'c') },
  )

  expect(answer.steps).toMatchObject([
    { persons: 3, fromFirst: 1, fromPrevious: 1, medianSeconds: null },
    { persons: 2, fromFirst: 2 / 3, fromPrevious: 2 / 3, medianSeconds: 1200, averageSeconds: 1200 },
    { persons: 1, fromFirst: 1 / 3, fromPrevious: 1 / 2, medianSeconds: 1800 },
  ])
})

test('without persons every step counts zero', async () => {
  const answer = await ask([], { steps: named('a', 'b') })

  expect(answer.steps).toMatchObject([
    { persons: 0, fromFirst: null, fromPrevious: null, medianSeconds: null, averageSeconds: null },
    { persons: 0, fromFirst: null, fromPrevious: null, medianSeconds: null, averageSeconds: null },
  ])
})

describe('who counts as having done what', () => {
  const hour = { amount: 1, unit: 'hour' }
  const strict = { order: 'strict' }
  const unordered = { order: 'unordered' }
  const barring = (from: number, to: number) => ({ exclusions: [{ event: 'x', from, to }] })

  test.each([
    // the case            story                 steps        query               persons
    ['the end of the window still counts', 'a@0 b@60', 'a b', { window: hour }, [1, 1]],
    ['what comes after the window does not', 'a@0 b@60.001', 'a b', { window: hour }, [1, 0]],
    ['another first step begins anew', 'a@0 a@30 b@80', 'a b', { window: hour }, [1, 1]],
    ['the window is that of the whole way', 'a@0 b@40 c@80', 'a b c', { window: hour }, [1, 1, 0]],
    ['one event is one step', 'a@0 a@1', 'a a a', {}, [1, 1, 0]],
    ['at the same instant the steps have their order', 'c@0 b@0 a@0', 'a b c', {}, [1, 1, 1]],
    ['later steps may come after the period', 'a@3719 b@3730', 'a b', {}, [1, 1]],
    ['the first one may not', 'a@3720 b@3730', 'a b', {}, [0, 0]],
    ['something else in between is no matter', 'a@0 y@1 b@2', 'a b', {}, [1, 1]],
    ['unless it is strict', 'a@0 y@1 b@2', 'a b', strict, [1, 0]],
    ['strict lets a step be repeated', 'a@0 a@1 b@2 b@3 c@4', 'a b c', strict, [1, 1, 1]],
    ['strict does not mind what is simultaneous', 'a@0 y@0 b@2', 'a b', strict, [1, 1]],
    ['strict minds what only stands between two others', 'a@0 y@1 y@1 b@2', 'a b', strict, [1, 0]],
    ['without order each step counts once', 'b@0 b@1 a@2', 'a b c', unordered, [1, 1, 0]],
    [
      'the window begins with the earliest',
      'c@0 b@30 a@61',
      'a b c',
      { ...unordered, window: hour },
      [1, 1, 0],
    ],
    ['an exclusion takes out of all steps', 'a@0 x@1 b@2', 'a b', barring(0, 1), [0, 0]],
    ['also where the end is never reached', 'a@0 x@1', 'a b', barring(0, 1), [0, 0]],
    ['not once its end was reached', 'a@0 b@1 x@2 c@3', 'a b c', barring(0, 1), [1, 1, 1]],
    ['nor before it begins', 'a@0 x@1 b@2 c@3', 'a b c', barring(1, 2), [1, 1, 1]],
    ['another attempt may be without', 'a@0 x@1 a@2 b@3', 'a b', barring(0, 1), [1, 1]],
    [
      'without order an exclusion undoes the steps',
      'a@0 b@1 x@2 c@3',
      'a b c',
      { ...unordered, ...barring(0, 2) },
      [1, 0, 0],
    ],
    ['but not what was complete', 'a@0 b@1 c@2 x@3', 'a b c', { ...unordered, ...barring(0, 2) }, [1, 1, 1]],
  ])('%s', async (_, story, steps, query, persons) => {
    const answer = await ask([did('ana', story)], { steps: named(...steps.split(' ')), ...query })

    expect(counts(answer)).toEqual(persons)
  })
})

test('a person who skips an optional step goes on', async () => {
  const steps = [{ event: 'a' }, { event: 'b', optional: true }, { event: 'c' }]

  const answer = await ask(
    [did('ana', 'a@0 b@1 c@2'), did('ben', 'a@0 c@2 b@3'), did('eve', 'a@0 b@1'), did('kim', 'a@0')],
    { steps },
  )

  expect(answer.steps).toMatchObject([
    { persons: 4 },
    { persons: 2, fromPrevious: 1 / 2 },
    { persons: 2, fromPrevious: 1 / 2, medianSeconds: 120 },
  ])
})

test('counts sessions and groups as well as persons', async () => {
  const stories = [
    did('ana', 'a@0', { session: 's1', groups: { company: 'u' } }),
    did('ana', 'b@5', { session: 's2', groups: { company: 'u' } }),
    did('ben', 'a@0 b@1', { session: 's3', groups: { company: 'u' } }),
    did('eve', 'a@0 b@1'),
  ]
  const steps = named('a', 'b')

  expect(counts(await ask(stories, { steps }))).toEqual([3, 3])
  expect(counts(await ask(stories, { steps, per: 'session' }))).toEqual([2, 1])
  expect(counts(await ask(stories, { steps, per: { group: 'company' } }))).toEqual([1, 1])
})

describe('with a breakdown', () => {
  const plan = (name: string) => ({ properties: { plan: name } })
  const stories = [
    [...did('ana', 'a@0', plan('free')), ...did('ana', 'a@5 b@6', plan('paid'))],
    did('ben', 'a@0', plan('free')),
    did('eve', 'a@0 b@1'),
  ]

  test.each([
    // the event whose value counts, the value, and the persons at each step
    [
      'first',
      [
        ['free', [2, 1]],
        [null, [1, 1]],
      ],
    ],
    [
      'last',
      [
        [null, [1, 1]],
        ['free', [1, 0]],
        ['paid', [1, 1]],
      ],
    ],
    [
      'all steps',
      [
        ['free', [2, 0]],
        [null, [1, 1]],
        ['paid', [1, 1]],
      ],
    ],
    [
      { step: 1 },
      [
        [null, [2, 1]],
        ['paid', [1, 1]],
      ],
    ],
  ])('the value of %j counts', async (attribution, values) => {
    const answer = await ask(stories, {
      steps: named('a', 'b'),
      breakdown: { type: 'event', key: 'plan' },
      attribution,
    })

    expect(counts(answer)).toEqual([3, 2])
    expect(
      answer.breakdowns?.map(({ value, steps }) => [value, counts({ steps, from: '', until: '' })]),
    ).toEqual(values)
  })

  test('everything beyond the largest values is one line, with everyone in it once', async () => {
    const many = ['p', 'q', 'r'].flatMap((value) => did('ana', 'a@0', plan(value)))
    const answer = await ask([many, did('ben', 'a@0', plan('q')), did('eve', 'a@0 b@1', plan('r'))], {
      steps: named('a', 'b'),
      breakdown: { type: 'event', key: 'plan' },
      attribution: 'all steps',
      limit: 1,
    })

    expect(answer.valuesInAll).toBe(3)
    expect(answer.breakdowns).toMatchObject([
      { value: 'q', keys: ['=q'], steps: [{ persons: 2 }, { persons: 0 }] },
      { isOthers: true, keys: ['=q'], steps: [{ persons: 2 }, { persons: 1 }] },
    ])
  })
})

test('a trend shows everyone in each interval in which they began', async () => {
  const day = 24 * 60
  const { trend } = await ask([did('ana', `a@0 a@${day} b@${day + 5}`), did('ben', `a@0 a@10 a@${day}`)], {
    steps: named('a', 'b'),
    window: { amount: 1, unit: 'hour' },
    view: 'trend',
    interval: 'day',
  })

  expect(trend).toMatchObject({ entered: [2, 2, 0], converted: [0, 1, 0], rates: [0, 0.5, null] })
})

test('the time view puts the times between two steps into bins', async () => {
  const { times } = await ask(
    [1, 2, 3, 4, 5, 6, 7, 61].map((minutes, i) => did(`p${i}`, `a@0 b@${minutes} c@90`)),
    { steps: named('a', 'b', 'c'), view: 'time', between: { from: 0, to: 1 } },
  )

  expect(times).toEqual({
    from: 0,
    to: 1,
    persons: 8,
    medianSeconds: 270,
    averageSeconds: 667.5,
    bins: [
      { fromSeconds: 60, toSeconds: 1860, persons: 7 },
      { fromSeconds: 1860, toSeconds: 3660, persons: 1 },
    ],
  })
})

test('a period that is not over is compared with the same part of the other, as it stood then', async () => {
  const beforeMs = (days: number, hour: string) =>
    `2026-03-${String(2 - days).padStart(2, '0')}T${hour}:00:00Z`
  const stories: TestEvent[][] = [
    [
      { person: 'ana', event: 'a', at: beforeMs(1, '08') },
      { person: 'ana', event: 'b', at: beforeMs(1, '20') },
    ],
    [
      { person: 'ben', event: 'a', at: beforeMs(1, '09') },
      { person: 'ben', event: 'b', at: beforeMs(1, '10') },
    ],
    [{ person: 'eve', event: 'a', at: beforeMs(1, '18') }],
    [{ person: 'kim', event: 'a', at: beforeMs(0, '08') }],
  ]
  const now = new Date('2026-03-02T12:00:00Z')

  const answer = await ask(stories, { period: 'today', steps: named('a', 'b'), compare: 'previous' }, { now })

  expect(counts(answer)).toEqual([1, 0])
  expect(answer.compared && counts(answer.compared)).toEqual([2, 1])
})

test('names who is behind a number', async () => {
  const project = await testEngine.addProject([
    ...did('ana', 'a@0 b@1', { properties: { plan: 'p' } }),
    ...did('ben', 'a@0', { properties: { plan: 'p' } }),
    ...did('eve', 'a@0', { properties: { plan: 'q' } }),
  ])
  const read = readQuery({
    kind: 'funnel',
    period,
    steps: named('a', 'b'),
    breakdown: { type: 'event', key: 'plan' },
  })
  const behind = async (point: object) => {
    const scope = testEngine.scope(project)
    const found = read.done ? await read.ready.personsBehind?.(point, scope) : undefined
    if (!found?.done) return found?.problems[0]?.message
    const rows = await scope.run<{ person: string }>(found.statement)
    return rows.map(({ person }) => person).toSorted()
  }
  const uuids = (...names: string[]) => names.map(uuidFor).toSorted((one, two) => one.localeCompare(two))

  expect(await behind({ step: 0, outcome: 'converted' })).toEqual(uuids('ana', 'ben', 'eve'))
  expect(await behind({ step: 1, outcome: 'converted' })).toEqual(uuids('ana'))
  expect(await behind({ step: 1, outcome: 'dropped' })).toEqual(uuids('ben', 'eve'))
  expect(await behind({ step: 1, outcome: 'dropped', values: { among: true, keys: ['=p'] } })).toEqual(
    uuids('ben'),
  )
  expect(await behind({ step: 1, outcome: 'dropped', values: { among: false, keys: ['=p'] } })).toEqual(
    uuids('eve'),
  )
  expect(await behind({ step: 2, outcome: 'dropped' })).toBe('The funnel has no step 3.')
  expect(await behind({ step: 0, outcome: 'dropped' })).toBe('No person drops off before the first step.')
})

describe('what cannot be asked gets a sentence', () => {
  const x = { event: 'x' }
  const optional = { event: 'o', optional: true }
  test.each([
    ['one step', { steps: named('a') }, 'A funnel has at least two steps.'],
    [
      'too many steps',
      { steps: named(...Array.from({ length: mostSteps + 1 }, (_, i) => `e${i}`)) },
      'A funnel has at most 20 steps.',
    ],
    [
      'a window without end',
      { window: { amount: 100, unit: 'month' } },
      'The conversion window is at most two years.',
    ],
    [
      'a backward exclusion',
      { exclusions: [{ ...x, from: 1, to: 1 }] },
      'An exclusion begins at an earlier step than it ends at.',
    ],
    [
      'an exclusion beyond the end',
      { exclusions: [{ ...x, from: 0, to: 2 }] },
      'The exclusion ends at step 3, but the funnel has 2.',
    ],
    [
      'part of a way without order',
      { steps: named('a', 'b', 'c'), order: 'unordered', exclusions: [{ ...x, from: 0, to: 1 }] },
      'In a funnel without order an exclusion goes from the first to the last step.',
    ],
    [
      'an exclusion where everything is one',
      { order: 'strict', exclusions: [{ ...x, from: 0, to: 1 }] },
      'In a strict funnel everything between the steps ends it; leave the exclusions out.',
    ],
    [
      'a step that is excluded',
      { exclusions: [{ event: 'b', from: 0, to: 1 }] },
      'What is a step of the funnel cannot be excluded from it as well.',
    ],
    [
      'the same twice without order',
      { steps: named('a', 'b', 'a'), order: 'unordered' },
      'In a funnel without order each step must be another one.',
    ],
    [
      'an optional end',
      { steps: [...named('a', 'b'), optional] },
      'The first and the last step cannot be optional.',
    ],
    [
      'optional and strict',
      { steps: [{ event: 'a' }, optional, { event: 'b' }], order: 'strict' },
      'Only a funnel whose steps are in order can have optional ones.',
    ],
    ['the value at no step', { attribution: { step: 2 } }, 'The funnel has no step 3.'],
    [
      'the time backwards',
      { between: { from: 1, to: 0 } },
      'Choose two of the 2 steps, the earlier one first.',
    ],
    [
      'years by the minute',
      { view: 'trend', interval: 'minute', period: '2016-01-01..2026-01-01' },
      'By minute that would be more than 3000 points. Choose a longer interval or a shorter period.',
    ],
    [
      'a lifetime of twenty steps',
      { steps: named(...Array.from({ length: 20 }, (_, i) => `e${i}`)), period: '1999-01-01..2026-01-01' },
      'A funnel of so many steps cannot look at so many years. Choose a shorter period.',
    ],
  ])('%s', async (_, query, sentence) => {
    expect(await refusal(query)).toBe(sentence)
  })
})

test('the longest funnel there may be is answered', async () => {
  const names = Array.from({ length: mostSteps }, (_, i) => `step ${i}`)
  const story = names.map((event, i): TestEvent => ({ person: 'ana', event, at: i }))

  const answer = await ask([story], { steps: named(...names), exclusions: [{ event: 'x', from: 0, to: 19 }] })

  expect(counts(answer)).toEqual(names.map(() => 1))
})
