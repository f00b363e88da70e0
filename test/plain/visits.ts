import { type BounceRule, usualBounceRule } from '#insights/bounce-rule'
import type { Filter } from '#filters/filter'
import type { Goal } from '#insights/compile/goal'
import type { Calendar, Period } from '#insights/calendar/period'
import { timeOf, type TestEvent, uuidFor } from '../product/test-engine'

/** The project and events of a story, and the calendar of its queries. */
export interface PlainVisitWorld {
  project: number
  events: readonly TestEvent[]
  calendar: Calendar
}

/** The parts of a query that matter to visits. */
export interface VisitsCase {
  filter?: Filter
  goal?: Goal
  /** A project's rule. */
  bounceRule?: BounceRule
}

/** A run of a visitor's events, as far as it lies in a period. */
export interface PlainVisit {
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

const isView = ({ event }: TestEvent): boolean => event === '$pageview' || event === '$screen'
/** The names in these stories that are activities of a visitor. */
const isActivity = ({ event }: TestEvent): boolean => event === '$autocapture' || event === 'bought'

/** By time, and of two at once by the end of their uuids. */
export function inOrder({ project, events }: Pick<PlainVisitWorld, 'project' | 'events'>): TestEvent[] {
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

export const within = (event: TestEvent, { from, until }: Period): boolean =>
  from <= timeOf(event) && timeOf(event) < until

export const isHuman = ({ columns }: TestEvent): boolean => (columns?.traffic ?? 'human') === 'human'

const textOf = (event: TestEvent | undefined, column: 'path' | 'channel' | 'country' | 'browser'): string =>
  event?.columns?.[column] ?? ''

const firstKnown = (events: readonly TestEvent[], column: 'country' | 'browser'): string =>
  textOf(
    events.find((event) => textOf(event, column) !== ''),
    column,
  )

/** The properties of a session, from its events in order. */
const propertiesOf = (events: readonly TestEvent[]): Record<string, string> => ({
  $entry_pathname: textOf(events.find(isView), 'path'),
  $exit_pathname: textOf(events.findLast(isView), 'path'),
  $channel_type: textOf(events[0], 'channel'),
  $session_country: firstKnown(events, 'country'),
  $session_browser: firstKnown(events, 'browser'),
})

export function visitsIn(
  world: PlainVisitWorld,
  { filter, goal, bounceRule = usualBounceRule }: VisitsCase,
  period: Period,
): PlainVisit[] {
  const events = inOrder(world).filter((event) => isHuman(event) && event.session && within(event, period))
  const [ofSessions, ofEvents] = [conditionsOf(filter, true), conditionsOf(filter, false)]
  return [...Map.groupBy(events, ({ session = '' }) => session)].flatMap(([session, all]) => {
    const properties = propertiesOf(all)
    const matching = all.filter((event) => ofEvents.every((part) => matchesFilter(part, event, properties)))
    const isAsked = ofSessions.every((part) => matchesFilter(part, undefined, properties))
    return matching.length > 0 && isAsked
      ? [visitOf(session, all, matching, goal, bounceRule, properties)]
      : []
  })
}

function visitOf(
  session: string,
  all: readonly TestEvent[],
  matching: readonly TestEvent[],
  goal: Goal | undefined,
  bounceRule: BounceRule,
  properties: Record<string, string>,
): PlainVisit {
  const times = all.map((event) => timeOf(event).getTime())
  const engagedMs = all.reduce((sum, { columns }) => sum + (columns?.engaged_ms ?? 0), 0)
  const lengthMs = Math.max(...times) - Math.min(...times)
  const isBounce =
    all.filter(isView).length === 1 &&
    (bounceRule.of === 'posthog'
      ? all.every(({ event }) => event !== '$autocapture') && lengthMs < bounceRule.seconds * 1000
      : !all.some(isActivity) && engagedMs < (bounceRule.engagedSeconds ?? Infinity) * 1000)
  return {
    session,
    visitor: firstByHash(all.map(({ person }) => person)),
    began: new Date(Math.min(...times)),
    views: matching.filter(isView).length,
    revenue: matching.reduce((sum, { columns }) => sum + (columns?.revenue ?? 0), 0),
    reachedGoal: goal !== undefined && all.some((event) => reaches(goal, event)),
    isBounce,
    hasViews: all.some(isView),
    seconds: isBounce && bounceRule.of === 'plausible' ? 0 : lengthMs / 1000,
    properties,
  }
}

/** In the order of the engine's hashes of their ids: of several persons in a visit, it is always the first one's. */
const personsByHash = ['cleo', 'ben', 'ana']

const firstByHash = (persons: readonly string[]): string =>
  personsByHash.find((name) => persons.includes(name)) ?? persons[0] ?? ''

/** The page that a scroll depth is about. */
export const readPage = ({ columns, properties }: TestEvent): string =>
  properties?.['$prev_pageview_pathname'] ?? columns?.path ?? ''

export function reaches(goal: Goal, event: TestEvent): boolean {
  const { columns = {} } = event
  const isPage = (page: string, wanted: string) =>
    wanted.endsWith('*') ? page.startsWith(wanted.slice(0, -1)) : page === wanted
  if (goal.type === 'revenue') return (columns.revenue ?? 0) > 0
  if (goal.type === 'page') return isView(event) && isPage(columns.path ?? '', goal.path)
  if (goal.type === 'event') return event.event === goal.event
  return (columns.scroll_depth ?? 0) >= goal.depth && isPage(readPage(event), goal.path)
}

/** Conditions that must all hold: those on sessions, or the others. */
function conditionsOf(filter: Filter | undefined, isOfSessions: boolean): Filter[] {
  const parts = filter === undefined ? [] : 'all' in filter ? filter.all : [filter]
  return parts.filter((part) => ('type' in part && part.type === 'session') === isOfSessions)
}

/** The conditions of these queries: one property is one of some values, or is none of them, or is not there. */
function matchesFilter(
  filter: Filter,
  event: TestEvent | undefined,
  session: Record<string, string>,
): boolean {
  if ('all' in filter) return filter.all.every((part) => matchesFilter(part, event, session))
  if ('any' in filter) return filter.any.some((part) => matchesFilter(part, event, session))
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

/** The events that a query about events covers, including those without a session. */
export function eventsIn(world: PlainVisitWorld, filter: Filter | undefined, period: Period): TestEvent[] {
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
    return within(event, period) && (!filter || matchesFilter(filter, event, properties))
  })
}
