import * as fc from 'fast-check'
import { type BounceRule, usualBounceRule } from '#insights/bounce-rule'
import type { Filter } from '#filters/filter'
import type { TestEvent } from '../product/test-engine'
import { awkwardPlaces, calendarAround, hoursFrom, momentAround, periodAround } from './random-stories'

/** An event on a site about that day; some are at the same instant, some have no session. */
const visitEvent = (day: string): fc.Arbitrary<TestEvent> =>
  anyEvent(day).map((event) => ({ ...event, ...(event.session && { session: sessionOf(event) }) }))

/** Close enough for visits of several events, and for events at the same instant. */
const fewMoments = (day: string): fc.Arbitrary<string> =>
  fc.constantFrom(0, 1, 2, 13, 14, 26).map((hours) => hoursFrom(day, hours).toISOString())

/** No session lasts longer than a day. */
const sessionOf = ({ session = '', at }: TestEvent): string => `${session} ${String(at).slice(0, 10)}`

const anyEvent = (day: string): fc.Arbitrary<TestEvent> =>
  fc.record(
    {
      person: fc.constantFrom('ana', 'ben', 'cleo'),
      event: fc.constantFrom('$pageview', '$pageview', '$pageview', '$pageleave', '$autocapture', 'bought'),
      at: fc.oneof({ weight: 5, arbitrary: fewMoments(day) }, { weight: 1, arbitrary: momentAround(day) }),
      session: fc.constantFrom('one', 'one', 'two', undefined),
      columns: fc.record({
        path: fc.constantFrom('/a', '/b', '/blog/c', ''),
        channel: fc.constantFrom('Direct', 'Organic Search', ''),
        country: fc.constantFrom('DE', 'FR', ''),
        browser: fc.constantFrom('Firefox', 'Chrome'),
        revenue: fc.constantFrom(0, 0, 5, 7),
        scroll_depth: fc.constantFrom(0, 0, 30, 80),
        engaged_ms: fc.constantFrom(0, 0, 0, 2000, 9000),
        traffic: fc.constantFrom('human', 'human', 'human', 'human', 'bot'),
      }),
      properties: fc.constantFrom<Record<string, string>>({}, {}, { $prev_pageview_pathname: '/b' }),
    },
    { requiredKeys: ['person', 'event', 'at', 'columns', 'properties'] },
  )

const conditions: readonly Filter[] = [
  { type: 'event', key: '$pathname', operator: 'exact', value: ['/a', '/blog/c'] },
  { type: 'event', key: '$pathname', operator: 'is_not', value: ['/a'] },
  { type: 'event', key: '$geoip_country_code', operator: 'is_not_set' },
  { type: 'session', key: '$channel_type', operator: 'exact', value: ['Direct'] },
  { type: 'session', key: '$channel_type', operator: 'is_not', value: ['Direct'] },
  { type: 'session', key: '$entry_pathname', operator: 'is_not_set' },
  { type: 'session', key: '$session_country', operator: 'exact', value: ['DE'] },
]

const filters = fc
  .uniqueArray(fc.constantFrom(...conditions), { minLength: 1, maxLength: 2 })
  .map((all): Filter => ({ all }))

const goals = fc.constantFrom(
  { type: 'page', path: '/blog/*' } as const,
  { type: 'page', path: '/b' } as const,
  { type: 'event', event: 'bought' } as const,
  { type: 'scroll', path: '/b', depth: 50 } as const,
  { type: 'revenue' } as const,
)

/** The parts that both kinds of queries about visits can have. */
export const visitQueryFields = (day: string) => ({
  period: periodAround(day),
  filter: fc.option(filters, { nil: undefined }),
  goal: fc.option(goals, { nil: undefined }),
  compare: fc.constantFrom(undefined, undefined, undefined, 'previous', 'year', 'previous-weekday'),
  interval: fc.constantFrom('hour' as const, 'day' as const, 'week' as const, undefined),
})

/** Events about a day of an awkward calendar, and a query about them. */
export const casesOfVisits = <Query>(query: (day: string) => fc.Arbitrary<Query>) =>
  fc.constantFrom(...awkwardPlaces).chain((place) =>
    fc.record({
      events: fc.array(visitEvent(place.day), { maxLength: 10, size: 'max' }),
      calendar: calendarAround(place),
      question: query(place.day),
      settings: fc.record({
        bounceRule: fc.constantFrom<BounceRule>(
          usualBounceRule,
          { of: 'plausible', engagedSeconds: 1 },
          { of: 'plausible', engagedSeconds: 5 },
          { of: 'posthog', seconds: 10 },
          { of: 'posthog', seconds: 3600 },
        ),
        pageGroups: fc.constantFrom([], [], ['/blog/*'], ['/blog/c', '/:page', '/blog/*']),
      }),
    }),
  )
