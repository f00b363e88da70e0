import { commonRules, rareRules, surveyScheme, surveyVariables } from '../survey-styles'
import { commonKinds } from '../kinds/common-kinds'
import type { PublicSurvey } from './public-survey'
import { surveyElementId } from './survey-html'

type StyledSurvey = Pick<PublicSurvey, 'id' | 'content'>

/** The styles of a survey: those of the kinds of questions that it has, and its own. */
export function surveySheet(survey: StyledSurvey): string {
  const hasRareKind = survey.content.questions.some(({ kind }) => !(kind in commonKinds))
  return commonRules + (hasRareKind ? rareRules : '') + ownSheet(survey)
}

/** Returns the styles of one survey: its colors, font and radius. */
export function ownSheet({ id, content: { appearance } }: StyledSurvey): string {
  const variables = Object.entries(surveyVariables(appearance)).map(([name, value]) => `${name}:${value}`)
  return `#${surveyElementId(id)}{${surveyScheme('light')};${variables.join(';')}}`
}
