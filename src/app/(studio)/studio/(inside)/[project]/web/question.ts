import type { Filter } from '#filters/filter'
import { type DimensionName, narrowedTo } from '#insights/text/dimension-words'
import type { WebSearch } from '#app/paths'
import type { PanelName, TabName } from './panels'

/** One condition of the page, as a chip: any of these values, or none of them. */
export interface Chip {
  dimension: DimensionName
  isNot: boolean
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
export interface WebQuestion {
  period: string
  compare?: string
  figure: FigureName
  chips: readonly Chip[]
  segment?: string
  goal?: string
  withoutTestAccounts: boolean
  tabs: Partial<Record<PanelName, TabName>>
}

export const defaults: WebQuestion = {
  period: '30d',
  compare: 'previous',
  figure: 'visitors',
  chips: [],
  withoutTestAccounts: false,
  tabs: {},
}

/** A page of its own compares with the period before unless its address says otherwise. */
export const noQuestion = 'none'

/** Formats a question for an address, without default values. */
export function searchOf(question: WebQuestion): WebSearch {
  const { period, compare, figure, chips, segment, goal, withoutTestAccounts, tabs } = question
  const entries: [string, string | undefined][] = [
    ['period', period === defaults.period ? undefined : period],
    ['compare', compare === defaults.compare ? undefined : (compare ?? noQuestion)],
    ['figure', figure === defaults.figure ? undefined : figure],
    ['goal', goal],
    ['segment', segment],
    ['tests', withoutTestAccounts ? 'out' : undefined],
    ...chips.flatMap(({ dimension, isNot, values }) =>
      values.map((value): [string, string] => [isNot ? `not-${dimension}` : dimension, value]),
    ),
    ...Object.entries(tabs).map(([panel, tab]): [string, string] => [`${panel}-tab`, tab]),
  ]
  return entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

const isOf = (dimension: DimensionName, isNot: boolean) => (chip: Chip) =>
  chip.dimension === dimension && chip.isNot === isNot

/** A press on a row narrows by it; another press takes that back. */
export function toggled(question: WebQuestion, dimension: DimensionName, value: string): WebQuestion {
  const chip = question.chips.find(isOf(dimension, false))
  const values = chip?.values ?? []
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
  return withChip(question, { dimension, isNot: false, values: next })
}

/** In the place of the one about the same; without values, it is gone. */
export function withChip(question: WebQuestion, chip: Chip): WebQuestion {
  const others = question.chips.filter((one) => !isOf(chip.dimension, chip.isNot)(one))
  return { ...question, chips: chip.values.length > 0 ? [...others, chip] : others }
}

export const withoutChip = (question: WebQuestion, chip: Chip): WebQuestion =>
  withChip(question, { ...chip, values: [] })

/** Replaces "is" by "is not"; existing exclusions stay. */
export function withNegation(question: WebQuestion, chip: Chip): WebQuestion {
  const isNot = !chip.isNot
  const known = question.chips.find(isOf(chip.dimension, isNot))?.values ?? []
  const values = [...new Set([...known, ...chip.values])]
  return withChip(withoutChip(question, chip), { ...chip, isNot, values })
}

export const isChosen = (question: WebQuestion, dimension: DimensionName, value: string): boolean =>
  question.chips.some((chip) => isOf(dimension, false)(chip) && chip.values.includes(value))

/** What its chips say, as every question says it. */
export function filterOf({ chips }: Pick<WebQuestion, 'chips'>, segment?: Filter): Filter | undefined {
  const parts = chips.map(({ dimension, values, isNot }) => narrowedTo(dimension, values, isNot))
  const all = segment ? [segment, ...parts] : parts
  return all.length > 0 ? { all: all.flatMap((part) => ('all' in part ? part.all : [part])) } : undefined
}
