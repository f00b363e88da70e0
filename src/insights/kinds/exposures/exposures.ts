import type { Outcome } from '#projects/problems'
import type { ExposedFlag, ExposuresAnswer } from './answer'
import { type AnswerTable, defineKind } from '#insights/kind'
import { queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import { type ExposureRow, exposures } from './query'
import { type ExposuresQuery, exposuresQuery } from './schema'

export const exposuresKind = defineKind<ExposuresQuery, ExposuresAnswer>({
  about: 'What people were given by each flag, and when it was asked for first and last.',
  query: exposuresQuery,
  answer,
  table,
})

async function answer(
  query: ExposuresQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: ExposuresAnswer }>> {
  const period = await queryPeriod(query, scope)
  const rows = await scope.run<ExposureRow>(exposures(query, scope, period))
  const flags = [...Map.groupBy(rows, ({ flag }) => flag).values()].flatMap(exposedFlag)
  return { done: true, answer: { flags } }
}

function exposedFlag(rows: readonly ExposureRow[]): ExposedFlag[] {
  const whole = rows.find(({ part }) => part === 'whole')
  if (!whole) return []
  return [
    {
      flag: whole.flag,
      times: whole.times,
      persons: whole.persons,
      values: rows.flatMap(({ part, value, times, persons }) =>
        part === 'value' && times > 0 ? [{ value, times, persons }] : [],
      ),
      firstAsked: inIso(whole.first_asked),
      lastAsked: inIso(whole.last_asked),
      askedBy: askedBy(rows),
    },
  ]
}

const askedBy = (rows: readonly ExposureRow[]): ExposedFlag['askedBy'] =>
  rows
    .filter(({ part }) => part === 'library')
    .map(({ library, times, last_asked }) => ({ library, times, lastAsked: inIso(last_asked) }))
    .toSorted((one, other) => (one.lastAsked < other.lastAsked ? 1 : -1))

const inIso = (told: string): string => new Date(told).toISOString()

function table({ flags }: ExposuresAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Flag', as: 'text' },
      { name: 'Value', as: 'text' },
      { name: 'Persons', as: 'number' },
      { name: 'Evaluations', as: 'number' },
      { name: 'Last evaluated', as: 'date' },
    ],
    rows: flags.flatMap(({ flag, values, lastAsked }) =>
      values.map(({ value, persons, times }) => [flag, value, persons, times, lastAsked]),
    ),
  }
}
