import type { Filter } from '#filters/filter'
import { failedOutcome, type FailedOutcome, type Outcome } from '#projects/problems'
import { timeLabel } from './date-ranges'
import { valueAtPlausible } from './dimensions'
import { isRevenue, type MetricFigures, type MetricName } from './metrics'
import type { StatsFilters } from './filters'
import { figuresOfEvents, figuresOfGoals } from './event-sources'
import {
  type StatsCall,
  type StatsOrder,
  type StatsQuery,
  type StatsRow,
  type StatsRows,
  withoutGoals,
} from './stats-query'
import {
  exitRates,
  figuresByEntry,
  figuresByView,
  figuresByVisit,
  figuresOfOnePage,
  figuresOverTime,
  nativeSort,
  totalFigures,
} from './visit-sources'

/** One of Tilth's questions, and the metrics that it answers. */
interface MetricSource {
  metrics: readonly MetricName[]
  read: (query: StatsQuery, call: StatsCall) => Promise<Outcome<StatsRows>>
}

const visitMetrics = [
  'visitors',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
] as const

const events: MetricSource = {
  metrics: [
    'visitors',
    'visits',
    'pageviews',
    'events',
    'views_per_visit',
    'bounce_rate',
    'total_revenue',
    'average_revenue',
  ],
  read: figuresOfEvents,
}

/** The sources for a form of grouping. The first says which rows there are; a metric comes from the first that has it. */
const sources = {
  whole: [
    { metrics: [...visitMetrics, 'scroll_depth'], read: totalFigures },
    events,
    { metrics: ['time_on_page'], read: figuresOfOnePage },
  ],
  time: [{ metrics: visitMetrics, read: figuresOverTime }, events],
  visits: [{ metrics: visitMetrics, read: figuresByVisit }, events],
  exits: [
    { metrics: visitMetrics, read: figuresByVisit },
    { metrics: ['exit_rate'], read: exitRates },
    events,
  ],
  pages: [
    {
      metrics: ['visitors', 'pageviews', 'bounce_rate', 'time_on_page', 'scroll_depth'],
      read: figuresByView,
    },
    { metrics: ['visit_duration', 'views_per_visit'], read: figuresByEntry },
    events,
  ],
  hosts: [{ metrics: ['visitors', 'pageviews'], read: figuresByView }, events],
  goals: [
    {
      metrics: ['visitors', 'events', 'conversion_rate', 'group_conversion_rate', 'total_revenue'],
      read: figuresOfGoals,
    },
    events,
  ],
  // a page or host by what was done there, and not by its views
  events: [
    {
      metrics: ['visitors', 'visits', 'pageviews', 'events', 'total_revenue', 'average_revenue'],
      read: figuresOfEvents,
    },
  ],
  mixed: [events],
} as const satisfies Record<string, readonly MetricSource[]>

type GroupingForm = keyof typeof sources

function formOf({ groupings, filters }: Pick<StatsQuery, 'groupings' | 'filters'>): GroupingForm {
  const [only, ...more] = groupings
  if (!only) return 'whole'
  if (more.length > 0) return 'mixed'
  if (only.by === 'time') return 'time'
  if (only.by === 'goal') return 'goals'
  const { panel, type } = only.dimension
  if (panel === 'page' || panel === 'host') {
    if (isAboutEvents(filters)) return 'events'
    return panel === 'page' ? 'pages' : 'hosts'
  }
  if (panel === 'exit') return 'exits'
  return panel !== undefined && type === 'session' ? 'visits' : 'mixed'
}

/** Whether filters name events or their properties: views alone are not what they are about. */
const isAboutEvents = ({ goals, conditions }: StatsFilters): boolean =>
  goals.length > 0 || conditions.some((filter) => hasEventKey(filter, (key) => !pageKeys.has(key)))

const pageKeys: ReadonlySet<string> = new Set(['$pathname', '$host', '$browser_version', '$os_version'])

function hasEventKey(filter: Filter, test: (key: string) => boolean): boolean {
  if ('all' in filter) return filter.all.some((part) => hasEventKey(part, test))
  if ('any' in filter) return filter.any.some((part) => hasEventKey(part, test))
  return filter.type === 'event' && test(filter.key)
}

/** Metrics that are shares of the visitors of other rows. */
const shares: ReadonlySet<MetricName> = new Set(['percentage', 'conversion_rate', 'group_conversion_rate'])

/** Metrics of a visit that hold whatever events of it count. */
const behaviourMetrics: ReadonlySet<MetricName> = new Set([
  'visitors',
  'visits',
  'bounce_rate',
  'visit_duration',
])

/** Answers the rows of a query in its order, from `offset`. */
export async function statsRows(query: StatsQuery, call: StatsCall): Promise<Outcome<StatsRows>> {
  const objection = objectionTo(query)
  if (objection) return objection
  const form = formOf(query)
  const found = await joinedRows(form, query, call)
  if (!found.done) return found
  const completed = await withShares(form, found, query, call)
  if (!completed.done) return completed
  const rows = nativeSort(query) ? completed.rows : sorted(completed.rows, query)
  return { done: true, rows: rows.slice(query.offset, query.offset + query.limit), inAll: completed.inAll }
}

function objectionTo({ metrics, filters, groupings }: StatsQuery): FailedOutcome | undefined {
  const hasGoal = filters.goals.length > 0 || groupings.some(({ by }) => by === 'goal')
  const ofGoals = metrics.find((name) => name === 'conversion_rate' || name === 'group_conversion_rate')
  if (ofGoals && !hasGoal)
    return failedOutcome(`Metric \`${ofGoals}\` can only be queried with event:goal filters or dimensions.`)
  if (metrics.includes('percentage') && groupings.length === 0)
    return failedOutcome('Metric `percentage` requires dimensions.')
  const hasPage = filters.dimensions.has('event:page') || groupings.some(({ name }) => name === 'event:page')
  const ofPages = metrics.find((name) => name === 'scroll_depth' || name === 'time_on_page')
  if (ofPages && !hasPage)
    return failedOutcome(`Metric \`${ofPages}\` can only be queried with event:page filters or dimensions.`)
  if (ofPages && isAboutEvents(filters))
    return failedOutcome(
      `Metric \`${ofPages}\` cannot be queried when filtering by goals, events or their properties.`,
    )
  if (metrics.includes('views_per_visit') && filters.dimensions.has('event:page'))
    return failedOutcome('Metric `views_per_visit` cannot be queried with a filter on `event:page`.')
  return filters.done ? objectionToBehaviour({ metrics, filters, groupings }) : undefined
}

function objectionToBehaviour({
  metrics,
  filters,
  groupings,
}: Pick<StatsQuery, 'metrics' | 'filters' | 'groupings'>): FailedOutcome | undefined {
  const { conditions, goals } = filters
  const allowed = goals.length > 0 ? new Set<MetricName>(['visitors']) : behaviourMetrics
  const refused = metrics.find((name) => !allowed.has(name))
  if (refused)
    return failedOutcome(
      `Tilth does not count \`${refused}\` with "has_done"; it counts ${[...allowed].join(', ')}.`,
    )
  const isOfVisits = !conditions.some((filter) => hasEventKey(filter, () => true))
  if (!isOfVisits)
    return failedOutcome('Beside "has_done", Tilth filters by visit dimensions and by one goal.')
  return ['whole', 'time', 'visits', 'exits'].includes(formOf({ groupings, filters }))
    ? undefined
    : failedOutcome('With "has_done", Tilth groups by one visit dimension or by time.')
}

/** A source with those metrics of a query that come from it. */
interface UsedSource extends Pick<MetricSource, 'read'> {
  served: readonly MetricName[]
}

/** The sources that a query needs; the metric that none of them has. */
function sourcesOf(
  form: GroupingForm,
  query: StatsQuery,
): { used: UsedSource[]; missing: MetricName | undefined } {
  const all = withEntries(form, query)
  const direct = query.metrics.filter((name) => !isShare(form, name))
  const found = direct.map((name) => all.find((source) => source.metrics.includes(name)))
  const used = all.flatMap((source, index) => {
    const served = direct.filter((_, place) => found[place] === source)
    if (index === 0) return [{ read: source.read, served: withVisitors(served) }]
    return served.length > 0 ? [{ read: source.read, served }] : []
  })
  return { used, missing: direct.find((_, place) => found[place] === undefined) }
}

/** With a filter on pages, bounces are those of the visits that began on such a page, as in Plausible. */
function withEntries(form: GroupingForm, query: StatsQuery): readonly MetricSource[] {
  const all: readonly MetricSource[] = sources[form]
  const [first, ...others] = all
  if (!first || !entryForms.has(form) || !query.filters.dimensions.has('event:page')) return all
  const rest = first.metrics.filter((name) => name !== 'bounce_rate')
  const bounces: MetricSource = {
    metrics: ['bounce_rate'],
    read: (given, call) => first.read({ ...given, ...enteredBy(given), order: [] }, call),
  }
  return [{ metrics: rest, read: first.read }, bounces, ...others]
}

const entryForms: ReadonlySet<GroupingForm> = new Set(['whole', 'time', 'visits', 'exits'])

const enteredBy = ({ filters }: StatsQuery): Pick<StatsQuery, 'filters'> => ({
  filters: { ...filters, conditions: filters.conditions.map(ofEntryPage) },
})

function ofEntryPage(filter: Filter): Filter {
  if ('all' in filter) return { all: filter.all.map(ofEntryPage) }
  if ('any' in filter) return { any: filter.any.map(ofEntryPage) }
  return filter.type === 'event' && filter.key === '$pathname'
    ? { ...filter, type: 'session', key: '$entry_pathname' }
    : filter
}

const isShare = (form: GroupingForm, name: MetricName): boolean =>
  shares.has(name) && !(form === 'goals' && name !== 'percentage')

async function joinedRows(
  form: GroupingForm,
  query: StatsQuery,
  call: StatsCall,
): Promise<Outcome<StatsRows>> {
  const { used, missing } = sourcesOf(form, query)
  if (missing !== undefined)
    return failedOutcome(`Tilth does not have the metric \`${missing}\` for these dimensions and filters.`)
  const answers = await Promise.all(used.map(({ read, served }) => read({ ...query, metrics: served }, call)))
  const failed = answers.find((answer) => !answer.done)
  if (failed && !failed.done) return failed
  const read = answers.flatMap((answer) => (answer.done ? [answer] : []))
  const rows = new Map<string, StatsRow>()
  for (const [index, answer] of read.entries()) {
    const addsRows = index === 0 || form === 'time'
    for (const row of answer.rows) addFigures(rows, row, used[index]?.served ?? [], addsRows)
  }
  return { done: true, rows: [...rows.values()], inAll: form === 'time' ? rows.size : (read[0]?.inAll ?? 0) }
}

const withVisitors = (metrics: readonly MetricName[]): MetricName[] => [
  ...new Set<MetricName>([...metrics, 'visitors']),
]

/** Adds the figures that a source is asked for to the row of the same values. */
function addFigures(
  rows: Map<string, StatsRow>,
  { values, figures }: StatsRow,
  served: readonly MetricName[],
  addsRows: boolean,
): void {
  const key = JSON.stringify(values)
  const known = rows.get(key)
  if (!known && !addsRows) return
  const added = Object.fromEntries(served.map((name) => [name, figures[name]]))
  rows.set(key, { values, figures: { ...(known?.figures ?? noVisits), ...added } })
}

/** An interval in which no visit began may still have events. */
const noVisits: MetricFigures = { visitors: 0, visits: 0, pageviews: 0 }

async function withShares(
  form: GroupingForm,
  found: StatsRows,
  query: StatsQuery,
  call: StatsCall,
): Promise<Outcome<StatsRows>> {
  const wanted = query.metrics.filter((name) => isShare(form, name))
  if (wanted.length === 0) return { done: true, ...found }
  const whole = { ...query, groupings: [], metrics: ['visitors' as const] }
  const everyone = await visitorsIn(wanted.includes('percentage') ? whole : undefined, call)
  if (!everyone.done) return everyone
  const candidates = await visitorsIn(
    wanted.includes('conversion_rate') ? withoutGoals(whole) : undefined,
    call,
  )
  if (!candidates.done) return candidates
  const groups = wanted.includes('group_conversion_rate')
    ? await visitorsByValues(form, withoutGoals(query), call)
    : { done: true as const, visitors: new Map<string, number>() }
  if (!groups.done) return groups
  const rows = found.rows.map(({ values, figures }): StatsRow => {
    const shareOf = (all: number | undefined) => (all ? (figures.visitors ?? 0) / all : 0)
    const added: MetricFigures = {
      percentage: shareOf(everyone.visitors),
      conversion_rate: shareOf(candidates.visitors),
      group_conversion_rate: shareOf(groups.visitors.get(JSON.stringify(values))),
    }
    return { values, figures: { ...figures, ...added } }
  })
  return { done: true, rows, inAll: found.inAll }
}

async function visitorsIn(
  query: StatsQuery | undefined,
  call: StatsCall,
): Promise<Outcome<{ visitors: number }>> {
  if (!query) return { done: true, visitors: 0 }
  const found = await totalFigures(query, call)
  return found.done ? { done: true, visitors: found.rows[0]?.figures.visitors ?? 0 } : found
}

async function visitorsByValues(
  form: GroupingForm,
  query: StatsQuery,
  call: StatsCall,
): Promise<Outcome<{ visitors: ReadonlyMap<string, number> }>> {
  if (query.groupings.some(({ by }) => by === 'goal'))
    return failedOutcome(
      'Tilth has `group_conversion_rate` for event:goal alone, or with a filter on event:goal.',
    )
  const ordered = { ...query, metrics: ['visitors' as const], order: [] }
  const found = await joinedRows(form, ordered, call)
  if (!found.done) return found
  const entries = found.rows.map(
    ({ values, figures }) => [JSON.stringify(values), figures.visitors ?? 0] as const,
  )
  return { done: true, visitors: new Map(entries) }
}

function sorted(rows: readonly StatsRow[], query: StatsQuery): StatsRow[] {
  const comparisons = query.order.map((order) => comparisonBy(order, query))
  return rows.toSorted((one, other) => {
    for (const compare of comparisons) {
      const order = compare(one, other)
      if (order !== 0) return order
    }
    return 0
  })
}

type RowComparison = (one: StatsRow, other: StatsRow) => number

/** Unknown numbers are last in either direction. */
function comparisonBy({ name, direction }: StatsOrder, { groupings, metrics }: StatsQuery): RowComparison {
  const sign = direction === 'asc' ? 1 : -1
  const place = groupings.findIndex((grouping) => grouping.name === name)
  if (place >= 0) {
    const grouping = groupings[place]
    const shown = ({ values }: StatsRow) =>
      grouping?.by === 'value'
        ? valueAtPlausible(grouping.dimension, values[place] ?? null)
        : (values[place] ?? '')
    return (one, other) => sign * compareTexts(shown(one), shown(other))
  }
  const metric = metrics.find((known) => known === name)
  const valueOf = ({ figures }: StatsRow) => {
    const value = metric && figures[metric]
    return value ?? (metric && isRevenue(metric) ? undefined : 0)
  }
  return (one, other) => {
    const [first, second] = [valueOf(one), valueOf(other)]
    if (first === undefined || second === undefined)
      return Number(first === undefined) - Number(second === undefined)
    return sign * (first - second)
  }
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

/** Returns the values of a row as answers show them. */
export const shownValues = (
  { groupings, range }: StatsQuery,
  { values }: StatsRow,
  timeZone: string,
): string[] =>
  groupings.map((grouping, index) => {
    const value = values[index] ?? null
    if (grouping.by === 'value') return valueAtPlausible(grouping.dimension, value)
    return grouping.by === 'time'
      ? timeLabel(new Date(value ?? 0), grouping.interval, range, timeZone)
      : (value ?? '')
  })
