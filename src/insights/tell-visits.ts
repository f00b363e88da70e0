import { type Outcome, undone } from '../projects/problems'
import { asText, type Comparable, comparableWith } from './comparable'
import type { DimensionName } from './dimension-words'
import { type Buckets, bucketsOf, type Interval, type Period, usualInterval } from './period'
import { periodAsked } from './question'
import type { Scope } from './scope'
import { scrolling } from './scrolling'
import {
  type Figures,
  figuresIn,
  type VisitRow,
  type VisitsAsked,
  visitsTold,
  valuesShown,
  type Wanted,
} from './visits'

export type TotalsFigures = Figures & {
  /** How much of a page was seen, in percent. */
  scroll: number | null
}

/** The figures of a period, and their course. */
export interface Totals {
  period: { from: string; until: string }
  interval: Interval
  starts: string[]
  lastIsIncomplete: boolean
  figures: TotalsFigures
  /** For each of the `starts`; a visit counts where it began. */
  course: Figures[]
  compared?: {
    period: { from: string; until: string }
    starts: string[]
    /** While the period is not over: of as much of the other as has passed of it. */
    figures: TotalsFigures
    course: Figures[]
  }
}

export interface VisitsQuestion extends VisitsAsked {
  interval?: Interval | undefined
  compare?: string | undefined
  search?: string | undefined
}

export interface ToldVisits {
  period: Period
  totals: Totals
  rows: VisitRow[]
  compared?: { part: Period; rows: VisitRow[] }
}

/** What is asked of visits besides their figures. */
export interface Cut {
  /** Dimensions of sessions. */
  dimensions: readonly DimensionName[]
  rows: Wanted
}

const uncut: Cut = { dimensions: [], rows: { limit: 0, offset: 0 } }

/** Everything about the visits of a period, and of the one it is held against, in as few statements as there can be. */
export async function tellVisits(
  question: VisitsQuestion,
  scope: Scope,
  cut: Cut = uncut,
): Promise<Outcome<ToldVisits>> {
  const period = await periodAsked(question, scope)
  const interval = question.interval ?? usualInterval(period)
  const buckets = bucketsOf(period, interval, scope.calendar)
  if (!buckets)
    return undone(`That is too long to be told by the ${interval}. Choose a longer interval.`, 'interval')
  if (buckets.starts.length === 0) return undone('There is no time in this period. Choose another.', 'period')
  const now = await tell(question, scope, period, buckets, cut)
  const compared = await tellCompared(question, scope, period, interval, {
    ...cut,
    rows: { values: valuesShown(now.rows) },
  })
  const totals: Totals = {
    period: asText(period),
    interval,
    starts: startsOf(buckets),
    lastIsIncomplete: buckets.end > scope.calendar.now,
    ...now.told,
    ...(compared && { compared: compared.told }),
  }
  return { done: true, period, totals, rows: now.rows, ...(compared && { compared }) }
}

const startsOf = ({ starts }: Buckets): string[] => starts.map((start) => start.toISOString())

interface Told {
  rows: VisitRow[]
  told: { figures: TotalsFigures; course: Figures[] }
}

async function tell(
  question: VisitsQuestion,
  scope: Scope,
  period: Period,
  buckets: Buckets,
  cut: Cut,
): Promise<Told> {
  const [rows, [read]] = await Promise.all([
    scope.run<VisitRow>(visitsTold(question, scope, { period, buckets, search: question.search, ...cut })),
    scope.run<{ scroll: number | null }>(scrolling(question, scope, period)),
  ])
  const { figures, course } = figuresIn(rows, buckets)
  return { rows, told: { figures: { ...figures, scroll: read?.scroll ?? null }, course } }
}

interface ToldCompared {
  part: Period
  rows: VisitRow[]
  told: NonNullable<Totals['compared']>
}

/** The course is shown whole; numbers beside numbers are of the same length of time. */
async function tellCompared(
  question: VisitsQuestion,
  scope: Scope,
  period: Period,
  interval: Interval,
  cut: Cut,
): Promise<ToldCompared | undefined> {
  if (question.compare === undefined) return undefined
  const compared = comparableWith(period, question.compare, scope.calendar)
  const { whole, part } = compared
  const buckets = bucketsOf(whole, interval, scope.calendar)
  if (!buckets) return undefined
  const [some, beyond] = await Promise.all([
    tell(question, scope, part, buckets, cut),
    part.until < whole.until ? courseBeyond(question, scope, compared, buckets) : [],
  ])
  const told = {
    period: asText(whole),
    starts: startsOf(buckets),
    figures: some.told.figures,
    course: [...some.told.course.slice(0, buckets.starts.length - beyond.length), ...beyond],
  }
  return { part, rows: some.rows, told }
}

/** No visit lasts longer. */
const longestMs = 24 * 3_600_000

/**
 * The end of the course, from the first bucket on in which a visit may begin that goes on after the part. To know which
 * visits begin there, those that could have begun before are read as well.
 */
async function courseBeyond(
  question: VisitsQuestion,
  scope: Scope,
  { whole, part }: Comparable,
  buckets: Buckets,
): Promise<Figures[]> {
  const settled = new Date(part.until.getTime() - longestMs)
  const first = Math.max(
    0,
    buckets.starts.findLastIndex((start) => start <= settled),
  )
  const since = new Date((buckets.starts[first] ?? whole.from).getTime() - longestMs)
  const period = { from: since > whole.from ? since : whole.from, until: whole.until }
  const rows = await scope.run<VisitRow>(visitsTold(question, scope, { period, buckets, ...uncut }))
  return figuresIn(rows, buckets).course.slice(first)
}
