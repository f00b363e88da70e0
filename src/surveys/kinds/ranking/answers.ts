import { pairOf } from '#insights/kinds/survey/codes'
import type { AnswerCounts } from '#insights/kinds/survey/survey'
import { type Estimate, shareEstimate } from '#surveys/results/intervals'
import {
  type AnswerDefinition,
  choicesSpec,
  isOneOrMoreTexts,
  parseList,
} from '../internal/answer-definition'

export const ranking: AnswerDefinition<'ranking'> = {
  accepts: isOneOrMoreTexts,
  parse: parseList,
  spec: choicesSpec,
  results: ({ choices, choiceTexts }, { counts, answered }) => ({
    ranking: choices.map((id, i) => rankResult(i + 1, { id, text: choiceTexts[i] ?? id }, counts, answered)),
  }),
  counted: ({ ranking: ranks = [] }) =>
    ranks.map(({ text, ranked, meanRank }) => ({ answer: text, count: ranked, meanRank })),
}

export interface RankResult {
  id: string
  text: string
  ranked: number
  meanRank: number | null
  /** The share of answers in which it is first. */
  first: Estimate | undefined
}

function rankResult(
  choice: number,
  named: { id: string; text: string },
  counts: AnswerCounts['counts'],
  answered: number,
): RankResult {
  const ranks = counts.flatMap(([code, count]) => {
    const [rank, ranked] = pairOf(code)
    return ranked === choice ? [{ rank, count }] : []
  })
  const ranked = ranks.reduce((sum, { count }) => sum + count, 0)
  const sum = ranks.reduce((total, { rank, count }) => total + rank * count, 0)
  const first = ranks.find(({ rank }) => rank === 1)?.count ?? 0
  return {
    ...named,
    ranked,
    meanRank: ranked > 0 ? sum / ranked : null,
    first: shareEstimate(first, answered),
  }
}
