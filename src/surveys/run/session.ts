import { stepAfter } from '../flow'
import type { Answer, Answers } from '../question'
import type { SurveyContent } from '../survey'

export type SurveyScreenNow =
  | { kind: 'intro' }
  | { kind: 'question'; index: number }
  | { kind: 'end'; card: string | undefined }

/** One person's way through a survey. The content is in the language that is shown. */
export interface SurveySession {
  screen: SurveyScreenNow
  answers: Answers
  /** The questions that led here, in order, as their indexes; the one that is shown is not among them. */
  path: readonly number[]
}

type SessionContent = Pick<SurveyContent, 'questions' | 'endCards' | 'intro' | 'allowsGoingBack'>

const firstQuestion = ({ questions }: SessionContent): SurveyScreenNow =>
  questions.length === 0 ? { kind: 'end', card: undefined } : { kind: 'question', index: 0 }

/** Begins at the intro where there is one. Answers from an address are kept until their question is shown. */
export const beginSession = (content: SessionContent, prefilled: Answers = {}): SurveySession => ({
  screen: content.intro ? { kind: 'intro' } : firstQuestion(content),
  answers: prefilled,
  path: [],
})

export const leaveIntro = (content: SessionContent, session: SurveySession): SurveySession => ({
  ...session,
  screen: firstQuestion(content),
})

/** Records the answer to the question that is shown and goes on. An undefined answer is none, as after a statement. */
export function answerQuestion(
  content: SessionContent,
  session: SurveySession,
  answer: Answer | undefined,
): SurveySession {
  if (session.screen.kind !== 'question') return session
  const { index } = session.screen
  const question = content.questions[index]
  if (!question) return session
  const answers = { ...session.answers, ...(answer !== undefined && { [question.id]: answer }) }
  const path = [...session.path, index]
  const step = stepAfter(content, index, answers)
  // a loop that an old version held must not go round for ever
  const isLoop = step.kind === 'question' && path.includes(step.index)
  return { screen: isLoop ? { kind: 'end', card: undefined } : step, answers, path }
}

export const mayGoBack = (content: SessionContent, { screen, path }: SurveySession): boolean =>
  content.allowsGoingBack && screen.kind === 'question' && path.length > 0

export function goBack(content: SessionContent, session: SurveySession): SurveySession {
  const index = session.path.at(-1)
  if (index === undefined || !mayGoBack(content, session)) return session
  return { ...session, screen: { kind: 'question', index }, path: session.path.slice(0, -1) }
}

/** The answers of the questions on the path; those of a path that was left are pruned. */
export function answersOnPath({ questions }: SessionContent, { answers, path }: SurveySession): Answers {
  const ids = path.flatMap((index) => questions[index]?.id ?? [])
  return Object.fromEntries(
    ids.flatMap((id) => {
      const answer = answers[id]
      return answer === undefined ? [] : [[id, answer]]
    }),
  )
}

/** Walks the survey with answers that are known. Stops at the first question of the path that has none. */
export function replayAnswers(content: SessionContent, answers: Answers): SurveySession {
  let session = leaveIntro(content, beginSession(content, answers))
  for (;;) {
    if (session.screen.kind !== 'question') return session
    const question = content.questions[session.screen.index]
    if (!question || (question.kind !== 'statement' && !(question.id in answers))) return session
    session = answerQuestion(content, session, answers[question.id])
  }
}

/**
 * The questions in the order of one session. They keep their order where the order has a meaning: with branches, and
 * where partial answers may be resumed.
 */
export function shuffleQuestions<Content extends SurveyContent>(
  content: Content,
  random: () => number,
): Content {
  const branches = content.questions.some(({ branching }) => branching.kind !== 'next')
  if (!content.shufflesQuestions || content.sendsPartialAnswers || branches) return content
  return { ...content, questions: shuffled(content.questions, random) }
}

/** Every order is equally likely. */
export function shuffled<Item>(list: readonly Item[], random: () => number): Item[] {
  const rest = [...list]
  return list.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1))
}
