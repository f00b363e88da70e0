import type { DeviceType } from '../../survey'

/** A survey as posthog-js 1.434.18 reads it from `/api/surveys/`. */
export interface PosthogSurvey {
  id: string
  name: string
  type: 'popover' | 'widget' | 'api' | 'external_survey'
  questions: PosthogQuestion[]
  appearance: PosthogAppearance
  conditions: PosthogConditions
  feature_flag_keys: null
  linked_flag_key: string | null
  targeting_flag_key: string | null
  internal_targeting_flag_key: string | null
  start_date: string | null
  end_date: string | null
  current_iteration: number | null
  current_iteration_start_date: string | null
  schedule: 'once' | 'recurring' | 'always'
  enable_partial_responses: boolean
  translations?: Record<string, PosthogTexts>
}

/** A question, with the fields of its type. */
export interface PosthogQuestion {
  id: string
  type: string
  question: string
  description?: string
  descriptionContentType?: 'text' | 'html'
  optional: boolean
  buttonText?: string
  branching?: PosthogBranching
  translations?: Record<string, PosthogTexts>
  [field: string]: unknown
}

export type PosthogBranching =
  | { type: 'next_question' | 'end' }
  | { type: 'specific_question'; index: number }
  | { type: 'response_based'; responseValues: Record<string, PosthogBranch> }

/** The index of a question; a key without an entry leads to the next one. */
export type PosthogBranch = number | 'end'

export type PosthogTexts = Record<string, string | readonly string[]>
export type PosthogAppearance = Record<string, string | number | boolean>

export interface PosthogConditions {
  url?: string
  urlMatchType?: string
  selector?: string
  deviceTypes?: readonly DeviceType[]
  deviceTypesMatchType?: 'exact'
  seenSurveyWaitPeriodInDays?: number
  linkedFlagVariant?: string
  events: { repeatedActivation: boolean; values: PosthogEventTrigger[] } | null
  cancelEvents: { values: PosthogEventTrigger[] } | null
  actions: { values: PosthogAction[] } | null
}

export interface PosthogEventTrigger {
  name: string
  propertyFilters?: Record<string, { values: string[]; operator: string }>
}

export interface PosthogAction {
  id: number
  name: string
  steps: PosthogActionStep[]
}

export interface PosthogActionStep {
  event: string
  selector?: string
  selector_regex?: string
  text?: string
  text_matching?: string
  href?: string
  href_matching?: string
  url?: string
  url_matching?: string
}

/** Removes what could run script from HTML that is written into pages. */
export type HtmlSanitizer = (html: string) => string
