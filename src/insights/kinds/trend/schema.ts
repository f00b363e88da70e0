import { z } from 'zod'
import { readFormula } from '../../measures/formula'
import { mathWords } from '../../measures/maths'
import { measure } from '../../compile/measure'
import { baseQueryFields, breakdown, comparison, eventMatcher, interval } from '../../query-fields'

const trendCharts = ['line', 'bar', 'area', 'stacked', 'number', 'pie', 'table', 'map', 'calendar'] as const

/** A series: an event and a measure of it. */
const trendSeries = eventMatcher.extend({
  measure: measure.prefault({}),
  /** Whether it is used only in a formula. */
  isHidden: z.boolean().default(false),
})
export type TrendSeries = z.infer<typeof trendSeries>

/** Numbers computed from those of the series, which have letters: "A / B * 100". */
const trendFormula = z.object({
  text: z.string().min(1, 'Write a formula, such as "A / B * 100".').max(200),
  label: z.string().max(200).optional(),
  as: z.enum(['number', 'percent', 'money', 'duration']).default('number'),
})
export type TrendFormula = z.infer<typeof trendFormula>

const mostBreakdownValues = 100
/** A table has more rows than a chart has lines. */
const mostTableRows = 1000
const tooManyValues = `Show at most ${mostBreakdownValues} values of a breakdown, or ${mostTableRows} in a table.`

/** Numbers over time. */
const trend = z.object({
  kind: z.literal('trend'),
  ...baseQueryFields,
  series: z
    .array(trendSeries)
    .min(1, 'Choose at least one event.')
    .max(10, 'A chart shows at most 10 series.'),
  interval: interval.optional(),
  breakdowns: z.array(breakdown).max(3, 'Break down by three properties at most.').default([]),
  compare: comparison.optional(),
  formulas: z.array(trendFormula).max(5, 'A chart shows at most 5 formulas.').default([]),
  cumulative: z.boolean().default(false),
  /** Averages each point over so many buckets up to it. */
  smoothing: z.number().int().min(2).max(90).optional(),
  limit: z.number().int().min(1).max(mostTableRows, tooManyValues).default(10),
  chart: z.enum(trendCharts).default('line'),
})
export type TrendQuery = z.infer<typeof trend>

export const trendQuery = trend
  .superRefine((query, context) => {
    for (const { path, message } of contradictions(query)) context.addIssue({ code: 'custom', path, message })
  })
  .transform(withCountries)

/** A map without a breakdown shows countries. */
function withCountries(query: TrendQuery): TrendQuery {
  if (query.chart !== 'map' || query.breakdowns.length > 0) return query
  return { ...query, breakdowns: [{ type: 'event', key: '$geoip_country_code' }] }
}

interface Contradiction {
  path: (string | number)[]
  message: string
}

function contradictions(query: TrendQuery): Contradiction[] {
  return [...ofFormulas(query), ...ofSeries(query), ...ofWhatIsShown(query)]
}

const ofFormulas = ({ formulas, series }: TrendQuery): Contradiction[] =>
  formulas.flatMap(({ text }, i) => {
    const read = readFormula(text, series.length)
    return read.done ? [] : read.problems.map(({ message }) => ({ path: ['formulas', i], message }))
  })

const ofSeries = ({ series, cumulative, chart }: TrendQuery): Contradiction[] =>
  series.flatMap(({ measure: { math } }, i) => {
    const { label, accumulates, days } = mathWords(math)
    const path = ['series', i, 'measure']
    if (cumulative && !accumulates)
      return [
        {
          path,
          message: `"${label}" does not add up over time. Choose another measure, or do not accumulate.`,
        },
      ]
    if (chart === 'calendar' && days !== undefined)
      return [
        { path, message: `"${label}" looks back over days and has no place in a calendar. Count persons.` },
      ]
    return []
  })

function ofWhatIsShown({ cumulative, chart, series, formulas, limit }: TrendQuery): Contradiction[] {
  if (limit > mostBreakdownValues && chart !== 'table') return [{ path: ['limit'], message: tooManyValues }]
  if (chart === 'calendar' && cumulative)
    return [
      { path: ['cumulative'], message: 'A calendar shows each day on its own. Do not accumulate in it.' },
    ]
  const isEmpty = formulas.length === 0 && series.length > 0 && series.every(({ isHidden }) => isHidden)
  return isEmpty ? [{ path: ['series'], message: 'Show at least one series or formula.' }] : []
}
