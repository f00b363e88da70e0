import type { Json } from '#events/event'

/** An answer of one submission, as a webhook gets it. */
interface WebhookAnswer {
  id: string
  question: string
  answer: Json
}

/** What is known of a submission so far. */
export interface SubmissionContent {
  isComplete: boolean
  answeredAt: string
  language: string | undefined
  version: number | undefined
  /** Absent for visitors without a lasting id. */
  distinctId: string | undefined
  answers: readonly WebhookAnswer[]
}

/** A stored event about a survey. Its properties are texts, nested values are JSON. */
export interface AnswerEventRow {
  projectId: number
  uuid: string
  at: Date
  distinctId: string
  isCookieless: boolean
  properties: Readonly<Record<string, string>>
}

export const surveyOf = ({ properties }: Pick<AnswerEventRow, 'properties'>): string =>
  properties['$survey_id'] ?? ''

/** Events of old SDKs have no id: each is a submission of its own. */
export const submissionOf = ({ properties, uuid }: AnswerEventRow): string =>
  properties['$survey_submission_id'] || uuid

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

const prefix = '$survey_response'

function answersIn(properties: Readonly<Record<string, string>>): WebhookAnswer[] {
  const named = questionsIn(properties['$survey_questions'] ?? '')
  if (named.length > 0) return named
  return Object.entries(properties).flatMap(([name, answer]) =>
    name.startsWith(prefix) && answer !== ''
      ? [{ id: name.slice(prefix.length).replace(/^_/, ''), question: '', answer }]
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
    return JSON.parse(json) as Json // what JSON.parse returns is JSON
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
export function messageBody(
  { isComplete, answeredAt, language, version, distinctId, answers }: SubmissionContent,
  { kind, survey, project, submission, url }: MessageContext,
): string {
  const lines = answers.map(({ id, question, answer }) => `${question || id}: ${inWords(answer)}`)
  return JSON.stringify({
    type: kind,
    timestamp: answeredAt,
    text: [`“${survey.name}” was answered${isComplete ? '' : ' in part'}. ${url}`, ...lines].join('\n'),
    survey: { ...survey, ...(version !== undefined && { version }) },
    project,
    submission: { id: submission, isComplete, answeredAt, ...(language !== undefined && { language }), url },
    person: distinctId === undefined ? null : { distinctId },
    answers,
  })
}

const inWords = (answer: Json): string =>
  typeof answer === 'object' ? JSON.stringify(answer) : String(answer)
