import { isEligible, memoryKey, type PageFacts, type SurveyMemory } from '#surveys/run/eligibility'
import type { ServedSurvey } from '#surveys/run/mounted-survey'
import { readStored, writeStored } from './storage'

const memoryName = 'tilth_surveys'
let memory: SurveyMemory = { done: [] }

/** The surveys that were shown and answered in this browser. Another tab may have shown one since. */
export const recalled = (): SurveyMemory =>
  // only `remember` writes it
  (readStored('localStorage', memoryName) as SurveyMemory | undefined) ?? memory

function remember(change: Partial<SurveyMemory>): void {
  memory = { ...recalled(), ...change }
  writeStored('localStorage', memoryName, memory)
}

export const rememberShown = (): void => remember({ lastShownAt: Date.now() })

/** Keeps a survey that was answered or dismissed from being shown again in this browser. */
export const rememberDone = (survey: ServedSurvey): void =>
  remember({ done: [...new Set([...recalled().done, memoryKey(survey)])] })

/** Whether this page and this browser meet the survey's conditions. */
export const isEligibleHere = (
  survey: ServedSurvey,
  known: Pick<PageFacts, 'deviceType' | 'memory'>,
): boolean =>
  isEligible(survey, {
    href: location.href,
    has,
    ...known,
    languages: navigator.languages,
    widthPx: innerWidth,
    now: Date.now(),
  })

const has = (selector: string): boolean => {
  try {
    return document.querySelector(selector) !== null
  } catch {
    return false
  }
}
