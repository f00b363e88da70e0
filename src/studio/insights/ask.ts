import type { MemberViewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { AskOptions, AnsweredQuery } from '#insights/ask'
import { getProduct } from '#studio/product'
import type { ActionResult } from '#studio/parts/action-result'
import { tryEngine } from '#studio/parts/refusals'

/** The answer to a question, or why there is none: one to be mended, or trouble that passes. */
export async function askForViewer(
  projectId: number,
  query: unknown,
  viewer: MemberViewer,
  options: AskOptions = {},
): Promise<ActionResult<AnsweredQuery> & { isTrouble?: true }> {
  return await tryEngine(() => getProduct().insights.ask(projectId, query, viewer, options))
}

/** Parses a question by its kind, or returns what is wrong with it. */
export const readQuery = (query: unknown): Outcome<{ question: object }> => getProduct().insights.read(query)
