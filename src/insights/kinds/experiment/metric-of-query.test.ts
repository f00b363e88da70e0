import { expect, test } from 'vitest'
import type { Filter } from '#filters/filter'
import { metricOfQuery } from './metric-of-query'

const base = { period: '30d', traffic: 'human', withoutTestAccounts: false } as const
const german: Filter = { type: 'person', key: 'country', operator: 'exact', value: ['DE'] }
const paid: Filter = { type: 'event', key: 'plan', operator: 'exact', value: ['paid'] }
const times = { math: 'total' }
const price = { type: 'event', key: 'price' }
const trend = (...series: object[]) => ({ ...base, kind: 'trend', series })
const common = { delayHours: 0, onlyComplete: false }

test.each([
  [
    'a count with both filters',
    { ...trend({ event: 'ordered', filter: paid, measure: times }), filter: german },
    { type: 'total', amount: { happening: { event: 'ordered', filter: { all: [german, paid] } } } },
  ],
  [
    'persons',
    trend({ event: 'ordered', measure: { math: 'persons' } }),
    { type: 'conversion', happening: { event: 'ordered' } },
  ],
  [
    'a sum',
    trend({ event: 'ordered', measure: { math: 'sum', property: price } }),
    { type: 'total', amount: { happening: { event: 'ordered' }, property: 'price' } },
  ],
  [
    'an average of any event',
    trend({ event: null, measure: { math: 'average', property: price } }),
    { type: 'value', of: 'mean', happening: { event: null }, property: 'price' },
  ],
  [
    'a percentile',
    trend({ event: 'ordered', measure: { math: 'p90', property: price } }),
    { type: 'quantile', happening: { event: 'ordered' }, property: 'price', level: 0.9 },
  ],
  [
    'a formula of two series',
    {
      ...trend(
        { event: 'ordered', measure: { math: 'sum', property: price } },
        { event: 'ordered', measure: times },
      ),
      formulas: [{ text: 'a / B' }],
    },
    {
      type: 'ratio',
      numerator: { happening: { event: 'ordered' }, property: 'price' },
      denominator: { happening: { event: 'ordered' } },
    },
  ],
  [
    'a funnel with its window',
    {
      ...base,
      kind: 'funnel',
      filter: german,
      steps: [{ event: 'cart' }, { event: 'ordered' }],
      window: { amount: 2, unit: 'week' },
    },
    {
      type: 'funnel',
      steps: [
        { event: 'cart', filter: german },
        { event: 'ordered', filter: german },
      ],
      windowHours: 336,
    },
  ],
  [
    'retention',
    {
      ...base,
      kind: 'retention',
      target: { event: 'signup' },
      returning: { event: 'opened' },
      interval: 'week',
    },
    {
      type: 'conversion',
      happening: { event: 'opened' },
      delayHours: 168,
      windowHours: 168,
      onlyComplete: true,
    },
  ],
  [
    'rolling retention',
    { ...base, kind: 'retention', target: { event: 'opened' }, rolling: true },
    { type: 'conversion', happening: { event: 'opened' }, delayHours: 24 },
  ],
])('%s becomes a metric', (_, query, measured) => {
  expect(metricOfQuery(query)).toEqual({ done: true, measured: { ...common, ...measured } })
})

test.each([
  [trend({ event: 'a' }, { event: 'b' }), /several series/],
  [{ ...trend({ event: 'a' }, { event: 'b' }), formulas: [{ text: 'A + B' }] }, /only “A \/ B”/],
  [trend({ event: 'a', measure: { math: 'sessions' } }), /sessions, groups or scores/],
  [
    trend({ event: 'a', measure: { math: 'sum', property: { type: 'person', key: 'age' } } }),
    /property of persons/,
  ],
  [{ ...trend({ event: 'a' }), traffic: 'all' as const }, /robots/],
  [{ ...base, kind: 'funnel', steps: [{ event: 'a' }, { event: 'b' }], order: 'strict' }, /in order/],
  [
    {
      ...base,
      kind: 'funnel',
      steps: [{ event: 'a' }, { event: 'b' }],
      exclusions: [{ event: 'c', from: 0, to: 1 }],
    },
    /exclude/,
  ],
  [
    { ...base, kind: 'funnel', steps: [{ event: 'a' }, { event: 'b', optional: true }, { event: 'c' }] },
    /optional/,
  ],
  [{ ...base, kind: 'funnel', steps: [{ event: 'a' }, { event: 'b' }], per: 'session' }, /persons/],
  [{ ...base, kind: 'retention', minimum: 3 }, /several events/],
  [{ ...base, kind: 'paths' }, /Only trends, funnels and retention/],
])('%j is refused with the reason', (query, message) => {
  expect(metricOfQuery(query)).toMatchObject({
    done: false,
    problems: [{ message: expect.stringMatching(message) }],
  })
})
