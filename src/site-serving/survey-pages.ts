import type { IncomingMessage } from 'node:http'
import type { IncomingEvent } from '#events/event'
import { parseVisitorCookie } from '#ingest/cookies'
import { mayBeIdentified } from '#ingest/request-visitor'
import type { IngestRules } from '#ingest/settings'
import { newUuid } from '#ingest/uuid'
import type { Site } from '#posts/site'
import { operator } from '#projects/access'
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
import { languageOfWords, wordsFor } from '#surveys/run/words'
import { testParameter } from '#surveys/links/survey-link'
import type { Survey } from '#surveys/survey'
import { visitEvent } from '#visits/views'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'
import type { RequestBody } from '#http/body'
import { answerRefused, type ErrorPage, refusedPages } from '#http/error-page'
import type { Product } from '#server/product'
import { openRateLimiter, type RateLimiter } from '#world/rate-limiter'
import type { Exchange } from '#http/trusted-request'
import { formEnvelope } from './internal/form-envelope'
import { type PageAccess, pageAccess } from './internal/survey-page-access'
import { sendPinPage, sendSurveyPage } from './internal/survey-page-html'
import { readState, sessionOf, type StateSigner, type SurveyPageState } from './internal/survey-page-state'

/** The path of hosted surveys, followed by the survey's id. */
const surveysPath = '/s'

interface SurveyPageIntake extends Pick<WireServices, 'acceptTogether' | 'noteRefusal'> {
  context: { world: World; rulesOf: (projectId: number) => Pick<IngestRules, 'optOut'> }
}

export interface SurveyPageDependencies {
  surveyAnswers: Pick<
    SurveyAnswers,
    | 'closedSentence'
    | 'publicSurvey'
    | 'take'
    | 'checkLink'
    | 'signature'
    | 'proofOfPage'
    | 'isTestKey'
    | 'submissionOf'
  >
  /** Finds a survey by its id, with its project. */
  surveyWithId: (id: string) => { survey: Survey; project: Project } | undefined
  intake: SurveyPageIntake
  /** The site of a project, whose name, logo and colours its pages have; undefined where it is switched off. */
  siteOf: (projectId: number) => Site | undefined
  /** Whether this network may try another PIN of the survey. */
  mayTryPin: RateLimiter
}

/** PINs are short: ten tries in a quarter of an hour. */
export const openPinRateLimiter = (): RateLimiter => openRateLimiter({ limit: 10, windowMs: 15 * 60_000 })

const surveyReader = operator('survey pages')

/** The dependencies of survey pages in a product that collects events. */
export const surveyPagesOf = (
  { projects, surveys, posts }: Pick<Product, 'projects' | 'surveys' | 'posts'>,
  intake: SurveyPageIntake,
  mayTryPin: RateLimiter,
): SurveyPageDependencies => ({
  surveyAnswers: surveys.answers,
  intake,
  mayTryPin,
  siteOf(projectId) {
    const site = posts.published.site(projectId)
    return site?.isOn ? site : undefined
  },
  surveyWithId(id) {
    for (const project of projects.list(surveyReader)) {
      const survey = surveys.published.find(project.id, id)
      if (survey) return { survey, project }
    }
    return undefined
  },
})

interface OpenSurvey extends PageAccess {
  survey: Survey
  shown: PublicSurvey
  /** The language of the words around the questions. */
  words: string
  site: Site | undefined
  project: Project
  query: URLSearchParams
  world: World
  intake: SurveyPageIntake
}

/** A request for the page of a survey, before it is known whether the sender may see it. */
interface SurveyRequest {
  exchange: Exchange
  dependencies: SurveyPageDependencies
  intake: SurveyPageIntake
  found: { survey: Survey; project: Project }
  form: URLSearchParams | undefined
  state: SurveyPageState | undefined
  query: URLSearchParams
  /** The languages of the sender, the most wanted first. */
  languages: readonly string[]
  /** The key of a test, where the sender has it. */
  test: string | undefined
}

/** Answers the page of a survey. Opening it records nothing: programs open the links of letters too. */
export async function answerSurveyPage(
  exchange: Exchange,
  body: RequestBody,
  dependencies: SurveyPageDependencies,
): Promise<void> {
  const { request, response, trustedRequest } = exchange
  const found = dependencies.surveyWithId(trustedRequest.path.slice(surveysPath.length + 1))
  const form = request.method === 'POST' ? await formIn(request, body) : undefined
  const state = readState(form?.get('state') ?? null, signerOf(dependencies))
  const query = new URLSearchParams(request.url?.slice(trustedRequest.path.length + 1))
  const languages = languagesOf(query, state, request)
  if (!found) return answerRefused(request, response, gonePage(languages))
  const key = state?.test ?? query.get(testParameter) ?? undefined
  const test = dependencies.surveyAnswers.isTestKey(found.survey, key) ? key : undefined
  const { intake } = dependencies
  await openPage({ exchange, dependencies, intake, found, form, state, query, languages, test })
}

async function openPage(siteRequest: SurveyRequest): Promise<void> {
  const { exchange, dependencies, intake, found, form, state, query, languages, test } = siteRequest
  const { request, response } = exchange
  const { survey } = found
  const closed = closedPage(siteRequest)
  if (closed) return answerRefused(request, response, closed)
  const [preferred = ''] = languages
  const [words, language] = [wordsFor(preferred), languageOfWords(preferred)]
  const { world } = intake.context
  const access =
    test === undefined
      ? await pageAccess(survey, { ...dependencies, exchange, form, state, query, world, words, language })
      : { proof: undefined, link: undefined, test }
  const shown = dependencies.surveyAnswers.publicSurvey(survey, languages)
  const site = dependencies.siteOf(found.project.id)
  if ('asksPin' in access) return sendPinPage(exchange, { survey, shown, words, language, site }, access)
  if ('title' in access) {
    if (state) noteRefusal(intake, survey, access.advice || access.title)
    return answerRefused(request, response, access)
  }
  const open: OpenSurvey = {
    ...found,
    ...access,
    shown,
    words: shown.language ?? preferred,
    site,
    query,
    world,
    intake,
  }
  await showOrTake(exchange, open, { form, state, dependencies })
}

/** The page of a survey that takes no answers of this sender; undefined for one that does. */
function closedPage({
  dependencies: { surveyAnswers },
  intake,
  found: { survey },
  form,
  state,
  languages,
  test,
}: SurveyRequest): ErrorPage | undefined {
  if (test !== undefined) return undefined
  const closed = surveyAnswers.closedSentence(survey, state?.submissionId, languages[0])
  if (closed === undefined && isReachable(survey, form)) return undefined
  const page = gonePage(languages)
  if (form) noteRefusal(intake, survey, closed ?? page.title)
  return page
}

/** Returns the same page for surveys that never were and those that are over. */
function gonePage([preferred = '']: readonly string[]): ErrorPage {
  const { gone, goneAdvice } = wordsFor(preferred)
  return { status: 404, title: gone, advice: goneAdvice, language: languageOfWords(preferred) }
}

/** Refused answers are counted where dropped events are. */
function noteRefusal(intake: SurveyPageIntake, { projectId }: Survey, problem: string): void {
  intake.noteRefusal({ dialect: 'site', reason: 'survey-answers', named: problem, projectId })
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
  const known = current ?? begunState(exchange, open, { form, dependencies })
  const isAnswer = form && (current !== undefined || form.has('begin'))
  if (isAnswer) return await answerForm(exchange, open, { form, state: known, dependencies })
  const session = sessionOf(known, open.shown.content)
  sendSurveyPage(exchange, open, {
    state: known,
    sign: signerOf(dependencies),
    proofOfPage: dependencies.surveyAnswers.proofOfPage(open.survey),
    session,
    prefilled: known.answers,
  })
}

const signerOf =
  ({ surveyAnswers }: SurveyPageDependencies): StateSigner =>
  (text) =>
    surveyAnswers.signature(text)

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
  open: OpenSurvey,
  { form, dependencies: { surveyAnswers } }: Pick<ShownForm, 'form' | 'dependencies'>,
): SurveyPageState {
  const { survey, shown, query, world, proof, link, test } = open
  const { content, version } = shown
  const answers = prefillFrom(query, content.questions)
  const distinctId = link ? undefined : query.get('distinct_id')?.slice(0, 200) || undefined
  const person = distinctId ?? (Object.keys(answers).length > 0 ? visitorOf(exchange, open) : undefined)
  const own = person === undefined ? undefined : surveyAnswers.submissionOf(survey, person)
  const back = form?.has('begin') ? backUrl(exchange.request.headers.referer, exchange) : undefined
  return {
    answers: asStored(answers),
    path: [],
    at: content.intro ? -1 : 0,
    submissionId: link?.submissionId ?? own ?? newUuid(world),
    isOwn: own !== undefined,
    fields: hiddenFieldsFrom(withQueryOf(back, query), content.hiddenFields),
    version,
    language: open.words,
    distinctId,
    proof,
    link: link?.token,
    test,
    back,
  }
}

/** A survey in a post has hidden fields of the post's address too; its own address counts before. */
const withQueryOf = (page: string | undefined, query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query, ...(URL.parse(page ?? '', 'http://site')?.searchParams ?? [])])

/** The visitor by the site's cookie. */
function visitorOf(exchange: Exchange, { survey, world, intake }: OpenSurvey): string | undefined {
  const envelope = formEnvelope(exchange, survey.projectId, world.now())
  return mayBeIdentified(envelope, intake.context)
    ? parseVisitorCookie(exchange.request.headers.cookie)
    : undefined
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
  const { content } = open.shown
  const before = sessionOf(state, content)
  const show = (session: SurveySession, problem?: string): void =>
    sendSurveyPage(exchange, open, {
      state: { ...state, ...stateOf(session), proof: open.proof },
      sign: signerOf(sent.dependencies),
      proofOfPage: sent.dependencies.surveyAnswers.proofOfPage(open.survey),
      session,
      problem,
      prefilled: {},
    })
  if (before.screen.kind === 'intro') return show(leaveIntro(content, before))
  const question = before.screen.kind === 'question' ? content.questions[before.screen.index] : undefined
  if (form.get('go') === 'back' || !question) return show(goBack(content, before))
  const answer = answerFromForm(question, form)
  const problem = answerProblem(question, answer, wordsFor(open.words))
  if (problem !== undefined)
    return show({ ...before, answers: { ...before.answers, [question.id]: answer ?? '' } }, problem)
  const session = answerQuestion(content, before, answer)
  const isProgram = Boolean(form.get(honeypotField))
  if (isProgram) noteRefusal(open.intake, open.survey, 'A program filled in the field that is out of sight.')
  // a program gets the page of a success
  const refusal = isProgram ? undefined : await record(exchange, open, { ...sent, session })
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
    proof: writeAccessProof({
      page: dependencies.surveyAnswers.proofOfPage(survey),
      pin: proof,
      link: link?.token,
      test: state.test,
    }),
    url: urlOf(exchange, state),
  }
  const submissions = [
    ...(state.path.length === 0 ? [{ ...common, event: 'shown' }] : []),
    ...(isComplete || shown.content.sendsPartialAnswers
      ? [{ ...common, answers: answersOnPath(shown.content, session), isComplete, fields: state.fields }]
      : []),
  ]
  const sender = { address: exchange.trustedRequest.client, language: open.words }
  const outcomes: AnswerOutcome[] = []
  for (const submission of submissions)
    outcomes.push(await dependencies.surveyAnswers.take(survey.projectId, survey.id, submission, sender))
  const refused = outcomes.find((outcome) => !outcome.taken)
  if (refused && !refused.taken) {
    noteRefusal(intake, survey, refused.problem)
    return refusedPage(refused, open.words)
  }
  const envelope = {
    ...formEnvelope(exchange, survey.projectId, open.world.now()),
    hasCheckedAnswers: true,
  }
  const events = outcomes.flatMap((outcome) =>
    outcome.taken ? surveyEvent(outcome, { exchange, open, state }) : [],
  )
  const receipt = await intake.acceptTogether([{ events, envelope }])
  if (receipt.taken) return undefined
  for (const outcome of outcomes) if (outcome.taken) await outcome.giveBack()
  return unavailablePage
}

const urlOf = ({ trustedRequest: { protocol, host, path } }: Exchange, { back }: SurveyPageState): string =>
  `${protocol}://${host}${back ?? path}`

const refusedPage = (
  { reason, problem }: Extract<AnswerOutcome, { taken: false }>,
  language: string,
): ErrorPage => ({
  ...(reason === 'too-often' ? { status: 429, headers: { 'retry-after': '600' } } : refusedPages[400]),
  title: wordsFor(language).notTaken,
  advice: problem,
  language: languageOfWords(language),
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
}

/** Makes the event for the visitor as the site's views are counted, or for the person that the link was made for. */
function surveyEvent(
  { event, person }: Extract<AnswerOutcome, { taken: true }>,
  { exchange, open, state }: EventContext,
): IncomingEvent {
  const visitor = person ?? state.distinctId ?? visitorOf(exchange, open)
  const visit = visitor === undefined ? { visitor: '', isCookieless: true } : { visitor, isCookieless: false }
  const recorded = visitEvent(visit, event.name, newUuid(open.world), event.properties)
  return { ...recorded, person: { ...recorded.person, set: event.set } }
}
