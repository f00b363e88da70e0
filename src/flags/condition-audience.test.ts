import { expect, test } from 'vitest'
import { cohortDefinition } from '#persons/cohort'
import { audienceOf } from './condition-audience'
import type { Condition } from './flag'

const pro: Condition = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
const german: Condition = { type: 'person', key: '$geoip_country_code', operator: 'exact', value: ['DE'] }
const noSafari: Condition = { type: 'person', key: '$browser', operator: 'is_not', value: ['Safari'] }
const buyers: Condition = { type: 'cohort', cohort: 'buyers', operator: 'not_in' }
const beta: Condition = { type: 'flag', flag: 'beta', value: true }
const large: Condition = { type: 'group', group: 'company', key: 'size', operator: 'gt', value: 5 }

const ofEvent = (condition: object) => ({ ...condition, type: 'event' })
const hasBrowser = { type: 'event', key: '$browser', operator: 'is_set' }

test.each<[string, Condition[], object, string[]]>([
  ['nothing is asked', [], { did: { event: null }, within: { days: 30 } }, []],
  ['a property of persons', [pro], { all: [{ is: { all: [pro] } }] }, []],
  [
    'what requests tell, all of it at one time',
    [german, noSafari],
    {
      all: [
        {
          did: { event: null, filter: { all: [ofEvent(german), ofEvent(noSafari), hasBrowser] } },
          within: { days: 30 },
        },
      ],
    },
    [],
  ],
  ['a cohort', [buyers], { all: [{ not: { in: 'buyers' } }] }, []],
  [
    'what cannot be counted',
    [pro, beta, large],
    { all: [{ is: { all: [pro] } }] },
    ['This count ignores the condition on flag “beta”.', 'This count ignores conditions on groups (“size”).'],
  ],
])('%s', (_, conditions, definition, left) => {
  const about = audienceOf(conditions, 30)
  expect(about).toEqual({ definition, left })
  expect(cohortDefinition.safeParse(about.definition).success).toBe(true)
})
