import { describe, expect, test } from 'vitest'
import type { ExperimentVerdict } from '#experiments/results/verdict'
import { paths } from '#studio/paths'
import { pageAddress } from './addresses'
import { compared, type ComparedNumber, type NumberByWeek } from './compared-numbers'
import { findingOf } from './decided-experiments'
import { ownThemes, themesIn } from './detractor-themes'
import { newSourcesIn } from './new-sources'
import { rolledBackSince } from './rolled-back'
import { staleFinding } from './stale-flags'
import { isCauseOf, unusual } from './unusual-numbers'

const plain = (headline: readonly (string | { name: string })[] | undefined): string | undefined =>
  headline?.map((part) => (typeof part === 'string' ? part : part.name)).join('')

const week = { last: '2026-11-16..2026-11-22', words: '16 – 22 Nov 2026' }
const day = (text: string): Date => new Date(`${text}T00:00:00Z`)

describe('an experiment', () => {
  const estimate = { value: 0.36, standardError: 0.05, low: 0.26, high: 0.46 }
  const decided = {
    variant: 'outcome',
    metric: 'Sign-ups',
    unit: { shape: 'share' as const },
    comparison: {
      variant: 'outcome',
      state: 'estimated' as const,
      relative: estimate,
      absolute: { ...estimate, value: 0.03, low: 0.02, high: 0.04 },
      reading: 'better' as const,
    },
  }
  const findingFor = (verdict: ExperimentVerdict) =>
    findingOf({ id: 'x1', name: 'Headline' }, { verdict, sentence: 'The reason.' })

  test('with a winner says its effect and to ship it', () => {
    const found = findingFor({ advice: 'ship', ...decided, guardrails: 1, isEnded: false })
    expect(plain(found?.headline)).toBe('Sign-ups +36% with outcome in Headline: ship it')
    expect(found).toMatchObject({
      urgency: 'decide',
      reason: 'The reason.',
      action: { label: 'Ship it', path: 'experiments/x1' },
    })
  })

  test('that does harm comes before others', () => {
    const found = findingFor({ advice: 'stop', reason: 'worse', ...decided })
    expect(plain(found?.headline)).toBe('Sign-ups +36% with outcome in Headline: stop it')
    expect(found?.urgency).toBe('harm')
  })

  test.each<ExperimentVerdict>([
    { advice: 'not-started' },
    { advice: 'wait', reason: 'unclear', days: 4 },
    { advice: 'keep-going', variant: 'a', chance: 0.8 },
    { advice: 'no-metric' },
  ])('with the advice $advice says nothing', (verdict) => {
    expect(findingFor(verdict)).toBeUndefined()
  })
})

describe('stale flags', () => {
  test('are one sentence, and those that were not asked for come first', () => {
    const since = day('2026-09-01')
    const flags = [
      { key: 'old', stale: { because: 'fully-rolled-out' as const, since, value: 'true' } },
      { key: 'used', stale: undefined },
      { key: 'legacy-editor', stale: { because: 'not-asked' as const, since } },
    ]
    const [found, ...more] = staleFinding(flags)
    expect(more).toEqual([])
    expect(plain(found?.headline)).toBe('legacy-editor was not asked for in 30 days: remove it')
    expect(found?.reason).toContain('1 other flag is stale too.')
    expect(found?.action.path).toBe('flags?state=stale')
    expect(staleFinding(flags.slice(1))[0]?.action.path).toBe('flags/legacy-editor')
  })

  test('are not said where there are none', () => {
    expect(staleFinding([{ key: 'used', stale: undefined }])).toEqual([])
  })
})

describe('a rollout', () => {
  const guard = {
    flagKey: 'checkout',
    state: 'rolled-back' as const,
    endedAt: day('2026-11-18'),
    createdAt: day('2026-11-10'),
    why: 'Exceptions rose by 40%.',
    experiment: undefined,
  }
  const from = day('2026-11-16')

  test('that its guard rolled back is said with the guard’s reason', () => {
    const [found] = rolledBackSince([guard], from)
    expect(plain(found?.headline)).toBe('The rollout of checkout was rolled back: find the cause')
    expect(found).toMatchObject({ urgency: 'harm', reason: guard.why, action: { path: 'flags/checkout' } })
    const [ofExperiment] = rolledBackSince([{ ...guard, experiment: 'x1' }], from)
    expect(ofExperiment?.action.path).toBe('experiments/x1')
  })

  test.each([
    ['was rolled back before that week', [{ ...guard, endedAt: day('2026-11-15') }]],
    ['was stopped by a member', [{ ...guard, state: 'stopped' as const }]],
    [
      'began again since',
      [guard, { ...guard, state: 'running' as const, endedAt: undefined, createdAt: day('2026-11-19') }],
    ],
  ])('that %s is not said', (_, guards) => {
    expect(rolledBackSince(guards, from)).toEqual([])
  })
})

describe('a source', () => {
  const earlier = [{ value: 'Google' }]
  const rows = (visitors: number) => [
    { value: 'Google', visitors: 800 },
    { value: 'Hacker News', visitors },
    { value: null, visitors: 500 },
  ]

  test('that is new and large is said', () => {
    const [found, ...more] = newSourcesIn({ last: rows(100), earlier, visitors: 1400 }, week)
    expect(more).toEqual([])
    expect(plain(found?.headline)).toBe('Hacker News is a new source: it brought 7.1% of the visitors')
    expect(found?.action.path).toBe('web?period=2026-11-16..2026-11-22&source=Hacker+News')
  })

  test('that is small or known is not said', () => {
    expect(newSourcesIn({ last: rows(60), earlier, visitors: 1400 }, week)).toEqual([])
    expect(newSourcesIn({ last: rows(10), earlier, visitors: 20 }, week)).toEqual([])
    expect(
      newSourcesIn(
        { last: rows(100), earlier: [...earlier, { value: 'Hacker News' }], visitors: 1400 },
        week,
      ),
    ).toEqual([])
  })
})

describe('a theme of detractors', () => {
  const open = (answered: number, phrases: { text: string; texts: number }[]) => [
    { id: 'why', kind: 'open' as const, answered, phrases },
  ]

  test('is a phrase of at least five texts and half of them', () => {
    expect(themesIn(open(10, [{ text: 'prices', texts: 6 }]))).toEqual([
      { question: 'why', words: 'prices', texts: 6, answered: 10 },
    ])
    expect(themesIn(open(13, [{ text: 'prices', texts: 6 }]))).toEqual([])
    expect(themesIn(open(6, [{ text: 'prices', texts: 4 }]))).toEqual([])
  })

  test('is not a word that others use as often', () => {
    const themes = themesIn(open(10, [{ text: 'app', texts: 6 }]))
    expect(ownThemes(themes, open(20, [{ text: 'app', texts: 8 }]))).toEqual([])
    expect(ownThemes(themes, open(20, [{ text: 'app', texts: 6 }]))).toEqual(themes)
    expect(ownThemes(themes, [])).toEqual(themes)
  })
})

describe('numbers by week', () => {
  const number = (values: number[], more: Partial<NumberByWeek> = {}): NumberByWeek => ({
    of: 'visitors',
    name: 'Visitors',
    goal: undefined,
    unit: 'number',
    noiseUnit: 1,
    values,
    ...more,
  })
  const quiet = [400, 410, 395, 405, 400, 390, 402, 398]
  const goal: Partial<NumberByWeek> = { of: 'goal', name: 'Sign-ups' }
  const names = (numbers: readonly ComparedNumber[]) => unusual(numbers).map(({ name }) => name)

  test('a rise of 36% is unusual, and the farthest from its range comes first', () => {
    const found = compared([number([...quiet, 544]), number([...quiet, 4000], goal)])
    expect(names(found)).toEqual(['Sign-ups', 'Visitors'])
  })

  test('a number of few weeks is not compared, and the week in which it began is left out', () => {
    expect(compared([number([0, 0, 0, 3, 400, 410, 395, 405, 900])])).toEqual([])
    const [found] = compared([number([0, 0, 3, 400, 410, 395, 405, 400, 900])])
    expect(found?.range.weeks).toBe(5)
    expect(found?.range.low).toBeGreaterThan(300)
  })

  test('the more numbers are compared, the wider is the range of each', () => {
    const alone = compared([number([...quiet, 400])])[0]
    const among = compared(Array.from({ length: 20 }, () => number([...quiet, 400])))[0]
    expect((among?.range.high ?? 0) - (among?.range.low ?? 0)).toBeGreaterThanOrEqual(
      (alone?.range.high ?? 0) - (alone?.range.low ?? 0),
    )
  })

  test('a goal that fell to nothing is unusual though visitors rose', () => {
    const found = compared([number([...quiet, 800]), number([...quiet, 0], goal)])
    expect(names(found).toSorted()).toEqual(['Sign-ups', 'Visitors'])
  })
})

test.each([
  // own before, its difference, all before, the whole difference
  ['a new source that made all of it', 0, 120, 100, 120, true],
  ['a source that made half of it and doubled', 20, 60, 100, 110, true],
  ['a country that grew as all did', 60, 60, 100, 100, false],
  ['the only source there is', 100, 100, 100, 100, false],
  ['a source that made less than half', 0, 40, 100, 100, false],
])('%s', (_, own, difference, before, whole, expected) => {
  expect(isCauseOf({ own, difference }, { before, whole })).toBe(expected)
})

test.each([
  [pageAddress.experiment('x1'), paths.experiment('acme', 'x1')],
  [pageAddress.flag('new'), paths.flag('acme', 'new')],
  [pageAddress.staleFlags, paths.flags('acme', { state: 'stale' })],
  [
    pageAddress.web([
      ['period', week.last],
      ['source', 'Hacker News'],
    ]),
    paths.web('acme', [
      ['period', week.last],
      ['source', 'Hacker News'],
    ]),
  ],
  [
    pageAddress.surveyResponses('s1', week.last, [{ question: 'nps', values: [0] }]),
    paths.surveyResponses('acme', 's1', { period: week.last, answers: '[{"question":"nps","values":[0]}]' }),
  ],
])('the address %s is that of the studio', (path, address) => {
  expect(paths.finding('acme', path)).toBe(address)
})
