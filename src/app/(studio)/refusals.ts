import { refresh } from 'next/cache'
import { notFound } from 'next/navigation'
import type { MemberViewer, Refused } from '../../projects/access'
import type { Outcome } from '../../projects/problems'
import type { Product } from '../../server/product'
import { getProduct } from '../product'
import { requireViewer } from '../viewer'
import { type Answer, notDone } from './answer'
import { textIn } from './given'

/** Next compiled the class anew for its pages, so `instanceof` would not know the product's own. */
export function refusalIn(problem: unknown): Refused | undefined {
  // the name is set by that class alone
  return problem instanceof Error && problem.name === 'Refused' ? (problem as Refused) : undefined
}

/** Runs a change for whoever is signed in, says what became of it, and shows the page as it is afterwards. */
export async function changing<Done>(
  work: (product: Product, viewer: MemberViewer) => Promise<Outcome<Done>>,
): Promise<Answer<Done>> {
  const viewer = await requireViewer()
  const answer = await answering(() => work(getProduct(), viewer))
  if (answer.done) refresh()
  return answer
}

/** The same for a change within a project, which the address names. */
export async function changingProject<Done>(
  slug: unknown,
  work: (product: Product, projectId: number, viewer: MemberViewer) => Promise<Outcome<Done>>,
): Promise<Answer<Done>> {
  return await changing((product, viewer) =>
    work(product, product.projects.find(textIn(slug), viewer).id, viewer),
  )
}

/** Refusals and passing trouble become answers; whatever else is thrown is a surprise, and stays one. */
export async function answering<Done>(work: () => Promise<Outcome<Done>>): Promise<Answer<Done>> {
  try {
    return await work()
  } catch (problem) {
    if (problem instanceof Error && passing.has(problem.name)) return notDone(problem.message)
    const refusal = refusalIn(problem)
    if (!refusal) throw problem
    if (refusal.reason === 'not-found') notFound()
    const answer = notDone(refusal.message)
    return refusal.reason === 'confirm-password' ? { ...answer, needsPassword: true } : answer
  }
}

/** Errors whose message asks to try again. */
const passing: ReadonlySet<string> = new Set(['TooManySignIns', 'StoreBusy'])

/** What may be read, or the sentence that says why not. */
export async function reading<Found>(
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
