import type { Sql } from '#engine/sql'
import type { Outcome } from '#projects/problems'
import type {
  ExperimentExposuresAnswer,
  ExposureCell,
  SeveralVariants,
} from '../../compile/experiment-answer'
import { type AnswerTable, defineKind } from '../../kind'
import type { QuestionScope } from '../../scope'
import { rangeOf } from '../experiment/experiment'
import type { ExperimentRange } from '../experiment/query'
import { exposureCells, otherConversions, personsAt, severalVariants } from './query'
import {
  type ExposureForensicsQuestion,
  experimentExposuresQuestion,
  type ExposurePoint,
  exposurePoint,
} from './question'

export const experimentExposuresKind = defineKind<
  ExposureForensicsQuestion,
  ExperimentExposuresAnswer,
  ExposurePoint
>({
  label: 'Experiment exposures',
  about: 'What became of every unit that a flag was reported for, and the units of several variants.',
  question: experimentExposuresQuestion,
  answer,
  table,
  behind: { point: exposurePoint, persons },
})

const rangeIn = (question: ExposureForensicsQuestion, scope: QuestionScope): ExperimentRange =>
  rangeOf({ ...question, lookbackDays: 0, course: false }, scope)

async function answer(
  question: ExposureForensicsQuestion,
  scope: QuestionScope,
): Promise<Outcome<{ answer: ExperimentExposuresAnswer }>> {
  const range = rangeIn(question, scope)
  const { metric } = question
  const [cells, several, others] = await Promise.all([
    scope.run<ExposureCell>(exposureCells(question, scope, range)),
    scope.run<SeveralVariants>(severalVariants(question, scope, range)),
    metric && metric.type !== 'quantile'
      ? scope.run<{ outside: number; before: number }>(otherConversions(question, metric, { scope, range }))
      : [],
  ])
  const [{ outside, before } = { outside: 0, before: 0 }] = others
  return { done: true, answer: { cells, several, onlyBefore: before, onlyOutside: outside } }
}

async function persons(
  question: ExposureForensicsQuestion,
  point: ExposurePoint,
  scope: QuestionScope,
): Promise<Outcome<{ statement: Sql }>> {
  return { done: true, statement: personsAt(question, point, { scope, range: rangeIn(question, scope) }) }
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
