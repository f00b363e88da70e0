import type { QuestionKind } from '../question'
import { multipleChoice, singleChoice } from './choice/choice'
import { consent } from './consent/consent'
import { contact } from './contact/contact'
import { date } from './date/date'
import { link } from './link/link'
import { matrix } from './matrix/matrix'
import { open } from './open/open'
import { picture } from './picture/picture'
import type { QuestionDefinition } from './internal/question-definition'
import { ranking } from './ranking/ranking'
import { rating } from './rating/rating'
import { statement } from './statement/statement'

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
