import { type Outcome, failedOutcome } from '#projects/problems'
import { defineKind } from '../../kind'
import { questionPeriod } from '../../question'
import type { QuestionScope } from '../../scope'
import { type SqlAnswer, tableOf } from './answer'
import { type SqlQuestion, sqlQuestion } from './question'
import { namesPeriod } from './statement'

export const sqlKind = defineKind<SqlQuestion, SqlAnswer>({
  label: 'SQL',
  about: 'Read-only SQL over events, persons, sessions and groups.',
  right: 'sql:read',
  question: sqlQuestion,
  answer,
  table: tableOf,
})

async function answer(question: SqlQuestion, scope: QuestionScope): Promise<Outcome<{ answer: SqlAnswer }>> {
  const { text } = question
  if (!scope.written) return failedOutcome('SQL is not available here.')
  const period = namesPeriod(text) ? await questionPeriod(question, scope) : undefined
  return await scope.written(text, period)
}
