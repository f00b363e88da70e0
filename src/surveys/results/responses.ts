import type { PersonLabel } from '#insights/people/person-label'
import type { SubmissionEvent } from '#insights/kinds/survey/responses'
import { answerKinds } from '../kinds/internal/answer-kinds'
import type { SurveyQuestion } from '../question'
import type { SurveyVersion } from '../survey'

/** A submission: the answers that one person gave in one go. */
export interface SurveyResponse {
  /** The submission's id, or `event:` and the id of its only event. */
  id: string
  state: 'completed' | 'dismissed' | 'abandoned' | 'open'
  startedAt: string
  answeredAt: string
  /** The person's id in this project. */
  person: string
  distinctId: string
  version: number
  language: string
  path: string
  country: string
  browser: string
  device: string
  answers: ResponseAnswer[]
  /** Hidden fields, by name. */
  fields: Readonly<Record<string, string>>
  /** Words that members gave it. */
  tags: readonly string[]
  /** The person's name or address, or else an id; absent for readers who may not see persons. */
  personName?: string
  personLabel?: PersonLabel
  /** The person's properties now, without those that SDKs set; absent for readers who may not see persons. */
  personProperties?: Readonly<Record<string, string>>
}

export interface ResponseAnswer {
  question: string
  /** The question as its version asks it. */
  text: string
  /** The answer as it was sent; a choice that was shown in another language is in the survey's own. */
  answer: string | number | boolean | readonly string[] | Readonly<Record<string, string>>
}

/** Merges the events of submissions, given by time: of each question the latest answer that is not empty. */
export function responsesFrom(
  events: readonly SubmissionEvent[],
  versions: readonly SurveyVersion[],
): SurveyResponse[] {
  const fields = hiddenFieldsOf(versions)
  const byAge = versions.toSorted((one, other) => one.version - other.version)
  return [...Map.groupBy(events, ({ submission }) => submission).values()]
    .flatMap((theirEvents) => responseFrom(theirEvents, byAge, fields) ?? [])
    .toSorted((one, other) => (one.answeredAt < other.answeredAt ? 1 : -1))
}

/** The hidden fields of all versions; answers keep those of their time. */
export const hiddenFieldsOf = (versions: readonly SurveyVersion[]): string[] => [
  ...new Set(versions.flatMap(({ content }) => content.hiddenFields)),
]

function responseFrom(
  events: readonly SubmissionEvent[],
  versions: readonly SurveyVersion[],
  fields: readonly string[],
): SurveyResponse | undefined {
  const sent = events.filter(({ event }) => event === 'survey sent')
  const [first, last] = [events[0], sent.at(-1)]
  if (!first || !last) return undefined
  const { submission, person, distinctId, path, country, browser, device } = last
  return {
    id: submission,
    state: stateOf(events),
    startedAt: first.at,
    answeredAt: last.at,
    person,
    distinctId,
    version: versionOf(last, versions)?.version ?? 1,
    language: last.properties['$survey_language'] ?? '',
    path,
    country,
    browser,
    device,
    answers: answersIn(sent, versions),
    fields: fieldsIn(sent, fields),
    tags: [],
  }
}

/** Returns the latest value of each field that is not empty. */
const fieldsIn = (
  sent: readonly SubmissionEvent[],
  names: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = sent.findLast(({ properties }) => properties[name])?.properties[name]
      return value ? [[name, value]] : []
    }),
  )

/** A submission that went on after a dismissal or a reload is neither dismissed nor abandoned. */
function stateOf(events: readonly SubmissionEvent[]): SurveyResponse['state'] {
  if (events.some(({ completes }) => completes)) return 'completed'
  const last = events.at(-1)?.event
  return last === 'survey dismissed' ? 'dismissed' : last === 'survey abandoned' ? 'abandoned' : 'open'
}

function versionOf(
  { properties, at }: SubmissionEvent,
  versions: readonly SurveyVersion[],
): SurveyVersion | undefined {
  const named = versions.find(({ version }) => String(version) === properties['$survey_version'])
  return named ?? versions.findLast(({ createdAt }) => createdAt <= new Date(at)) ?? versions[0]
}

function answersIn(sent: readonly SubmissionEvent[], versions: readonly SurveyVersion[]): ResponseAnswer[] {
  const answers = new Map<string, ResponseAnswer>()
  for (const event of sent) {
    const version = versionOf(event, versions)
    const known = new Set(version?.content.questions.map(({ id }) => id))
    version?.content.questions.forEach((question, position) => {
      const raw = event.properties[`$survey_response_${question.id}`] || positional(event, position, versions)
      if (raw) answers.set(question.id, answerTo(question, raw, translationOf(event, version)))
    })
    // an open page may still answer a question that its version's successor does not have
    for (const question of questionsElsewhere(versions, known)) {
      const raw = event.properties[`$survey_response_${question.id}`]
      if (raw) answers.set(question.id, answerTo(question, raw, undefined))
    }
  }
  return [...answers.values()]
}

type Translation = SurveyVersion['content']['translations'][string] | undefined

function translationOf({ properties }: SubmissionEvent, version: SurveyVersion | undefined): Translation {
  const language = properties['$survey_language']?.toLowerCase()
  const all = Object.entries(version?.content.translations ?? {})
  return all.find(([tag]) => tag.toLowerCase() === language)?.[1]
}

function answerTo(question: SurveyQuestion, raw: string, translation: Translation): ResponseAnswer {
  const answer = answerKinds[question.kind].parse?.(raw) ?? raw
  return { question: question.id, text: question.text, answer: inOwnLanguage(answer, question, translation) }
}

/** Replaces translated texts of choices, so that one choice has one text whatever language it was shown in. */
function inOwnLanguage(
  answer: ResponseAnswer['answer'],
  question: SurveyQuestion,
  translation: Translation,
): ResponseAnswer['answer'] {
  const translated = translation?.questions?.[question.id]?.choices
  if (!translated || !('choices' in question)) return answer
  const { choices } = question
  const own = (shown: string): string => {
    const index = translated.findIndex((text) => text !== '' && text === shown)
    return choices[index]?.text ?? shown
  }
  if (typeof answer === 'string') return own(answer)
  return Array.isArray(answer) ? answer.map((one: string) => own(one)) : answer
}

function positional(
  { properties }: SubmissionEvent,
  position: number,
  versions: readonly SurveyVersion[],
): string {
  const name = position === 0 ? '$survey_response' : `$survey_response_${position}`
  const isId = versions.some(({ content }) =>
    content.questions.some(({ id }) => `$survey_response_${id}` === name),
  )
  return isId ? '' : (properties[name] ?? '')
}

const questionsElsewhere = (
  versions: readonly SurveyVersion[],
  known: ReadonlySet<string>,
): SurveyQuestion[] => versions.flatMap(({ content }) => content.questions.filter(({ id }) => !known.has(id)))
