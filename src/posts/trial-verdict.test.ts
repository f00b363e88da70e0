import { describe, expect, test } from 'vitest'
import { seededRandom } from '#test/random/seeded-random'
import { trialVerdict, type TrialVerdict, type VariantCounts } from './trial-verdict'

const startedAt = new Date('2026-03-02T10:00:00Z')
const after = (days: number) => new Date(startedAt.getTime() + days * 86_400_000)
const keys = ['a', 'b', 'c', 'd', 'e']

/** A trial by clicks of as many variants as there are counts. */
const trialOf = (counts: readonly unknown[], metric: 'clicks' | 'reads' = 'clicks') => ({
  variants: keys.slice(0, counts.length).map((key) => ({ key })),
  metric,
  startedAt,
})

type Counted = readonly [shown: number, clicks: number, reads?: number]

const countsOf = (all: readonly Counted[]): VariantCounts[] =>
  all.map(([shown, clicks, reads = 0], i) => ({ variant: keys[i] ?? '', shown, clicks, reads }))

const verdict = (all: readonly Counted[], days = 5, metric: 'clicks' | 'reads' = 'clicks'): TrialVerdict =>
  trialVerdict(trialOf(all, metric), countsOf(all), after(days))

test.each<[string, Counted[], object]>([
  [
    'nobody yet',
    [
      [0, 0],
      [0, 0],
    ],
    { name: 'too-few', minimum: 100 },
  ],
  [
    'a hundred to nothing, of too few',
    [
      [99, 0],
      [99, 99],
    ],
    { name: 'too-few', minimum: 100 },
  ],
  [
    'everybody, where it was nobody',
    [
      [100, 0],
      [100, 100],
    ],
    { name: 'won', winner: 'b' },
  ],
  [
    'the original is best',
    [
      [1000, 300],
      [1000, 100],
    ],
    { name: 'won', winner: 'a' },
  ],
  [
    'the same share',
    [
      [1000, 100],
      [1000, 100],
    ],
    { name: 'undecided', leader: undefined, daysLeft: undefined },
  ],
  [
    'a tenth better, of few',
    [
      [1000, 100],
      [1000, 110],
    ],
    { name: 'undecided', leader: 'b' },
  ],
  [
    'a tenth better, of many',
    [
      [45_000, 4500],
      [45_000, 4950],
    ],
    { name: 'won', winner: 'b' },
  ],
  [
    'nobody opens any',
    [
      [5000, 0],
      [5000, 0],
    ],
    { name: 'undecided', leader: undefined },
  ],
  [
    'three, where it was nobody',
    [
      [150, 0],
      [150, 3],
    ],
    { name: 'undecided', leader: 'b' },
  ],
  [
    'better than one, but not than the other',
    [
      [2000, 100],
      [2000, 300],
      [2000, 305],
    ],
    { name: 'undecided', leader: 'c' },
  ],
  [
    'better than all four others',
    [
      [2000, 100],
      [2000, 90],
      [2000, 95],
      [2000, 220],
      [2000, 80],
    ],
    { name: 'won', winner: 'd' },
  ],
  [
    'one of them was hardly shown',
    [
      [2000, 100],
      [2000, 300],
      [20, 0],
    ],
    { name: 'too-few', minimum: 100 },
  ],
])('%s', (_, counts, wanted) => {
  expect(verdict(counts)).toMatchObject(wanted)
})

test('a trial without counted readers has too few', () => {
  expect(trialVerdict(trialOf([1, 2]), [], after(5))).toEqual({ name: 'too-few', minimum: 100 })
})

test('the measure that the trial is about decides', () => {
  const counts: Counted[] = [
    [1000, 300, 20],
    [1000, 100, 90],
  ]
  expect(verdict(counts, 5, 'clicks')).toEqual({ name: 'won', winner: 'a' })
  expect(verdict(counts, 5, 'reads')).toEqual({ name: 'won', winner: 'b' })
})

describe('a trial that finds nothing ends', () => {
  test.each<[string, Counted[], number, string]>([
    [
      'after sixty days',
      [
        [1000, 100],
        [1000, 104],
      ],
      60,
      'futile',
    ],
    [
      'not before',
      [
        [1000, 100],
        [1000, 104],
      ],
      59.9,
      'undecided',
    ],
    [
      'after sixty days in which hardly anybody came',
      [
        [10, 1],
        [12, 2],
      ],
      60,
      'futile',
    ],
    [
      'after a hundred thousand were shown it',
      [
        [50_000, 5000],
        [50_000, 5010],
      ],
      5,
      'futile',
    ],
    [
      'unless somebody wins then',
      [
        [50_000, 5000],
        [50_000, 5900],
      ],
      60,
      'won',
    ],
  ])('%s', (_, counts, days, name) => {
    expect(verdict(counts, days).name).toBe(name)
  })
})

describe('how long it takes still', () => {
  test('is about as long as it then does', () => {
    const soon = verdict(
      [
        [500, 50],
        [500, 75],
      ],
      5,
    )
    if (soon.name !== 'undecided' || soon.daysLeft === undefined) throw new Error(`It is ${soon.name}.`)
    const times = (5 + soon.daysLeft) / 5
    const then: Counted[] = [
      [500 * times, 50 * times],
      [500 * times, 75 * times],
    ]
    expect(verdict(then, 5 + soon.daysLeft).name).toBe('won')
    const dayBefore = (4 + soon.daysLeft) / 5
    expect(
      verdict([
        [500 * dayBefore, 50 * dayBefore * 0.98],
        [500 * dayBefore, 75 * dayBefore * 0.96],
      ]).name,
    ).toBe('undecided')
  })

  test('is not said where it ends before', () => {
    expect(
      verdict(
        [
          [500, 50],
          [500, 52],
        ],
        5,
      ),
    ).toEqual({ name: 'undecided', leader: 'b', daysLeft: undefined })
  })

  test('is not promised where it has only just begun', () => {
    expect(
      verdict(
        [
          [500, 50],
          [500, 75],
        ],
        0,
      ),
    ).toMatchObject({ name: 'undecided', leader: 'b', daysLeft: 0 })
  })
})

/** Returns the winners, if any, of so many trials, looked at each time so many more persons came to each variant. */
function winners(shares: readonly number[], { trials = 300, step = 50, most = 4000, seed = 7 } = {}) {
  const chance = seededRandom(seed)
  const clicksOf = (share: number) => Array.from({ length: step }, chance).filter((one) => one < share).length
  return Array.from({ length: trials }, (): string | undefined => {
    const clicks = shares.map(() => 0)
    for (let shown = step; shown <= most; shown += step) {
      for (const [i, share] of shares.entries()) clicks[i] = (clicks[i] ?? 0) + clicksOf(share)
      const found = verdict(clicks.map((one): Counted => [shown, one]))
      if (found.name === 'won') return found.winner
    }
    return undefined
  })
}

describe('eighty looks at variants that are equally good', () => {
  test.each([
    ['two, opened by one in ten', [0.1, 0.1]],
    ['two, opened by one in fifty', [0.02, 0.02]],
    ['two, opened by half', [0.5, 0.5]],
    ['three', [0.1, 0.1, 0.1]],
    ['five', [0.1, 0.1, 0.1, 0.1, 0.1]],
    ['five that are rarely opened', [0.02, 0.02, 0.02, 0.02, 0.02]],
  ])('name a winner in at most one of twenty: %s', (_, shares) => {
    expect(winners(shares).filter((winner) => winner !== undefined).length).toBeLessThanOrEqual(300 / 20)
  })
})

test('two that are equally best: none of them wins, and the worse ones do not either', () => {
  const found = winners([0.05, 0.15, 0.15])
  expect(found.filter((winner) => winner !== undefined).length).toBeLessThanOrEqual(300 / 20)
})

test('a clear difference is found, and it is the right one', () => {
  expect(winners([0.1, 0.2], { trials: 50 })).toEqual(Array.from({ length: 50 }, () => 'b'))
  const ofFive = winners([0.1, 0.1, 0.1, 0.16, 0.1], { trials: 50 })
  expect(ofFive.filter((winner) => winner === 'd').length).toBeGreaterThanOrEqual(49)
})
