import type { Outcome } from '#projects/problems'
import type { GuardMetricSide, GuardMetricAnswer } from './answer'
import { type AnswerTable, type AnswerCell, defineKind } from '#insights/kind'
import { queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import { type GuardMetricRow, guardMetric } from './query'
import { type GuardMetricQuery, guardMetricQuery } from './schema'

export const guardMetricKind = defineKind<GuardMetricQuery, GuardMetricAnswer>({
  about: 'A metric of the people who got a flag, beside the people who evaluated it and did not get it.',
  query: guardMetricQuery,
  answer,
  table,
})

async function answer(
  query: GuardMetricQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: GuardMetricAnswer }>> {
  const rows = await scope.run<GuardMetricRow>(guardMetric(query, scope, await queryPeriod(query, scope)))
  const side = (hasGot: boolean): GuardMetricSide =>
    sideFrom(rows.find(({ has_got }) => Boolean(has_got) === hasGot))
  return { done: true, answer: { got: side(true), others: side(false) } }
}

const sideFrom = (row: GuardMetricRow | undefined): GuardMetricSide => {
  if (!row) return { persons: 0, mean: null, variance: null, p75: null, above: 0 }
  const { persons, mean, variance, p75, above } = row
  return { persons, mean, variance, p75, above }
}

function table({ got, others }: GuardMetricAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Side', as: 'text' },
      { name: 'Persons', as: 'number' },
      { name: 'Mean', as: 'number' },
      { name: '75th percentile', as: 'number' },
      { name: 'Above', as: 'number' },
    ],
    rows: [
      ['With the flag', ...cellsOf(got)],
      ['Without the flag', ...cellsOf(others)],
    ],
  }
}

const cellsOf = ({ persons, mean, p75, above }: GuardMetricSide): AnswerCell[] => [persons, mean, p75, above]
