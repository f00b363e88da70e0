import type { AddressMatch, DeviceType } from '../survey'
import type { PublicSurvey } from './public-survey'

/** The page's knowledge of itself and its visitor. */
export interface PageFacts {
  href: string
  /** Whether an element of the page matches; false for a selector that cannot be read. */
  has: (selector: string) => boolean
  /** Undefined where it is not known, which no wanted one is. */
  deviceType: DeviceType | undefined
  /** Language tags, the most wanted first. */
  languages: readonly string[]
  widthPx: number
  now: number
  memory: SurveyMemory
}

/** The surveys that a browser remembers, so that none is shown twice. */
export interface SurveyMemory {
  /** When any survey was last shown, in milliseconds. */
  lastShownAt?: number
  /** The keys of surveys that were answered or dismissed. */
  done: readonly string[]
}

const dayMs = 86_400_000

/** A survey is remembered by its id, in each iteration anew. */
export const memoryKey = ({ id, iteration }: Pick<PublicSurvey, 'id' | 'iteration'>): string =>
  iteration ? `${id}/${iteration.number}` : id

/** Whether the survey may be shown on the page with this address. */
export const isOnAddress = (
  { targeting: { url } }: { targeting: Pick<PublicSurvey['targeting'], 'url'> },
  href: string,
): boolean => !url || matchesAddress(href, url)

type EligibilityRule = (survey: Pick<PublicSurvey, 'targeting'>, page: PageFacts) => boolean

const rules: readonly EligibilityRule[] = [
  (survey, { href }) => isOnAddress(survey, href),
  ({ targeting: { selector } }, { has }) => !selector || has(selector),
  ({ targeting: { deviceTypes: wanted } }, { deviceType }) =>
    !wanted?.length || wanted.some((one) => one === deviceType),
  ({ targeting: { languages: wanted } }, { languages }) => !wanted?.length || speaksAny(languages, wanted),
  ({ targeting: { screenWidth: { from = 0, until = Infinity } = {} } }, { widthPx }) =>
    widthPx >= from && widthPx <= until,
  // PostHog counts the day itself as over
  ({ targeting: { waitDays } }, { now, memory: { lastShownAt } }) =>
    waitDays === undefined || lastShownAt === undefined || now - lastShownAt >= waitDays * dayMs,
]

/** Whether the page and the visitor meet the conditions; triggers, delay, scroll and exit intent come on top. */
export const isEligible = (
  survey: Pick<PublicSurvey, 'id' | 'iteration' | 'isRepeatable' | 'targeting'>,
  page: PageFacts,
): boolean =>
  (survey.isRepeatable || !page.memory.done.includes(memoryKey(survey))) &&
  rules.every((rule) => rule(survey, page))

export const contains = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase())

/** A pattern that cannot be read matches nothing. */
export function matchesPattern(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern).test(text)
  } catch {
    return false
  }
}

/** `exact` compares with the whole address, as posthog-js does. */
function matchesAddress(href: string, { match, value }: { match: AddressMatch; value: string }): boolean {
  const isNegative = match.startsWith('not-')
  switch (match) {
    case 'contains':
    case 'not-contains':
      return contains(href, value) !== isNegative
    case 'exact':
    case 'not-exact':
      return (href === value) !== isNegative
    default:
      return matchesPattern(href, value) !== isNegative
  }
}

const speaksAny = (spoken: readonly string[], wanted: readonly string[]): boolean =>
  spoken.some((tag) =>
    wanted.some((one) => {
      const [language, base] = [tag.toLowerCase(), one.toLowerCase()]
      return language === base || language.startsWith(`${base}-`)
    }),
  )
