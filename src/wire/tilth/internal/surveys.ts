import type { Json, Properties } from '#events/event'
import { mainEnvironment } from '#flags/flag'
import { answersInForm, honeypotField } from '#surveys/answers/form-submission'
import type { AnswerOutcome, AnswerRefusal } from '#surveys/answers/survey-answers'
import { acceptedLanguages } from '#surveys/run/language'
import { ownSheet } from '#surveys/run/survey-sheet'
import { wordsFor } from '#surveys/run/words'
import type { Survey } from '#surveys/survey'
import { decodeJsonBody, decodeTextBody, isProperties } from '../../decode-body'
import type { ResolvedProject, WireRequest, WireResponse, WireServices } from '../../dialect'
import { idOf, requestingHost } from '../../internal/read-identity'
import { droppedHeader, jsonResponse } from '../../internal/responses'
import { textField } from '../../read-fields'
import {
  findProjectForPage,
  noPersonChanges,
  retryLaterResponse,
  trackerEnvelope,
  trackerEvent,
} from '../../internal/tracker-events'
import { optedOutIn } from '../events'
import { refuseUnknownProject } from '../refusals'
import { sameOriginVisitor } from './visitor-cookie'

/** The largest submission: ten thousand characters for each of many open questions. */
const maxSubmissionBytes = 256 * 1024

/** Answers with the surveys that are running for this visitor, in the visitor's language. */
export async function respondWithSurveys(
  request: WireRequest,
  services: WireServices,
): Promise<WireResponse> {
  const { query, headers } = request
  const key = query.get('key') ?? undefined
  const project = findProject(key, undefined, request, services)
  if (!project) return refuseUnknownProject(services, key, requestingHost(request) || undefined)
  const { surveyAnswers } = services
  const wanted = query.get('lang')?.split(',') ?? acceptedLanguages(headers['accept-language'])
  const running = surveyAnswers
    .runningSurveys(project.id)
    .filter(({ placement }) => placement.kind !== 'hosted')
  const eligible = await eligibleSurveys(running, { request, project, services })
  const surveys = eligible.map((survey) => surveyAnswers.publicSurvey(survey, wanted))
  return jsonResponse(200, {
    surveys: surveys.map((survey) => ({
      ...survey,
      words: wordsFor(survey.language ?? wanted[0] ?? ''),
      sheet: ownSheet(survey),
    })),
  })
}

interface Asking {
  request: WireRequest
  project: ResolvedProject
  services: WireServices
}

/** Surveys whose flags are on for this visitor. Conditions on the person are never sent. */
async function eligibleSurveys(
  surveys: readonly Survey[],
  { request, project, services }: Asking,
): Promise<Survey[]> {
  const { surveyAnswers } = services
  const keys = [...new Set(surveys.flatMap((survey) => surveyAnswers.flagsOf(survey).map(({ key }) => key)))]
  if (keys.length === 0) return [...surveys]
  const { decisions } = await services.decide({
    environment: project.environment ?? mainEnvironment,
    distinctId: request.query.get('distinct_id') || sameOriginVisitor(request),
    deviceId: undefined,
    anonymousId: undefined,
    groups: {},
    person: {},
    groupProperties: {},
    keys,
    contexts: undefined,
    host: requestingHost(request),
    mayLocate: true,
    envelope: trackerEnvelope(request, project, { dialect: 'tilth' }),
  })
  const values = new Map(decisions.map(({ flag, value }) => [flag.key, value]))
  return surveys.filter((survey) => surveyAnswers.isFor(survey, (key) => values.get(key)))
}

function findProject(
  key: string | undefined,
  url: string | undefined,
  request: WireRequest,
  services: WireServices,
): ResolvedProject | undefined {
  if (key !== undefined) return services.findProject(key)
  return url === undefined
    ? services.findProjectByHost(requestingHost(request))
    : findProjectForPage(services, [], url)
}

/** Takes answers as JSON, or as a form with the fields that our own pages draw. */
export async function receiveSurveyAnswers(
  request: WireRequest,
  services: WireServices,
): Promise<WireResponse> {
  if (request.parsedBody || request.body.length > maxSubmissionBytes) {
    services.noteRefusal({ dialect: 'tilth', reason: 'too-large' })
    return refusalResponse(413, 'These answers are larger than 256 kB. Shorten the texts.')
  }
  const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
  return isForm ? await receiveForm(request, services) : await receiveJson(request, services)
}

async function receiveJson(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  if (!body.read || !isProperties(body.what)) {
    services.noteRefusal({ dialect: 'tilth', reason: 'unreadable' })
    return refusalResponse(400, body.read ? 'Send an object with "answers".' : body.detail)
  }
  const fields = body.what
  const [key, url] = [textField(fields, 'key'), textField(fields, 'url')]
  const project = findProject(key, url, request, services)
  if (!project) return refuseUnknownProject(services, key, url)
  const outcome = await services.surveyAnswers.take(
    project.id,
    request.parts['id'] ?? '',
    fields,
    senderOf(request),
  )
  return await record(outcome, { request, project, services }, fields)
}

async function receiveForm(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const text = decodeTextBody(request)
  if (!text.read) return refusalResponse(400, text.detail)
  const form = new URLSearchParams(text.what)
  const project = findProject(form.get('key') ?? undefined, undefined, request, services)
  if (!project) return refuseUnknownProject(services, form.get('key') ?? undefined, undefined)
  const survey = services.surveyAnswers.find(project.id, request.parts['id'] ?? '')
  if (form.get(honeypotField)) {
    noteSurveyRefusal(services, project, 'A program filled in the field that is out of sight.')
    // a program gets the answer of a success
    return jsonResponse(200, { taken: true })
  }
  const answers = survey ? answersInForm(survey.content, form) : {}
  const url = request.headers.referer?.slice(0, 2000)
  const input = { answers, isComplete: true, ...(url && { url }) }
  const outcome = await services.surveyAnswers.take(
    project.id,
    request.parts['id'] ?? '',
    input,
    senderOf(request),
  )
  return await record(outcome, { request, project, services }, {})
}

const senderOf = ({ address, headers }: WireRequest) => ({
  address,
  language: acceptedLanguages(headers['accept-language'])[0],
})

/** Refused answers are counted where dropped events are. */
const noteSurveyRefusal = (services: WireServices, { id }: ResolvedProject, problem: string): void =>
  services.noteRefusal({ dialect: 'tilth', reason: 'survey-answers', named: problem, projectId: id })

const refusalStatus: Record<AnswerRefusal, number> = {
  'no-access': 403,
  unknown: 404,
  closed: 409,
  full: 409,
  invalid: 422,
  'too-often': 429,
}

const refusalResponse = (
  status: number,
  problem: string,
  problems: Readonly<Record<string, string>> = {},
): WireResponse =>
  jsonResponse(status, { taken: false, problem, problems }, status === 429 ? { 'retry-after': '600' } : {})

/** Sends the event of a right submission on its ordinary way, for the visitor as the page's script knows them. */
async function record(
  outcome: AnswerOutcome,
  { request, project, services }: Asking,
  fields: Properties,
): Promise<WireResponse> {
  if (!outcome.taken) {
    const { reason, problem, problems } = outcome
    noteSurveyRefusal(services, project, problem)
    return refusalResponse(refusalStatus[reason], problem, problems)
  }
  const { event, card, content, survey } = outcome
  const distinctId = outcome.person ?? (idOf(fields['distinctId']) || sameOriginVisitor(request)) ?? undefined
  const incoming = trackerEvent({
    name: event.name,
    distinctId,
    properties: { ...event.properties, $lib: 'tilth' },
    person: { ...noPersonChanges, set: event.set },
  })
  const envelope = trackerEnvelope(request, project, { dialect: 'tilth', hasCheckedAnswers: true })
  const optedOut = envelope.optedOut || optedOutIn(fields)
  const receipt = await services.accept([incoming], { ...envelope, optedOut })
  if (!receipt.taken) {
    await outcome.giveBack()
    return retryLaterResponse(receipt)
  }
  const endCard = content.endCards.find(({ id }) => id === card)
  const submissionId: Json | undefined = event.properties['$survey_submission_id']
  return jsonResponse(
    200,
    {
      taken: true,
      submissionId,
      ...(card !== undefined && { endCard: card }),
      confirmation: endCard?.header || wordsFor(languageOf(event.properties)).thanks,
      survey: survey.id,
    },
    droppedHeader(receipt),
  )
}

const languageOf = ({ $survey_language: language }: Properties): string =>
  typeof language === 'string' ? language : ''
