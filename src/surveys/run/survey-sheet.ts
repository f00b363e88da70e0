import { commonRules, rareRules, surveyVariables } from '../survey-styles'
import { commonKinds } from './common-kinds'
import type { PublicSurvey } from './public-survey'
import { surveyElementId } from './survey-html'

type StyledSurvey = Pick<PublicSurvey, 'id' | 'content'>

/** The styles of a survey: those of the kinds of questions that it has, and its own. */
export function surveySheet(survey: StyledSurvey): string {
  const hasRareKind = survey.content.questions.some(({ kind }) => !(kind in commonKinds))
  return commonRules + (hasRareKind ? rareRules : '') + ownSheet(survey)
}

/** Returns a survey's own styles. Its CSS is nested in its element; CSS that could leave that is left out. */
export function ownSheet({ id, content: { appearance } }: StyledSurvey): string {
  const variables = Object.entries(surveyVariables(appearance)).map(([name, value]) => `${name}:${value}`)
  const selector = `#${surveyElementId(id)}`
  const own = isContained(appearance.css) ? `${selector}{${appearance.css}}` : ''
  return `${selector}{${variables.join(';')}}${own}`
}

/** Whether every brace is closed where it was opened, outside texts and comments, and nothing ends the element of the styles. */
function isContained(css: string): boolean {
  if (/<|@import|\\/i.test(css)) return false
  let depth = 0
  for (const sign of css.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)|"[^"\n]*"|'[^'\n]*'/g, '')) {
    if (sign === '{') depth++
    if (sign === '}' && --depth < 0) return false
    if (sign === '"' || sign === "'") return false
  }
  return depth === 0 && !/\/\*(?![\s\S]*\*\/)/.test(css)
}
