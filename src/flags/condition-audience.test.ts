import { expect, test } from 'vitest'
import { cohortDefinition } from '#persons/cohort'
import { audienceOf, definitionOf } from './numbers'
import type { Condition } from './flag'

const pro: Condition = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
const german: Condition = { type: 'person', key: '$geoip_country_code', operator: 'exact', value: ['DE'] }
const noSafari: Condition = { type: 'person', key: '$browser', operator: 'is_not', value: ['Safari'] }
const buyers: Condition = { type: 'cohort', cohort: 'buyers', operator: 'not_in' }
const beta: Condition = { type: 'flag', flag: 'beta', value: true }
const large: Condition = { type: 'group', group: 'company', key: 'size', operator: 'gt', value: 5 }

test.each<[string, Condition[], object | undefined, string[], boolean]>([
  ['nothing is asked', [], undefined, [], false],
  ['a property of persons', [pro], { all: [pro] }, [], false],
  ['the last known place and device', [german, noSafari], { all: [german, noSafari] }, [], true],
  ['a cohort', [buyers, pro], { all: [buyers, pro] }, [], false],
  [
    'what cannot be counted',
    [pro, beta, large],
    { all: [pro] },
    ['This count ignores the condition on flag “beta”.', 'This count ignores conditions on groups (“size”).'],
    false,
  ],
])('%s', (_, conditions, filter, left, usesRequest) => {
  const audience = audienceOf(conditions)
  expect(audience).toEqual({ filter, left, usesRequest })
  const definition = definitionOf(audience, 30)
  expect(definition).toEqual(filter ? { is: filter } : { did: { event: null }, within: { days: 30 } })
  expect(cohortDefinition.safeParse(definition).success).toBe(true)
})
