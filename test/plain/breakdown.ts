import { comparablePeriods } from '#insights/compile/internal/comparable-periods'
import { type Period, periodOn } from '#insights/calendar/period'
import { groupedPath } from '#insights/text/page-groups'
import type { TestEvent } from '../product/test-engine'
import { figuresOf, type TotalsCase } from './totals'
import {
  eventsIn,
  isHuman,
  inOrder,
  readPage,
  type PlainVisitWorld,
  reaches,
  type PlainVisit,
  visitsIn,
  within,
} from './visits'

type BreakdownCase = TotalsCase & {
  dimensions: string[]
  search?: string
  limit: number
  offset: number
  details?: boolean
  groupPages?: boolean
  pageGroups?: readonly string[]
  sort?: { by: string; direction: 'ascending' | 'descending' }
}

const ofVisits: Record<string, string> = {
  entry: '$entry_pathname',
  exit: '$exit_pathname',
  channel: '$channel_type',
  country: '$session_country',
  browser: '$session_browser',
}

const ofEvents: Record<
  string,
  { isAbout: (event: TestEvent) => boolean; value: (event: TestEvent) => string }
> = {
  page: { isAbout: ({ event }) => event === '$pageview', value: ({ columns }) => columns?.path ?? '' },
  event: { isAbout: () => true, value: ({ event }) => event },
}

/** The rows of web analytics' panels, worked out visit by visit and event by event. */
export function plainPanels(query: BreakdownCase, world: PlainVisitWorld) {
  const period = periodOn(world.calendar, query.period)
  const { compare } = query
  const other = compare === undefined ? undefined : comparablePeriods(period, compare, world.calendar).part
  return query.dimensions.map((dimension) => {
    const rowsIn = (time: Period) =>
      dimension in ofVisits
        ? visitRows(dimension, query, world, time)
        : eventRows(dimension, query, world, time)
    const [all, before] = [rowsIn(period), other && rowsIn(other)]
    const shown = all.slice(query.offset, query.offset + query.limit)
    const rows = shown.map(({ value, order: _, sorted: _by, ...row }) => ({
      value: value === '' ? null : value,
      ...row,
      ...(before && { compared: previousOf(before, value, dimension in ofVisits) }),
    }))
    // the number of all rows comes with the rows, so that without rows it is zero
    return { dimension, rows, valuesInAll: shown.length > 0 ? all.length : 0 }
  })
}

interface Row {
  value: string
  order: readonly number[]
  visitors: number
  figures?: ReturnType<typeof figuresOf>
  events?: number
  conversions?: number
  conversionRate?: number | null
  reading?: ReturnType<typeof readingOf>
  /** The values it can be sorted by besides the ones above. */
  sorted?: Record<string, string | number | null>
}

function previousOf(rows: readonly Row[], wanted: string, isOfVisits: boolean) {
  const row = rows.find(({ value }) => value === wanted)
  if (isOfVisits) return { visitors: row?.visitors ?? 0, figures: row?.figures ?? figuresOf([]) }
  return { visitors: row?.visitors ?? 0, events: row?.events ?? 0 }
}

function visitRows(dimension: string, query: BreakdownCase, world: PlainVisitWorld, time: Period): Row[] {
  const key = ofVisits[dimension] ?? ''
  const groups = Map.groupBy(visitsIn(world, query, time), ({ properties }: PlainVisit) =>
    named(properties[key] ?? '', dimension, query),
  )
  const rows = [...groups].map(([value, visits]): Row => {
    const figures = figuresOf(visits)
    const order = [figures.visitors, figures.views]
    return { value, order, visitors: figures.visitors, figures, sorted: { ...figures } }
  })
  return ranked(rows, query)
}

function eventRows(dimension: string, query: BreakdownCase, world: PlainVisitWorld, time: Period): Row[] {
  const { isAbout, value: valueOf } = ofEvents[dimension] ?? { isAbout: () => false, value: () => '' }
  const { goal } = query
  const everything = inOrder(world).filter((event) => isHuman(event) && within(event, time))
  const converted = new Set(
    everything.filter((event) => goal && reaches(goal, event)).map(({ person }) => person),
  )
  const groups = Map.groupBy(eventsIn(world, query.filter, time).filter(isAbout), (event) =>
    named(valueOf(event), dimension, query),
  )
  const rows = [...groups].map(([value, events]): Row => {
    const persons = new Set(events.map(({ person }) => person))
    const conversions = [...persons].filter((person) => converted.has(person)).length
    const counts = { visitors: persons.size, events: events.length, conversions }
    const reading = dimension === 'page' ? readingOf(value, query, world, time) : undefined
    const conversionRate = conversions / persons.size
    return {
      value,
      order: [persons.size, events.length],
      ...counts,
      conversionRate,
      ...(reading && query.details && { reading }),
      sorted: { ...counts, conversionRate, ...reading, duration: reading?.seconds ?? null },
    }
  })
  return ranked(rows, query)
}

const ofPaths = new Set(['page', 'entry', 'exit'])

/** A path is known by its group. */
const named = (
  value: string,
  dimension: string,
  { groupPages = true, pageGroups = [] }: BreakdownCase,
): string => (ofPaths.has(dimension) && groupPages ? groupedPath(value, pageGroups) : value)

/** The time for which a page was in view in a visit, its scroll depth, and its bounce rate. */
function readingOf(page: string, query: BreakdownCase, world: PlainVisitWorld, time: Period) {
  const began = visitsIn(world, query, time).filter(
    ({ hasViews, properties }) =>
      hasViews && named(properties['$entry_pathname'] ?? '', 'entry', query) === page,
  )
  const told = eventsIn(world, query.filter, time).filter(
    (event) =>
      event.session &&
      named(readPage(event), 'page', query) === page &&
      ((event.columns?.engaged_ms ?? 0) > 0 || (event.columns?.scroll_depth ?? 0) > 0),
  )
  const visits = [...Map.groupBy(told, ({ session }) => session).values()]
  const deepest = visits
    .map((events) => Math.max(...events.map(({ columns }) => columns?.scroll_depth ?? 0)))
    .filter((depth) => depth > 0)
  const seconds = visits.map((events) => sum(events.map(({ columns }) => columns?.engaged_ms ?? 0)) / 1000)
  return {
    bounceRate: average(began.map(({ isBounce }) => Number(isBounce))),
    seconds: average(seconds),
    scroll: average(deepest),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)
const average = (numbers: readonly number[]): number | null =>
  numbers.length > 0 ? sum(numbers) / numbers.length : null

/** By the number or word that was asked for; what is not known is last, whichever way. */
function bySort({ sort }: BreakdownCase): (one: Row, other: Row) => number {
  if (!sort) return () => 0
  const sign = sort.direction === 'ascending' ? 1 : -1
  const of = ({ value, visitors, sorted }: Row) =>
    sort.by === 'value' ? value : sort.by === 'visitors' ? visitors : (sorted?.[sort.by] ?? null)
  return (one, other) => {
    const [a, b] = [of(one), of(other)]
    if (a === b) return 0
    if (a === null || b === null) return a === null ? 1 : -1
    return a < b ? -sign : sign
  }
}

/** The countries of these stories are found by their names as well. */
const countries: Record<string, string> = { DE: 'germany', FR: 'france' }

const isFound = (value: string, search: string): boolean =>
  value.toLowerCase().includes(search) || countries[value]?.includes(search) === true

const ranked = (rows: readonly Row[], query: BreakdownCase): Row[] =>
  rows
    .filter(({ value }) => isFound(value, (query.search ?? '').toLowerCase()))
    .toSorted(
      (one, other) =>
        bySort(query)(one, other) ||
        (other.order[0] ?? 0) - (one.order[0] ?? 0) ||
        (other.order[1] ?? 0) - (one.order[1] ?? 0) ||
        (one.value < other.value ? -1 : 1),
    )
