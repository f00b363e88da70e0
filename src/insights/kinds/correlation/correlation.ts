import { z } from 'zod'
import type { Sql } from '#engine/sql'
import type { Outcome } from '#projects/problems'
import { defineKind } from '#insights/kind'
import type { QueryScope } from '#insights/scope'
import { funnelTimeRangesOf } from '../funnel/internal/funnel-time-ranges'
import { answerOf, type CorrelationAnswer, table } from './answer'
import { personsWith, totals, type CorrelationTotals, type TraitPoint, type TraitRow, traits } from './query'
import { type CorrelationQuery, correlationQuery } from './schema'

const trait = z.object({
  name: z.string().max(200),
  value: z.string().max(100_000).default(''),
  outcome: z.enum(['converted', 'dropped']),
})

/** Events count between the first step and the conversion, or until the window ends; the steps themselves do not. */
export const correlationKind = defineKind<CorrelationQuery, CorrelationAnswer, TraitPoint>({
  about: 'What persons who complete a funnel did, or have, more often than those who drop off.',
  query: correlationQuery,
  answer,
  table,
  behind: { point: trait, persons },
})

async function answer(
  query: CorrelationQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: CorrelationAnswer }>> {
  const ranges = await funnelTimeRangesOf(query, scope)
  if (!ranges.done) return ranges
  const { main } = ranges
  const [all = { converted: 0, dropped: 0 }] = await scope.run<CorrelationTotals>(totals(query, scope, main))
  const rows = await scope.run<TraitRow>(traits(query, scope, main, all))
  return { done: true, answer: answerOf(query, all, rows) }
}

async function persons(
  query: CorrelationQuery,
  point: TraitPoint,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  const ranges = await funnelTimeRangesOf(query, scope)
  if (!ranges.done) return ranges
  return { done: true, statement: personsWith(query, point, scope, ranges.main) }
}
