import type { Outcome } from '#projects/problems'
import { type AnswerTable, defineKind } from '../../kind'
import { questionPeriod } from '../../question'
import type { ClientCoverageAnswer } from '../../compile/reading'
import type { QuestionScope } from '../../scope'
import { share } from '../../compile/visits'
import { clientCoverage, type ClientCoverageRow } from './query'
import { type ClientCoverageQuestion, clientCoverageQuestion } from './question'

export const clientCoverageKind = defineKind<ClientCoverageQuestion, ClientCoverageAnswer>({
  label: 'Served and seen',
  about: 'How many of those the site served a variant to had a browser that told of having seen it.',
  question: clientCoverageQuestion,
  answer,
  table,
})

async function answer(
  question: ClientCoverageQuestion,
  scope: QuestionScope,
): Promise<Outcome<{ answer: ClientCoverageAnswer }>> {
  const [row] = await scope.run<ClientCoverageRow>(
    clientCoverage(question, scope, await questionPeriod(question, scope)),
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
