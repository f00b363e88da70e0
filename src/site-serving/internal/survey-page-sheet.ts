import { defaultSite, type Site } from '#posts/site'
import { pageBackgrounds } from '#posts/site-accents'
import { darkSurveySheet, inDark, type SurveyLook } from '#posts/survey-look'
import type { PublicSurvey } from '#surveys/run/public-survey'

type Look = SurveyLook & Pick<Site, 'typeface'>

/** The page around a survey, in the colours of the project's site. */
export function surveyPageSheet(
  survey: Pick<PublicSurvey, 'id' | 'content'>,
  site: Look = defaultSite,
): string {
  const dark = `:root{color-scheme:dark;--page:${pageBackgrounds.dark};--ink:#efece5}`
  return `${pageRules}:root{color-scheme:light;--page:${pageBackgrounds.light};--ink:#1d1b17}
body{font-family:${site.typeface === 'serif' ? 'Georgia,serif' : 'system-ui,sans-serif'}}
${inDark(dark, site)}${darkSurveySheet(survey, site)}`
}

/** The rules of the page. On wide windows the survey is a card in the upper half; on narrow ones it fills the page. */
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
