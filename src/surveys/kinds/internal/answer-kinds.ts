import type { QuestionKind } from '../../question'
import type { AnswerDefinition } from './answer-definition'
import { multipleChoice, singleChoice } from '../choice/answers'
import { consent } from '../consent/answers'
import { contact } from '../contact/answers'
import { date } from '../date/answers'
import { link } from '../link/answers'
import { matrix } from '../matrix/answers'
import { open } from '../open/answers'
import { picture } from '../picture/answers'
import { ranking } from '../ranking/answers'
import { rating } from '../rating/answers'
import { statement } from '../statement/answers'

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
} satisfies { [Kind in QuestionKind]: AnswerDefinition<Kind> }

/** The answers to all kinds of questions. */
export const answerKinds: Readonly<Record<QuestionKind, AnswerDefinition<QuestionKind>>> =
  // an entry takes questions of its kind, with which alone it is looked up
  definitions as Record<QuestionKind, AnswerDefinition<QuestionKind>>
