import type { Outcome } from '#projects/problems'
import { type AnswerTable, defineKind } from '#insights/kind'
import { queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import { share } from '#insights/compile/visits'
import { type VariantRow, variants } from './query'
import { type TrialQuery, trialQuery } from './schema'

/** The answer of the kind `trial`. */
export interface TrialAnswer {
  variants: TrialVariantResult[]
  /** Persons who were shown several variants, who are excluded from the numbers. */
  sawSeveral: number
}

interface TrialVariantResult {
  variant: string
  /** Persons. */
  shown: number
  /** Persons who opened the page after that. */
  clicks: number
  /** Persons who also read it through. */
  reads: number
}

export const trialKind = defineKind<TrialQuery, TrialAnswer>({
  about: 'To how many each variant of a post was shown, who opened it then, and who read it through.',
  query: trialQuery,
  answer,
  table,
})

async function answer(query: TrialQuery, scope: QueryScope): Promise<Outcome<{ answer: TrialAnswer }>> {
  const rows = await scope.run<VariantRow>(variants(query, scope, await queryPeriod(query, scope)))
  const ofOne = new Map(rows.flatMap((row) => (row.saw_several ? [] : [[row.variant, row] as const])))
  const several = rows.find(({ saw_several }) => Boolean(saw_several))
  return {
    done: true,
    answer: {
      variants: [...new Set(query.variants)].map((variant) => triedFrom(variant, ofOne.get(variant))),
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
