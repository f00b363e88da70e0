import type { Filter } from '#filters/filter'
import type { AnswerByKind } from '#insights/answered-query'
import type { Outcome } from '#projects/problems'
import { ask, refused, type UmamiCall } from './endpoint'

type TrendLine = AnswerByKind['trend']['lines'][number]

interface CountsRequest {
  period: string
  filter?: Filter | undefined
  series: readonly { event?: string; filter?: Filter; measure?: object }[]
  breakdowns?: readonly object[]
  limit?: number
}

const mostValues = 100

/** Asks for numbers of events over a whole period: one for each series, or for each value of its breakdowns. */
export async function countsOf(
  call: UmamiCall,
  { period, filter, series, breakdowns = [], limit = mostValues }: CountsRequest,
): Promise<Outcome<{ lines: TrendLine[]; valuesInAll: number }>> {
  const outcome = await ask(call, {
    kind: 'trend',
    period,
    // the whole period is counted on its own, so that few intervals are enough
    interval: 'month',
    chart: 'table',
    limit: Math.min(limit, mostValues),
    breakdowns,
    series: series.map(({ event = null, ...one }) => ({ event, ...one })),
    ...(filter && { filter }),
  })
  if (!outcome.done) return outcome
  const { lines, valuesInAll = lines.length } = outcome.answer
  return { done: true, lines, valuesInAll }
}

/** A value of a breakdown with its number. */
interface CountedValue {
  value: string
  count: number
}

/** Counts the values of one property, the most frequent first. More of them than Tilth counts are refused. */
export async function valuesOf(
  call: UmamiCall,
  { limit, offset, name, ...request }: CountsRequest & { limit: number; offset: number; name: string },
): Promise<Outcome<{ values: CountedValue[] }>> {
  const outcome = await countsOf(call, request)
  if (!outcome.done) return outcome
  if (outcome.valuesInAll > mostValues && offset + limit > mostValues)
    return refused(
      `There are ${outcome.valuesInAll} values of ${name}, and Tilth counts the first ${mostValues} of them. Ask with limit=${mostValues}.`,
      'limit',
    )
  const values = outcome.lines
    .filter(({ isOthers }) => !isOthers)
    .map(({ breakdown: [value], total }) => ({ value: value ?? '', count: total ?? 0 }))
    .filter(({ value, count }) => value !== '' && count > 0)
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
  return { done: true, values: values.slice(offset, offset + limit) }
}
