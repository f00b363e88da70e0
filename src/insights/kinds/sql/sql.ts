import { type Outcome, failedOutcome } from '#projects/problems'
import { defineKind } from '#insights/kind'
import { queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import { type SqlAnswer, tableOf } from './answer'
import { type SqlQuery, sqlQuery } from './schema'
import { namesPeriod } from './statement'

export const sqlKind = defineKind<SqlQuery, SqlAnswer>({
  about: 'What a `select` of your own finds; see [SQL](sql.md).',
  right: 'sql:read',
  query: sqlQuery,
  answer,
  table: tableOf,
})

async function answer(query: SqlQuery, scope: QueryScope): Promise<Outcome<{ answer: SqlAnswer }>> {
  const { text } = query
  if (!scope.written) return failedOutcome('SQL is not available here.')
  const period = namesPeriod(text) ? await queryPeriod(query, scope) : undefined
  return await scope.written(text, period)
}
