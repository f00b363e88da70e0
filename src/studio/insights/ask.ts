import type { MemberViewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { AskOptions, AnsweredQuestion } from '#insights/ask'
import { isEngineError } from '#studio/parts/engine-error'
import { getProduct } from '#studio/product'
import { type ActionResult, failedWith } from '#studio/parts/action-result'
import { catchRefusals } from '#studio/parts/refusals'

/** The answer to a question, or why there is none: one to be mended, or trouble that passes. */
export async function askForViewer(
  projectId: number,
  question: unknown,
  viewer: MemberViewer,
  options: AskOptions = {},
): Promise<ActionResult<AnsweredQuestion> & { isTrouble?: true }> {
  try {
    return await catchRefusals(() => getProduct().insights.ask(projectId, question, viewer, options))
  } catch (problem) {
    if (!isEngineError(problem)) throw problem
    return { ...failedWith(problem.message), isTrouble: true }
  }
}

/** Parses a question by its kind, or returns what is wrong with it. */
export const readQuestion = (question: unknown): Outcome<{ question: object }> =>
  getProduct().insights.read(question)
