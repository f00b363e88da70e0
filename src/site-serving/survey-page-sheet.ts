import type { Site } from '#posts/site'
import { accentsOf, pageBackgrounds } from '#posts/site-accents'
import { surveyElementId } from '#surveys/run/survey-html'
import type { PublicSurvey } from '#surveys/run/public-survey'
import { surveyVariables } from '#surveys/survey-styles'
import { defaultAppearance } from '#surveys/survey'

type Look = Pick<Site, 'accent' | 'accentDark' | 'appearance' | 'typeface'>

const defaultLook = { accent: '#1f6f4a', accentDark: '', appearance: 'system', typeface: 'sans' } as const

/** The page around a survey, in the colours of the project's site. */
export function surveyPageSheet(
  survey: Pick<PublicSurvey, 'id' | 'content'>,
  site: Look = defaultLook,
): string {
  const dark = darkRules(survey, site)
  const inDark = {
    light: '',
    dark,
    system: `@media (prefers-color-scheme:dark){${dark}}`,
  }[site.appearance]
  return `${pageRules}:root{color-scheme:light;--page:${pageBackgrounds.light};--ink:#1d1b17}
body{font-family:${site.typeface === 'serif' ? 'Georgia,serif' : 'system-ui,sans-serif'}}
${inDark}`
}

/** On wide windows the survey is a card in the upper half; on narrow ones it fills the page. */
const pageRules = `
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--page);color:var(--ink)}
body>header{box-sizing:border-box;width:100%;max-width:42rem;margin:0 auto;padding:1.5rem 1rem 0;font-size:1.125rem;font-weight:600}
body>header a{display:inline-flex;align-items:center;min-height:2.75rem;color:inherit;text-decoration:none}
body>header a:hover{text-decoration:underline}
body>header a:focus-visible{outline:2px solid currentcolor;outline-offset:4px;border-radius:4px}
body>header img{display:block;max-width:12rem;object-fit:contain}
main{box-sizing:border-box;width:100%;max-width:42rem;margin:0 auto;padding:1.5rem 1rem 4rem}
main .tilth-survey{max-width:none;font-size:1.0625rem}
main .tilth-survey h2,main .tilth-survey .legend{font-size:1.375rem;line-height:1.3}
main .tilth-survey .legend{margin-bottom:.75rem}
.unseen{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.test{margin:0 0 1rem;padding:.625rem .875rem;border:1px dashed currentcolor;border-radius:8px;font-size:.9375rem}
@media (min-width:40rem){
main{padding-block:clamp(1.5rem,8vh,5rem)}
main .tilth-survey form,main .tilth-survey .screen{padding:2rem;gap:1.5rem}
main .tilth-survey progress{width:calc(100% - 4rem);margin:1.5rem 2rem -.5rem}
}
@media (max-width:30rem){
body>header{padding-inline:1.25rem}
main{padding-inline:0}
main .test{margin-inline:1rem}
main .tilth-survey{border-width:1px 0;border-radius:0}
}
`

const darkSurvey = {
  backgroundColor: '#1d1c19',
  textColor: '#efece5',
  ratingColor: '#2a2824',
  borderColor: '#5c574e',
  inputBackground: '#141311',
} as const

/** A survey whose colours are chosen keeps them; the usual ones, and those of the site, become dark. */
function darkRules(
  { id, content: { appearance } }: Pick<PublicSurvey, 'id' | 'content'>,
  site: Look,
): string {
  const { light, onDark, dark } = accentsOf(site)
  const accented = [defaultAppearance.buttonColor, light]
  const usual = Object.keys(darkSurvey) as (keyof typeof darkSurvey)[]
  const isUsual =
    usual.every((name) => appearance[name] === defaultAppearance[name]) &&
    accented.includes(appearance.buttonColor)
  const variables = surveyVariables({
    ...appearance,
    ...darkSurvey,
    buttonColor: dark,
    buttonTextColor: onDark,
    ratingActiveColor: dark,
  })
  const survey = Object.entries(variables).map(([name, value]) => `${name}:${value}`)
  const page = `:root{color-scheme:dark;--page:${pageBackgrounds.dark};--ink:${darkSurvey.textColor}}`
  return page + (isUsual ? `main #${surveyElementId(id)}{color-scheme:dark;${survey.join(';')}}` : '')
}
