import { describe, expect, test } from 'vitest'
import { filterFrom } from '#api/posthog/property-filters'
import { cohortFrom, inOrder } from './cohorts'
import { experimentFrom } from './experiments'
import { metricFrom } from '#api/posthog/experiment-metrics'
import { insightFrom } from './insights'
import { withOurCohorts } from './our-cohorts'
import { relativePeriod } from '#api/posthog/relative-periods'

const groupTypes = { '0': 'company' }
const cohortIds = new Map([['12', 'ours-12']])
const metricContext = { groupTypes, filterOf: (given: unknown) => filterFrom(given, groupTypes) }

describe('a cohort', () => {
  const cohort = (values: object[], type = 'AND') =>
    cohortFrom(
      { id: 1, name: 'Buyers', filters: { properties: { type, values } } },
      { groupTypes, cohortIds },
    )
  const definitionOf = (values: object[], type?: string) => {
    const read = cohort(values, type)
    return read.done ? (read.input as { definition: object }).definition : read.problems[0]?.message
  }
  const performed = { type: 'behavioral', key: 'bought', value: 'performed_event', event_type: 'events' }

  test('is joined as in PostHog, and a negation is put around its condition', () =>
    expect(
      definitionOf(
        [
          { type: 'AND', values: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }] },
          { type: 'AND', values: [{ key: 'age', type: 'person', operator: 'gt', value: 3, negation: true }] },
        ],
        'OR',
      ),
    ).toEqual({
      any: [
        { is: { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] } },
        { not: { is: { type: 'person', key: 'age', operator: 'gt', value: 3 } } },
      ],
    }))

  test.each<[object, object]>([
    [
      { time_value: 30, time_interval: 'day' },
      { did: { event: 'bought' }, within: { days: 30 } },
    ],
    [
      { time_value: '2', time_interval: 'week' },
      { did: { event: 'bought' }, within: { days: 14 } },
    ],
    [{ explicit_datetime: '-3m' }, { did: { event: 'bought' }, within: { days: 90 } }],
    [{ negation: true }, { not: { did: { event: 'bought' } } }],
    [
      {
        value: 'performed_event_multiple',
        operator: 'gte',
        operator_value: 3,
        time_value: 1,
        time_interval: 'day',
      },
      { did: { event: 'bought' }, within: { days: 1 }, times: { at: 'least', count: 3 } },
    ],
    [
      { value: 'performed_event_multiple', operator: 'lt', operator_value: 3 },
      { all: [{ did: { event: 'bought' } }, { did: { event: 'bought' }, times: { at: 'most', count: 2 } }] },
    ],
    [
      { value: 'performed_event_first_time', time_value: 7, time_interval: 'day' },
      { first: { event: 'bought' }, within: { days: 7 } },
    ],
    [
      { event_filters: [{ key: 'price', type: 'event', operator: 'gt', value: 5 }] },
      { did: { event: 'bought', filter: { type: 'event', key: 'price', operator: 'gt', value: 5 } } },
    ],
  ])('by events with %j', (more, definition) =>
    expect(definitionOf([{ ...performed, ...more }])).toEqual(definition),
  )

  test.each<[object, RegExp]>([
    [{ type: 'behavioral', key: 'x', value: 'performed_event_sequence' }, /performed event sequence/],
    [{ ...performed, event_type: 'actions', key: 4 }, /asks for an action/],
    [{ ...performed, time_value: 5, time_interval: 'hour' }, /the last 5 hour; a cohort here has days/],
    [{ ...performed, explicit_datetime: '2024-01-01' }, /since “2024-01-01”/],
    [{ type: 'cohort', key: 'id', value: 99 }, /the cohort 99 of PostHog, which is not here/],
    [{ type: 'session', key: 'x', value: 1 }, /of the kind “session”/],
    [{ type: 'AND', values: [] }, /no conditions/],
    [{ what: 1 }, /a form that is unknown/],
  ])('with %j is left out, and says why', (leaf, why) => expect(definitionOf([leaf])).toMatch(why))

  test('of picked persons, or in the old form, is left out', () => {
    const context = { groupTypes, cohortIds }
    expect(cohortFrom({ id: 1, name: 'x', is_static: true }, context)).toMatchObject({ done: false })
    expect(cohortFrom({ id: 1, name: 'x', groups: [{}] }, context)).toMatchObject({ done: false })
  })

  test('that is made of another comes after it', () => {
    const of = (id: number, ...needed: number[]) => ({
      id,
      filters: { properties: { values: needed.map((value) => ({ type: 'cohort', value })) } },
    })
    expect(inOrder([of(3, 2), of(2, 1), of(1, 50), of(5, 6), of(6, 5)]).map(({ id }) => id)).toEqual([
      1, 2, 3, 5, 6,
    ])
  })
})

test('cohorts in conditions have our ids, at any depth', () => {
  const given = (value: unknown) => ({
    groups: [{ properties: [{ key: 'id', type: 'cohort', value }, { key: 'a' }] }],
  })
  expect(withOurCohorts(given(12), cohortIds)).toEqual({ done: true, value: given('ours-12') })
  expect(withOurCohorts(given(13), cohortIds)).toMatchObject({
    problems: [{ message: 'It names the cohort 13 of PostHog, which is not here.' }],
  })
})

test.each([
  ['-7d', undefined, '8d'],
  ['-24h', undefined, '24h'],
  ['-4w', undefined, '29d'],
  ['-3m', undefined, '92d'],
  ['dStart', undefined, 'today'],
  ['mStart', undefined, 'this-month'],
  ['-1dStart', '-1dEnd', 'yesterday'],
  ['-1mStart', '-1mEnd', 'last-month'],
  ['all', undefined, 'all'],
  ['2024-01-01', '2024-01-31', undefined],
  ['-30d', '-7d', undefined],
])('the period from %s to %s is %s', (from, to, period) =>
  expect(relativePeriod(from, to).period).toBe(period),
)

describe('an insight', () => {
  const move = {
    groupTypes,
    cohortIds,
    project: { timeZone: 'UTC', answers: {} } as never,
    now: new Date('2026-11-24T12:00:00Z'),
  }
  const insight = (query: unknown) => insightFrom({ id: 1, name: '', derived_name: 'Orders', query }, move)
  const series = [{ kind: 'EventsNode', event: 'bought', math: 'dau' }]

  test('is translated with a period that moves along, and filters by cohorts of ours', () =>
    expect(
      insight({
        kind: 'InsightVizNode',
        source: {
          kind: 'TrendsQuery',
          series,
          dateRange: { date_from: '-30d', date_to: null },
          properties: {
            type: 'AND',
            values: [{ type: 'AND', values: [{ key: 'id', type: 'cohort', operator: 'in', value: 12 }] }],
          },
          response: null,
        },
      }),
    ).toMatchObject({
      done: true,
      notes: [],
      input: {
        name: 'Orders',
        question: {
          kind: 'trend',
          period: '31d',
          filter: { type: 'cohort', cohort: 'ours-12', operator: 'in' },
          series: [{ event: 'bought', measure: { math: 'persons' } }],
        },
      },
    }))

  test.each<[unknown, RegExp]>([
    [undefined, /form without a query/],
    [{ kind: 'InsightVizNode', source: { kind: 'PathsQuery' } }, /kind "PathsQuery"/],
    [{ kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id: 4 }] }, /not "ActionsNode"/],
    [{ kind: 'TrendsQuery', series, samplingFactor: 0.1 }, /counts every event/],
    [{ kind: 'TrendsQuery', series, properties: [{ key: 'x', type: 'hogql' }] }, /of the type "hogql"/],
    [{ kind: 'DataTableNode', source: { kind: 'HogQLQuery', query: 'select {x}' } }, /no {placeholders}/],
  ])('of %j is left out, and says why', (query, why) => {
    const read = insight(query)
    expect(read.done ? '' : read.problems[0]?.message).toMatch(why)
  })
})

describe('an experiment', () => {
  const event = (name: string, more: object = {}) => ({ kind: 'EventsNode', event: name, ...more })

  test.each<[object, object]>([
    [
      { kind: 'ExperimentMetric', metric_type: 'mean', source: event('bought'), goal: 'decrease' },
      {
        name: 'bought',
        goal: 'decrease',
        measured: { type: 'total', amount: { happening: { event: 'bought' } } },
      },
    ],
    [
      {
        kind: 'ExperimentMetric',
        metric_type: 'mean',
        name: 'Revenue',
        source: event('bought', { math: 'sum', math_property: 'price' }),
        upper_bound_percentile: 0.99,
        conversion_window: 14,
        conversion_window_unit: 'day',
      },
      {
        name: 'Revenue',
        measured: {
          type: 'total',
          amount: { property: 'price' },
          atMost: { percentile: 99 },
          windowHours: 336,
        },
      },
    ],
    [
      { kind: 'ExperimentMetric', metric_type: 'funnel', series: [event('bought')] },
      { measured: { type: 'conversion', happening: { event: 'bought' } } },
    ],
    [
      { kind: 'ExperimentFunnelsQuery', funnels_query: { series: [event('a'), event('b')] } },
      { name: 'b', measured: { type: 'funnel', steps: [{ event: 'a' }, { event: 'b' }] } },
    ],
    [
      { kind: 'ExperimentMetric', metric_type: 'ratio', numerator: event('a'), denominator: event('b') },
      {
        measured: {
          type: 'ratio',
          numerator: { happening: { event: 'a' } },
          denominator: { happening: { event: 'b' } },
        },
      },
    ],
  ])('has the metric of %j', (given, metric) =>
    expect(metricFrom(given, metricContext, 'Metric 1')).toMatchObject({ done: true, metric }),
  )

  test.each<[unknown, RegExp]>([
    [{ kind: 'ExperimentMetric', metric_type: 'retention' }, /type “retention”/],
    [{ kind: 'ExperimentMetric', metric_type: 'mean', source: { kind: 'ActionsNode' } }, /of an action/],
    [
      { kind: 'ExperimentMetric', metric_type: 'mean', source: event('a', { math: 'dau' }) },
      /measured by “dau”/,
    ],
    [{ kind: 'ExperimentMetric', metric_type: 'funnel', series: [] }, /no event/],
    ['odd', /a form that is unknown/],
  ])('does not have the metric of %j, and says why', (given, why) => {
    const read = metricFrom(given, metricContext, 'Metric 1')
    expect(read.done ? '' : read.problems[0]?.message).toMatch(why)
  })

  test('keeps its unit, exposure, and the metrics that translate', () =>
    expect(
      experimentFrom(
        {
          id: 1,
          name: 'Checkout',
          feature_flag_key: 'checkout',
          feature_flag: { filters: { aggregation_group_type_index: 0 } },
          parameters: { minimum_detectable_effect: 20 },
          exposure_criteria: {
            multiple_variant_handling: 'first_seen',
            exposure_config: { kind: 'ExperimentEventExposureConfig', event: 'saw', properties: [] },
          },
          stats_config: { method: 'frequentist' },
          metrics: [{ kind: 'ExperimentMetric', metric_type: 'mean', source: event('bought') }],
          saved_metrics: [{ name: 'Old', query: { kind: 'odd' }, metadata: { type: 'secondary' } }],
        },
        { ...metricContext, cohortIds },
      ),
    ).toMatchObject({
      done: true,
      notes: [expect.stringMatching(/^Its metric 2 is not here/)],
      input: {
        flag: 'checkout',
        unit: { by: 'group', group: 'company' },
        exposure: { by: 'event', event: 'saw', property: '$feature/checkout' },
        severalVariants: 'first',
        metrics: [{ role: 'primary' }],
        analysis: { method: 'frequentist', smallestEffect: 0.2 },
      },
    }))
})
