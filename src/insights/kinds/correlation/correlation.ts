import { z } from 'zod'
import type { Sql } from '#engine/sql'
import type { Outcome } from '#projects/problems'
import { defineKind } from '../../kind'
import type { QuestionScope } from '../../scope'
import { funnelTimeRangesOf } from '../funnel/funnel-time-ranges'
import { answerOf, type CorrelationAnswer, table } from './answer'
import { personsWith, totals, type CorrelationTotals, type TraitPoint, type TraitRow, traits } from './query'
import { type CorrelationQuestion, correlationQuestion } from './question'

const trait = z.object({
  name: z.string().max(200),
  value: z.string().max(100_000).default(''),
  outcome: z.enum(['converted', 'dropped']),
})

/** Events count between the first step and the conversion, or until the window ends; the steps themselves do not. */
export const correlationKind = defineKind<CorrelationQuestion, CorrelationAnswer, TraitPoint>({
  label: 'Correlation',
  about: 'What persons who complete a funnel did, or have, more often than those who drop off.',
  question: correlationQuestion,
  answer,
  table,
  behind: { point: trait, persons },
})

async function answer(
  question: CorrelationQuestion,
  scope: QuestionScope,
): Promise<Outcome<{ answer: CorrelationAnswer }>> {
  const stretches = await funnelTimeRangesOf(question, scope)
  if (!stretches.done) return stretches
  const { main } = stretches
  const [all = { converted: 0, dropped: 0 }] = await scope.run<CorrelationTotals>(
    totals(question, scope, main),
  )
  const rows = await scope.run<TraitRow>(traits(question, scope, main, all))
  return { done: true, answer: answerOf(question, all, rows) }
}

async function persons(
  question: CorrelationQuestion,
  point: TraitPoint,
  scope: QuestionScope,
): Promise<Outcome<{ statement: Sql }>> {
  const stretches = await funnelTimeRangesOf(question, scope)
  if (!stretches.done) return stretches
  return { done: true, statement: personsWith(question, point, scope, stretches.main) }
}
