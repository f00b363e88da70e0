import { comparablePeriods } from '#insights/compile/internal/comparable-periods'
import {
  bucketsOf,
  type Buckets,
  type Interval,
  type Period,
  periodOn,
  usualInterval,
} from '#insights/calendar/period'
import {
  eventsIn,
  type PlainVisitWorld,
  readPage,
  type PlainVisit,
  type VisitsCase,
  visitsIn,
} from './visits'

export type TotalsCase = VisitsCase & { period: string; compare?: string; interval?: Interval }

/** The figures of web analytics, worked out visit by visit, as one would with a pencil. */
export function expectedTotals(query: TotalsCase, world: PlainVisitWorld) {
  const { calendar } = world
  const period = periodOn(calendar, query.period)
  const interval = query.interval ?? usualInterval(period)
  const other = query.compare === undefined ? undefined : comparablePeriods(period, query.compare, calendar)
  return {
    ...totalsFor(query, world, period, period, bucketsOf(period, interval, calendar)),
    ...(other && {
      compared: totalsFor(query, world, other.part, other.whole, bucketsOf(other.whole, interval, calendar)),
    }),
  }
}

function totalsFor(
  query: TotalsCase,
  world: PlainVisitWorld,
  part: Period,
  whole: Period,
  buckets: Buckets | undefined,
) {
  const visits = visitsIn(world, query, whole)
  const { starts = [], end = whole.until } = buckets ?? {}
  const course = starts.map((start, i) =>
    figuresOf(visits.filter(({ began }) => start <= began && began < (starts[i + 1] ?? end))),
  )
  const scroll = scrollOf(query, world, part)
  return { figures: { ...figuresOf(visitsIn(world, query, part)), scroll }, course }
}

const share = (some: number, all: number): number | null => (all > 0 ? some / all : null)
const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)
const visitors = (visits: readonly PlainVisit[]): number => new Set(visits.map(({ visitor }) => visitor)).size

export function figuresOf(visits: readonly PlainVisit[]) {
  const views = sum(visits.map((visit) => visit.views))
  const looked = visits.filter(({ hasViews }) => hasViews)
  const bounces = looked.filter(({ isBounce }) => isBounce).length
  const conversions = visitors(visits.filter(({ reachedGoal }) => reachedGoal))
  return {
    visitors: visitors(visits),
    visits: visits.length,
    views,
    viewsPerVisit: share(views, visits.length),
    bounces,
    bounceRate: share(bounces, looked.length),
    duration: share(sum(visits.map(({ seconds }) => seconds)), visits.length),
    revenue: sum(visits.map(({ revenue }) => revenue)),
    conversions,
    conversionRate: share(conversions, visitors(visits)),
  }
}

/** Of each page in each visit as far as it was read; of all of these the average. */
function scrollOf({ filter }: TotalsCase, world: PlainVisitWorld, period: Period): number | null {
  const read = eventsIn(world, filter, period).filter(
    ({ session, columns }) => session && (columns?.scroll_depth ?? 0) > 0,
  )
  const pages = [...Map.groupBy(read, (event) => `${event.session} ${readPage(event)}`).values()]
  const deepest = pages.map((events) => Math.max(...events.map(({ columns }) => columns?.scroll_depth ?? 0)))
  return share(sum(deepest), deepest.length)
}
