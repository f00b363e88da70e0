import { expect, test } from 'vitest'
import { seededRandom } from '#test/random/seeded-random'
import type { GuardMetricSide, GuardMetricAnswer } from '#insights/kinds/guard-metric/answer'
import type { GuardMetric } from './guard'
import { guardReadingOf } from './guard-comparison'

const rules = { minimum: 100, metrics: 1 }
const nobody: GuardMetricSide = { persons: 0, mean: null, variance: null, p75: null, above: 0 }

/** Returns a side in which so many of the persons did it. */
const who = (did: number, persons: number): GuardMetricSide => ({
  persons,
  mean: did / persons,
  variance: (did * (1 - did / persons)) / (persons - 1),
  p75: null,
  above: did,
})

const exceptions: GuardMetric = { type: 'exceptions', worse: 20 }
const signup: GuardMetric = { type: 'event', event: 'signup', worse: 20 }
const lcp: GuardMetric = { type: 'vital', vital: 'LCP', worse: 20 }

const vital = (persons: number, p75: number, above: number): GuardMetricSide => ({
  persons,
  mean: p75,
  variance: 1,
  p75,
  above,
})

test.each<[string, GuardMetric, GuardMetricSide, GuardMetricSide, string]>([
  // the same share on both sides is no matter, however many there are
  ['the same', exceptions, who(1000, 10_000), who(1000, 10_000), 'well'],
  ['as much worse as may be', exceptions, who(1200, 10_000), who(1000, 10_000), 'well'],
  ['half as bad again, of many', exceptions, who(1500, 10_000), who(1000, 10_000), 'broken'],
  ['half as bad again, of few', exceptions, who(15, 100), who(10, 100), 'well'],
  ['everybody, where it was nobody', exceptions, who(100, 100), who(0, 100), 'broken'],
  ['three, where it was nobody', exceptions, who(3, 100), who(0, 100), 'well'],
  ['better', exceptions, who(100, 10_000), who(1000, 10_000), 'well'],
  ['some, where a few others were lucky', exceptions, who(18, 900), who(0, 100), 'well'],
  ['too few of them', exceptions, who(99, 99), who(0, 10_000), 'too-few'],
  ['nobody to compare with', exceptions, who(99, 1000), nobody, 'too-few'],
  ['as many sign up', signup, who(1000, 10_000), who(1000, 10_000), 'well'],
  ['more sign up', signup, who(2000, 10_000), who(1000, 10_000), 'well'],
  ['a fifth fewer sign up', signup, who(800, 10_000), who(1000, 10_000), 'well'],
  ['half as many sign up', signup, who(500, 10_000), who(1000, 10_000), 'broken'],
  ['nobody of a hundred, where few do', signup, who(0, 100), who(18, 900), 'well'],
  ['nobody signs up any more', signup, who(0, 1000), who(300, 1000), 'broken'],
  ['as fast', lcp, vital(1000, 2000, 180), vital(1000, 2000, 180), 'well'],
  ['as slow as may be', lcp, vital(1000, 2400, 250), vital(1000, 2000, 180), 'well'],
  ['half of them slower than may be', lcp, vital(1000, 3000, 500), vital(1000, 2000, 180), 'broken'],
])('%s', (_, metric, got, others, state) => {
  expect(guardReadingOf(metric, [{ got, others }], rules).state).toBe(state)
})

test('each step is compared in itself: weekends and weekdays, a tenth and a half, do not mix', () => {
  // in sum those who got it have 190 of 1900 and the others 118 of 2100; within each step there is no difference
  const weekday: GuardMetricAnswer = { got: who(10, 200), others: who(90, 1800) }
  const weekend: GuardMetricAnswer = { got: who(180, 1700), others: who(32, 302) }
  const reading = guardReadingOf({ type: 'exceptions', worse: 0 }, [weekday, weekend], rules)
  expect(reading).toMatchObject({ state: 'well', people: { got: 1700, others: 302 } })
  const pooled = guardReadingOf(
    { type: 'exceptions', worse: 0 },
    [{ got: who(190, 1900), others: who(122, 2102) }],
    rules,
  )
  expect(pooled.state).toBe('broken')
})

test('the figures are those people can read', () => {
  expect(guardReadingOf(signup, [{ got: who(50, 1000), others: who(100, 1000) }], rules)).toMatchObject({
    got: 0.05,
    others: 0.1,
    people: { got: 1000, others: 1000 },
  })
  expect(guardReadingOf(lcp, [], rules)).toEqual({
    state: 'too-few',
    got: null,
    others: null,
    people: { got: 0, others: 0 },
  })
})

interface GuardOutcome {
  got: number
  others: number
  metric: GuardMetric
}

/** Counts the guards that are rolled back of so many, looked at each time fifty more people came. */
function rolledBack({ got, others, metric }: GuardOutcome, guards: number): number {
  const chance = seededRandom(7)
  const come = (share: number, people: number) =>
    Array.from({ length: people }, chance).filter((one) => one < share).length
  return Array.from({ length: guards }).filter(() => {
    const did = { got: 0, others: 0 }
    for (let people = 50; people <= 4000; people += 50) {
      did.got += come(got, 50)
      did.others += come(others, 50)
      const reading = guardReadingOf(
        metric,
        [{ got: who(did.got, people), others: who(did.others, people) }],
        rules,
      )
      if (reading.state === 'broken') return true
    }
    return false
  }).length
}

test('eighty looks at a flag that is exactly as bad as it may be are no more dangerous than promised', () => {
  expect(rolledBack({ got: 0.12, others: 0.1, metric: exceptions }, 300)).toBeLessThanOrEqual(6)
  expect(rolledBack({ got: 0.08, others: 0.1, metric: signup }, 300)).toBeLessThanOrEqual(6)
  expect(rolledBack({ got: 0.012, others: 0.01, metric: exceptions }, 300)).toBeLessThanOrEqual(6)
})

test('a flag that doubles what goes wrong is found out', () => {
  expect(rolledBack({ got: 0.2, others: 0.1, metric: exceptions }, 50)).toBe(50)
})
