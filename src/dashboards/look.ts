import type { Look } from './dashboard'

type Question = Record<string, unknown>

/** A card's question as the dashboard is looked at: its period and comparison give way, its conditions stay. */
export function asLooked(question: Question, { period, compare, filter }: Partial<Look>): Question {
  const { compare: own, ...rest } = question
  const compared = compare ?? own
  return {
    ...rest,
    ...(period !== undefined && { period }),
    ...(compared !== undefined && compared !== 'none' && { compare: compared }),
    ...(filter && { filter: question.filter ? { all: [question.filter, filter] } : filter }),
  }
}
