import type { MemberViewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { AnsweredQuery, KindName, QueryByKind, QueryInput } from '#insights/answered-query'
import type { AskOptions } from '#insights/ask'
import { getProduct } from '#studio/product'
import type { ActionResult } from '#studio/parts/action-result'
import { tryEngine } from '#studio/parts/refusals'

type ViewerAnswer<Kind extends KindName> = ActionResult<AnsweredQuery<Kind>> & { isTrouble?: true }

/** The answer to a query, or why there is none: one to be mended, or trouble that passes. */
export function askForViewer<Kind extends KindName>(
  projectId: number,
  query: QueryInput<Kind>,
  viewer: MemberViewer,
  options?: AskOptions,
): Promise<ViewerAnswer<Kind>>
export function askForViewer(
  projectId: number,
  query: unknown,
  viewer: MemberViewer,
  options?: AskOptions,
): Promise<ViewerAnswer<KindName>>
export async function askForViewer(
  projectId: number,
  query: unknown,
  viewer: MemberViewer,
  options: AskOptions = {},
): Promise<ViewerAnswer<KindName>> {
  return await tryEngine(() => getProduct().insights.ask(projectId, query, viewer, options))
}

/** Parses a query by its kind, or returns what is wrong with it. */
export const readQuery = (query: unknown): Outcome<{ question: QueryByKind[KindName] }> =>
  getProduct().insights.read(query)
