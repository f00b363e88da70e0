import type { Project } from '#projects/project'
import type { Answers } from '#surveys/question'
import type { PublicSurvey } from '#surveys/run/public-survey'
import { element } from '#surveys/run/element'
import { escapeHtml } from '#surveys/run/recall'
import { surveyHtml } from '#surveys/run/survey-html'
import { surveySheet } from '#surveys/run/survey-sheet'
import type { SurveySession } from '#surveys/run/session'
import { wordsFor } from '#surveys/run/words'
import type { Survey } from '#surveys/survey'
import { cachedPagePolicy, securityHeaders } from '#http/security-headers'
import type { Exchange } from '#http/trusted-request'
import { writeAccessProof } from '#surveys/answers/access-proof'
import { type StateSigner, type SurveyPageState, writeState } from './survey-page-state'

interface ShownSurvey {
  survey: Survey
  shown: PublicSurvey
  project: Pick<Project, 'writeKey'>
}

interface SurveyMoment {
  state: SurveyPageState
  sign: StateSigner
  session: SurveySession
  problem?: string | undefined
  /** Answers of the address; a script sends them once the page is seen. */
  prefilled: Answers
}

/** Sends the page of a survey: whole without a script, and taken over by one. */
export function sendSurveyPage(
  { request, response, trustedRequest }: Exchange,
  { survey, shown, project }: ShownSurvey,
  moment: SurveyMoment,
): void {
  const sheet = pageRules + surveySheet(shown)
  const framedBy = survey.hostedPage.mayBeEmbedded ? ['*'] : []
  const policy = cachedPagePolicy({ styles: [sheet], framedBy, images: ['https:'] })
  const page = pageHtml({ sheet, shown, project, moment, path: trustedRequest.path })
  response.writeHead(moment.problem === undefined ? 200 : 422, {
    ...securityHeaders,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'x-robots-tag': 'noindex',
    // an address may carry a link’s token; without any referrer, browsers send forms from the origin “null”
    'referrer-policy': 'same-origin',
    'content-length': Buffer.byteLength(page),
  })
  response.end(request.method === 'HEAD' ? undefined : page)
}

const pageRules = `:root{color-scheme:light}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;box-sizing:border-box;background:#f4f2ee}
main{width:100%}
.tilth-survey{margin-inline:auto}
`

interface Page {
  sheet: string
  shown: PublicSurvey
  project: Pick<Project, 'writeKey'>
  moment: SurveyMoment
  path: string
}

function pageHtml({ sheet, shown, project, moment, path }: Page): string {
  const { session, state, problem } = moment
  const words = wordsFor(shown.language ?? state.language ?? '')
  const survey = surveyHtml({
    survey: shown,
    session,
    words,
    fields: state.fields,
    problem,
    form: { action: path, hidden: { state: writeState(state, moment.sign) } },
    backUrl: state.back,
  })
  const head =
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
    element('title', {}, escapeHtml(shown.name)) +
    `<style>${sheet}</style>`
  // a page of an answer goes on without the script, as it began
  const isFirst = state.path.length === 0 && problem === undefined && session.screen.kind !== 'end'
  const script = isFirst
    ? settingsHtml({ shown, project, moment }) +
      '<script type="module" src="/_tilth/part-survey-form.js"></script>'
    : ''
  const main = element(
    'main',
    { 'data-tilth-survey-form': true },
    element('h1', { class: 'tilth-survey-unseen', hidden: true }, escapeHtml(shown.name)),
    element('div', {}, survey),
    script,
  )
  return `<!doctype html>${element('html', { lang: shown.language ?? 'en' }, element('head', {}, head), element('body', {}, main))}`
}

/** What the script needs; in JSON, `<` is written so that it ends no element. */
function settingsHtml({
  shown,
  project,
  moment: { state, prefilled },
}: Pick<Page, 'shown' | 'project' | 'moment'>): string {
  const settings = {
    survey: { ...shown, words: wordsFor(shown.language ?? state.language ?? '') },
    fields: state.fields,
    prefilled,
    endpoint: `/_tilth/surveys/${shown.id}/answers`,
    key: project.writeKey,
    proof: writeAccessProof({ pin: state.proof, link: state.link }),
    distinctId: state.distinctId,
    sendsPrefilled: shown.content.sendsPartialAnswers,
  }
  return `<script type="application/json">${JSON.stringify(settings).replaceAll('<', String.raw`\u003c`)}</script>`
}
