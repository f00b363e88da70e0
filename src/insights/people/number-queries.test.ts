import { describe, expect, test } from 'vitest'
import { readQuery } from '../ask'
import { narrowedTo } from '../text/dimension-words'
import { cohortDefinition } from '#persons/cohort'
import { watchedMetric } from '#alerts/watched-metric'
import {
  asAskedNumber,
  type AskedNumber,
  comparisonOf,
  liveConditionOf,
  watchedEventOf,
  webConditionsOf,
} from './number-queries'
import { numberName } from './number-words'

const number = (query: object, point: object): AskedNumber => {
  const asked = asAskedNumber(query, point)
  if (!asked) throw new Error('This is no number.')
  return asked
}
const german = narrowedTo('country', 'is', ['DE'])
const row = number(
  { kind: 'breakdown', dimensions: ['page'], filter: { all: [german] } },
  { dimension: 'page', value: '/pricing' },
)
const ofPlan = number(
  {
    kind: 'trend',
    series: [{ event: 'signup', measure: { math: 'persons' } }],
    breakdowns: [{ type: 'event', key: 'plan' }],
  },
  { series: 0, breakdown: ['pro'] },
)
const dropped = number(
  { kind: 'funnel', steps: [{ event: 'visit' }, { event: 'signup' }] },
  { step: 1, outcome: 'dropped' },
)

describe('a condition that new persons can meet later', () => {
  test('of a row is its value, the filters of the page and the period', () => {
    expect(liveConditionOf(row)).toEqual({
      did: {
        event: '$pageview',
        filter: { all: [german, narrowedTo('page', 'is', ['/pricing'])].flatMap((one) => one) },
      },
      within: { days: 30 },
    })
    expect(cohortDefinition.safeParse(liveConditionOf(row)).success).toBe(true)
  })

  test('of a line is its event and the value of its breakdown', () => {
    expect(liveConditionOf(ofPlan)).toEqual({
      did: {
        event: 'signup',
        filter: { all: [{ type: 'event', key: 'plan', operator: 'exact', value: 'pro' }] },
      },
      within: { days: 30 },
    })
  })

  test.each([
    ['those who dropped off did not do something', dropped],
    ['a day is over', number(ofPlan.query, { series: 0, breakdown: ['pro'], bucket: 3 })],
    ['a month of the calendar moves on', number({ ...row.query, period: 'last-month' }, row.point)],
    ['robots are in no cohort', number({ ...row.query, traffic: 'robots' }, row.point)],
    ['all others are no value', number(ofPlan.query, { series: 0, isOthers: true })],
  ])('is missing where %s', (_, asked) => expect(liveConditionOf(asked)).toBeUndefined())
})

test.each([
  ['a row', row, { event: '$pageview', measure: { math: 'persons' } }],
  ['a line', ofPlan, { event: 'signup', measure: { math: 'persons' } }],
])('an alert on %s watches its event with its conditions', (_, asked, expected) => {
  const watched = watchedMetric.safeParse(watchedEventOf(asked))
  expect(watched.data).toMatchObject({ type: 'event', ...expected })
  expect(watched.data).toHaveProperty('filter')
})

test('a drop-off is nothing that an alert watches', () => expect(watchedEventOf(dropped)).toBeUndefined())

test.each([
  ['a row', row, 'totals'],
  ['a line', ofPlan, 'trend'],
  ['a step', dropped, 'funnel'],
])('%s is compared with the period before', (_, asked, kind) => {
  const read = readQuery(comparisonOf(asked))
  expect(read.done && read.ready.query).toMatchObject({ kind, compare: 'previous' })
})

test('a kind without a comparison has none', () =>
  expect(comparisonOf(number({ kind: 'retention' }, { cohort: 0, interval: 1 }))).toBeUndefined())

test('the conditions of web analytics are read back from the filter of a row', () => {
  expect(webConditionsOf(row)).toEqual([
    { dimension: 'country', operator: 'is', values: ['DE'] },
    { dimension: 'page', operator: 'is', values: ['/pricing'] },
  ])
  const other = { type: 'person', key: 'plan', operator: 'exact', value: 'pro' }
  expect(webConditionsOf(number({ ...row.query, filter: { all: [other] } }, row.point))).toBeUndefined()
  expect(webConditionsOf(dropped)).toBeUndefined()
})

test.each([
  [row, 'Page: /pricing'],
  [number({ kind: 'breakdown' }, { dimension: 'country', value: 'DE' }), 'Country: Germany'],
  [ofPlan, 'signup, pro'],
  [dropped, 'Dropped off before signup'],
  [number({ kind: 'paths' }, { dropOff: '1:/a' }), 'Left after /a'],
])('names the persons of %j', (asked, name) => expect(numberName(asked)).toBe(name))
