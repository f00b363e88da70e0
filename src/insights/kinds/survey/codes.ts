/**
 * Answers as whole numbers, so that the engine counts them. An answer is a list of these, written with commas: one for a
 * rating (its value), a choice (its index from 1, 0 for a text of no choice), a consent (1 or 0), a date (20261123) and a
 * text (1); several for several choices; for a ranking each position with its choice, for a matrix each row with its
 * column.
 */
const pairFactor = 1000

/** Two numbers below 1000 as one: a position and a choice, or a row and a column, each from 1. */
export const pairCode = (first: number, second: number): number => first * pairFactor + second

export const pairOf = (code: number): [first: number, second: number] => [
  Math.floor(code / pairFactor),
  code % pairFactor,
]

/** Stands for "answered at all" among the codes of a question. */
export const answeredCode = 4_000_000_000

/** The codes of submissions' states, under the question 0. */
export const submissionCodes = {
  started: 1,
  responded: 2,
  completed: 3,
  dismissed: 4,
  abandoned: 5,
} as const

/** A submission that was not completed, by the last question that it answers, counted from 1. */
export const stoppedAfter = (question: number): number => pairFactor + question
