import { failedOutcome, type FailedOutcome, type Outcome } from '#projects/problems'
import { valueAtPlausible } from './dimensions'
import { isRevenue, type MetricFigures, type MetricName } from './metrics'
import { figuresOfEvents, figuresOfGoals } from './event-sources'
import {
  type Grouping,
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
  mixed: [events],
} as const satisfies Record<string, readonly MetricSource[]>

type GroupingForm = keyof typeof sources

function formOf(groupings: readonly Grouping[]): GroupingForm {
  const [only, ...more] = groupings
  if (!only) return 'whole'
  if (more.length > 0) return 'mixed'
  if (only.by === 'time') return 'time'
  if (only.by === 'goal') return 'goals'
  const { panel, type } = only.dimension
  if (panel === 'page') return 'pages'
  if (panel === 'host') return 'hosts'
  if (panel === 'exit') return 'exits'
  return panel !== undefined && type === 'session' ? 'visits' : 'mixed'
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
  const form = formOf(query.groupings)
  const found = await joinedRows(form, query, call)
  if (!found.done) return found
  const completed = await withShares(form, found, query, call)
  if (!completed.done) return completed
  const isSorted = nativeSort(query) !== undefined && metricsOf(form, query).used.length === 1
  const rows = isSorted ? completed.rows : sorted(completed.rows, query)
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
  return filters.done ? objectionToBehaviour({ metrics, filters, groupings }) : undefined
}

function objectionToBehaviour({
  metrics,
  filters: { conditions, goals },
  groupings,
}: Pick<StatsQuery, 'metrics' | 'filters' | 'groupings'>): FailedOutcome | undefined {
  const allowed = goals.length > 0 ? new Set<MetricName>(['visitors']) : behaviourMetrics
  const refused = metrics.find((name) => !allowed.has(name))
  if (refused)
    return failedOutcome(
      `Tilth does not count \`${refused}\` with "has_done"; it counts ${[...allowed].join(', ')}.`,
    )
  const isOfVisits = conditions.every((filter) => !JSON.stringify(filter).includes('"type":"event"'))
  if (!isOfVisits)
    return failedOutcome('Beside "has_done", Tilth filters by visit dimensions and by one goal.')
  return ['whole', 'time', 'visits', 'exits'].includes(formOf(groupings))
    ? undefined
    : failedOutcome('With "has_done", Tilth groups by one visit dimension or by time.')
}

/** The sources that a query needs; the metric that none of them has. */
function metricsOf(form: GroupingForm, { metrics }: StatsQuery) {
  const all: readonly MetricSource[] = sources[form]
  const direct = metrics.filter((name) => !isShare(form, name))
  const needed = direct.map((name) => all.find((source) => source.metrics.includes(name)))
  const missing = direct.find((_, index) => needed[index] === undefined)
  const used = all.filter((source, index) => index === 0 || needed.includes(source))
  return { used, missing }
}

const isShare = (form: GroupingForm, name: MetricName): boolean =>
  shares.has(name) && !(form === 'goals' && name !== 'percentage')

async function joinedRows(
  form: GroupingForm,
  query: StatsQuery,
  call: StatsCall,
): Promise<Outcome<StatsRows>> {
  const { used, missing } = metricsOf(form, query)
  if (missing !== undefined)
    return failedOutcome(`Tilth does not have the metric \`${missing}\` for these dimensions.`)
  const wanted = { ...query, metrics: withVisitors(query.metrics) }
  const answers = await Promise.all(used.map((source) => source.read(wanted, call)))
  const failed = answers.find((answer) => !answer.done)
  if (failed && !failed.done) return failed
  const [first, ...others] = answers.flatMap((answer) => (answer.done ? [answer] : []))
  if (!first) throw new TypeError('Every form of grouping has a source.')
  const rows = new Map(first.rows.map((row) => [JSON.stringify(row.values), row]))
  for (const [index, { rows: further }] of others.entries()) {
    const metrics = used[index + 1]?.metrics ?? []
    for (const row of further) addFigures(rows, row, metrics, form === 'time')
  }
  return { done: true, rows: [...rows.values()], inAll: form === 'time' ? rows.size : first.inAll }
}

const withVisitors = (metrics: readonly MetricName[]): MetricName[] => [
  ...new Set<MetricName>([...metrics, 'visitors']),
]

/** Adds figures to the row of the same values. Earlier sources go first. */
function addFigures(
  rows: Map<string, StatsRow>,
  { values, figures }: StatsRow,
  metrics: readonly MetricName[],
  isNewRow: boolean,
): void {
  const key = JSON.stringify(values)
  const known = rows.get(key)
  if (!known && !isNewRow) return
  const added = Object.fromEntries(metrics.map((name) => [name, figures[name]]))
  rows.set(key, {
    values,
    figures: known ? { ...added, ...known.figures } : { ...noVisits, ...added, ...noVisits },
  })
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
    const shown = (row: StatsRow) => shownValue(groupings[place], row.values[place] ?? null)
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

/** The value of a row as answers show it. */
export const shownValue = (grouping: Grouping | undefined, value: string | null): string =>
  grouping?.by === 'value' ? valueAtPlausible(grouping.dimension, value) : (value ?? '')
