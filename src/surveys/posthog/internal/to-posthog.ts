import { iterationAt, type Survey } from '../../survey'
import { toPosthogAppearance, toPosthogTranslations } from './appearance'
import { toPosthogConditions } from './conditions'
import type { HtmlSanitizer, PosthogSurvey } from './posthog-types'
import { toPosthogQuestions } from './to-questions'

/** The object of a survey as posthog-js reads it; the note for members is not part of it. */
export function toPosthog(
  survey: Survey,
  now: Date,
  { targetingFlag, sanitize }: { targetingFlag: string | undefined; sanitize: HtmlSanitizer },
): PosthogSurvey {
  const { id, name, content, targeting, schedule } = survey
  return {
    id,
    name,
    type: typeOf(survey),
    questions: toPosthogQuestions(content, sanitize),
    appearance: toPosthogAppearance(survey, sanitize),
    conditions: toPosthogConditions(targeting),
    feature_flag_keys: null,
    linked_flag_key: targeting.flag?.key ?? null,
    ...targetingKeys(survey, targetingFlag),
    ...datesOf(survey, now),
    schedule: schedule.kind,
    enable_partial_responses: content.sendsPartialAnswers,
    translations: toPosthogTranslations(content, sanitize),
  }
}

/**
 * posthog-js does not look at the internal flag of a survey that is shown again, and so shows it again. Where the flag
 * has conditions on persons, these count for more.
 */
function targetingKeys({ schedule, targeting }: Survey, flag: string | undefined) {
  const isForSome = targeting.person !== undefined || targeting.percentage !== undefined
  const isRepeated = schedule.kind === 'always' || (targeting.repeatsOnTrigger === true && isForSome)
  return {
    targeting_flag_key: isRepeated && flag !== undefined ? flag : null,
    internal_targeting_flag_key: isRepeated || flag === undefined ? null : flag,
  }
}

/** posthog-js takes every date as past, whatever the date is. */
function datesOf(survey: Survey, now: Date) {
  const { startsAt, endsAt } = survey
  const iteration = iterationAt(survey, now)
  return {
    start_date: startsAt && startsAt <= now ? startsAt.toISOString() : null,
    end_date: endsAt && endsAt <= now ? endsAt.toISOString() : null,
    current_iteration: iteration?.number ?? null,
    current_iteration_start_date: iteration?.startedAt.toISOString() ?? null,
  }
}

/** Inline surveys are drawn by `renderSurvey`, which popovers would not wait for. */
function typeOf({ placement }: Survey): PosthogSurvey['type'] {
  switch (placement.kind) {
    case 'popover':
      return 'popover'
    case 'tab':
    case 'selector':
      return 'widget'
    case 'hosted':
      return 'external_survey'
    default:
      return 'api'
  }
}
