import { answerKeys } from './kinds/internal/answer-keys'
import { questionKinds } from './kinds/question-kinds'
import type { Answer, Answers, Branch, SurveyQuestion } from './question'
import type { SurveyContent } from './survey'

/** The next screen of a survey after an answer. */
type FlowStep = { kind: 'question'; index: number } | { kind: 'end'; card: string | undefined }

type Flow = Pick<SurveyContent, 'questions' | 'endCards'>

/** The keys that a question's `by-answer` branches may have; none for kinds that cannot branch by answer. */
export const branchKeys = (question: SurveyQuestion): string[] =>
  (questionKinds[question.kind].branches?.(question) ?? []).map(({ key }) => key)

/** The key of an answer among `branchKeys`. `texts` are the choices in the language that was shown. */
export function branchKey(
  question: SurveyQuestion,
  answer: Answer | undefined,
  texts: readonly string[] = [],
): string | undefined {
  return answerKeys[question.kind]?.(question, answer, texts)
}

const endOf = ({ endCards }: Flow, card?: string): FlowStep => ({
  kind: 'end',
  card: card ?? endCards[0]?.id,
})

function follow(flow: Flow, index: number, branch: Branch): FlowStep {
  if (branch.kind === 'end') return endOf(flow, branch.card)
  const next =
    branch.kind === 'next' ? index + 1 : flow.questions.findIndex(({ id }) => id === branch.question)
  return flow.questions[next] ? { kind: 'question', index: next } : endOf(flow)
}

/** The step after the question at `index`, once `answers` holds its answer. */
export function stepAfter(flow: Flow, index: number, answers: Answers, texts?: readonly string[]): FlowStep {
  const question = flow.questions[index]
  if (!question) return endOf(flow)
  const { branching } = question
  if (branching.kind !== 'by-answer') return follow(flow, index, branching)
  const key = branchKey(question, answers[question.id], texts)
  return follow(flow, index, (key === undefined ? undefined : branching.branches[key]) ?? { kind: 'next' })
}

/** All steps that may follow the question at `index`, whatever is answered. */
function possibleSteps(flow: Flow, index: number): FlowStep[] {
  const question = flow.questions[index]
  if (!question) return [endOf(flow)]
  const { branching } = question
  if (branching.kind !== 'by-answer') return [follow(flow, index, branching)]
  const keys = branchKeys(question)
  // an optional question may be left empty, which no key names
  const hasOpenKey = !question.isRequired || keys.some((key) => !branching.branches[key])
  const branches = keys.flatMap((key) => branching.branches[key] ?? [])
  return [...branches, ...(hasOpenKey ? [{ kind: 'next' } as const] : [])].map((branch) =>
    follow(flow, index, branch),
  )
}

export interface FlowProblem {
  question: string
  problem: 'end-unreachable' | 'never-shown' | 'loops'
}

/**
 * Finds questions from which the end cannot be reached, questions that no path reaches, and questions that a path
 * leads back to: posthog-js goes round such a loop for ever.
 */
export function flowProblems(flow: Flow): FlowProblem[] {
  const steps = flow.questions.map((_, index) =>
    possibleSteps(flow, index).map((step) => (step.kind === 'end' ? 'end' : step.index)),
  )
  const reached = reachableFrom(0, steps)
  return flow.questions.flatMap(({ id }, index): FlowProblem[] => {
    if (!reached.has(index)) return [{ question: id, problem: 'never-shown' }]
    const after = new Set((steps[index] ?? []).flatMap((step) => [...reachableFrom(step, steps)]))
    if (!after.has('end')) return [{ question: id, problem: 'end-unreachable' }]
    return after.has(index) ? [{ question: id, problem: 'loops' }] : []
  })
}

function reachableFrom(start: number | 'end', steps: readonly (number | 'end')[][]): Set<number | 'end'> {
  const reached = new Set<number | 'end'>([start])
  for (const step of reached) {
    if (step !== 'end') for (const next of steps[step] ?? []) reached.add(next)
  }
  return reached
}
