import type { AttributionQuestion } from '#insights/kinds/attribution/question'
import type { ReadingQuestion } from '#insights/kinds/reading/question'
import type { ClientCoverageQuestion } from '#insights/kinds/client-coverage/question'
import type { TrialQuestion } from '#insights/kinds/trial/question'
import { bucketsOf, type Period, periodOn, usualInterval } from '#insights/calendar/period'
import type {
  AttributionAnswer,
  ReaderOrigin,
  AttributionCounts,
  ReadingAnswer,
  ReadPage,
  ClientCoverageAnswer,
  TrialAnswer,
} from '#insights/compile/reading'
import { timeOf, type TestEvent } from '../test-engine'
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
const viewedPage = (event: TestEvent, pages: AttributionQuestion['pages']): string =>
  isView(event) ? pageAt(event.columns?.path ?? '', pages) : ''
const isReadingEvent = ({ event }: TestEvent): boolean =>
  ['$pageview', '$pageleave', '$engagement'].includes(event)

/** Reading by a pencil: each page is looked at for who opened it, and each of them for how they read it. */
export function expectedReading(question: ReadingQuestion, world: PlainVisitWorld): ReadingAnswer {
  const period = periodOn(world.calendar, question.period)
  const events = humans(world, period)
  const views = events.filter((event) => viewedPage(event, question.pages) !== '')
  const interval = question.interval ?? usualInterval(period)
  const { starts, end } = bucketsOf(period, interval, world.calendar) ?? { starts: [], end: period.until }
  const pages = [...Map.groupBy(views, (event) => viewedPage(event, question.pages))].map(([page, theirs]) =>
    pageOf(page, theirs, events.filter(isReadingEvent), question),
  )
  return {
    interval,
    starts: starts.map((start) => start.toISOString()),
    lastIsIncomplete: end > world.calendar.now,
    views: views.length,
    readers: countOf(views.map(({ person }) => person)),
    pages: pages
      .toSorted((a, b) => b.readers - a.readers || b.views - a.views || byText(a.page, b.page))
      .slice(0, question.limit),
    ...(question.details && {
      course: starts.map((from, i) => {
        const then = views.filter((event) => within(event, { from, until: starts[i + 1] ?? end }))
        return { views: then.length, readers: countOf(then.map(({ person }) => person)) }
      }),
      sources: originsOf(views, world, 'source', question.limit),
      channels: originsOf(views, world, 'channel', question.limit),
    }),
  }
}

function pageOf(
  page: string,
  views: readonly TestEvent[],
  events: readonly TestEvent[],
  { pages }: ReadingQuestion,
): ReadPage {
  const readers = [...new Set(views.map(({ person }) => person))].map((person) => {
    const theirs = events.filter(
      (event) => event.person === person && pageAt(readPage(event), pages) === page,
    )
    return {
      deepest: Math.max(0, ...theirs.map(({ columns }) => columns?.scroll_depth ?? 0)),
      engaged: sum(theirs.map(({ columns }) => columns?.engaged_ms ?? 0)),
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
    .map(([name, theirs]) => ({ name, readers: countOf(theirs.map(({ person }) => person)) }))
    .toSorted((a, b) => b.readers - a.readers || byText(a.name, b.name))
    .slice(0, limit)
    .map(({ name, readers }) => ({ name: name === '' ? null : name, readers }))
}

/** Each time the goal was reached, one looks back at what the person had opened. */
export function expectedAttribution(
  question: AttributionQuestion,
  world: PlainVisitWorld,
): AttributionAnswer {
  const period = periodOn(world.calendar, question.period)
  const reached = humans(world, period).filter((event) => reaches(question.goal, event))
  const everything = inOrder(world).filter(isHuman)
  const told = reached.map((event) => ({ event, page: pageBefore(event, everything, question) }))
  const led = told.filter(({ page }) => page !== '')
  return {
    pages: [...Map.groupBy(led, ({ page }) => page)]
      .map(([page, theirs]) => ({ page, ...reachedOf(theirs.map(({ event }) => event)) }))
      .toSorted((a, b) => b.persons - a.persons || b.times - a.times || byText(a.page, b.page))
      .slice(0, question.limit),
    led: reachedOf(led.map(({ event }) => event)),
    all: reachedOf(reached),
  }
}

function pageBefore(
  goal: TestEvent,
  everything: readonly TestEvent[],
  question: AttributionQuestion,
): string {
  const opened = everything
    .map((event) => ({ event, page: viewedPage(event, question.pages) }))
    .filter(({ event, page }) => page !== '' && event.person === goal.person)
    .filter(({ event }) => msOf(event) < msOf(goal) && msOf(event) >= msOf(goal) - question.days * day)
  const times = opened.map(({ event }) => msOf(event))
  const at = question.attribution === 'first' ? Math.min(...times) : Math.max(...times)
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
export function expectedTrial(question: TrialQuestion, world: PlainVisitWorld): TrialAnswer {
  const events = humans(world, periodOn(world.calendar, question.period))
  const reactions = [...Map.groupBy(events, ({ person }) => person).values()].flatMap((theirs) => {
    const shown = theirs.filter((event) => question.variants.includes(shownIn(event, question)))
    const values = new Set(shown.map((event) => shownIn(event, question)))
    return shown[0] ? [{ values, ...reactionOf(theirs, msOf(shown[0]), question) }] : []
  })
  return {
    variants: question.variants.map((variant) => {
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

const shownIn = ({ event, properties = {} }: TestEvent, { flag }: TrialQuestion): string =>
  event === '$feature_flag_called' && properties['$feature_flag'] === flag
    ? (properties['$feature_flag_response'] ?? '')
    : ''

function reactionOf(theirs: readonly TestEvent[], shownAt: number, { pages, days }: TrialQuestion) {
  const after = theirs.filter((event) => msOf(event) <= shownAt + days * day)
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
  { flag, period }: ClientCoverageQuestion,
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
