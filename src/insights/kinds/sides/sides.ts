import type { Outcome } from '../../../projects/problems'
import type { Side, SidesAnswer } from '../../exposure'
import { type AnswerTable, type Cell, kindOf } from '../../kind'
import { periodAsked } from '../../question'
import type { Scope } from '../../scope'
import { type SideRow, sides } from './query'
import { type SidesQuestion, sidesQuestion } from './question'

export const sidesKind = kindOf<SidesQuestion, SidesAnswer>({
  label: 'Sides of a flag',
  about: 'How those fared who got a flag, beside those who did not.',
  question: sidesQuestion,
  answer,
  table,
})

async function answer(question: SidesQuestion, scope: Scope): Promise<Outcome<{ answer: SidesAnswer }>> {
  const rows = await scope.run<SideRow>(sides(question, scope, await periodAsked(question, scope)))
  const side = (hasGot: boolean): Side => sideFrom(rows.find(({ has_got }) => Boolean(has_got) === hasGot))
  return { done: true, answer: { got: side(true), others: side(false) } }
}

const sideFrom = (row: SideRow | undefined): Side => {
  if (!row) return { persons: 0, mean: null, variance: null, p75: null, above: 0 }
  const { persons, mean, variance, p75, above } = row
  return { persons, mean, variance, p75, above }
}

function table({ got, others }: SidesAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Side', as: 'text' },
      { name: 'Persons', as: 'number' },
      { name: 'Mean', as: 'number' },
      { name: '75th percentile', as: 'number' },
      { name: 'Above', as: 'number' },
    ],
    rows: [
      ['Got it', ...cellsOf(got)],
      ['Did not', ...cellsOf(others)],
    ],
  }
}

const cellsOf = ({ persons, mean, p75, above }: Side): Cell[] => [persons, mean, p75, above]
