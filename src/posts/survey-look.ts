import type { PublicSurvey } from '#surveys/run/public-survey'
import { surveyElementId } from '#surveys/run/survey-html'
import { defaultAppearance } from '#surveys/survey'
import { surveyScheme, surveyVariables } from '#surveys/survey-styles'
import type { Site } from './site'
import { accentsOf } from './site-accents'

/** The settings of a site that decide the look of its surveys. */
export type SurveyLook = Pick<Site, 'accent' | 'accentDark' | 'appearance'>

/** Rules for where the site is dark. */
export const inDark = (rules: string, { appearance }: Pick<Site, 'appearance'>): string =>
  ({ light: '', dark: rules, system: `@media (prefers-color-scheme:dark){${rules}}` })[appearance]

const darkColours = {
  backgroundColor: '#1d1c19',
  textColor: '#efece5',
  ratingColor: '#2a2824',
  borderColor: '#5c574e',
  inputBackground: '#141311',
} as const
const darkNames = Object.keys(darkColours) as (keyof typeof darkColours)[]

/** A survey with the usual colours, or those of its site, becomes dark with it; one whose colours are chosen keeps them. */
export function darkSurveySheet(
  { id, content: { appearance } }: Pick<PublicSurvey, 'id' | 'content'>,
  site: SurveyLook,
): string {
  const { light, onDark, dark } = accentsOf(site)
  const isUsual =
    darkNames.every((name) => appearance[name] === defaultAppearance[name]) &&
    [defaultAppearance.buttonColor, light].includes(appearance.buttonColor)
  if (!isUsual) return ''
  const variables = surveyVariables({
    ...appearance,
    ...darkColours,
    buttonColor: dark,
    buttonTextColor: onDark,
    ratingActiveColor: dark,
  })
  const written = Object.entries(variables).map(([name, value]) => `${name}:${value}`)
  return inDark(`#${surveyElementId(id)}.tilth-survey{${surveyScheme('dark')};${written.join(';')}}`, site)
}
