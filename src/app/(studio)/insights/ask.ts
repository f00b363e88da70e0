import type { MemberViewer } from '../../../projects/access'
import type { Outcome } from '../../../projects/problems'
import type { AskOptions, Answered } from '../../../insights/ask'
import { getProduct } from '../../product'
import { type Answer, notDone } from '../answer'
import { answering } from '../refusals'

/** The answer to a question, or why there is none: one to be mended, or trouble that passes. */
export async function askFor(
  projectId: number,
  question: unknown,
  viewer: MemberViewer,
  options: AskOptions = {},
): Promise<Answer<Answered> & { isTrouble?: true }> {
  try {
    return await answering(() => getProduct().insights.ask(projectId, question, viewer, options))
  } catch (problem) {
    // Next compiled the class anew for its pages, so `instanceof` would not know the product's own
    if (!(problem instanceof Error) || problem.name !== 'EngineError') throw problem
    return { ...notDone(problem.message), isTrouble: true }
  }
}

/** A question as its kind reads it, or what is wrong with it. */
export const readFor = (question: unknown): Outcome<{ question: object }> =>
  getProduct().insights.read(question)
