import { isEligible, memoryKey, type SurveyMemory } from '#surveys/run/eligibility'
import type { DeviceType } from '#surveys/survey'
import type { ServedSurvey } from './mount'
import { readStored, writeStored } from './storage'

/** The name under which the widget remembers surveys too. */
const memoryName = 'tilth_surveys'

const recalled = (): SurveyMemory =>
  // only the widget and this file write it
  (readStored('localStorage', memoryName) as SurveyMemory | undefined) ?? { done: [] }

/** Keeps a survey that was answered from being shown again in this browser. */
export function rememberDone(survey: ServedSurvey): void {
  const memory = recalled()
  const done = [...new Set([...memory.done, memoryKey(survey)])]
  writeStored('localStorage', memoryName, { ...memory, done })
}

export function rememberShown(): void {
  writeStored('localStorage', memoryName, { ...recalled(), lastShownAt: Date.now() })
}

/** Whether this page and this browser meet the survey's conditions. */
export function isEligibleHere(survey: ServedSurvey): boolean {
  return isEligible(survey, {
    href: location.href,
    has,
    deviceType: deviceType(),
    languages: navigator.languages,
    widthPx: innerWidth,
    now: Date.now(),
    memory: recalled(),
  })
}

const has = (selector: string): boolean => {
  try {
    return document.querySelector(selector) !== null
  } catch {
    return false
  }
}

const deviceType = (): DeviceType => {
  const { userAgent, maxTouchPoints } = navigator
  if (/iPad|Tablet|Android(?!.*Mobi)/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1))
    return 'Tablet'
  return /Mobi|iPhone/.test(userAgent) ? 'Mobile' : 'Desktop'
}
