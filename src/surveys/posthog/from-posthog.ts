import { z } from 'zod'
import type { Filter } from '#filters/filter'
import { isOperator } from '#filters/vocabulary'
import { type FailedOutcome, type ParsedInput, parseInput, failedOutcome } from '#projects/problems'
import type { SurveyQuestion } from '../question'
import type { Survey, SurveySchedule, SurveyTargeting, SurveyTranslation } from '../survey'
import {
  appearanceNotKept,
  delayOf,
  fromPosthogAppearance,
  fromPosthogPlacement,
  screensOf,
  screenTranslation,
  theirAppearance,
  theirTranslation,
} from './internal/appearance'
import { fromPosthogConditions, theirConditions } from './internal/conditions'
import { optionalFlag, optionalText } from './internal/fields'
import { fromPosthogQuestions, questionTranslations, theirQuestion } from './internal/from-questions'
import type { HtmlSanitizer } from './internal/posthog-types'

const theirFilters = z.looseObject({
  groups: z
    .array(
      z.looseObject({
        properties: z
          .array(
            z.looseObject({
              key: z.string(),
              type: optionalText,
              operator: optionalText,
              value: z.json().optional(),
            }),
          )
          .nullish(),
        rollout_percentage: z.number().nullish(),
      }),
    )
    .nullish(),
})
type TheirFilters = z.infer<typeof theirFilters>

/** A survey as PostHog's API gives and takes it; `/api/surveys/` gives fewer of these fields. */
const theirSurvey = z.looseObject(
  {
    name: z.string({ error: 'A survey has a name.' }),
    description: optionalText,
    type: z.enum(['popover', 'widget', 'api', 'external_survey'], {
      error: ({ input }) => `PostHog has no surveys of the type “${String(input)}”.`,
    }),
    questions: z.array(theirQuestion).nullish(),
    appearance: theirAppearance,
    conditions: theirConditions,
    translations: z.record(z.string(), theirTranslation).nullish(),
    feature_flag_keys: z.array(z.looseObject({ value: optionalText })).nullish(),
    linked_flag_key: optionalText,
    linked_flag: z.looseObject({ key: z.string() }).nullish(),
    targeting_flag_key: optionalText,
    targeting_flag: z.looseObject({ filters: theirFilters.nullish() }).nullish(),
    targeting_flag_filters: theirFilters.nullish(),
    schedule: optionalText,
    iteration_count: z.number().nullish(),
    iteration_frequency_days: z.number().nullish(),
    responses_limit: z.number().nullish(),
    enable_partial_responses: optionalFlag,
    enable_iframe_embedding: optionalFlag,
    end_date: optionalText,
  },
  { error: 'A survey in PostHog’s form is an object with a name, a type and questions.' },
)
type TheirSurvey = z.infer<typeof theirSurvey>

/** The fields of a survey that PostHog's form tells. */
export interface PosthogSurveyImport {
  survey: Pick<Survey, 'name' | 'description' | 'content' | 'placement' | 'targeting' | 'schedule'> & {
    hostedPage: Pick<Survey['hostedPage'], 'isOpen' | 'mayBeEmbedded'>
    responseLimit: number | undefined
    endsAt: Date | undefined
  }
  /** A sentence for each thing that Tilth cannot keep. */
  notKept: string[]
  /** Those of `notKept` that change who is asked, or when. */
  conditionsNotKept: string[]
}

/** The refusal of a survey in PostHog's form, which has one of these fields; ours has none. */
export const posthogSurveyRefusal = (input: unknown): FailedOutcome | undefined =>
  typeof input === 'object' &&
  input !== null &&
  ['type', 'questions', 'appearance', 'conditions', 'start_date', 'end_date', 'archived'].some(
    (field) => field in input,
  )
    ? inPosthogForm
    : undefined

const inPosthogForm = failedOutcome(
  'This is a survey in PostHog’s form. Give it in Tilth’s, or import all of PostHog’s (tilth import posthog).',
)

/** Reads a survey in PostHog's form. */
export function fromPosthog(
  given: unknown,
  { sanitize }: { sanitize: HtmlSanitizer },
): ParsedInput<PosthogSurveyImport> {
  const parsed = parseInput(theirSurvey, given)
  if (!parsed.done) return parsed
  const survey = parsed.value
  const schedule = scheduleOf(survey)
  if (!schedule)
    return failedOutcome(
      'A recurring survey needs iteration_count and iteration_frequency_days.',
      'iteration_count',
    )
  const notKept: string[] = []
  const conditionsNotKept: string[] = []
  const note = (sentence: string) => void notKept.push(sentence)
  const noteCondition = (sentence: string) => {
    note(sentence)
    conditionsNotKept.push(sentence)
  }
  return {
    done: true,
    value: {
      survey: {
        name: survey.name,
        description: survey.description ?? '',
        content: contentOf(survey, { sanitize, note }),
        placement: fromPosthogPlacement(survey.type, survey.appearance, note),
        hostedPage: {
          isOpen: survey.type === 'external_survey',
          mayBeEmbedded: survey.enable_iframe_embedding,
        },
        targeting: targetingOf(survey, noteCondition),
        schedule,
        responseLimit: survey.responses_limit ?? undefined,
        endsAt: momentIn(survey.end_date, noteCondition),
      },
      notKept,
      conditionsNotKept,
    },
  }
}

interface ContentContext {
  sanitize: HtmlSanitizer
  note: (sentence: string) => void
}

function contentOf(survey: TheirSurvey, { sanitize, note }: ContentContext): Survey['content'] {
  const { appearance } = survey
  const given = survey.questions ?? []
  const lost = appearanceNotKept(appearance)
  if (lost.length > 0) note(`Not kept of its appearance: ${lost.join(', ')}.`)
  const questions = fromPosthogQuestions(given, {
    sanitize,
    note,
    submitButtonText: appearance?.submitButtonText ?? '',
    placeholder: appearance?.placeholder ?? '',
  })
  const screens = screensOf(appearance, sanitize)
  return {
    questions,
    appearance: fromPosthogAppearance(appearance),
    ...screens,
    sendsPartialAnswers: survey.enable_partial_responses,
    allowsGoingBack: appearance?.allowGoBack === true,
    shufflesQuestions: appearance?.shuffleQuestions === true,
    hiddenFields: [],
    translations: translationsOf(survey, questions, screens, sanitize),
  }
}

function translationsOf(
  survey: TheirSurvey,
  questions: readonly SurveyQuestion[],
  screens: Pick<Survey['content'], 'intro' | 'endCards'>,
  sanitize: HtmlSanitizer,
): Record<string, SurveyTranslation> {
  const ofQuestions = questionTranslations(survey.questions ?? [], questions, sanitize)
  const languages = new Set([...Object.keys(survey.translations ?? {}), ...Object.keys(ofQuestions)])
  const entries = [...languages].map((language): [string, SurveyTranslation] => [
    language,
    {
      ...screenTranslation(survey.translations?.[language] ?? {}, screens, sanitize),
      ...(ofQuestions[language] && { questions: ofQuestions[language] }),
    },
  ])
  return Object.fromEntries(entries)
}

function scheduleOf(survey: TheirSurvey): SurveySchedule | undefined {
  const { schedule, iteration_count: iterations, iteration_frequency_days: everyDays } = survey
  if (schedule === 'always') return { kind: 'always' }
  if (schedule !== 'recurring') return { kind: 'once' }
  return iterations && everyDays ? { kind: 'recurring', iterations, everyDays } : undefined
}

function targetingOf(survey: TheirSurvey, note: (sentence: string) => void): SurveyTargeting {
  const flag = flagOf(survey, note)
  return {
    ...fromPosthogConditions(survey.conditions ?? {}, note),
    ...delayOf(survey.appearance),
    ...(flag && { flag }),
    ...personsOf(survey, note),
  }
}

function flagOf(survey: TheirSurvey, note: (sentence: string) => void): SurveyTargeting['flag'] {
  const filters = survey.targeting_flag_filters ?? survey.targeting_flag?.filters
  const keys = [
    survey.linked_flag_key ?? survey.linked_flag?.key,
    // the conditions of a flag say more than its name, which belongs to another PostHog
    filters ? undefined : survey.targeting_flag_key,
    ...(survey.feature_flag_keys ?? []).map(({ value }) => value),
  ].filter((key) => key !== undefined && key !== '')
  const [key, ...others] = new Set(keys)
  if (key === undefined) return undefined
  if (others.length > 0)
    note(`It asks for several flags. “${key}” is kept; ${others.map((one) => `“${one}”`).join(', ')} not.`)
  const variant = survey.conditions?.linkedFlagVariant
  return variant === undefined || variant === 'any' || variant === '' ? { key } : { key, variant }
}

/** The targeting flag's conditions on persons. Several sets of them are alternatives. */
function personsOf(
  survey: TheirSurvey,
  note: (sentence: string) => void,
): Pick<SurveyTargeting, 'person' | 'percentage'> {
  const sets = (survey.targeting_flag_filters ?? survey.targeting_flag?.filters)?.groups ?? []
  const filters = sets.map((set) => ({
    all: (set.properties ?? []).flatMap((one) => conditionOf(one, note)),
  }))
  const percentages = new Set(sets.map(({ rollout_percentage }) => rollout_percentage ?? 100))
  const [percentage = 100] = percentages
  if (percentages.size > 1)
    note(`The sets of its targeting have different percentages; all of them get ${percentage}.`)
  const [only] = filters
  // a set without conditions lets everyone in
  const isOpen = filters.some(({ all }) => all.length === 0)
  return {
    ...(only && !isOpen && { person: filters.length === 1 ? only : { any: filters } }),
    ...(percentage < 100 && { percentage }),
  }
}

type TheirProperty = NonNullable<NonNullable<TheirFilters['groups']>[number]['properties']>[number]

function conditionOf(
  { key, type, operator = 'exact', value }: TheirProperty,
  note: (sentence: string) => void,
): Filter[] {
  if (key.startsWith('$survey_')) return []
  if (type === 'person' && isOperator(operator))
    return [{ type: 'person', key, operator, ...(value !== undefined && { value }) }]
  note(
    `Its condition on “${key}” is of a kind (${type ?? 'none'}, ${operator}) that an import cannot carry over. Add it again.`,
  )
  return []
}

function momentIn(text: string | undefined, note: (sentence: string) => void): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (!Number.isNaN(moment.getTime())) return moment
  note(`“${text}” is no date.`)
  return undefined
}
