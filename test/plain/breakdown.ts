import { comparablePeriods } from '#insights/compile/comparable-periods'
import { type Period, periodOn } from '#insights/calendar/period'
import type { TestEvent } from '../test-engine'
import { figuresOf, type TotalsCase } from './totals'
import {
  eventsIn,
  isHuman,
  inOrder,
  type PlainVisitWorld,
  reaches,
  type PlainVisit,
  visitsIn,
  within,
} from './visits'

export type BreakdownCase = TotalsCase & {
  dimensions: string[]
  search?: string
  limit: number
  offset: number
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
export function plainPanels(question: BreakdownCase, world: PlainVisitWorld) {
  const period = periodOn(world.calendar, question.period)
  const { compare } = question
  const other = compare === undefined ? undefined : comparablePeriods(period, compare, world.calendar).part
  return question.dimensions.map((dimension) => {
    const rowsIn = (time: Period) =>
      dimension in ofVisits
        ? visitRows(dimension, question, world, time)
        : eventRows(dimension, question, world, time)
    const [all, before] = [rowsIn(period), other && rowsIn(other)]
    const shown = all.slice(question.offset, question.offset + question.limit)
    const rows = shown.map(({ value, order: _, ...row }) => ({
      value: value === '' ? null : value,
      ...row,
      ...(before && { compared: previousOf(before, value, dimension in ofVisits) }),
    }))
    // how many there are is told beside the rows; without rows, nobody is told
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
}

function previousOf(rows: readonly Row[], wanted: string, isOfVisits: boolean) {
  const row = rows.find(({ value }) => value === wanted)
  if (isOfVisits) return { visitors: row?.visitors ?? 0, figures: row?.figures ?? figuresOf([]) }
  return { visitors: row?.visitors ?? 0, events: row?.events ?? 0 }
}

function visitRows(dimension: string, question: BreakdownCase, world: PlainVisitWorld, time: Period): Row[] {
  const key = ofVisits[dimension] ?? ''
  const groups = Map.groupBy(
    visitsIn(world, question, time),
    ({ properties }: PlainVisit) => properties[key] ?? '',
  )
  const rows = [...groups].map(([value, visits]): Row => {
    const figures = figuresOf(visits)
    return { value, order: [figures.visitors, figures.views], visitors: figures.visitors, figures }
  })
  return ranked(rows, question)
}

function eventRows(dimension: string, question: BreakdownCase, world: PlainVisitWorld, time: Period): Row[] {
  const { isAbout, value: valueOf } = ofEvents[dimension] ?? { isAbout: () => false, value: () => '' }
  const { goal } = question
  const everything = inOrder(world).filter((event) => isHuman(event) && within(event, time))
  const converted = new Set(
    everything.filter((event) => goal && reaches(goal, event)).map(({ person }) => person),
  )
  const groups = Map.groupBy(eventsIn(world, question.filter, time).filter(isAbout), valueOf)
  const rows = [...groups].map(([value, events]): Row => {
    const persons = new Set(events.map(({ person }) => person))
    const conversions = [...persons].filter((person) => converted.has(person)).length
    const counts = { visitors: persons.size, events: events.length, conversions }
    return {
      value,
      order: [persons.size, events.length],
      ...counts,
      conversionRate: conversions / persons.size,
    }
  })
  return ranked(rows, question)
}

const ranked = (rows: readonly Row[], { search = '' }: BreakdownCase): Row[] =>
  rows
    .filter(({ value }) => value.toLowerCase().includes(search.toLowerCase()))
    .toSorted(
      (one, other) =>
        (other.order[0] ?? 0) - (one.order[0] ?? 0) ||
        (other.order[1] ?? 0) - (one.order[1] ?? 0) ||
        (one.value < other.value ? -1 : 1),
    )
