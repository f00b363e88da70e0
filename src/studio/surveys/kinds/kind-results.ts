import type { QuestionKind } from '#surveys/question'
import { multipleChoice, singleChoice } from './choice/result'
import { consent } from './consent/result'
import { contact } from './contact/result'
import { date } from './date/result'
import type { KindResult } from './kind-result'
import { link } from './link/result'
import { matrix } from './matrix/result'
import { open } from './open/result'
import { picture } from './picture/result'
import { ranking } from './ranking/result'
import { rating } from './rating/result'
import { statement } from './statement/result'

const results = {
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
} satisfies { [Kind in QuestionKind]: KindResult<Kind> }

/** The results of all kinds of questions. */
export const kindResults: Readonly<Record<QuestionKind, KindResult<QuestionKind>>> =
  // an entry takes questions of its kind, with which alone it is looked up
  results as Record<QuestionKind, KindResult<QuestionKind>>
