import type { ComponentType } from 'react'
import type { QuestionKind, QuestionOf, SurveyQuestion } from '#surveys/question'
import { ChoiceFields } from './choice/Fields'
import { ConsentFields } from './consent/Fields'
import { ContactFields } from './contact/Fields'
import { DateFields } from './date/Fields'
import { LinkFields } from './link/Fields'
import { MatrixFields } from './matrix/Fields'
import { OpenFields } from './open/Fields'
import { PictureFields } from './picture/Fields'
import { RankingFields } from './ranking/Fields'
import { RatingFields } from './rating/Fields'

type FieldsOf<Question> = ComponentType<{ question: Question }> | undefined

const fields = {
  open: OpenFields,
  rating: RatingFields,
  'single-choice': ChoiceFields,
  'multiple-choice': ChoiceFields,
  link: LinkFields,
  ranking: RankingFields,
  matrix: MatrixFields,
  picture: PictureFields,
  date: DateFields,
  contact: ContactFields,
  consent: ConsentFields,
  statement: undefined,
} satisfies { [Kind in QuestionKind]: FieldsOf<QuestionOf<Kind>> }

/** The fields in the builder that only questions of a kind have; undefined for kinds without any. */
export const kindFields: Readonly<Record<QuestionKind, FieldsOf<SurveyQuestion>>> =
  // an entry takes questions of its kind, with which alone it is looked up
  fields as Record<QuestionKind, FieldsOf<SurveyQuestion>>
