import { kindOfQuestion } from '../../../insights/charts'
import type { MemberViewer } from '../../../projects/access'
import { getProduct } from '../../product'
import { readFor } from './ask'
import { kindWords, wordsFor } from './kinds'
import type { KindQuestion } from './use-asking'

interface Start {
  question: KindQuestion
  /** What was wrong with what the address asked. */
  problem?: string
}

/** What the address asks; where that makes no sense, what its kind usually asks, and why. */
export async function startFor(
  projectId: number,
  { asked, kind }: { asked: unknown; kind: string | undefined },
  viewer: MemberViewer,
): Promise<Start> {
  const outcome = asked === undefined ? undefined : readFor(asked)
  if (outcome?.done) return { question: ofKind(outcome.question) }
  const wanted = kind ?? (isObject(asked) ? kindOfQuestion(asked) : '')
  const start = wordsFor(wanted).start ?? kindWords.trend?.start
  const question = usual(start?.(await customEvent(projectId, viewer)))
  return { question, problem: outcome?.problems.map(({ message }) => message).join(' ') }
}

const isObject = (asked: unknown): asked is object => typeof asked === 'object' && asked !== null

function usual(start: unknown): KindQuestion {
  const outcome = readFor(start)
  if (!outcome.done) throw new Error(`The usual question is none: ${JSON.stringify(outcome.problems)}`)
  return ofKind(outcome.question)
}

/** What this product itself tells of most often; null where it tells nothing, or nobody can say now. */
async function customEvent(projectId: number, viewer: MemberViewer): Promise<string | null> {
  try {
    const events = await getProduct().names.events(projectId, viewer)
    return events.find(({ name }) => !name.startsWith('$'))?.name ?? null
  } catch (problem) {
    if (problem instanceof Error && problem.name === 'EngineError') return null
    throw problem
  }
}

/** What a kind has read says which kind it was. */
export const ofKind = (question: object) => question as KindQuestion
