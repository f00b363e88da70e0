import { refresh, revalidatePath } from 'next/cache'
import { notFound } from 'next/navigation'
import type { MemberViewer, AccessRefusedError } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Product } from '#server/product'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { type ActionResult, failedWith } from './action-result'
import { asText } from './form-data'

/** Next compiles the class again for its pages, so `instanceof` does not match. */
export function refusalIn(problem: unknown): AccessRefusedError | undefined {
  // the name is set by that class alone
  return problem instanceof Error && problem.name === 'AccessRefusedError'
    ? (problem as AccessRefusedError)
    : undefined
}

/** Runs a change for the signed-in member, returns its outcome and refreshes the page. */
export async function runChange<Done>(
  work: (product: Product, viewer: MemberViewer) => Promise<Outcome<Done>>,
): Promise<ActionResult<Done>> {
  const viewer = await requireViewer()
  const answer = await catchRefusals(() => work(getProduct(), viewer))
  if (answer.done) refreshPages()
  return answer
}

/** Renews the page of the change, and forgets those that the browser fetched in advance. */
function refreshPages() {
  refresh()
  revalidatePath('/studio', 'layout')
}

/**
 * The same for a change within a project, which the address names.
 *
 * @example
 * export const removeSegment = async (slug: string, id: string) =>
 *   await runProjectChange(slug, ({ insights }, projectId, viewer) => insights.segments.remove(projectId, id, viewer))
 */
export async function runProjectChange<Done>(
  slug: unknown,
  work: (product: Product, projectId: number, viewer: MemberViewer) => Promise<Outcome<Done>>,
): Promise<ActionResult<Done>> {
  return await runChange((product, viewer) =>
    work(product, product.projects.find(asText(slug), viewer).id, viewer),
  )
}

/** Refusals and temporary errors become outcomes; other errors are rethrown. */
export async function catchRefusals<Done>(work: () => Promise<Outcome<Done>>): Promise<ActionResult<Done>> {
  try {
    return await work()
  } catch (problem) {
    if (problem instanceof Error && temporaryErrors.has(problem.name)) return failedWith(problem.message)
    const refusal = refusalIn(problem)
    if (!refusal) throw problem
    if (refusal.reason === 'not-found') notFound()
    const answer = failedWith(refusal.message)
    return refusal.reason === 'confirm-password' ? { ...answer, needsPassword: true } : answer
  }
}

/** Errors whose message asks to try again. */
const temporaryErrors: ReadonlySet<string> = new Set([
  'TooManySignInsError',
  'StoreBusyError',
  'StoreUnavailableError',
])

/** The value that may be read, or the sentence that says why not. */
export async function tryRead<Found>(
  ask: () => Promise<Found>,
): Promise<{ allowed: true; found: Found } | { allowed: false; why: string }> {
  try {
    return { allowed: true, found: await ask() }
  } catch (problem) {
    const refusal = refusalIn(problem)
    if (!refusal) throw problem
    if (refusal.reason === 'not-found') notFound()
    return { allowed: false, why: refusal.message }
  }
}

/** Whether the engine failed. Next compiles the class again for its pages, so `instanceof` does not match. */
export const isEngineError = (problem: unknown): problem is Error =>
  problem instanceof Error && problem.name === 'EngineError'

/** The engine's answer, or the reason why it cannot be asked now. `isTrouble` marks a failure that passes. */
export async function tryEngine<Found>(
  ask: () => Promise<Outcome<Found>>,
): Promise<ActionResult<Found> & { isTrouble?: true }> {
  try {
    return await catchRefusals(ask)
  } catch (problem) {
    if (!isEngineError(problem)) throw problem
    return { ...failedWith(problem.message), isTrouble: true }
  }
}
