import { stepAfter } from '../flow'
import type { Answer, Answers, SurveyQuestion } from '../question'
import type { PublicContent } from './public-survey'

type SurveyScreenNow =
  | { kind: 'intro' }
  | { kind: 'question'; index: number }
  | { kind: 'end'; card: string | undefined }

/** A person's way through a survey. The content is in the language that is shown. */
export interface SurveySession {
  screen: SurveyScreenNow
  answers: Answers
  /** The questions that led here, in order, as their indexes; the one that is shown is not among them. */
  path: readonly number[]
}

type SessionContent = Pick<PublicContent, 'questions' | 'endCards' | 'intro' | 'allowsGoingBack'>

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
 * The questions and choices in the order of one session. Questions keep their order where it has a meaning: with
 * branches, and where partial answers may be resumed. The choice that takes a typed text stays the last.
 */
export function arrangeContent<Content extends PublicContent>(
  content: Content,
  random: () => number,
): Content {
  const questions = content.questions.map((question) => arrangeChoices(question, random))
  const branches = questions.some(({ branching }) => branching.kind !== 'next')
  const isShuffled = content.shufflesQuestions && !content.sendsPartialAnswers && !branches
  return { ...content, questions: isShuffled ? shuffled(questions, random) : questions }
}

function arrangeChoices(question: SurveyQuestion, random: () => number): SurveyQuestion {
  if (!('shufflesChoices' in question) || !question.shufflesChoices) return question
  const { choices, hasOther } = question
  const last = hasOther ? choices.slice(-1) : []
  return { ...question, choices: [...shuffled(hasOther ? choices.slice(0, -1) : choices, random), ...last] }
}

/** Every order is equally likely. */
function shuffled<Item>(list: readonly Item[], random: () => number): Item[] {
  const rest = [...list]
  return list.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1))
}
