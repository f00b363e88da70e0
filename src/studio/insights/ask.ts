import type { MemberViewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { AskOptions, AnsweredQuestion } from '#insights/ask'
import { getProduct } from '#studio/product'
import type { ActionResult } from '#studio/parts/action-result'
import { tryEngine } from '#studio/parts/refusals'

/** The answer to a question, or why there is none: one to be mended, or trouble that passes. */
export async function askForViewer(
  projectId: number,
  question: unknown,
  viewer: MemberViewer,
  options: AskOptions = {},
): Promise<ActionResult<AnsweredQuestion> & { isTrouble?: true }> {
  return await tryEngine(() => getProduct().insights.ask(projectId, question, viewer, options))
}

/** Parses a question by its kind, or returns what is wrong with it. */
export const readQuestion = (question: unknown): Outcome<{ question: object }> =>
  getProduct().insights.read(question)
