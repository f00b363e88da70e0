import type { Outcome } from '../../../projects/problems'
import { type AnswerTable, kindOf } from '../../kind'
import { periodAsked } from '../../question'
import type { SeenAnswer } from '../../reading'
import type { Scope } from '../../scope'
import { share } from '../../visits'
import { seen, type SeenRow } from './query'
import { type SeenQuestion, seenQuestion } from './question'

export const seenKind = kindOf<SeenQuestion, SeenAnswer>({
  label: 'Served and seen',
  about: 'How many of those the site served a variant to had a browser that told of having seen it.',
  question: seenQuestion,
  answer,
  table,
})

async function answer(question: SeenQuestion, scope: Scope): Promise<Outcome<{ answer: SeenAnswer }>> {
  const [row] = await scope.run<SeenRow>(seen(question, scope, await periodAsked(question, scope)))
  return { done: true, answer: { served: row?.served ?? 0, seen: row?.seen ?? 0 } }
}

function table({ served, seen: told }: SeenAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Served', as: 'number' },
      { name: 'Seen', as: 'number' },
      { name: 'Share', as: 'percent' },
    ],
    rows: [[served, told, share(told, served)]],
  }
}
