import { kindOfQuestion } from '#insights/chart/charts'
import type { MemberViewer } from '#projects/access'
import { getProduct } from '../../product'
import { readQuestion } from './ask'
import { kindLabels, labelsFor } from './kinds'
import type { KindQuestion } from './use-question-draft'

interface StartingQuestion {
  question: KindQuestion
  /** What was wrong with what the address asked. */
  problem?: string
}

/** Returns the question in the address; if it is invalid, the kind's default and the reason. */
export async function startingQuestion(
  projectId: number,
  { asked, kind }: { asked: unknown; kind: string | undefined },
  viewer: MemberViewer,
): Promise<StartingQuestion> {
  const outcome = asked === undefined ? undefined : readQuestion(asked)
  if (outcome?.done) return { question: ofKind(outcome.question) }
  const startingKind = kind ?? (isObject(asked) ? kindOfQuestion(asked) : '')
  const start = labelsFor(startingKind).start ?? kindLabels.trend?.start
  const question = defaultQuestion(start?.(await customEvent(projectId, viewer)))
  return { question, problem: outcome?.problems.map(({ message }) => message).join(' ') }
}

const isObject = (asked: unknown): asked is object => typeof asked === 'object' && asked !== null

function defaultQuestion(start: unknown): KindQuestion {
  const outcome = readQuestion(start)
  if (!outcome.done) throw new Error(`The usual question is none: ${JSON.stringify(outcome.problems)}`)
  return ofKind(outcome.question)
}

/** The project's most frequent custom event; null if it sends none or the engine is unavailable. */
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
