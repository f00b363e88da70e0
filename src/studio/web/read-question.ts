import {
  type DimensionName,
  dimensionNames,
  dimensionOperators,
  isDimensionOperator,
} from '#insights/text/dimension-words'
import { comparisonText, intervals, periodText } from '#insights/calendar/period'
import type { SearchParams } from '#studio/search-params'
import { panelNames, tabIn } from './panels'
import { type Chip, chipName, figureNames, noComparison, defaults, type WebQuery } from './web-query'

/** Ignores invalid values in the address. */
export function queryIn(searched: SearchParams): WebQuery {
  const one = (name: string) => listIn(searched[name])[0]
  const period = one('period')
  return {
    period: period !== undefined && periodText.safeParse(period).success ? period : defaults.period,
    compare: comparisonIn(one('compare')),
    interval: intervals.find((name) => name === one('interval')),
    figure: figureNames.find((name) => name === one('figure')) ?? defaults.figure,
    chips: dimensionNames.flatMap((dimension) => chipsIn(dimension, searched)),
    segment: one('segment') || undefined,
    goal: one('goal') || undefined,
    withoutTestAccounts: one('tests') === 'out',
    singlePages: one('pages') === 'single',
    exact: one('exact') === 'yes',
    systemEvents: one('system') === 'shown',
    tabs: tabsIn(one),
  }
}

const listIn = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

function comparisonIn(text: string | undefined): string | undefined {
  if (text === noComparison) return undefined
  return text !== undefined && comparisonText.safeParse(text).success ? text : defaults.compare
}

/** The most values that a filter takes from an address. */
const mostValues = 50

function chipsIn(dimension: DimensionName, searched: SearchParams): Chip[] {
  return Object.keys(dimensionOperators)
    .filter(isDimensionOperator)
    .flatMap((operator) => {
      const given = listIn(searched[chipName(dimension, operator)])
      const values = [...new Set(given)].slice(0, mostValues)
      return values.length > 0 ? [{ dimension, operator, values }] : []
    })
}

function tabsIn(one: (name: string) => string | undefined): WebQuery['tabs'] {
  const found = panelNames.flatMap((panel) => {
    const tab = tabIn(panel, one(`${panel}-tab`))
    return tab ? [[panel, tab] as const] : []
  })
  return Object.fromEntries(found)
}
