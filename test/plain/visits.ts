import type { Filter } from '../../src/filters/filter'
import type { Goal } from '../../src/insights/goal'
import type { Calendar, Period } from '../../src/insights/period'
import { timeOf, type Told, uuidFor } from '../questions'

/** Where a story was told: its project, and whose calendar it is asked by. */
export interface PlainWorld {
  project: number
  events: readonly Told[]
  calendar: Calendar
}

/** What is asked of visits, whatever else the question says. */
export interface VisitsAsked {
  filter?: Filter
  goal?: Goal
}

/** A run of somebody's events, as far as it lies in a period. */
export interface Visit {
  session: string
  visitor: string
  began: Date
  /** Views, revenue and goals of those of its events that were asked about. */
  views: number
  revenue: number
  reachedGoal: boolean
  isBounce: boolean
  hasViews: boolean
  seconds: number
  properties: Record<string, string>
}

const isView = ({ event }: Told): boolean => event === '$pageview' || event === '$screen'
/** Of the names in these stories, those by which somebody does something. */
const isDoing = ({ event }: Told): boolean => event === '$autocapture' || event === 'bought'

/** By time, and of two at once by the end of their uuids. */
export function inOrder({ project, events }: PlainWorld): Told[] {
  const told = events.map((event, i) => ({
    event,
    end: uuidFor(`${project} ${i}`).replaceAll('-', '').slice(12),
  }))
  return told
    .toSorted(
      (one, other) =>
        timeOf(one.event).getTime() - timeOf(other.event).getTime() || (one.end < other.end ? -1 : 1),
    )
    .map(({ event }) => event)
}

export const within = (event: Told, { from, until }: Period): boolean =>
  from <= timeOf(event) && timeOf(event) < until

export const isHuman = ({ columns }: Told): boolean => (columns?.traffic ?? 'human') === 'human'

const textOf = (event: Told | undefined, column: 'path' | 'channel' | 'country' | 'browser'): string =>
  event?.columns?.[column] ?? ''

const firstKnown = (events: readonly Told[], column: 'country' | 'browser'): string =>
  textOf(
    events.find((event) => textOf(event, column) !== ''),
    column,
  )

/** What is known of a session, of its events in order. */
export const propertiesOf = (events: readonly Told[]): Record<string, string> => ({
  $entry_pathname: textOf(events.find(isView), 'path'),
  $exit_pathname: textOf(events.findLast(isView), 'path'),
  $channel_type: textOf(events[0], 'channel'),
  $session_country: firstKnown(events, 'country'),
  $session_browser: firstKnown(events, 'browser'),
})

export function visitsIn(world: PlainWorld, { filter, goal }: VisitsAsked, period: Period): Visit[] {
  const events = inOrder(world).filter((event) => isHuman(event) && event.session && within(event, period))
  const [ofSessions, ofEvents] = [partsOf(filter, true), partsOf(filter, false)]
  return [...Map.groupBy(events, ({ session = '' }) => session)].flatMap(([session, all]) => {
    const properties = propertiesOf(all)
    const matching = all.filter((event) => ofEvents.every((part) => holds(part, event, properties)))
    const isAsked = ofSessions.every((part) => holds(part, undefined, properties))
    return matching.length > 0 && isAsked ? [visitOf(session, all, matching, goal, properties)] : []
  })
}

function visitOf(
  session: string,
  all: readonly Told[],
  matching: readonly Told[],
  goal: Goal | undefined,
  properties: Record<string, string>,
): Visit {
  const times = all.map((event) => timeOf(event).getTime())
  const isBounce = all.filter(isView).length === 1 && !all.some(isDoing)
  return {
    session,
    visitor: leastOf(all.map(({ person }) => person)),
    began: new Date(Math.min(...times)),
    views: matching.filter(isView).length,
    revenue: matching.reduce((sum, { columns }) => sum + (columns?.revenue ?? 0), 0),
    reachedGoal: goal !== undefined && all.some((event) => reaches(goal, event)),
    isBounce,
    hasViews: all.some(isView),
    seconds: isBounce ? 0 : (Math.max(...times) - Math.min(...times)) / 1000,
    properties,
  }
}

/** In the order of the engine's hashes of their ids: of several persons in a visit, it is always the first one's. */
const byHash = ['cleo', 'ben', 'ana']

const leastOf = (persons: readonly string[]): string => byHash.find((name) => persons.includes(name)) ?? ''

/** The page that a scroll depth is about. */
export const readPage = ({ columns, properties }: Told): string =>
  properties?.['$prev_pageview_pathname'] ?? columns?.path ?? ''

export function reaches(goal: Goal, event: Told): boolean {
  const { columns = {} } = event
  const isPage = (page: string, wanted: string) =>
    wanted.endsWith('*') ? page.startsWith(wanted.slice(0, -1)) : page === wanted
  if (goal.type === 'revenue') return (columns.revenue ?? 0) > 0
  if (goal.type === 'page') return isView(event) && isPage(columns.path ?? '', goal.path)
  if (goal.type === 'event') return event.event === goal.event
  return (columns.scroll_depth ?? 0) >= goal.depth && isPage(readPage(event), goal.path)
}

/** Conditions that must all hold: those on sessions, or the others. */
function partsOf(filter: Filter | undefined, isOfSessions: boolean): Filter[] {
  const parts = filter === undefined ? [] : 'all' in filter ? filter.all : [filter]
  return parts.filter((part) => ('type' in part && part.type === 'session') === isOfSessions)
}

/** The conditions of these questions: one property is one of some values, or is none of them, or is not there. */
export function holds(filter: Filter, event: Told | undefined, session: Record<string, string>): boolean {
  if ('all' in filter) return filter.all.every((part) => holds(part, event, session))
  if ('any' in filter) return filter.any.some((part) => holds(part, event, session))
  if (filter.type === 'cohort') throw new Error('These stories have no cohorts.')
  const value = filter.type === 'session' ? session[filter.key] : textOf(event, columns[filter.key] ?? 'path')
  const isOne = Array.isArray(filter.value) && filter.value.includes(value ?? '')
  if (filter.operator === 'is_not_set') return !value
  return filter.operator === 'is_not' ? !value || !isOne : Boolean(value) && isOne
}

const columns: Record<string, 'path' | 'channel' | 'country' | 'browser'> = {
  $pathname: 'path',
  $geoip_country_code: 'country',
}

/** The events a question about events is about, those of nobody's session among them. */
export function eventsIn(world: PlainWorld, filter: Filter | undefined, period: Period): Told[] {
  const day = 86_400_000
  const around = {
    from: new Date(period.from.getTime() - day),
    until: new Date(period.until.getTime() + day),
  }
  const human = inOrder(world).filter(isHuman)
  const sessions = Map.groupBy(
    human.filter((event) => event.session && within(event, around)),
    ({ session = '' }) => session,
  )
  return human.filter((event) => {
    const properties = event.session ? propertiesOf(sessions.get(event.session) ?? []) : {}
    return within(event, period) && (!filter || holds(filter, event, properties))
  })
}
