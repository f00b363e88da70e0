import type { Filter } from '#filters/filter'
import type { CohortDefinition, CohortPeriod } from '#persons/cohort'
import type { Breakdown } from '../query-fields'
import {
  type DimensionName,
  type DimensionOperator,
  dimensionNames,
  dimensionOperators,
  isDimensionName,
  isDimensionOperator,
  narrowedTo,
  wordsOf,
} from '../text/dimension-words'
import type { PageGroups } from '../text/page-groups'

/**
 * One number of an answer: a query and a point of its kind. Neither is parsed here: the menu of a number runs in browsers
 * without the schemas of all kinds, and the product parses the queries that are made of it.
 */
export interface AskedNumber {
  query: AskedQuery
  point: Readonly<Record<string, unknown>>
}

interface AskedQuery {
  kind: string
  period?: string
  filter?: Filter
  traffic?: string
  withoutTestAccounts?: boolean
  [part: string]: unknown
}

export function asAskedNumber(query: unknown, point: unknown): AskedNumber | undefined {
  if (!isRecord(query) || !isRecord(point) || typeof query['kind'] !== 'string') return undefined
  // the product parses the other parts before it answers
  return { query: query as AskedQuery, point }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An event with its conditions: the persons of a number are those who sent one. */
interface NumberEvent {
  event: string | null
  filter: Filter | undefined
  math: string
  label: string | undefined
}

/** Returns the event that the persons of a number sent; undefined where one event does not tell who they are. */
function eventOf({ query, point }: AskedNumber): NumberEvent | undefined {
  const { kind, filter } = query
  if (kind === 'totals') return { event: null, filter, math: 'persons', label: undefined }
  if (kind === 'breakdown') return eventOfRow(filter, point)
  return kind === 'trend' ? eventOfLine({ query, point }) : undefined
}

function eventOfRow(filter: Filter | undefined, point: AskedNumber['point']): NumberEvent | undefined {
  const row = rowIn(point)
  if (!row) return undefined
  const words = wordsOf(row.dimension)
  const names = words.of === 'event' ? words.names : []
  if (names.length > 1) return undefined
  const only = narrowedTo(row.dimension, 'is', [row.value])
  return { event: names[0] ?? null, filter: allOf([filter, only]), math: 'persons', label: undefined }
}

function eventOfLine({ query, point }: AskedNumber): NumberEvent | undefined {
  const { series, breakdowns } = query
  const one: unknown = Array.isArray(series) ? series[Number(point['series'])] : undefined
  if (!isRecord(one) || point['isOthers'] === true || point['isCompared'] === true) return undefined
  const { event, filter, measure, label } = one
  const values = Array.isArray(point['breakdown']) ? point['breakdown'] : []
  const parts = Array.isArray(breakdowns) ? breakdowns.map((by, i) => valueFilter(by, values[i])) : []
  if (parts.includes(undefined)) return undefined
  return {
    event: typeof event === 'string' ? event : null,
    // a part of a query, as the address had it
    filter: allOf([query.filter, filter as Filter | undefined, ...parts]),
    math: isRecord(measure) && typeof measure['math'] === 'string' ? measure['math'] : 'total',
    label: typeof label === 'string' ? label : undefined,
  }
}

/** Ranges and cohorts are no values of a property. */
function valueFilter(by: Breakdown, value: unknown): Filter | undefined {
  if (by.type === 'cohort' || by.bins !== undefined) return undefined
  const { type, key } = by
  const of = by.type === 'group' ? { type, key, group: by.group } : { type, key }
  if (value === null) return { ...of, operator: 'is_not_set' }
  return typeof value === 'string' ? { ...of, operator: 'exact', value } : undefined
}

function allOf(parts: readonly (Filter | undefined)[]): Filter | undefined {
  const all = parts.flatMap((part) => (part === undefined ? [] : 'all' in part ? part.all : [part]))
  return all.length > 0 ? { all } : undefined
}

function rowIn({ dimension, value }: AskedNumber['point']) {
  if (typeof dimension !== 'string' || !isDimensionName(dimension)) return undefined
  return { dimension, value: typeof value === 'string' ? value : '' }
}

/** Returns the condition that new persons can meet later; undefined for a number that only a list can tell. */
export function liveConditionOf(number: AskedNumber): CohortDefinition | undefined {
  const { query, point } = number
  const { period = '30d', traffic = 'human', withoutTestAccounts = false } = query
  const within = cohortPeriodOf(period)
  if (!within || traffic !== 'human' || withoutTestAccounts || point['bucket'] !== undefined) return undefined
  const sent = eventOf(number)
  if (!sent || !countsEveryEvent.has(sent.math)) return undefined
  const { event, filter } = sent
  return { did: { event, ...(filter && { filter }) }, within }
}

/** The measures that count persons by the events of the period alone. */
const countsEveryEvent: ReadonlySet<string> = new Set(['total', 'persons'])

function cohortPeriodOf(period: string): CohortPeriod | undefined {
  const days = /^([1-9]\d{0,3})d$/.exec(period)?.[1]
  if (days !== undefined) return { days: Number(days) }
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(period) ?? []
  return from !== undefined && to !== undefined ? { from, to } : undefined
}

/** Returns the event that an alert about a number watches. */
export function watchedEventOf(number: AskedNumber): object | undefined {
  const sent = eventOf(number)
  if (!sent) return undefined
  const { event, filter, math, label } = sent
  const { traffic = 'human' } = number.query
  return {
    type: 'event',
    event,
    ...(label !== undefined && { label }),
    ...(filter && { filter }),
    measure: measuresAlone.has(math) ? { math } : measureOf(number),
    traffic,
  }
}

/** The measures that need no property. */
const measuresAlone: ReadonlySet<string> = new Set(['total', 'persons', 'visitors', 'sessions'])

function measureOf({ query: { series }, point }: AskedNumber): unknown {
  const one: unknown = Array.isArray(series) ? series[Number(point['series'])] : undefined
  return isRecord(one) ? one['measure'] : { math: 'total' }
}

/** The kinds that compare themselves with the period before. */
const comparingKinds: ReadonlySet<string> = new Set(['funnel', 'stickiness', 'totals'])

/** Returns the query that shows a number beside that of the period before. */
export function comparisonOf(number: AskedNumber): object | undefined {
  const { query } = number
  const { kind, period, traffic, withoutTestAccounts } = query
  const base = { period, traffic, withoutTestAccounts, compare: 'previous' }
  if (kind === 'breakdown') {
    const row = rowIn(number.point)
    if (!row) return undefined
    const filter = allOf([query.filter, narrowedTo(row.dimension, 'is', [row.value])])
    return { kind: 'totals', ...base, filter }
  }
  if (kind === 'trend') {
    const sent = eventOfLine(number)
    if (!sent) return undefined
    const { event, filter, label } = sent
    const series = [{ event, label, filter, measure: measureOf(number) }]
    return { kind, ...base, interval: query['interval'], series }
  }
  return comparingKinds.has(kind) ? { ...query, compare: 'previous' } : undefined
}

/** One condition on a dimension. */
export interface DimensionCondition {
  dimension: DimensionName
  operator: DimensionOperator
  values: string[]
}

/** Returns the conditions of web analytics that hold for a number's persons; undefined where they cannot tell. */
export function webConditionsOf(
  { query: { kind, filter }, point }: AskedNumber,
  groups: PageGroups = [],
): DimensionCondition[] | undefined {
  if (kind !== 'breakdown' && kind !== 'totals') return undefined
  const row = kind === 'breakdown' ? rowIn(point) : undefined
  if ((kind === 'breakdown' && !row) || point['bucket'] !== undefined) return undefined
  const known = filter === undefined ? [] : 'all' in filter ? filter.all : [filter]
  const conditions = known.map((part) => conditionOf(part, groups))
  if (conditions.includes(undefined)) return undefined
  const own = row && [{ dimension: row.dimension, operator: 'is' as const, values: [row.value] }]
  const all = [...conditions.flatMap((one) => one ?? []), ...(own ?? [])]
  return all.length > 0 ? all : undefined
}

/** Finds the condition that `narrowedTo` writes as this filter. */
function conditionOf(filter: Filter, groups: PageGroups): DimensionCondition | undefined {
  const wanted = JSON.stringify(filter)
  const values = valuesIn(filter)
  for (const dimension of dimensionNames)
    for (const operator of Object.keys(dimensionOperators).filter(isDimensionOperator))
      if (JSON.stringify(narrowedTo(dimension, operator, values, groups)) === wanted)
        return { dimension, operator, values }
  return undefined
}

function valuesIn(filter: Filter): string[] {
  if ('all' in filter) return filter.all.flatMap(valuesIn)
  if ('any' in filter) return filter.any.flatMap(valuesIn)
  if (filter.type === 'cohort') return []
  if (filter.key === '$event') return []
  const { value } = filter
  if (Array.isArray(value)) return value.flatMap((one) => (typeof one === 'string' ? [one] : []))
  return typeof value === 'string' ? [value] : ['']
}
