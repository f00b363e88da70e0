import { expect, test } from 'vitest'
import { measuredMetric } from '#insights/kinds/experiment/schema'
import { funnelQuery } from '#insights/kinds/funnel/schema'
import { trendQuery } from '#insights/kinds/trend/schema'
import { insightOf } from './metric-insight'

const experiment = {
  flag: 'checkout',
  startedAt: new Date('2026-03-01T10:00:00Z'),
  endedAt: undefined,
}
const now = new Date('2026-03-10T10:00:00Z')
const ordered = { event: 'ordered' }

test.each([
  [{ type: 'conversion', happening: ordered }],
  [{ type: 'total', amount: { happening: ordered } }],
  [{ type: 'total', amount: { happening: ordered, property: 'value' } }],
  [{ type: 'value', of: 'mean', happening: ordered, property: 'value' }],
  [{ type: 'value', of: 'max', happening: ordered, property: 'value' }],
  [
    {
      type: 'ratio',
      numerator: { happening: ordered, property: 'value' },
      denominator: { happening: ordered },
    },
  ],
  [{ type: 'quantile', happening: ordered, property: 'ms', level: 0.5 }],
  [{ type: 'funnel', steps: [{ event: 'viewed' }, ordered], windowHours: 48 }],
])('the insight of %j is a query that can be asked', (input) => {
  const measured = measuredMetric.parse(input)
  const query = insightOf({ measured }, experiment, now)
  const schema = measured.type === 'funnel' ? funnelQuery : trendQuery
  expect(schema.safeParse(query).error).toBeUndefined()
})

test('it is about the time of the experiment, and split by the flag', () => {
  const measured = measuredMetric.parse({ type: 'conversion', happening: ordered })
  expect(insightOf({ measured }, experiment, now)).toMatchObject({
    period: '2026-03-01T10:00:00.000Z..2026-03-10T10:00:00.000Z',
    breakdowns: [{ type: 'event', key: '$feature/checkout' }],
    series: [{ event: 'ordered', measure: { math: 'persons' } }],
  })
})

test('no insight counts a 0.9 quantile, and a draft has no time to ask about', () => {
  const measured = measuredMetric.parse({ type: 'quantile', happening: ordered, property: 'ms', level: 0.9 })
  expect(insightOf({ measured }, experiment, now)).toBeUndefined()
  const counted = measuredMetric.parse({ type: 'conversion', happening: ordered })
  expect(insightOf({ measured: counted }, { ...experiment, startedAt: undefined }, now)).toBeUndefined()
})
