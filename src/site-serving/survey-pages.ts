import type { IncomingMessage } from 'node:http'
import type { Envelope, IncomingEvent } from '#events/event'
import { parseVisitorCookie } from '#ingest/cookies'
import { mayBeIdentified } from '#ingest/request-visitor'
import type { IngestRules } from '#ingest/settings'
import { newUuid } from '#ingest/uuid'
import type { Project } from '#projects/project'
import { writeAccessProof } from '#surveys/answers/access-proof'
import { honeypotField } from '#surveys/answers/form-submission'
import type { AnswerOutcome, SurveyAnswers } from '#surveys/answers/survey-answers'
import { answerFromForm } from '#surveys/run/answer-from-form'
import { answerProblem } from '#surveys/run/check-answer'
import { acceptedLanguages } from '#surveys/run/language'
import { hiddenFieldsFrom, prefillFrom } from '#surveys/run/prefill'
import type { PublicSurvey } from '#surveys/run/public-survey'
import { answerQuestion, answersOnPath, goBack, leaveIntro, type SurveySession } from '#surveys/run/session'
import { wordsFor } from '#surveys/run/words'
import type { Survey } from '#surveys/survey'
import { visitEvent } from '#visits/views'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'
import type { RequestBody } from '#http/body'
import { answerRefused, type ErrorPage, refusedPages } from '#http/error-page'
import { refuse } from '#http/refusals'
import type { RateLimiter } from '#http/rate-limiter'
import type { Exchange } from '#http/trusted-request'
import { formEnvelope } from './form-envelope'
import { type PageAccess, pageAccess } from './survey-page-access'
import { sendSurveyPage } from './survey-page-html'
import { readState, sessionOf, type StateSigner, type SurveyPageState } from './survey-page-state'

/** The path of hosted surveys, followed by the survey's id. */
const surveysPath = '/s'

/** The largest body of a form with all answers so far. */
export const maxSurveyFormBytes = 256 * 1024

export interface SurveyPageDependencies {
  surveyAnswers: Pick<SurveyAnswers, 'closedSentence' | 'publicSurvey' | 'take' | 'checkLink' | 'signature'>
  /** Finds a survey by its id, with its project. */
  surveyWithId: (id: string) => { survey: Survey; project: Project } | undefined
  intake:
    | (Pick<WireServices, 'acceptTogether' | 'noteRefusal'> & {
        context: { world: World; rulesOf: (projectId: number) => Pick<IngestRules, 'optOut'> }
      })
    | undefined
  /** Whether this network may try another PIN of the survey. */
  mayTryPin: RateLimiter
}

interface OpenSurvey extends PageAccess {
  survey: Survey
  shown: PublicSurvey
  project: Project
  query: URLSearchParams
  world: World
  intake: NonNullable<SurveyPageDependencies['intake']>
}

/** Answers the page of a survey. Opening it records nothing: programs open the links of letters too. */
export async function answerSurveyPage(
  exchange: Exchange,
  body: RequestBody,
  dependencies: SurveyPageDependencies | undefined,
): Promise<void> {
  const { request, response, trustedRequest } = exchange
  if (!dependencies?.intake) return refuse(request, response, 'starting', 'page')
  const found = dependencies.surveyWithId(trustedRequest.path.slice(surveysPath.length + 1))
  const form = request.method === 'POST' ? await formIn(request, body) : undefined
  const sign = signerOf(dependencies)
  const state = readState(form?.get('state') ?? null, sign)
  const closed = found && dependencies.surveyAnswers.closedSentence(found.survey, state?.submissionId)
  if (!found || closed !== undefined || !isReachable(found.survey, form))
    return answerRefused(request, response, gonePage)
  const query = new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1))
  const { world } = dependencies.intake.context
  const { surveyAnswers, mayTryPin } = dependencies
  const asked = { exchange, form, state, query, world, surveyAnswers, mayTryPin }
  const access = await pageAccess(found.survey, asked)
  if ('title' in access) return answerRefused(request, response, access)
  const languages = languagesOf(query, state, request)
  const shown = dependencies.surveyAnswers.publicSurvey(found.survey, languages)
  const open: OpenSurvey = { ...found, ...access, shown, query, world, intake: dependencies.intake }
  await showOrTake(exchange, open, { form, state, dependencies })
}

/** The form of a survey in a page or post is sent here without a script, whether or not the survey has a page of its own. */
const isReachable = ({ placement, hostedPage }: Survey, form: URLSearchParams | undefined): boolean =>
  hostedPage.isOpen || (placement.kind !== 'hosted' && form !== undefined)

interface ShownForm {
  form: URLSearchParams | undefined
  state: SurveyPageState | undefined
  dependencies: SurveyPageDependencies
}

async function showOrTake(
  exchange: Exchange,
  open: OpenSurvey,
  { form, state, dependencies }: ShownForm,
): Promise<void> {
  // the form of a page or post is the same for every visitor, and so carries no state
  const current = form?.has('begin') ? undefined : state
  const known = current ?? begunState(exchange, open, form)
  const isAnswer = form && (current !== undefined || form.has('begin'))
  if (isAnswer) return await answerForm(exchange, open, { form, state: known, dependencies })
  const session = sessionOf(known, open.shown.content)
  const sign = signerOf(dependencies)
  sendSurveyPage(exchange, open, { state: known, sign, session, prefilled: known.answers })
}

const signerOf =
  ({ surveyAnswers }: SurveyPageDependencies): StateSigner =>
  (text) =>
    surveyAnswers.signature(text)

/** The same for surveys that never were and those that are over. */
const gonePage: ErrorPage = {
  status: 404,
  title: 'This survey is not available',
  advice: 'It may have ended, or the link is incomplete. Thank you for your interest.',
}

async function formIn({ headers }: IncomingMessage, body: RequestBody): Promise<URLSearchParams | undefined> {
  if (!(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) return undefined
  return new URLSearchParams((await body.read()).toString())
}

const languagesOf = (
  query: URLSearchParams,
  state: SurveyPageState | undefined,
  { headers }: IncomingMessage,
): string[] => {
  const wanted = query.get('lang') ?? state?.language
  return wanted ? [wanted] : acceptedLanguages(headers['accept-language'])
}

/** The survey at its beginning, with what its address says about it. */
function begunState(
  exchange: Exchange,
  { shown: { content, version, language }, query, world, proof, link }: OpenSurvey,
  form: URLSearchParams | undefined,
): SurveyPageState {
  return {
    answers: asStored(prefillFrom(query, content.questions)),
    path: [],
    at: content.intro ? -1 : 0,
    submissionId: link?.submissionId ?? newUuid(world),
    fields: hiddenFieldsFrom(query, content.hiddenFields),
    version,
    language,
    distinctId: link ? undefined : query.get('distinct_id')?.slice(0, 200) || undefined,
    proof,
    link: link?.token,
    back: form?.has('begin') ? backUrl(exchange.request.headers.referer, exchange) : undefined,
  }
}

const asStored = (answers: SurveySession['answers']): SurveyPageState['answers'] =>
  // answers are read-only there and parsed here
  answers as SurveyPageState['answers']

/** A page of the same site. */
function backUrl(requested: string | undefined, { trustedRequest }: Exchange): string | undefined {
  const home = `${trustedRequest.protocol}://${trustedRequest.host}`
  const url = URL.parse(requested ?? '', home)
  return requested && url?.origin === home ? url.href.slice(home.length) : undefined
}

interface SentForm {
  form: URLSearchParams
  state: SurveyPageState
  dependencies: SurveyPageDependencies
}

async function answerForm(exchange: Exchange, open: OpenSurvey, sent: SentForm): Promise<void> {
  const { form, state } = sent
  const { content, language } = open.shown
  const before = sessionOf(state, content)
  const show = (session: SurveySession, problem?: string): void =>
    sendSurveyPage(exchange, open, {
      state: { ...state, ...stateOf(session), proof: open.proof },
      sign: signerOf(sent.dependencies),
      session,
      problem,
      prefilled: {},
    })
  if (before.screen.kind === 'intro') return show(leaveIntro(content, before))
  const question = before.screen.kind === 'question' ? content.questions[before.screen.index] : undefined
  if (form.get('go') === 'back' || !question) return show(goBack(content, before))
  const answer = answerFromForm(question, form)
  const problem = answerProblem(question, answer, wordsFor(language ?? state.language ?? ''))
  if (problem !== undefined)
    return show({ ...before, answers: { ...before.answers, [question.id]: answer ?? '' } }, problem)
  const session = answerQuestion(content, before, answer)
  // a program gets the page of a success
  const refusal = form.get(honeypotField) ? undefined : await record(exchange, open, { ...sent, session })
  if (refusal) answerRefused(exchange.request, exchange.response, refusal)
  else show(session)
}

const stateOf = ({
  answers,
  path,
  screen,
}: SurveySession): Pick<SurveyPageState, 'answers' | 'path' | 'at'> => ({
  answers: asStored(answers),
  path: [...path],
  at: screen.kind === 'question' ? screen.index : -1,
})

/** Records what one form brought: that the survey was seen, with the first, and answers when they are due. */
async function record(
  exchange: Exchange,
  open: OpenSurvey,
  { state, session, dependencies }: SentForm & { session: SurveySession },
): Promise<ErrorPage | undefined> {
  const { survey, shown, proof, link, intake } = open
  const isComplete = session.screen.kind === 'end'
  const common = {
    submissionId: state.submissionId,
    version: state.version,
    ...(shown.language !== undefined && { language: shown.language }),
    proof: writeAccessProof({ pin: proof, link: link?.token }),
    url: urlOf(exchange, state),
  }
  const submissions = [
    ...(state.path.length === 0 ? [{ ...common, event: 'shown' }] : []),
    ...(isComplete || shown.content.sendsPartialAnswers
      ? [{ ...common, answers: answersOnPath(shown.content, session), isComplete, fields: state.fields }]
      : []),
  ]
  const sender = { address: exchange.trustedRequest.client }
  const outcomes: AnswerOutcome[] = []
  for (const submission of submissions)
    outcomes.push(await dependencies.surveyAnswers.take(survey.projectId, survey.id, submission, sender))
  const refused = outcomes.find((outcome) => !outcome.taken)
  if (refused && !refused.taken) {
    const { projectId } = survey
    intake.noteRefusal({ dialect: 'site', reason: 'survey-answers', named: refused.problem, projectId })
    return refusedPage(refused)
  }
  const envelope = formEnvelope(exchange, survey.projectId, open.world.now())
  const events = outcomes.flatMap((outcome) =>
    outcome.taken ? surveyEvent(outcome, { exchange, open, state, envelope }) : [],
  )
  const receipt = await intake.acceptTogether([{ events, envelope }])
  if (receipt.taken) return undefined
  for (const outcome of outcomes) if (outcome.taken) await outcome.giveBack()
  return unavailablePage
}

const urlOf = ({ trustedRequest: { protocol, host, path } }: Exchange, { back }: SurveyPageState): string =>
  `${protocol}://${host}${back ?? path}`

const refusedPage = ({ reason, problem }: Extract<AnswerOutcome, { taken: false }>): ErrorPage => ({
  ...(reason === 'too-often' ? { status: 429, headers: { 'retry-after': '600' } } : refusedPages[400]),
  title: 'Your answers were not accepted',
  advice: problem,
})

const unavailablePage: ErrorPage = {
  status: 503,
  title: 'This cannot be sent right now',
  advice: 'Go back and try again in a moment.',
  headers: { 'retry-after': '5' },
}

interface EventContext {
  exchange: Exchange
  open: OpenSurvey
  state: SurveyPageState
  envelope: Envelope
}

/** For the visitor as the site's views are counted, or for the person that the link was made for. */
function surveyEvent(
  { event, person }: Extract<AnswerOutcome, { taken: true }>,
  { exchange, open, state, envelope }: EventContext,
): IncomingEvent {
  const visitor =
    person ??
    state.distinctId ??
    (mayBeIdentified(envelope, open.intake.context)
      ? parseVisitorCookie(exchange.request.headers.cookie)
      : undefined)
  const visit = visitor === undefined ? { visitor: '', isCookieless: true } : { visitor, isCookieless: false }
  const recorded = visitEvent(visit, event.name, newUuid(open.world), event.properties)
  return { ...recorded, person: { ...recorded.person, set: event.set } }
}
