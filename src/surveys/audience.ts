import type { Filter, PropertyCondition } from '#filters/filter'
import { filterInWords } from '#filters/words'
import type { OperatorName } from '#filters/vocabulary'
import type { CohortDefinition } from '#persons/cohort'
import type { AddressMatch, SurveyTargeting, SurveyTrigger } from './survey'

/** The persons a survey is about, as a cohort definition, as far as stored events can tell. */
export interface SurveyAudience {
  definition: CohortDefinition
  /** A sentence for each condition that is not in it. */
  left: string[]
}

const addressOperators: Record<AddressMatch, OperatorName> = {
  contains: 'icontains',
  'not-contains': 'not_icontains',
  exact: 'exact',
  'not-exact': 'is_not',
  regex: 'regex',
  'not-regex': 'not_regex',
}

/** All conditions must hold for a person; those on the page and the device must hold for one page view. */
export function surveyAudience(targeting: SurveyTargeting, days: number): SurveyAudience {
  const viewed = viewConditions(targeting)
  const events = (targeting.triggers ?? []).flatMap((trigger) => (trigger.kind === 'event' ? trigger : []))
  const parts: CohortDefinition[] = [
    { did: { event: null, ...(viewed.length > 0 && { filter: { all: viewed } }) }, within: { days } },
    ...(targeting.person ? personParts(targeting.person) : []),
    ...(events.length > 0
      ? [
          {
            any: events.map(({ event, properties }) => ({
              did: { event, ...(properties.length > 0 && { filter: { all: [...properties] } }) },
              within: { days },
            })),
          },
        ]
      : []),
  ]
  return { definition: { all: parts }, left: notCounted(targeting) }
}

function viewConditions({ url, deviceTypes }: SurveyTargeting): Filter[] {
  const condition = (key: string, operator: OperatorName, value: PropertyCondition['value']): Filter => ({
    type: 'event',
    key,
    operator,
    value,
  })
  return [
    ...(url ? [condition('$current_url', addressOperators[url.match], url.value)] : []),
    ...(deviceTypes && deviceTypes.length > 0 ? [condition('$device_type', 'exact', [...deviceTypes])] : []),
  ]
}

/** Cohorts are conditions of their own in a definition, at any depth. */
function personParts(filter: Filter): CohortDefinition[] {
  if ('all' in filter) return filter.all.flatMap(personParts)
  if ('any' in filter) return [{ any: filter.any.map((one) => ({ all: personParts(one) })) }]
  if (filter.type === 'cohort') {
    const member = { in: filter.cohort }
    return [filter.operator === 'in' ? member : { not: member }]
  }
  return filter.type === 'person' ? [{ is: filter }] : []
}

const uncounted: readonly { of: (targeting: SurveyTargeting) => boolean; sentence: string }[] = [
  { of: ({ selector }) => selector !== undefined, sentence: 'This count ignores the element on the page.' },
  { of: ({ flag }) => flag !== undefined, sentence: 'This count ignores the flag.' },
  {
    of: ({ languages, screenWidth }) => (languages?.length ?? 0) > 0 || screenWidth !== undefined,
    sentence: 'This count ignores language and screen width.',
  },
  {
    of: ({ triggers }) => triggers?.some(({ kind }) => kind === 'action') ?? false,
    sentence: 'This count ignores actions.',
  },
  {
    of: ({ person }) => person !== undefined && hasGroup(person),
    sentence: 'This count ignores conditions on groups.',
  },
]

function hasGroup(filter: Filter): boolean {
  if ('all' in filter) return filter.all.some(hasGroup)
  if ('any' in filter) return filter.any.some(hasGroup)
  return filter.type === 'group'
}

const notCounted = (targeting: SurveyTargeting): string[] =>
  uncounted.filter((one) => one.of(targeting)).map(({ sentence }) => sentence)

const addressWords: Record<AddressMatch, string> = {
  contains: 'contains',
  'not-contains': 'does not contain',
  exact: 'is',
  'not-exact': 'is not',
  regex: 'matches',
  'not-regex': 'does not match',
}

/** Describes the people who see a survey, and when, a line for each condition. Without any, everyone sees it. */
export function audienceInWords(targeting: SurveyTargeting, label: (key: string) => string): string[] {
  const { url, selector, deviceTypes, languages, screenWidth, flag, person, percentage } = targeting
  const who = [
    person && `Persons where ${filterInWords(person, label)}`,
    percentage !== undefined && percentage < 100 && `${percentage}% of them`,
    flag && `With flag ${flag.key}${flag.variant === undefined ? ' on' : ` on variant ${flag.variant}`}`,
    url && `On pages whose address ${addressWords[url.match]} ${url.value}`,
    selector !== undefined && `Where the page has ${selector}`,
    deviceTypes && deviceTypes.length > 0 && `On ${deviceTypes.join(' or ').toLowerCase()}`,
    languages && languages.length > 0 && `In ${languages.join(' or ')}`,
    screenWidth && `On screens ${widthInWords(screenWidth)}`,
  ]
  const lines = [...who, ...timingInWords(targeting)].filter((line) => typeof line === 'string')
  return lines.length > 0 ? lines : ['Everyone who opens a page']
}

function widthInWords({ from, until }: { from?: number; until?: number }): string {
  if (from === undefined) return `up to ${until} px wide`
  return until === undefined ? `at least ${from} px wide` : `from ${from} to ${until} px wide`
}

const timingInWords = (targeting: SurveyTargeting): (string | false | undefined)[] => {
  const { triggers, repeatsOnTrigger, delaySeconds, scrollPercent, exitIntent, waitDays } = targeting
  return [
    triggers &&
      triggers.length > 0 &&
      `After ${triggers.map(triggerName).join(' or ')}${repeatsOnTrigger ? ', every time' : ''}`,
    delaySeconds !== undefined && delaySeconds > 0 && `After ${delaySeconds} seconds`,
    scrollPercent !== undefined && scrollPercent > 0 && `Once ${scrollPercent}% of the page is scrolled`,
    exitIntent && 'When the pointer leaves the page',
    waitDays !== undefined && `Not within ${waitDays} days of another survey`,
  ]
}

const triggerName = (trigger: SurveyTrigger): string =>
  trigger.kind === 'event' ? `the event ${trigger.event}` : `the action ${trigger.name}`
