import type { SurveyContent, SurveyPlacement, SurveyTargeting } from '../survey'

/** Conditions that a page decides by itself. Those on the person, and percentages, are decided on the server. */
type PageTargeting = Omit<SurveyTargeting, 'person' | 'percentage' | 'flag'>

/** A survey as pages and apps may know it, in one language. */
export interface PublicSurvey {
  id: string
  name: string
  version: number
  /** The language of the texts; undefined for the one the survey was written in. */
  language: string | undefined
  /** The languages that the survey can be had in besides its own. */
  languages: readonly string[]
  content: PublicContent
  placement: SurveyPlacement
  targeting: PageTargeting
  /** Set where the survey is repeated. */
  iteration: { number: number; startedAt: string } | undefined
  /** Shown again after an answer: always, or at each of its triggers. */
  isRepeatable: boolean
}

export type PublicContent = Omit<SurveyContent, 'translations'>
