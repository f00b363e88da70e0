import { type Outcome, undone } from '../../../projects/problems'
import { kindOf } from '../../kind'
import { periodAsked } from '../../question'
import type { Scope } from '../../scope'
import { type SqlAnswer, tableOf } from './answer'
import { type SqlQuestion, sqlQuestion } from './question'
import { namesPeriod } from './statement'

export const sqlKind = kindOf<SqlQuestion, SqlAnswer>({
  label: 'SQL',
  about: 'Anything else: a statement of your own over events, persons, sessions and groups.',
  right: 'sql:read',
  question: sqlQuestion,
  answer,
  table: tableOf,
})

async function answer(question: SqlQuestion, scope: Scope): Promise<Outcome<{ answer: SqlAnswer }>> {
  const { text } = question
  if (!scope.written) return undone('SQL cannot be asked here.')
  const period = namesPeriod(text) ? await periodAsked(question, scope) : undefined
  return await scope.written(text, period)
}
