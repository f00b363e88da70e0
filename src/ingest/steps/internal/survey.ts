import type { Json, Properties } from '#events/event'
import { truncate, type IngestStep } from './step'

const surveyEvents: ReadonlySet<string> = new Set([
  'survey shown',
  'survey sent',
  'survey dismissed',
  'survey abandoned',
])

/** Whether an event completes or continues an answer, rather than say that a survey was shown. */
export const isSurveyAnswer = ({ name }: { name: string }): boolean => name === 'survey sent'

/** Longer than anything that is typed into a form. */
const longestAnswer = 10_000
const lastSeen = '$survey_last_seen_date'

/**
 * Drops events that do not belong among a survey's results. Writes when the person last saw a survey: posthog-js tells
 * it to itself, other SDKs do not, and flags that spare people a second survey ask for it.
 */
export const readSurvey: IngestStep = (draft, { envelope, ingest }) => {
  const { event, at } = draft
  if (!surveyEvents.has(event.name)) return undefined
  const { projectId, receivedAt, hasCheckedAnswers = false, hasSecretKey = false, importId } = envelope
  const { name, properties } = event
  const isTrusted = hasCheckedAnswers || importId !== undefined
  // anyone may have the write key, and call an answer history
  const isHistorical = envelope.isHistorical && (hasSecretKey || importId !== undefined)
  const sent = { projectId, name, at, receivedAt, properties }
  const objection = ingest.surveys.objectionTo({ ...sent, isHistorical, isTrusted })
  if (objection) return objection
  event.properties = cutAnswers(event.properties)
  const { person } = event
  if (
    event.name === 'survey shown' &&
    properties['$survey_test'] !== true &&
    event.hasPerson &&
    person.set[lastSeen] === undefined
  )
    event.person = { ...person, set: { ...person.set, [lastSeen]: at.toISOString() } }
  return undefined
}

const cutAnswers = (properties: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]): [string, Json] => [
      name,
      name.startsWith('$survey_') ? cut(value) : value,
    ]),
  )

/** Cuts texts at any depth: `$survey_questions` repeats the answers. */
function cut(value: Json): Json {
  if (typeof value === 'string') return truncate(value, longestAnswer)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cut)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cut(one)]))
}
