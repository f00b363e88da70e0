import type { ViewOverrides } from './dashboard'

type CardQuestion = Record<string, unknown>

/** Applies the dashboard's overrides to a card's question: period and comparison are replaced, filters are added. */
export function withViewOverrides(
  question: CardQuestion,
  { period, compare, filter }: Partial<ViewOverrides>,
): CardQuestion {
  const { compare: own, ...rest } = question
  const compared = compare ?? own
  return {
    ...rest,
    ...(period !== undefined && { period }),
    ...(compared !== undefined && compared !== 'none' && { compare: compared }),
    ...(filter && { filter: question.filter ? { all: [question.filter, filter] } : filter }),
  }
}
