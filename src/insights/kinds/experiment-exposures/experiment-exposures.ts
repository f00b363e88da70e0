import type { Sql } from '#engine/sql'
import type { Outcome } from '#projects/problems'
import type { ExperimentExposuresAnswer, ExposureCell, SeveralVariants } from './answer'
import { type AnswerTable, defineKind } from '#insights/kind'
import type { QueryScope } from '#insights/scope'
import { rangeOf } from '../experiment/experiment'
import type { ExperimentRange } from '../experiment/query'
import { exposureCells, otherConversions, personsAt, severalVariants } from './query'
import {
  type ExposureForensicsQuery,
  experimentExposuresQuery,
  type ExposurePoint,
  exposurePoint,
} from './schema'

export const experimentExposuresKind = defineKind<
  ExposureForensicsQuery,
  ExperimentExposuresAnswer,
  ExposurePoint
>({
  about:
    'What became of every unit that a flag was reported for, by library, browser, place, phase and day; the API of experiments fills it in.',
  query: experimentExposuresQuery,
  answer,
  table,
  behind: { point: exposurePoint, persons },
})

const rangeIn = (query: ExposureForensicsQuery, scope: QueryScope): ExperimentRange =>
  rangeOf({ ...query, lookbackDays: 0, course: false }, scope)

async function answer(
  query: ExposureForensicsQuery,
  scope: QueryScope,
): Promise<Outcome<{ answer: ExperimentExposuresAnswer }>> {
  const range = rangeIn(query, scope)
  const { metric } = query
  const [cells, several, others] = await Promise.all([
    scope.run<ExposureCell>(exposureCells(query, scope, range)),
    scope.run<SeveralVariants>(severalVariants(query, scope, range)),
    metric && metric.type !== 'quantile'
      ? scope.run<{ outside: number; before: number }>(otherConversions(query, metric, { scope, range }))
      : [],
  ])
  const [{ outside, before } = { outside: 0, before: 0 }] = others
  return { done: true, answer: { cells, several, onlyBefore: before, onlyOutside: outside } }
}

async function persons(
  query: ExposureForensicsQuery,
  point: ExposurePoint,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  return { done: true, statement: personsAt(query, point, { scope, range: rangeIn(query, scope) }) }
}

function table({ cells }: ExperimentExposuresAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Dimension', as: 'text' },
      { name: 'Value', as: 'text' },
      { name: 'Variant', as: 'text' },
      { name: 'Phase', as: 'number' },
      { name: 'State', as: 'text' },
      { name: 'Units', as: 'number' },
      { name: 'Served', as: 'number' },
      { name: 'Seen', as: 'number' },
      { name: 'Converted', as: 'number' },
    ],
    rows: cells.map(({ dimension, value, variant, phase, state, units, served, viewed, converted }) => [
      dimension,
      value,
      variant,
      phase + 1,
      state,
      units,
      served,
      viewed,
      converted,
    ]),
  }
}
