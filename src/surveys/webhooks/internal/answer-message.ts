import type { EventColumns, Json } from '#events/event'
import { questionOf, responsePrefix } from '../../internal/response-names'
import type { SurveyContent, SurveyVersion } from '../../survey'

/** An answer of one submission, as a webhook gets it. */
interface WebhookAnswer {
  id: string
  question: string
  answer: Json
}

/** The contents of a submission so far. */
export interface SubmissionContent {
  isComplete: boolean
  answeredAt: string
  language: string | undefined
  version: number | undefined
  /** Absent for visitors without a lasting id. */
  distinctId: string | undefined
  answers: readonly WebhookAnswer[]
  /** The number of answers that a message leaves out, because the survey has no such questions. */
  leftOut?: number
}

/** A stored event about a survey. Its properties are texts, nested values are JSON. */
export interface AnswerEventRow {
  projectId: number
  uuid: string
  at: Date
  distinctId: string
  isCookieless: boolean
  columns: Partial<Pick<EventColumns, 'traffic'>>
  properties: Readonly<Record<string, string>>
}

export const surveyOf = ({ properties }: Pick<AnswerEventRow, 'properties'>): string =>
  properties['$survey_id'] ?? ''

/** Events of old SDKs have no id: each is a submission of its own, named as results name it. */
export const submissionOf = ({ properties, uuid }: AnswerEventRow): string =>
  properties['$survey_submission_id'] || `event:${uuid}`

export function contentOf({ at, distinctId, isCookieless, properties }: AnswerEventRow): SubmissionContent {
  const version = Number(properties['$survey_version'])
  return {
    isComplete: properties['$survey_completed'] !== 'false',
    answeredAt: at.toISOString(),
    language: properties['$survey_language'] || undefined,
    version: version > 0 ? version : undefined,
    distinctId: isCookieless ? undefined : distinctId,
    answers: answersIn(properties),
  }
}

/** The latest answer to each question that is not empty. */
export function mergedContent(before: SubmissionContent, next: SubmissionContent): SubmissionContent {
  const answers = new Map([...before.answers, ...next.answers].map((one) => [one.id, one]))
  return { ...next, isComplete: before.isComplete || next.isComplete, answers: [...answers.values()] }
}

/**
 * Takes the texts of the questions from the survey, the version of the submission first: anyone may send events, and a
 * message goes out in the name of this Tilth. Answers to questions that no version has are left out.
 */
export function withStoredQuestions(
  content: SubmissionContent,
  { content: current }: { content: SurveyContent },
  versions: readonly SurveyVersion[],
): SubmissionContent {
  const named = versions.find(({ version }) => version === content.version)?.content
  const contents = [...(named ? [named] : []), current, ...versions.map((one) => one.content).toReversed()]
  const answers = content.answers.flatMap((answer) => {
    const name = responsePrefix + (answer.id === '' ? '' : `_${answer.id}`)
    for (const { questions } of contents) {
      const asked = questionOf(name, questions)
      if (asked) return [{ ...answer, question: asked.text }]
    }
    return []
  })
  return { ...content, answers, leftOut: content.answers.length - answers.length }
}

/** Says how many answers a message leaves out; undefined if it has all. */
export const leftOutNote = ({ leftOut = 0 }: Pick<SubmissionContent, 'leftOut'>): string | undefined =>
  leftOut === 0
    ? undefined
    : leftOut === 1
      ? 'One answer is left out: the survey has no such question.'
      : `${leftOut} answers are left out: the survey has no such questions.`

function answersIn(properties: Readonly<Record<string, string>>): WebhookAnswer[] {
  const named = questionsIn(properties['$survey_questions'] ?? '')
  if (named.length > 0) return named
  return Object.entries(properties).flatMap(([name, answer]) =>
    name.startsWith(responsePrefix) && answer !== ''
      ? [{ id: name.slice(responsePrefix.length).replace(/^_/, ''), question: '', answer }]
      : [],
  )
}

/** SDKs before 2025 send texts of questions alone. */
function questionsIn(json: string): WebhookAnswer[] {
  const list = parsed(json)
  if (!Array.isArray(list)) return []
  return list.flatMap((one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return []
    const { id, question, response } = one
    if (typeof id !== 'string' || response === undefined || response === null || response === '') return []
    return [{ id, question: typeof question === 'string' ? question : '', answer: response }]
  })
}

function parsed(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json // JSON.parse returns JSON
  } catch {
    return undefined
  }
}

interface MessageContext {
  kind: 'survey.answered' | 'survey.test'
  survey: { id: string; name: string }
  project: { slug: string; name: string }
  submission: string
  /** The address of the response in the studio. */
  url: string
}

/** The JSON body of a webhook: fields for programs, and `text` for chat services, which show only that. */
export function messageBody(content: SubmissionContent, context: MessageContext): string {
  const { isComplete, answeredAt, language, version, distinctId, answers, leftOut = 0 } = content
  const { kind, survey, project, submission, url } = context
  return JSON.stringify({
    type: kind,
    timestamp: answeredAt,
    text: textOf(content, context),
    survey: { ...survey, ...(version !== undefined && { version }) },
    project,
    submission: { id: submission, isComplete, answeredAt, ...(language !== undefined && { language }), url },
    person: distinctId === undefined ? null : { distinctId },
    answers,
    ...(leftOut > 0 && { leftOut }),
  })
}

/**
 * The body of an incoming webhook of Slack's, which takes nothing but its own fields. What visitors wrote must neither
 * call a channel (`<!channel>`) nor hide an address behind words.
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export const slackBody = (content: SubmissionContent, context: MessageContext): string =>
  JSON.stringify({ text: escapeForSlack(textOf(content, context)), unfurl_links: false, unfurl_media: false })

export const isSlack = (url: string): boolean => {
  const host = URL.parse(url)?.hostname ?? ''
  return host === 'hooks.slack.com' || host === 'hooks.slack-gov.com'
}

const escapeForSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function textOf(content: SubmissionContent, { survey, url }: MessageContext): string {
  const { isComplete, answers } = content
  const lines = answers.map(({ id, question, answer }) => `${question || id}: ${inWords(answer)}`)
  const first = `“${survey.name}” was answered${isComplete ? '' : ' in part'}. ${url}`
  return [first, ...lines, leftOutNote(content)].filter((line) => line !== undefined).join('\n')
}

/** The path of a response in the studio. */
export const responsePath = (project: string, survey: string, submission: string): string =>
  `/studio/${project}/surveys/${survey}/response?id=${encodeURIComponent(submission)}`

/** Lists as words; contacts and tables by their fields. */
export function inWords(answer: Json): string {
  if (Array.isArray(answer)) return answer.map(inWords).join(', ')
  if (typeof answer !== 'object' || answer === null) return String(answer)
  return Object.entries(answer)
    .map(([name, value]) => `${name}: ${inWords(value)}`)
    .join('; ')
}
