import type { Filter, PropertyCondition } from '#filters/filter'
import { sanitizeHtml } from '../../sanitize-html'
import type { Survey } from '../../survey'
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
