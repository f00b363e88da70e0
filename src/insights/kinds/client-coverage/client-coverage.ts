import type { Outcome } from '#projects/problems'
import { type AnswerTable, defineKind } from '#insights/kind'
import { queryPeriod } from '#insights/query-fields'
import type { ClientCoverageAnswer } from './answer'
import type { QueryScope } from '#insights/scope'
import { share } from '#insights/compile/visits'
import { clientCoverage, type ClientCoverageRow } from './query'
import { type ClientCoverageQuery, clientCoverageQuery } from './schema'

export const clientCoverageKind = defineKind<ClientCoverageQuery, ClientCoverageAnswer>({
  about: 'The share of visitors served a variant whose browsers confirmed that they displayed it.',
  query: clientCoverageQuery,
  answer,
  table,
})

async function answer(
  query: ClientCoverageQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: ClientCoverageAnswer }>> {
  const [row] = await scope.run<ClientCoverageRow>(
    clientCoverage(query, scope, await queryPeriod(query, scope)),
  )
  return { done: true, answer: { served: row?.served ?? 0, seen: row?.seen ?? 0 } }
}

function table({ served, seen: told }: ClientCoverageAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Served', as: 'number' },
      { name: 'Seen', as: 'number' },
      { name: 'Share', as: 'percent' },
    ],
    rows: [[served, told, share(told, served)]],
  }
}
