import type { Site } from '#posts/site'
import type { Project } from '#projects/project'
import type { Answers } from '#surveys/question'
import type { PublicSurvey } from '#surveys/run/public-survey'
import { element } from '#surveys/run/element'
import { escapeHtml } from '#surveys/run/recall'
import { endCardOf, redirectOf, surveyElementId, surveyHtml } from '#surveys/run/survey-html'
import { surveySheet } from '#surveys/run/survey-sheet'
import type { SurveySession } from '#surveys/run/session'
import { isRightToLeft, languageOfWords, type SurveyWords, wordsFor } from '#surveys/run/words'
import type { Survey } from '#surveys/survey'
import { cachedPagePolicy, securityHeaders } from '#http/security-headers'
import type { Exchange } from '#http/trusted-request'
import { writeAccessProof } from '#surveys/answers/access-proof'
import { surveyPageSheet } from './survey-page-sheet'
import { type StateSigner, type SurveyPageState, writeState } from './survey-page-state'

interface ShownSurvey {
  survey: Survey
  shown: PublicSurvey
  /** The language of the words around the questions. */
  words: string
  site: Site | undefined
  project: Pick<Project, 'writeKey'>
}

interface SurveyMoment {
  state: SurveyPageState
  sign: StateSigner
  /** Shows the endpoint for answers that this page was opened. */
  proofOfPage: string
  session: SurveySession
  problem?: string | undefined
  /** Answers of the address; a script sends them once the page is seen. */
  prefilled: Answers
}

/** Sends the page of a survey: whole without a script, and taken over by one. */
export function sendSurveyPage(
  { request, response, trustedRequest }: Exchange,
  { survey, ...shownSurvey }: ShownSurvey,
  moment: SurveyMoment,
): void {
  const { shown, site } = shownSurvey
  const sheet = surveySheet(shown) + surveyPageSheet(shown, site)
  const page = pageHtml({ ...shownSurvey, sheet, moment, path: trustedRequest.path })
  sendPage({ request, response }, { status: moment.problem === undefined ? 200 : 422, survey, sheet, page })
}

interface PinPage {
  survey: Survey
  shown: PublicSurvey
  words: SurveyWords
  /** The language of the words. */
  language: string
  site: Site | undefined
}

/** Sends the page that asks for the PIN, without anything of the survey but its colours. */
export function sendPinPage(
  { request, response }: Exchange,
  { survey, shown, words, language, site }: PinPage,
  { problem }: { problem: string | undefined },
): void {
  const sheet = surveySheet(shown) + surveyPageSheet(shown, site)
  const problemId = 'problem.pin'
  const form = element(
    'form',
    { method: 'post' },
    element('h1', { class: 'legend' }, escapeHtml(words.pinNeeded)),
    element('p', { class: 'description' }, escapeHtml(words.pinAdvice)),
    element(
      'label',
      {},
      'PIN',
      element('input', {
        class: 'text',
        name: 'pin',
        required: true,
        autocomplete: 'one-time-code',
        'aria-describedby': problem !== undefined && problemId,
      }),
    ),
    problem === undefined
      ? ''
      : element('p', { id: problemId, class: 'problem', role: 'alert' }, escapeHtml(problem)),
    element(
      'div',
      { class: 'buttons' },
      element('button', { type: 'submit', class: 'button' }, escapeHtml(words.pinOpen)),
    ),
  )
  const box = element('div', { class: 'tilth-survey', id: surveyElementId(shown.id) }, form)
  const page = documentHtml({
    language,
    isRightToLeft: isRightToLeft(language),
    head: headHtml(words.pinNeeded, sheet),
    body: brandHtml(site) + element('main', {}, box),
  })
  sendPage({ request, response }, { status: problem === undefined ? 200 : 403, survey, sheet, page })
}

interface SentPage {
  status: number
  survey: Survey
  sheet: string
  page: string
}

function sendPage(
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  { status, survey, sheet, page }: SentPage,
): void {
  const framedBy = survey.hostedPage.mayBeEmbedded ? ['*'] : []
  response.writeHead(status, {
    ...securityHeaders,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': cachedPagePolicy({ styles: [sheet], framedBy, images: ['https:'] }),
    'x-robots-tag': 'noindex',
    // an address may carry a link’s token; without any referrer, browsers send forms from the origin “null”
    'referrer-policy': 'same-origin',
    'content-length': Buffer.byteLength(page),
  })
  response.end(request.method === 'HEAD' ? undefined : page)
}

const headHtml = (title: string, sheet: string): string =>
  '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
  element('title', {}, escapeHtml(title)) +
  `<style>${sheet}</style>`

interface Document {
  language: string
  isRightToLeft: boolean
  head: string
  body: string
}

const documentHtml = ({ language, isRightToLeft: isReversed, head, body }: Document): string =>
  `<!doctype html>${element(
    'html',
    { lang: language, dir: isReversed && 'rtl' },
    element('head', {}, head),
    element('body', {}, body),
  )}`

interface Page extends Omit<ShownSurvey, 'survey'> {
  sheet: string
  moment: SurveyMoment
  path: string
}

function pageHtml(page: Page): string {
  const { sheet, shown, moment, path, site } = page
  const { session, state, problem } = moment
  const words = wordsFor(page.words)
  const language = shown.language ?? languageOfWords(page.words)
  const survey = surveyHtml({
    survey: shown,
    session,
    words,
    fields: state.fields,
    problem,
    form: { action: path, hidden: { state: writeState(state, moment.sign) } },
    backUrl: state.back,
  })
  // a page of an answer goes on without the script, as it began
  const isFirst = state.path.length === 0 && problem === undefined && session.screen.kind !== 'end'
  const script = isFirst
    ? settingsHtml(page) + '<script type="module" src="/_tilth/part-survey-form.js"></script>'
    : ''
  const main = element(
    'main',
    { 'data-tilth-survey-form': true },
    element('h1', { class: 'unseen' }, escapeHtml(shown.name)),
    state.test === undefined ? '' : element('p', { class: 'test' }, escapeHtml(words.isTest)),
    element('div', {}, survey),
    script,
  )
  return documentHtml({
    language,
    // texts that no translation is of may be in any language: the survey itself follows them
    isRightToLeft: shown.language !== undefined && isRightToLeft(shown.language),
    head: redirectHtml(shown, session) + headHtml(shown.name, sheet),
    body: brandHtml(site) + main,
  })
}

/** The project's logo or name. */
const brandHtml = (site: Site | undefined): string =>
  site
    ? element(
        'header',
        {},
        element(
          'a',
          { href: site.origin },
          site.logo ? element('img', { src: site.logo, alt: site.name, height: 32 }) : escapeHtml(site.name),
        ),
      )
    : ''

/** Leads on from the end without a script. The answer of a form may not redirect to another site. */
function redirectHtml({ content }: PublicSurvey, { screen }: SurveySession): string {
  const card = screen.kind === 'end' ? endCardOf(content, screen.card) : undefined
  const address = card && redirectOf(card)
  return address === undefined ? '' : `<meta http-equiv="refresh" content="0;url=${escapeHtml(address)}">`
}

/** Returns the settings of the script; in JSON, `<` is written so that it ends no element. */
function settingsHtml({ shown, project, words, moment }: Page): string {
  const { state, prefilled, proofOfPage } = moment
  const { proof: pin, link, test } = state
  const settings = {
    survey: { ...shown, words: wordsFor(words) },
    fields: state.fields,
    prefilled,
    endpoint: `/_tilth/surveys/${shown.id}/answers`,
    key: project.writeKey,
    proof: writeAccessProof({ page: proofOfPage, pin, link, test }),
    distinctId: state.distinctId,
    submissionId: state.isOwn ? state.submissionId : undefined,
    sendsPrefilled: shown.content.sendsPartialAnswers,
  }
  return `<script type="application/json">${JSON.stringify(settings).replaceAll('<', String.raw`\u003c`)}</script>`
}
