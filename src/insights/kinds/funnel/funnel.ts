import { z } from 'zod'
import type { Sql } from '../../../engine/sql'
import { type Outcome, undone } from '../../../projects/problems'
import { type RangeRow, type Ranges, rangesIn } from '../../breakdowns'
import { kindOf } from '../../kind'
import { bucketsOf, mostBuckets, usualInterval } from '../../period'
import type { Scope } from '../../scope'
import { type FunnelAnswer, type FunnelPart, stepsIn, table, timesIn, trendIn, valuesIn } from './answer'
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
  type TrendRow,
} from './query'
import { type FunnelQuestion, funnelQuestion, mostBreakdownValues } from './question'
import { type FunnelStretch, stretchesOf } from './stretch'

const point = z.object({
  step: z.number().int().min(0),
  outcome: z.enum(['converted', 'dropped']),
  values: z
    .object({ among: z.boolean(), keys: z.array(z.string().max(10_000)).max(mostBreakdownValues) })
    .optional(),
})

/**
 * Whoever does the first step in the period has entered, and may do the others after its end, within the window. In a
 * strict funnel every event is read and not only those of the steps: where these are rare, that takes many times as long.
 */
export const funnelKind = kindOf<FunnelQuestion, FunnelAnswer, FunnelPoint>({
  label: 'Funnel',
  about: 'How many of those who begin something in the period get to its end, and where the others stop.',
  question: funnelQuestion,
  answer,
  table,
  behind: { point, persons },
})

async function answer(question: FunnelQuestion, scope: Scope): Promise<Outcome<{ answer: FunnelAnswer }>> {
  const stretches = await stretchesOf(question, scope)
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

/** The same bins for both periods, or they could not be compared. */
async function foundRanges(question: FunnelQuestion, scope: Scope, main: FunnelStretch): Promise<Ranges> {
  const statement = rangesOf(question, scope, main)
  if (!statement || !question.breakdown) return []
  return rangesIn([question.breakdown], await scope.run<RangeRow>(statement))
}

type Part = Outcome<{ part: FunnelPart }>

async function partOf(
  question: FunnelQuestion,
  scope: Scope,
  stretch: FunnelStretch,
  ranges: Ranges,
): Promise<Part> {
  const more = moreOf(question, scope, stretch)
  if (!more.done) return more
  const [rows, values, shown] = await Promise.all([
    scope.run<StepsRow>(steps(question, scope, stretch)),
    question.breakdown && scope.run<StepsRow>(stepsByValue(question, scope, stretch, ranges)),
    more.find(),
  ])
  const part = {
    from: stretch.from.toISOString(),
    until: stretch.until.toISOString(),
    steps: stepsIn(question, rows[0]),
    ...(values && {
      breakdowns: valuesIn(question, values, ranges),
      valuesInAll: values[0]?.in_all ?? 0,
    }),
    ...shown,
  }
  return { done: true, part }
}

type More = Outcome<{ find: () => Promise<Pick<FunnelPart, 'trend' | 'times'>> }>

/** What is shown beside the steps. */
function moreOf(question: FunnelQuestion, scope: Scope, stretch: FunnelStretch): More {
  if (question.view === 'trend') return trendOf(question, scope, stretch)
  if (question.view === 'steps') return { done: true, find: async () => ({}) }
  const find = async () => ({
    times: timesIn(question, await scope.run<BinRow>(times(question, scope, stretch))),
  })
  return { done: true, find }
}

function trendOf(question: FunnelQuestion, scope: Scope, stretch: FunnelStretch): More {
  const interval = question.interval ?? usualInterval(stretch)
  const buckets = bucketsOf(stretch, interval, scope.calendar)
  if (!buckets)
    return undone(
      `By ${interval} that would be more than ${mostBuckets} points. Choose a longer interval or a shorter period.`,
      'interval',
    )
  const find = async () => ({
    trend: trendIn(interval, buckets, await scope.run<TrendRow>(trend(question, scope, stretch, buckets))),
  })
  return { done: true, find }
}

async function persons(
  question: FunnelQuestion,
  at: FunnelPoint,
  scope: Scope,
): Promise<Outcome<{ statement: Sql }>> {
  if (at.step >= question.steps.length) return undone(`The funnel has no step ${at.step + 1}.`, 'step')
  if (at.outcome === 'dropped' && at.step === 0)
    return undone('Nobody can stop before the first step.', 'step')
  const stretches = await stretchesOf(question, scope)
  if (!stretches.done) return stretches
  const { main } = stretches
  const ranges = at.values ? await foundRanges(question, scope, main) : []
  return { done: true, statement: personsAt(question, at, scope, main, ranges) }
}
