import type { AttributionQuery } from '#insights/kinds/attribution/schema'
import type { ReadingQuery } from '#insights/kinds/reading/schema'
import type { ClientCoverageQuery } from '#insights/kinds/client-coverage/schema'
import type { TrialQuery } from '#insights/kinds/trial/schema'
import { bucketsOf, type Period, periodOn, usualInterval } from '#insights/calendar/period'
import type { AttributionAnswer, AttributionCounts } from '#insights/kinds/attribution/attribution'
import type { ReaderOrigin, ReadingAnswer, ReadPage } from '#insights/kinds/reading/answer'
import type { ClientCoverageAnswer } from '#insights/kinds/client-coverage/answer'
import type { TrialAnswer } from '#insights/kinds/trial/trial'
import { timeOf, type TestEvent } from '../product/test-engine'
import { inOrder, isHuman, type PlainVisitWorld, reaches, readPage, within } from './visits'

const day = 86_400_000
const msOf = (event: TestEvent): number => timeOf(event).getTime()
const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)
const countOf = (persons: Iterable<string>): number => new Set(persons).size
const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

const humans = (world: PlainVisitWorld, period: Period): TestEvent[] =>
  inOrder(world).filter((event) => isHuman(event) && within(event, period))

/** The page at an address; '' where it is none of those asked about. */
const pageAt = (path: string, pages: readonly (readonly string[])[] | undefined): string =>
  pages ? (pages.find((addresses) => addresses.includes(path))?.[0] ?? '') : path

const isView = ({ event }: TestEvent): boolean => event === '$pageview'
const viewedPage = (event: TestEvent, pages: AttributionQuery['pages']): string =>
  isView(event) ? pageAt(event.columns?.path ?? '', pages) : ''
const isReadingEvent = ({ event }: TestEvent): boolean =>
  ['$pageview', '$pageleave', '$engagement'].includes(event)

/** Reading by a pencil: each page is looked at for who opened it, and each of them for how they read it. */
export function expectedReading(query: ReadingQuery, world: PlainVisitWorld): ReadingAnswer {
  const period = periodOn(world.calendar, query.period)
  const events = humans(world, period)
  const views = events.filter((event) => viewedPage(event, query.pages) !== '')
  const interval = query.interval ?? usualInterval(period)
  const { starts, end } = bucketsOf(period, interval, world.calendar) ?? { starts: [], end: period.until }
  const pages = [...Map.groupBy(views, (event) => viewedPage(event, query.pages))].map(([page, pageEvents]) =>
    pageOf(page, pageEvents, events.filter(isReadingEvent), query),
  )
  return {
    interval,
    starts: starts.map((start) => start.toISOString()),
    lastIsIncomplete: end > world.calendar.now,
    views: views.length,
    readers: countOf(views.map(({ person }) => person)),
    pages: pages
      .toSorted((a, b) => b.readers - a.readers || b.views - a.views || byText(a.page, b.page))
      .slice(0, query.limit),
    ...(query.details && {
      course: starts.map((from, i) => {
        const then = views.filter((event) => within(event, { from, until: starts[i + 1] ?? end }))
        return { views: then.length, readers: countOf(then.map(({ person }) => person)) }
      }),
      sources: originsOf(views, world, 'source', query.limit),
      channels: originsOf(views, world, 'channel', query.limit),
    }),
  }
}

function pageOf(
  page: string,
  views: readonly TestEvent[],
  events: readonly TestEvent[],
  { pages }: ReadingQuery,
): ReadPage {
  const readers = [...new Set(views.map(({ person }) => person))].map((person) => {
    const pageEvents = events.filter(
      (event) => event.person === person && pageAt(readPage(event), pages) === page,
    )
    return {
      deepest: Math.max(0, ...pageEvents.map(({ columns }) => columns?.scroll_depth ?? 0)),
      engaged: sum(pageEvents.map(({ columns }) => columns?.engaged_ms ?? 0)),
    }
  })
  return {
    page,
    views: views.length,
    readers: readers.length,
    readThrough: readers.filter(({ deepest }) => deepest >= 75).length / readers.length,
    engagedMs: medianOf(readers.map(({ engaged }) => engaged).filter((engaged) => engaged > 0)),
  }
}

function medianOf(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((one, other) => one - other)
  const [below, above] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return below === undefined || above === undefined ? null : (below + above) / 2
}

/** A visit is where its first event came from, also where that lies outside of the period. */
function originsOf(
  views: readonly TestEvent[],
  world: PlainVisitWorld,
  column: 'source' | 'channel',
  limit: number,
): ReaderOrigin[] {
  const human = inOrder(world).filter(isHuman)
  const nameOf = ({ session }: TestEvent): string =>
    session ? (human.find((event) => event.session === session)?.columns?.[column] ?? '') : ''
  return [...Map.groupBy(views, nameOf)]
    .map(([name, pageEvents]) => ({ name, readers: countOf(pageEvents.map(({ person }) => person)) }))
    .toSorted((a, b) => b.readers - a.readers || byText(a.name, b.name))
    .slice(0, limit)
    .map(({ name, readers }) => ({ name: name === '' ? null : name, readers }))
}

/** Each time the goal was reached, one looks back at what the person had opened. */
export function expectedAttribution(query: AttributionQuery, world: PlainVisitWorld): AttributionAnswer {
  const period = periodOn(world.calendar, query.period)
  const reached = humans(world, period).filter((event) => reaches(query.goal, event))
  const everything = inOrder(world).filter(isHuman)
  const told = reached.map((event) => ({ event, page: pageBefore(event, everything, query) }))
  const led = told.filter(({ page }) => page !== '')
  return {
    pages: [...Map.groupBy(led, ({ page }) => page)]
      .map(([page, pageEvents]) => ({ page, ...reachedOf(pageEvents.map(({ event }) => event)) }))
      .toSorted((a, b) => b.persons - a.persons || b.times - a.times || byText(a.page, b.page))
      .slice(0, query.limit),
    led: reachedOf(led.map(({ event }) => event)),
    all: reachedOf(reached),
  }
}

function pageBefore(goal: TestEvent, everything: readonly TestEvent[], query: AttributionQuery): string {
  const opened = everything
    .map((event) => ({ event, page: viewedPage(event, query.pages) }))
    .filter(({ event, page }) => page !== '' && event.person === goal.person)
    .filter(({ event }) => msOf(event) < msOf(goal) && msOf(event) >= msOf(goal) - query.days * day)
  const times = opened.map(({ event }) => msOf(event))
  const at = query.attribution === 'first' ? Math.min(...times) : Math.max(...times)
  const [page = ''] = opened
    .filter(({ event }) => msOf(event) === at)
    .map((one) => one.page)
    .toSorted(byText)
  return page
}

const reachedOf = (events: readonly TestEvent[]): AttributionCounts => ({
  persons: countOf(events.map(({ person }) => person)),
  times: events.length,
  revenue: sum(events.map(({ columns }) => columns?.revenue ?? 0)),
})

/** Each person is looked at for what they were shown, and what they did in the days after. */
export function expectedTrial(query: TrialQuery, world: PlainVisitWorld): TrialAnswer {
  const events = humans(world, periodOn(world.calendar, query.period))
  const reactions = [...Map.groupBy(events, ({ person }) => person).values()].flatMap((pageEvents) => {
    const shown = pageEvents.filter((event) => query.variants.includes(shownIn(event, query)))
    const values = new Set(shown.map((event) => shownIn(event, query)))
    return shown[0] ? [{ values, ...reactionOf(pageEvents, msOf(shown[0]), query) }] : []
  })
  return {
    variants: query.variants.map((variant) => {
      const ones = reactions.filter(({ values }) => values.size === 1 && values.has(variant))
      return {
        variant,
        shown: ones.length,
        clicks: ones.filter(({ hasOpened }) => hasOpened).length,
        reads: ones.filter(({ hasRead }) => hasRead).length,
      }
    }),
    sawSeveral: reactions.filter(({ values }) => values.size > 1).length,
  }
}

const shownIn = ({ event, properties = {} }: TestEvent, { flag }: TrialQuery): string =>
  event === '$feature_flag_called' && properties['$feature_flag'] === flag
    ? (properties['$feature_flag_response'] ?? '')
    : ''

function reactionOf(pageEvents: readonly TestEvent[], shownAt: number, { pages, days }: TrialQuery) {
  const after = pageEvents.filter((event) => msOf(event) <= shownAt + days * day)
  const opened = after.find((event) => msOf(event) > shownAt && viewedPage(event, pages) !== '')
  const hasRead = after.some(
    (event) =>
      opened !== undefined &&
      msOf(event) >= msOf(opened) &&
      isReadingEvent(event) &&
      (event.columns?.scroll_depth ?? 0) >= 75 &&
      pageAt(readPage(event), pages) !== '',
  )
  return { hasOpened: opened !== undefined, hasRead }
}

export function expectedClientCoverage(
  { flag, period }: ClientCoverageQuery,
  world: PlainVisitWorld,
): ClientCoverageAnswer {
  const about = humans(world, periodOn(world.calendar, period)).filter(
    ({ properties }) => flag === undefined || properties?.['$feature_flag'] === flag,
  )
  const reporters = (event: string, lib?: string) =>
    new Set(
      about
        .filter((one) => one.event === event && (lib === undefined || one.columns?.lib === lib))
        .map(({ person }) => person),
    )
  const [served, seen] = [reporters('$feature_flag_called', 'tilth-site'), reporters('$feature_flag_seen')]
  return { served: served.size, seen: [...served].filter((person) => seen.has(person)).length }
}
