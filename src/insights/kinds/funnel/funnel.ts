import { groupNamesIn } from '#insights/compile/internal/group-names'
import { breakdownValueName } from '#insights/text/breakdown-names'
import { z } from 'zod'
import type { Sql } from '#engine/sql'
import { type Outcome, failedOutcome } from '#projects/problems'
import { type BreakdownRangeRow, type BreakdownRanges, rangesIn } from '#insights/compile/internal/breakdowns'
import { defineKind } from '#insights/kind'
import { bucketsOf, mostBuckets, usualInterval } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'
import {
  type FunnelAnswer,
  type FunnelPart,
  type FunnelValue,
  stepsIn,
  table,
  timesIn,
  trendIn,
  valuesIn,
} from './answer'
import {
  type BinRow,
  type FunnelPoint,
  personsAt,
  rangesOf,
  steps,
  stepsByValue,
  type StepsRow,
  times,
  trend,
  type FunnelTrendRow,
} from './query'
import { type FunnelQuery, funnelQuery, mostBreakdownValues } from './schema'
import { type FunnelTimeRange, funnelTimeRangesOf } from './internal/funnel-time-ranges'

const point = z.object({
  step: z.number().int().min(0),
  outcome: z.enum(['converted', 'dropped']),
  values: z
    .object({ among: z.boolean(), keys: z.array(z.string().max(10_000)).max(mostBreakdownValues) })
    .optional(),
})

/**
 * Persons who do the first step in the period have entered, and may do the others after its end, within the window. A
 * strict funnel reads every event and not only those of the steps: if these are rare, that takes many times as long.
 */
export const funnelKind = defineKind<FunnelQuery, FunnelAnswer, FunnelPoint>({
  about:
    'How many of those who begin something get to its end, where the others stop, and how long it takes.',
  query: funnelQuery,
  answer,
  table,
  behind: { point, persons },
})

async function answer(query: FunnelQuery, scope: QueryScope): Promise<Outcome<{ answer: FunnelAnswer }>> {
  const intervals = await funnelTimeRangesOf(query, scope)
  if (!intervals.done) return intervals
  const { main, compared } = intervals
  const ranges = await foundRanges(query, scope, main)
  const [part, other] = await Promise.all([
    partOf(query, scope, main, ranges),
    compared && partOf(query, scope, compared, ranges),
  ])
  if (!part.done) return part
  if (other && !other.done) return other
  return { done: true, answer: { ...part.part, ...(other && { compared: other.part }) } }
}

/** Finds bins for both periods, so that they can be compared. */
async function foundRanges(
  query: FunnelQuery,
  scope: QueryScope,
  main: FunnelTimeRange,
): Promise<BreakdownRanges> {
  const statement = rangesOf(query, scope, main)
  if (!statement || !query.breakdown) return []
  return rangesIn([query.breakdown], await scope.run<BreakdownRangeRow>(statement))
}

type FunnelPartOutcome = Outcome<{ part: FunnelPart }>

async function partOf(
  query: FunnelQuery,
  scope: QueryScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges,
): Promise<FunnelPartOutcome> {
  const more = detailsOf(query, scope, timeRange)
  if (!more.done) return more
  const [rows, values, shown] = await Promise.all([
    scope.run<StepsRow>(steps(query, scope, timeRange)),
    query.breakdown && scope.run<StepsRow>(stepsByValue(query, scope, timeRange, ranges)),
    more.find(),
  ])
  const part = {
    from: timeRange.from.toISOString(),
    until: timeRange.until.toISOString(),
    steps: stepsIn(query, rows[0]),
    ...(values && {
      breakdowns: await withGroupNames(valuesIn(query, values, ranges), query, scope),
      valuesInAll: values[0]?.in_all ?? 0,
    }),
    ...shown,
  }
  return { done: true, part }
}

async function withGroupNames(
  values: readonly FunnelValue[],
  { breakdown }: FunnelQuery,
  scope: QueryScope,
): Promise<FunnelValue[]> {
  const found = values.map(({ value }) => [value])
  const names = await groupNamesIn([breakdown], found, scope)
  return values.map((one) =>
    names.size > 0 && one.value ? { ...one, name: breakdownValueName(breakdown, one.value, names) } : one,
  )
}

type FunnelDetailsOutcome = Outcome<{ find: () => Promise<Pick<FunnelPart, 'trend' | 'times'>> }>

/** Returns the details besides the steps. */
function detailsOf(query: FunnelQuery, scope: QueryScope, timeRange: FunnelTimeRange): FunnelDetailsOutcome {
  if (query.view === 'trend') return trendOf(query, scope, timeRange)
  if (query.view === 'steps') return { done: true, find: async () => ({}) }
  const find = async () => ({
    times: timesIn(query, await scope.run<BinRow>(times(query, scope, timeRange))),
  })
  return { done: true, find }
}

function trendOf(query: FunnelQuery, scope: QueryScope, timeRange: FunnelTimeRange): FunnelDetailsOutcome {
  const interval = query.interval ?? usualInterval(timeRange)
  const buckets = bucketsOf(timeRange, interval, scope.calendar)
  if (!buckets)
    return failedOutcome(
      `By ${interval} that would be more than ${mostBuckets} points. Choose a longer interval or a shorter period.`,
      'interval',
    )
  const find = async () => ({
    trend: trendIn(
      interval,
      buckets,
      await scope.run<FunnelTrendRow>(trend(query, scope, timeRange, buckets)),
    ),
  })
  return { done: true, find }
}

async function persons(
  query: FunnelQuery,
  at: FunnelPoint,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  if (at.step >= query.steps.length) return failedOutcome(`The funnel has no step ${at.step + 1}.`, 'step')
  if (at.outcome === 'dropped' && at.step === 0)
    return failedOutcome('No person drops off before the first step.', 'step')
  const intervals = await funnelTimeRangesOf(query, scope)
  if (!intervals.done) return intervals
  const { main } = intervals
  const ranges = at.values ? await foundRanges(query, scope, main) : []
  return { done: true, statement: personsAt(query, at, scope, main, ranges) }
}
