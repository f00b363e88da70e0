import { failedOutcome, type ParsedInput } from '#projects/problems'
import { sanitizeHtml } from '../../sanitize-html'
import type { Survey } from '../../survey'
import { fromPosthog, type PosthogSurveyImport } from '../from-posthog'
import type { PosthogApiSurvey } from './api-form'

type PosthogFields = Readonly<Record<string, unknown>>

/** The parts of a survey's content and targeting that a field of PostHog's decides. */
const contentBy: Readonly<Record<string, readonly (keyof Survey['content'])[] | undefined>> = {
  questions: ['questions', 'translations'],
  translations: ['translations'],
  appearance: ['appearance', 'intro', 'endCards', 'allowsGoingBack', 'shufflesQuestions'],
  enable_partial_responses: ['sendsPartialAnswers'],
}

const targetingBy: Readonly<Record<string, readonly (keyof Survey['targeting'])[] | undefined>> = {
  conditions: ['url', 'selector', 'deviceTypes', 'waitDays', 'triggers', 'repeatsOnTrigger', 'cancelEvents'],
  appearance: ['delaySeconds'],
  linked_flag_key: ['flag'],
  targeting_flag_filters: ['person', 'percentage'],
}

const partsBy: Readonly<
  Record<string, 'name' | 'description' | 'schedule' | 'responseLimit' | 'endsAt' | undefined>
> = {
  name: 'name',
  description: 'description',
  schedule: 'schedule',
  iteration_count: 'schedule',
  iteration_frequency_days: 'schedule',
  responses_limit: 'responseLimit',
  end_date: 'endsAt',
}

/**
 * Reads a change in PostHog's form. It names only the parts that the given fields decide: everything else stays as it is,
 * above all what PostHog has no field for. Null removes a part.
 */
export function changeFromPosthog(
  given: PosthogFields,
  before: Survey,
  form: PosthogApiSurvey,
): ParsedInput<Record<string, unknown>> {
  const { name, type, appearance, schedule, iteration_count, iteration_frequency_days, linked_flag_key } =
    form
  const base = {
    name,
    type,
    appearance,
    schedule,
    iteration_count,
    iteration_frequency_days,
    linked_flag_key,
  }
  const questions = withKnownIds(given['questions'], form)
  const read = fromPosthog({ ...base, ...given, ...(questions && { questions }) }, { sanitize: sanitizeHtml })
  if (!read.done) return read
  const { survey, conditionsNotKept } = read.value
  const [lost] = conditionsNotKept
  if (lost !== undefined) return failedOutcome(lost, 'conditions')
  const fields = Object.keys(given)
  const parts = new Set(fields.flatMap((field) => partsBy[field] ?? []))
  return {
    done: true,
    value: {
      ...Object.fromEntries([...parts].map((part) => [part, survey[part] ?? null])),
      ...placementChange(given, survey, form),
      ...contentChange(fields, survey.content, before.content),
      ...targetingChange(given, survey.targeting),
    },
  }
}

/** A question without an id that is as one before keeps that one's id: answers belong to it. */
function withKnownIds(given: unknown, { questions: before }: PosthogApiSurvey): unknown[] | undefined {
  if (!Array.isArray(given)) return undefined
  return given.map((question: unknown) => {
    if (typeof question !== 'object' || question === null || 'id' in question) return question
    const known = before.find(
      (one) =>
        'type' in question &&
        one.type === question.type &&
        'question' in question &&
        one.question === question.question,
    )
    return known ? { ...question, id: known.id } : question
  })
}

/** Our placements are more than PostHog's types: an unchanged type leaves the placement as it is. */
function placementChange(
  given: PosthogFields,
  { placement, hostedPage }: PosthogSurveyImport['survey'],
  { type }: PosthogApiSurvey,
) {
  const isOther = given['type'] !== undefined && given['type'] !== type
  const isWidget = given['appearance'] !== undefined && (given['type'] ?? type) === 'widget'
  const mayBeEmbedded =
    given['enable_iframe_embedding'] === undefined ? {} : { mayBeEmbedded: hostedPage.mayBeEmbedded }
  const page = { ...mayBeEmbedded, ...(isOther && { isOpen: hostedPage.isOpen }) }
  return {
    ...((isOther || isWidget) && { placement }),
    ...(Object.keys(page).length > 0 && { hostedPage: page }),
  }
}

function contentChange(fields: readonly string[], after: Survey['content'], before: Survey['content']) {
  const parts = new Set(fields.flatMap((field) => contentBy[field] ?? []))
  if (parts.size === 0) return {}
  const change: Record<string, unknown> = Object.fromEntries(
    [...parts].map((part) => [part, after[part] ?? null]),
  )
  if (parts.has('appearance')) {
    // PostHog has no progress bar, and one end card
    const { progressBar: _, ...appearance } = after.appearance
    change['appearance'] = appearance
    if (after.endCards.length > 0) change['endCards'] = [...after.endCards, ...before.endCards.slice(1)]
  }
  return { content: change }
}

function targetingChange(given: PosthogFields, after: Survey['targeting']) {
  const parts = new Set(Object.keys(given).flatMap((field) => targetingBy[field] ?? []))
  if (hasVariant(given['conditions'])) parts.add('flag')
  if (parts.size === 0) return {}
  return { targeting: Object.fromEntries([...parts].map((part) => [part, after[part] ?? null])) }
}

const hasVariant = (conditions: unknown): boolean =>
  typeof conditions === 'object' && conditions !== null && 'linkedFlagVariant' in conditions
