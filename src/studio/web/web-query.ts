import type { Filter } from '#filters/filter'
import type { Interval } from '#insights/calendar/period'
import {
  type DimensionName,
  type DimensionOperator,
  dimensionOperators,
  narrowedTo,
} from '#insights/text/dimension-words'
import type { PageGroups } from '#insights/text/page-groups'
import type { WebSearch } from '#studio/paths'
import type { PanelName, TabName } from './panels'

/** One condition of the page, as a chip: any of these values, or none of them. */
export interface Chip {
  dimension: DimensionName
  operator: DimensionOperator
  values: readonly string[]
}

export const figureNames = [
  'visitors',
  'visits',
  'views',
  'viewsPerVisit',
  'bounceRate',
  'duration',
  'revenue',
  'conversions',
  'conversionRate',
] as const
export type FigureName = (typeof figureNames)[number]

/** All that the page's address says. */
export interface WebQuery {
  period: string
  compare?: string
  /** Absent for the usual one of the period. */
  interval?: Interval
  figure: FigureName
  chips: readonly Chip[]
  segment?: string
  goal?: string
  withoutTestAccounts: boolean
  /** Whether pages are shown one by one, without the groups of the settings. */
  singlePages: boolean
  /** Whether persons are counted one by one, however many there are. */
  exact: boolean
  /** Whether the list of events has system events too. */
  systemEvents: boolean
  tabs: Partial<Record<PanelName, TabName>>
}

export const defaults: WebQuery = {
  period: '30d',
  compare: 'previous-weekday',
  figure: 'visitors',
  chips: [],
  withoutTestAccounts: false,
  singlePages: false,
  exact: false,
  systemEvents: false,
  tabs: {},
}

/** Stands for no comparison in an address; without it, the page compares. */
export const noComparison = 'none'

/** Opens the form of a new segment, in an address. */
export const segmentFormParameter = 'save'

/** Formats a query for an address, without default values. */
export function searchOf(query: WebQuery): WebSearch {
  const { period, compare, interval, figure, chips, segment, goal, withoutTestAccounts, singlePages, tabs } =
    query
  const entries: [string, string | undefined][] = [
    ['period', period === defaults.period ? undefined : period],
    ['compare', compare === defaults.compare ? undefined : (compare ?? noComparison)],
    ['interval', interval],
    ['figure', figure === defaults.figure ? undefined : figure],
    ['goal', goal],
    ['segment', segment],
    ['tests', withoutTestAccounts ? 'out' : undefined],
    ['pages', singlePages ? 'single' : undefined],
    ['exact', query.exact ? 'yes' : undefined],
    ['system', query.systemEvents ? 'shown' : undefined],
    ...chips.flatMap(({ dimension, operator, values }) =>
      values.map((value): [string, string] => [chipName(dimension, operator), value]),
    ),
    ...Object.entries(tabs).map(([panel, tab]): [string, string] => [`${panel}-tab`, tab]),
  ]
  return entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

const prefixes: Record<DimensionOperator, string> = {
  is: '',
  'is-not': 'not-',
  contains: 'contains-',
  'contains-not': 'not-contains-',
}

/** Returns the name of a condition in addresses. */
export const chipName = (dimension: DimensionName, operator: DimensionOperator): string =>
  `${prefixes[operator]}${dimension}`

const isOf = (dimension: DimensionName, operator: DimensionOperator) => (chip: Chip) =>
  chip.dimension === dimension && chip.operator === operator

/** A press on a row narrows by it; another press takes that back. */
export function toggled(query: WebQuery, dimension: DimensionName, value: string): WebQuery {
  const chip = query.chips.find(isOf(dimension, 'is'))
  const values = chip?.values ?? []
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
  return withChip(query, { dimension, operator: 'is', values: next })
}

/** In the place of the one about the same; without values, it is gone. */
function withChip(query: WebQuery, chip: Chip): WebQuery {
  const others = query.chips.filter((one) => !isOf(chip.dimension, chip.operator)(one))
  return { ...query, chips: chip.values.length > 0 ? [...others, chip] : others }
}

export const withoutChip = (query: WebQuery, chip: Chip): WebQuery => withChip(query, { ...chip, values: [] })

/** Replaces a condition, or adds one. Values of an existing condition of the same kind stay. */
export function replacedChip(query: WebQuery, before: Chip | undefined, chip: Chip): WebQuery {
  const rest = before ? withoutChip(query, before) : query
  const known = rest.chips.find(isOf(chip.dimension, chip.operator))?.values ?? []
  return withChip(rest, { ...chip, values: [...new Set([...known, ...chip.values])] })
}

/** Replaces "is" by "is not"; existing exclusions stay. */
export const withNegation = (query: WebQuery, chip: Chip): WebQuery =>
  replacedChip(query, chip, { ...chip, operator: dimensionOperators[chip.operator].opposite })

export const isChosen = (query: WebQuery, dimension: DimensionName, value: string): boolean =>
  query.chips.some((chip) => isOf(dimension, 'is')(chip) && chip.values.includes(value))

/** The filter of the page's chips, as every query states it. */
export function filterOf(
  { chips }: Pick<WebQuery, 'chips'>,
  segment?: Filter,
  pageGroups: PageGroups = [],
): Filter | undefined {
  const parts = chips.map(({ dimension, operator, values }) =>
    narrowedTo(dimension, operator, values, pageGroups),
  )
  const all = segment ? [segment, ...parts] : parts
  return all.length > 0 ? { all: all.flatMap((part) => ('all' in part ? part.all : [part])) } : undefined
}
