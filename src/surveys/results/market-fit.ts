import type { Estimate } from './intervals'
import type { QuestionResults } from './question-results'

/**
 * The share of people who would be very disappointed without the product, at which a product is said to fit its market:
 * Sean Ellis, The startup pyramid, 2009, https://www.startup-marketing.com/the-startup-pyramid/
 */
export const marketFitGoal = 0.4

const veryDisappointed = /^very disappointed[.!]?$/i

/** The share of the choice “Very disappointed” with its interval; undefined for a question without such a choice. */
export function marketFitOf(
  { choices }: { choices: readonly { id: string | null; text: string }[] },
  { choices: results = [] }: Partial<QuestionResults>,
): Estimate | undefined {
  const choice = choices.find(({ text }) => veryDisappointed.test(text.trim()))
  return choice && results.find(({ id }) => id === choice.id)?.share
}
