import { groupNamesIn } from '../../compile/group-names'
import { breakdownValueName } from '../../text/breakdown-names'
import { z } from 'zod'
import type { Sql } from '#engine/sql'
import { type Outcome, failedOutcome } from '#projects/problems'
import { type BreakdownRangeRow, type BreakdownRanges, rangesIn } from '../../compile/breakdowns'
import { defineKind } from '../../kind'
import { bucketsOf, mostBuckets, usualInterval } from '../../calendar/period'
import type { QuestionScope } from '../../scope'
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
import { type FunnelQuestion, funnelQuestion, mostBreakdownValues } from './question'
import { type FunnelTimeRange, funnelTimeRangesOf } from './funnel-time-ranges'

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
export const funnelKind = defineKind<FunnelQuestion, FunnelAnswer, FunnelPoint>({
  label: 'Funnel',
  about: 'How many persons complete the steps, and where the others drop off.',
  question: funnelQuestion,
  answer,
  table,
  behind: { point, persons },
})

async function answer(
  question: FunnelQuestion,
  scope: QuestionScope,
): Promise<Outcome<{ answer: FunnelAnswer }>> {
  const stretches = await funnelTimeRangesOf(question, scope)
  if (!stretches.done) return stretches
  const { main, compared } = stretches
  const ranges = await foundRanges(question, scope, main)
  const [part, other] = await Promise.all([
    partOf(question, scope, main, ranges),
    compared && partOf(question, scope, compared, ranges),
  ])
  if (!part.done) return part
  if (other && !other.done) return other
  return { done: true, answer: { ...part.part, ...(other && { compared: other.part }) } }
}

/** Finds bins for both periods, so that they can be compared. */
async function foundRanges(
  question: FunnelQuestion,
  scope: QuestionScope,
  main: FunnelTimeRange,
): Promise<BreakdownRanges> {
  const statement = rangesOf(question, scope, main)
  if (!statement || !question.breakdown) return []
  return rangesIn([question.breakdown], await scope.run<BreakdownRangeRow>(statement))
}

type FunnelPartOutcome = Outcome<{ part: FunnelPart }>

async function partOf(
  question: FunnelQuestion,
  scope: QuestionScope,
  timeRange: FunnelTimeRange,
  ranges: BreakdownRanges,
): Promise<FunnelPartOutcome> {
  const more = detailsOf(question, scope, timeRange)
  if (!more.done) return more
  const [rows, values, shown] = await Promise.all([
    scope.run<StepsRow>(steps(question, scope, timeRange)),
    question.breakdown && scope.run<StepsRow>(stepsByValue(question, scope, timeRange, ranges)),
    more.find(),
  ])
  const part = {
    from: timeRange.from.toISOString(),
    until: timeRange.until.toISOString(),
    steps: stepsIn(question, rows[0]),
    ...(values && {
      breakdowns: await withGroupNames(valuesIn(question, values, ranges), question, scope),
      valuesInAll: values[0]?.in_all ?? 0,
    }),
    ...shown,
  }
  return { done: true, part }
}

async function withGroupNames(
  values: readonly FunnelValue[],
  { breakdown }: FunnelQuestion,
  scope: QuestionScope,
): Promise<FunnelValue[]> {
  const found = values.map(({ value }) => [value])
  const names = await groupNamesIn([breakdown], found, scope)
  return values.map((one) =>
    names.size > 0 && one.value ? { ...one, name: breakdownValueName(breakdown, one.value, names) } : one,
  )
}

type FunnelDetailsOutcome = Outcome<{ find: () => Promise<Pick<FunnelPart, 'trend' | 'times'>> }>

/** Returns the details besides the steps. */
function detailsOf(
  question: FunnelQuestion,
  scope: QuestionScope,
  timeRange: FunnelTimeRange,
): FunnelDetailsOutcome {
  if (question.view === 'trend') return trendOf(question, scope, timeRange)
  if (question.view === 'steps') return { done: true, find: async () => ({}) }
  const find = async () => ({
    times: timesIn(question, await scope.run<BinRow>(times(question, scope, timeRange))),
  })
  return { done: true, find }
}

function trendOf(
  question: FunnelQuestion,
  scope: QuestionScope,
  timeRange: FunnelTimeRange,
): FunnelDetailsOutcome {
  const interval = question.interval ?? usualInterval(timeRange)
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
      await scope.run<FunnelTrendRow>(trend(question, scope, timeRange, buckets)),
    ),
  })
  return { done: true, find }
}

async function persons(
  question: FunnelQuestion,
  at: FunnelPoint,
  scope: QuestionScope,
): Promise<Outcome<{ statement: Sql }>> {
  if (at.step >= question.steps.length) return failedOutcome(`The funnel has no step ${at.step + 1}.`, 'step')
  if (at.outcome === 'dropped' && at.step === 0)
    return failedOutcome('No person drops off before the first step.', 'step')
  const stretches = await funnelTimeRangesOf(question, scope)
  if (!stretches.done) return stretches
  const { main } = stretches
  const ranges = at.values ? await foundRanges(question, scope, main) : []
  return { done: true, statement: personsAt(question, at, scope, main, ranges) }
}
