import * as fc from 'fast-check'
import type { TestEvent } from '../product/test-engine'
import { awkwardPlaces, calendarAround, hoursFrom, momentAround, periodAround } from './random-stories'

/** Close enough for ties, and for what lies just within some days of something else or just beyond. */
const moments = (day: string): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .constantFrom(-170, -48, -24, 0, 1, 1, 2, 13, 24, 25)
        .map((hours) => hoursFrom(day, hours).toISOString()),
    },
    { weight: 1, arbitrary: momentAround(day) },
  )

/** The actions of readers of a site about that day: they are shown things, open pages, read on, and buy. */
const readingEvent = (day: string): fc.Arbitrary<TestEvent> =>
  fc
    .record({
      person: fc.constantFrom('ana', 'ben', 'cleo'),
      event: fc.constantFrom(
        '$pageview',
        '$pageview',
        '$pageview',
        '$engagement',
        '$pageleave',
        '$feature_flag_called',
        '$feature_flag_called',
        '$feature_flag_seen',
        'bought',
      ),
      at: moments(day),
      session: fc.constantFrom('one', 'two', undefined),
      path: fc.constantFrom('/blog/a', '/blog/a', '/blog/old-a', '/blog/b', '/pricing', ''),
      source: fc.constantFrom('Google', 'Hacker News', ''),
      revenue: fc.constantFrom(0, 0, 5, 7),
      scrolled: fc.constantFrom(0, 30, 75, 90),
      engaged: fc.constantFrom(0, 1000, 4000),
      lib: fc.constantFrom('tilth-site', 'tilth-site', 'web'),
      traffic: fc.constantFrom('human' as const, 'human' as const, 'human' as const, 'bot' as const),
      before: fc.constantFrom<Record<string, string>>({}, {}, { $prev_pageview_pathname: '/blog/b' }),
      flag: fc.constantFrom('post-1-1', 'post-1-1', 'post-1-1', 'other'),
      value: fc.constantFrom('a', 'a', 'b', 'false'),
    })
    .map(
      ({ session, path, source, revenue, scrolled, engaged, lib, traffic, before, flag, value, ...one }) => {
        const isOfFlag = one.event.startsWith('$feature_flag')
        return {
          ...one,
          ...(session && { session: `${session} ${one.at.slice(0, 10)}` }),
          columns: {
            path,
            source,
            channel: source === '' ? 'Direct' : 'Referral',
            revenue,
            scroll_depth: scrolled,
            engaged_ms: engaged,
            lib,
            traffic,
          },
          properties: isOfFlag ? { $feature_flag: flag, $feature_flag_response: value } : before,
        }
      },
    )

const pages = fc.constantFrom<string[][]>(
  [['/blog/a', '/blog/old-a'], ['/blog/b']],
  [['/blog/a', '/blog/old-a']],
  [['/blog/a'], ['/blog/b', '/blog/old-a', '/blog/a']],
  [['/nowhere']],
)
const maybePages = fc.option(pages, { nil: undefined })

const sharedFields = (day: string) => ({ period: periodAround(day) })

export const readingQueries = (day: string) =>
  fc.record({
    kind: fc.constant('reading'),
    ...sharedFields(day),
    pages: maybePages,
    interval: fc.constantFrom('hour', 'day', 'week', undefined),
    details: fc.boolean(),
    limit: fc.constantFrom(1, 2, 10),
  })

export const attributionQueries = (day: string) =>
  fc.record({
    kind: fc.constant('attribution'),
    ...sharedFields(day),
    pages: maybePages,
    goal: fc.constantFrom<object>(
      { type: 'event', event: 'bought' },
      { type: 'event', event: '$pageview' },
      { type: 'page', path: '/pricing' },
      { type: 'page', path: '/blog/*' },
      { type: 'scroll', path: '/blog/b', depth: 50 },
      { type: 'revenue' },
    ),
    attribution: fc.constantFrom('first', 'last'),
    days: fc.constantFrom(1, 2, 7, 30),
    limit: fc.constantFrom(1, 2, 10),
  })

export const trialQueries = (day: string) =>
  fc.record({
    kind: fc.constant('trial'),
    ...sharedFields(day),
    pages,
    flag: fc.constant('post-1-1'),
    variants: fc.constantFrom(['a', 'b'], ['a', 'b', 'c'], ['b']),
    days: fc.constantFrom(1, 7),
  })

export const clientCoverageQueries = (day: string) =>
  fc.record({
    kind: fc.constant('client-coverage'),
    ...sharedFields(day),
    flag: fc.constantFrom('post-1-1', undefined),
  })

export const casesOfReading = (query: (day: string) => fc.Arbitrary<object>) =>
  fc.constantFrom(...awkwardPlaces).chain((place) =>
    fc.record({
      events: fc.array(readingEvent(place.day), { maxLength: 12, size: 'max' }),
      calendar: calendarAround(place),
      question: query(place.day),
    }),
  )
