import type { Outcome } from '#projects/problems'
import { type AnswerTable, defineKind } from '../../kind'
import { questionPeriod } from '../../question'
import type { TrialAnswer, TrialVariantResult } from '../../compile/reading'
import type { QuestionScope } from '../../scope'
import { share } from '../../compile/visits'
import { type VariantRow, variants } from './query'
import { type TrialQuestion, trialQuestion } from './question'

export const trialKind = defineKind<TrialQuestion, TrialAnswer>({
  label: 'Variants of a trial',
  about: 'To how many each variant was shown, who opened the page then, and who read it through.',
  question: trialQuestion,
  answer,
  table,
})

async function answer(
  question: TrialQuestion,
  scope: QuestionScope,
): Promise<Outcome<{ answer: TrialAnswer }>> {
  const rows = await scope.run<VariantRow>(variants(question, scope, await questionPeriod(question, scope)))
  const ofOne = new Map(rows.flatMap((row) => (row.saw_several ? [] : [[row.variant, row] as const])))
  const several = rows.find(({ saw_several }) => Boolean(saw_several))
  return {
    done: true,
    answer: {
      variants: [...new Set(question.variants)].map((variant) => triedFrom(variant, ofOne.get(variant))),
      sawSeveral: several?.shown ?? 0,
    },
  }
}

const triedFrom = (variant: string, row: VariantRow | undefined): TrialVariantResult => ({
  variant,
  shown: row?.shown ?? 0,
  clicks: row?.clicks ?? 0,
  reads: row?.reads ?? 0,
})

function table({ variants: tried }: TrialAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Variant', as: 'text' },
      { name: 'Shown to', as: 'number' },
      { name: 'Opened by', as: 'number' },
      { name: 'Opened', as: 'percent' },
      { name: 'Read through by', as: 'number' },
      { name: 'Read through', as: 'percent' },
    ],
    rows: tried.map(({ variant, shown, clicks, reads }) => [
      variant,
      shown,
      clicks,
      share(clicks, shown),
      reads,
      share(reads, shown),
    ]),
  }
}
