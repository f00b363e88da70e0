import { describe, expect, test } from 'vitest'
import type { LiveEvent } from '#events/live-event'
import { columnFacts, propertyFacts } from './facts'
import { applyChange, type Feed, type FeedChange, maxShown, emptyFeed } from './feed'
import { matchesFilter, type LiveFilter, liveFilterIn } from './list-filter'
import { dropped, refused, stored } from './live-events-for-tests'
import { labelOfPerson, personsToName } from './person-labels'
import { countLiveEvents } from './OutcomeCounts'
import { subjectOf, titleOf, whoOf } from './live-event-labels'

const names = ({ shown }: Feed) =>
  shown.map(({ liveEvent }) => ('name' in liveEvent ? liveEvent.name : liveEvent.reason))
const came = (...liveEvents: LiveEvent[]): FeedChange => ({ what: 'came', liveEvents })
const recent = (...liveEvents: LiveEvent[]): FeedChange => ({ what: 'recent', liveEvents })
const event = (name: string, second = 0) =>
  stored({ name, uuid: name, receivedAt: `2026-11-21T10:00:${String(second).padStart(2, '0')}.000Z` })
const history = (...changes: FeedChange[]) => changes.reduce(applyChange, emptyFeed)

describe('what came in', () => {
  test('stands newest first', () => {
    expect(names(history(came(event('a')), came(event('b'), event('c'))))).toEqual(['c', 'b', 'a'])
  })

  test('from before someone looked stands in the order in which it came', () => {
    expect(names(history(recent(event('late', 9), event('early', 1))))).toEqual(['late', 'early'])
  })

  test('is bounded, and what is oldest goes', () => {
    const many = Array.from({ length: maxShown + 7 }, (_, index) => event(`e${index}`))
    const { shown } = history(came(...many))
    expect(shown).toHaveLength(maxShown)
    expect(shown.at(-1)?.liveEvent).toBe(many[7])
  })

  test('has a number of its own each, also when equal', () => {
    const { shown } = history(came(dropped(), dropped()), came(dropped()))
    expect(new Set(shown.map(({ id }) => id)).size).toBe(3)
  })

  test('is not shown twice when a lost connection is found again', () => {
    const [a, b, c] = [event('a', 1), event('b', 2), event('c', 3)]
    const [old, fresh] = [dropped({ at: '2026-11-21T10:00:01Z' }), dropped({ at: '2026-11-21T10:00:04Z' })]
    const { shown } = history(recent(a, old), came(b), recent(a, old, b, c, fresh))
    expect(shown.map(({ liveEvent }) => liveEvent)).toEqual([fresh, c, b, old, a])
  })
})

describe('while the page stands still', () => {
  const paused = history(came(event('a')), { what: 'paused' }, came(event('b'), event('c')))

  test('what comes waits and is counted', () => {
    expect(names(paused)).toEqual(['a'])
    expect(paused.heldCount).toBe(2)
  })

  test('and is shown, newest first, when it moves on', () => {
    const resumed = applyChange(paused, { what: 'resumed' })
    expect(names(resumed)).toEqual(['c', 'b', 'a'])
    expect(resumed).toMatchObject({ isPaused: false, heldCount: 0, held: [] })
  })

  test('more than fits is counted all the same', () => {
    const many = Array.from({ length: maxShown + 1 }, (_, index) => event(`e${index}`))
    expect(applyChange(paused, came(...many)).heldCount).toBe(maxShown + 3)
  })
})

test('what the front had to leave out adds up', () => {
  expect(history({ what: 'skipped', count: 3 }, { what: 'skipped', count: 4 }).skipped).toBe(7)
})

describe('what is asked', () => {
  const view = stored({ properties: { plan: 'Pro', $lib: 'web' }, groups: { company: 'acme' } })

  test.each<[LiveFilter, LiveEvent, boolean]>([
    [{}, view, true],
    [{ kind: 'stored' }, view, true],
    [{ kind: 'dropped' }, view, false],
    [{ kind: 'refused' }, refused(), true],
    [{ name: '$pageview' }, view, true],
    [{ name: '$pageview' }, dropped(), true],
    [{ name: '$pageview' }, refused(), false],
    [{ name: 'signup' }, view, false],
    [{ find: 'PRICING' }, view, true],
    [{ find: 'ana' }, view, true],
    [{ find: 'pro' }, view, true],
    [{ find: 'acme' }, view, true],
    [{ find: 'nowhere' }, view, false],
    [{ find: 'bot' }, dropped({ reason: 'bot' }), true],
    [{ find: 'phc_w' }, refused({ named: 'phc_wrong' }), true],
    [{ kind: 'stored', name: '$pageview', find: 'firefox' }, view, true],
    [{ kind: 'stored', name: '$pageview', find: 'chrome' }, view, false],
  ])('%j of %o: %j', (filter, liveEvent, isFound) => expect(matchesFilter(liveEvent, filter)).toBe(isFound))

  test.each([
    ['kind=dropped&name=signup&find=x', { kind: 'dropped', name: 'signup', find: 'x' }],
    ['kind=everything', {}],
    ['name=&find=', {}],
  ])('an address that says %s', (search, filter) =>
    expect(liveFilterIn(new URLSearchParams(search))).toEqual(filter),
  )
})

describe('the people behind events', () => {
  const label = { name: 'Quiet Heron', isCoined: true, mark: { shape: 0, colour: 0 } }
  const known = new Map([['v1', label]])
  const { shown } = history(
    came(
      stored({ personId: 'v1' }),
      stored({ personId: 'v2' }),
      stored({ personId: 'v2' }),
      stored({ personId: 'crawler', columns: { traffic: 'ai' } }),
      dropped(),
    ),
  )

  test('are named once each, robots not at all', () => {
    expect(personsToName(shown, known, -1)).toEqual(['v2'])
    expect(shown.map(({ liveEvent }) => labelOfPerson(liveEvent, known)?.name)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'Quiet Heron',
    ])
  })

  test('are all named again when one was identified, and then no more', () => {
    const later = applyChange(
      { ...emptyFeed, shown, nextId: 5 },
      came(stored({ name: '$identify', personId: 'v1' })),
    )
    expect(personsToName(later.shown, new Map([...known, ['v2', label]]), 4)).toEqual(['v1', 'v2'])
    expect(personsToName(later.shown, new Map([...known, ['v2', label]]), 5)).toEqual([])
  })

  test('are found by their names', () => {
    expect(matchesFilter(stored(), { find: 'heron' }, label)).toBe(true)
    expect(matchesFilter(stored(), { find: 'heron' })).toBe(false)
    expect(matchesFilter(stored(), { find: 'ana@' }, { ...label, email: 'ana@example.com' })).toBe(true)
  })
})

test('the tally counts each reason, the most frequent first', () => {
  const { shown } = history(
    came(
      stored(),
      dropped({ reason: 'no-name' }),
      dropped({ reason: 'bot' }),
      dropped({ reason: 'bot' }),
      refused({ named: 'phc_wrong' }),
    ),
  )
  expect(countLiveEvents(shown)).toEqual({
    stored: 1,
    dropped: [
      { label: 'a bot', count: 2 },
      { label: 'it has no event name', count: 1 },
    ],
    refused: [{ label: 'no project has the key “phc_wrong”', count: 1 }],
  })
})

test.each<[LiveEvent, title: string, subject: string, who: string]>([
  [stored(), 'Page view', 'shop.example.com/pricing', 'Firefox · Finland'],
  [stored({ name: 'signup', columns: {} }), 'signup', '', ''],
  [stored({ name: '$tilth_test', columns: {} }), 'Test event', '', ''],
  [dropped({ name: '', reason: 'no-name' }), 'Event without a name', 'it has no event name', ''],
  [refused({ named: 'phc_x' }), 'Request refused', 'no project has the key “phc_x”', 'PostHog'],
])('a line of the list: %o', (liveEvent, title, subject, who) =>
  expect([titleOf(liveEvent), subjectOf(liveEvent), whoOf(liveEvent)]).toEqual([title, subject, who]),
)

describe('the facts of an event', () => {
  const value = (facts: ReturnType<typeof columnFacts>, label: string) =>
    facts.find((fact) => fact.label === label)?.value

  test.each([
    [{ traffic: 'feed' }, 'Traffic', 'Feed readers'],
    [{ country: 'NZ' }, 'Country', 'New Zealand'],
    [{ country: 'T1' }, 'Country', 'T1'],
    [{ engaged_ms: 83_000 }, 'Engagement time', '1m 23s'],
    [{ scroll_depth: 42 }, 'Scroll depth', '42%'],
    [{ revenue: 12.5, currency: 'EUR' }, 'Revenue', '€12.50'],
    [{ revenue: 12.5, currency: 'gold' }, 'Revenue', '12.5 gold'],
    [{ revenue: 3 }, 'Revenue', '3'],
    [{ utm_source: 'news' }, 'UTM source', 'news'],
    [{ browser: '' }, 'Browser', undefined],
  ] as const)('%j: %s is %j', (columns, label, shown) =>
    expect(value(columnFacts(stored({ columns })), label)).toBe(shown),
  )

  test('properties stand by label, and nested ones on lines of their own', () => {
    const facts = propertyFacts(
      stored({ properties: { zebra: '1', $timezone: 'UTC', cart: '{"items":[1]}', odd: '[x' } }),
    )
    expect(facts.map(({ label, isLong }) => [label, isLong])).toEqual([
      ['cart', true],
      ['odd', false],
      ['Time zone', false],
      ['zebra', false],
    ])
    expect(value(facts, 'cart')).toBe('{\n  "items": [\n    1\n  ]\n}')
  })
})
