import { type Outcome, failedOutcome } from '#projects/problems'
import { comparedSoFar, comparedWith, type Period } from '#insights/calendar/period'
import { queryPeriod } from '#insights/query-fields'
import type { BaseQuery, QueryScope } from '#insights/scope'
import { windowMs } from './attempts'
import { longestMs } from './packing'
import type { FunnelShape } from '../schema'

/** The period in which people enter, and the end of their later steps. */
export interface FunnelTimeRange extends Period {
  readUntil: Date
}

interface FunnelTimeRanges {
  main: FunnelTimeRange
  compared: FunnelTimeRange | undefined
}

type TimedFunnel = FunnelShape & Pick<BaseQuery, 'period'> & { compare?: string | undefined }

export async function funnelTimeRangesOf(
  query: TimedFunnel,
  scope: QueryScope,
): Promise<Outcome<FunnelTimeRanges>> {
  const period = await queryPeriod(query, scope)
  const main = { ...period, readUntil: endOf(period, query) }
  const compared = query.compare ? comparedTimeRange(query, query.compare, period, scope) : undefined
  const longest = longestMs(query.steps.length)
  for (const { from, readUntil } of compared ? [main, compared] : [main])
    if (readUntil.getTime() - from.getTime() >= longest)
      return failedOutcome(
        'A funnel of so many steps cannot look at so many years. Choose a shorter period.',
        'period',
      )
  return { done: true, main, compared }
}

/** Persons who enter at the last moment have the whole window; its end is included. */
const endOf = ({ until }: Period, { window }: FunnelShape): Date =>
  new Date(until.getTime() + windowMs(window) + 1)

/**
 * Limits the compared period to the same elapsed time. Otherwise its entrants would have their whole window, and those
 * of this period only until now.
 */
function comparedTimeRange(
  query: TimedFunnel,
  compare: string,
  period: Period,
  { calendar }: QueryScope,
): FunnelTimeRange {
  const whole = comparedWith(period, compare, calendar)
  const soFar = comparedSoFar(whole, period, calendar)
  if (soFar !== whole) return { ...soFar, readUntil: soFar.until }
  const sinceMs = Math.max(0, calendar.now.getTime() - period.until.getTime())
  const asOf = whole.until.getTime() + sinceMs
  return { ...whole, readUntil: new Date(Math.min(endOf(whole, query).getTime(), asOf)) }
}
