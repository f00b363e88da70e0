import type { Answer, QuestionKind, QuestionOf } from '../../question'
import { choiceBranchKey } from '../choice/choice'
import { consentBranchKey } from '../consent/consent'
import { ratingBranchKey } from '../rating/rating'

type AnswerKey<Kind extends QuestionKind> = (
  question: QuestionOf<Kind>,
  answer: Answer | undefined,
  texts: readonly string[],
) => string | undefined

const keys: { readonly [Kind in QuestionKind]?: AnswerKey<Kind> } = {
  rating: ratingBranchKey,
  'single-choice': choiceBranchKey,
  picture: choiceBranchKey,
  consent: consentBranchKey,
}

/**
 * Finds the branch of an answer, for each kind that has `branches`. These are apart from the other rules of a kind: the
 * widget follows branches without loading what draws rare kinds.
 */
export const answerKeys: Readonly<Partial<Record<QuestionKind, AnswerKey<QuestionKind>>>> =
  // an entry takes questions of its kind, with which alone it is looked up
  keys as Partial<Record<QuestionKind, AnswerKey<QuestionKind>>>
