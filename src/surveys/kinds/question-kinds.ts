import type { QuestionKind } from '../question'
import { multipleChoice, singleChoice } from './internal/choice/question'
import { consent } from './internal/consent/question'
import { contact } from './internal/contact/question'
import { date } from './internal/date/question'
import { link } from './internal/link/question'
import { matrix } from './internal/matrix/question'
import { open } from './internal/open/question'
import { picture } from './internal/picture/question'
import type { QuestionDefinition } from './internal/question-definition'
import { ranking } from './internal/ranking/question'
import { rating } from './internal/rating/question'
import { statement } from './internal/statement/question'

type QuestionDefinitions = { readonly [Kind in QuestionKind]: QuestionDefinition<Kind> }

const definitions = {
  open,
  rating,
  'single-choice': singleChoice,
  'multiple-choice': multipleChoice,
  link,
  ranking,
  matrix,
  picture,
  date,
  contact,
  consent,
  statement,
} satisfies QuestionDefinitions

/** All kinds of questions, in the order in which they are offered. */
export const questionKinds: Readonly<Record<QuestionKind, QuestionDefinition<QuestionKind>>> =
  // an entry takes questions of its kind, with which alone it is looked up
  definitions as Record<QuestionKind, QuestionDefinition<QuestionKind>>
