import type { Filter, PropertyCondition } from '#filters/filter'
import type { FailedOutcome } from '#projects/problems'
import { sanitizeHtml } from '../sanitize-html'
import type { Survey } from '../survey'
import { fromPosthog, type PosthogSurveyImport, readsAsPosthogSurvey } from './from-posthog'
import type { PosthogSurvey } from './posthog-types'
import { toPosthog } from './to-posthog'

/** A survey as PostHog's API gives it to its owners, with what it does not give to visitors. */
export interface PosthogApiSurvey extends PosthogSurvey {
  description: string
  created_at: string
  archived: boolean
  responses_limit: number | null
  iteration_count: number | null
  iteration_frequency_days: number | null
  enable_iframe_embedding: boolean
  targeting_flag_filters: { groups: object[] } | null
}

export function toPosthogApi(survey: Survey, now: Date): PosthogApiSurvey {
  const { schedule, startsAt, endsAt } = survey
  const isRecurring = schedule.kind === 'recurring'
  return {
    ...toPosthog(survey, now, { targetingFlag: undefined, sanitize: sanitizeHtml }),
    description: survey.description,
    created_at: survey.createdAt.toISOString(),
    start_date: startsAt?.toISOString() ?? null,
    end_date: endsAt?.toISOString() ?? null,
    archived: survey.archivedAt !== undefined,
    responses_limit: survey.responseLimit ?? null,
    iteration_count: isRecurring ? schedule.iterations : null,
    iteration_frequency_days: isRecurring ? schedule.everyDays : null,
    enable_iframe_embedding: survey.hostedPage.mayBeEmbedded,
    targeting_flag_filters: targetingFilters(survey),
  }
}

/** PostHog has sets of conditions, of which one must hold. */
function targetingFilters({ targeting: { person, percentage = 100 } }: Survey) {
  if (!person && percentage === 100) return null
  const sets = person ? ('any' in person ? person.any : [person]) : [{ all: [] }]
  return {
    groups: sets.map((set) => ({
      properties: conditionsIn(set).map(({ key, operator, value, type }) => ({ key, operator, value, type })),
      rollout_percentage: percentage,
    })),
  }
}

function conditionsIn(filter: Filter): PropertyCondition[] {
  if ('all' in filter) return filter.all.flatMap(conditionsIn)
  if ('any' in filter) return filter.any.flatMap(conditionsIn)
  return filter.type === 'cohort' ? [] : [filter]
}

/** The input of a survey in our form, and what of PostHog's form could not be kept. */
type SurveyInputInForm =
  | {
      done: true
      input: unknown
      notKept: readonly string[]
      /** The launch that a start date of PostHog's form asks for. */
      startsAt?: Date | undefined
    }
  | FailedOutcome

/** Takes over an input in PostHog's form; every other stays as it is. */
export function surveyInputFrom(given: unknown): SurveyInputInForm {
  if (!readsAsPosthogSurvey(given)) return { done: true, input: given, notKept: [] }
  const read = fromPosthog(given, { sanitize: sanitizeHtml })
  if (!read.done) return read
  const { survey, startsAt } = read.value
  return { done: true, input: survey, notKept: notKeptOf(read.value, given), startsAt }
}

/** Takes over a change in PostHog's form. It names only some fields; all others stay as they are. */
export function surveyChangeFrom(given: unknown, before: Survey, now: Date): SurveyInputInForm {
  if (!readsAsPosthogSurvey(given)) return { done: true, input: given, notKept: [] }
  const named = new Set(Object.keys(given))
  const read = fromPosthog(
    { ...toPosthogApi(before, now), ...given },
    { sanitize: sanitizeHtml, before: before.content.questions },
  )
  if (!read.done) return read
  const { survey } = read.value
  const startsAt = named.has('start_date') ? read.value.startsAt : undefined
  const changes = changedFields.filter(({ by }) => by.some((field) => named.has(field)))
  const input = Object.assign({}, ...changes.map(({ change }) => change(survey, before, named)))
  return { done: true, input, notKept: notKeptOf(read.value, given), startsAt }
}

type ImportedSurvey = PosthogSurveyImport['survey']

interface FieldChange {
  /** Names of PostHog's fields. */
  by: readonly string[]
  change: (survey: ImportedSurvey, before: Survey, named: ReadonlySet<string>) => object
}

const changedFields: readonly FieldChange[] = [
  { by: ['name'], change: ({ name }) => ({ name }) },
  { by: ['description'], change: ({ description }) => ({ description }) },
  {
    by: ['questions', 'appearance', 'translations', 'enable_partial_responses'],
    change: ({ content }, { content: { hiddenFields, appearance } }, named) => ({
      content: {
        ...content,
        intro: content.intro ?? null,
        hiddenFields,
        appearance: named.has('appearance') ? { ...content.appearance, css: appearance.css } : appearance,
      },
    }),
  },
  { by: ['type', 'appearance'], change: ({ placement }) => ({ placement }) },
  {
    by: ['conditions', 'linked_flag_key', 'targeting_flag_filters', 'appearance'],
    change: ({ targeting }) => ({ targeting: { ...noTargeting, ...targeting } }),
  },
  {
    by: ['schedule', 'iteration_count', 'iteration_frequency_days'],
    change: ({ schedule }) => ({ schedule }),
  },
  { by: ['responses_limit'], change: ({ responseLimit }) => ({ responseLimit: responseLimit ?? null }) },
  { by: ['end_date'], change: ({ endsAt }) => ({ endsAt: endsAt ?? null }) },
]

/** A change merges conditions; these are the ones that PostHog's form can tell. */
const noTargeting = {
  url: null,
  selector: null,
  deviceTypes: null,
  flag: null,
  person: null,
  percentage: null,
  waitDays: null,
  triggers: null,
  repeatsOnTrigger: null,
  cancelEvents: null,
  delaySeconds: null,
}

const notKeptOf = ({ notKept, isArchived }: PosthogSurveyImport, given: object): string[] => [
  ...notKept,
  ...(isArchived && 'archived' in given ? ['archived does not archive it. Archive it.'] : []),
]
