import { describe, expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { ExperimentAnswer, MetricMoments, QuantileMoments } from './answer'

const engine = anEngine()

const exposed = (person: string, variant = 'test', at = 0): TestEvent => ({
  person,
  event: '$feature_flag_called',
  at,
  properties: { $feature_flag: 'checkout', $feature_flag_response: variant },
})
const did = (
  person: string,
  event: string,
  at: number,
  properties: Record<string, string> = {},
): TestEvent => ({
  person,
  event,
  at,
  properties,
})

const ask = async (events: readonly TestEvent[], metric: object, more: object = {}) =>
  await engine.ask<ExperimentAnswer>(await engine.addProject(events), {
    kind: 'experiment',
    flag: 'checkout',
    variants: ['control', 'test'],
    phases: ['2026-03-02T00:00:00Z'],
    until: '2026-03-09T00:00:00Z',
    metrics: [metric],
    ...more,
  })

/** The means of the only metric’s values by variant. */
const meansIn = ({ cells }: ExperimentAnswer) =>
  Object.fromEntries(cells.map(({ variant, metrics: [one] }) => [variant, (one as MetricMoments).means]))

describe('funnels', () => {
  test.each<[string, object[], TestEvent[], number[]]>([
    [
      'one event is not two steps of the same kind',
      [{ event: 'a' }, { event: 'a' }],
      [did('ana', 'a', 1)],
      [1, 0],
    ],
    ['two events are', [{ event: 'a' }, { event: 'a' }], [did('ana', 'a', 1), did('ana', 'a', 2)], [1, 1]],
    [
      'one event that fits both of two steps is one of them',
      [{ event: null }, { event: 'a' }],
      [did('ana', 'a', 1)],
      [1, 0],
    ],
    [
      'a first step before the exposure is none',
      [{ event: 'a' }, { event: 'b' }],
      [did('ana', 'a', -1), did('ana', 'b', 1)],
      [0, 0],
    ],
    [
      'steps of the same instant count in their order',
      [{ event: 'a' }, { event: 'b' }],
      [did('ana', 'b', 1), did('ana', 'a', 1)],
      [1, 1],
    ],
  ])('%s', async (_, steps, events, reached) => {
    // the exposure is an event too, and comes after what “any event” should find
    const before = steps.some((step) => 'event' in step && step.event === null) ? 5 : 0
    const moved = events.map((event) => ({ ...event, at: Number(event.at) + before }))
    const metric = { type: 'funnel', steps, ...(before > 0 && { delayHours: 1 / 60 }) }
    expect(meansIn(await ask([exposed('ana'), ...moved], metric))).toEqual({ test: reached })
  })
})

describe('bounds of values', () => {
  const paid = (person: string, ...prices: number[]) =>
    prices.map((price, i) => did(person, 'paid', i + 1, { price: String(price) }))
  const value = (of: string, more: object) => ({
    type: 'value',
    of,
    happening: { event: 'paid' },
    property: 'price',
    ...more,
  })

  test('a bound of a mean bounds each unit’s mean, not its sum', async () => {
    const events = [exposed('ana'), ...paid('ana', 40, 60, 50), exposed('ben'), ...paid('ben', 500)]
    // 3 payments of 50 on average, and one of 500 that is bounded to 100
    expect(meansIn(await ask(events, value('mean', { atMost: { value: 100 } })))).toEqual({
      test: [250 / 2, 2],
    })
  })

  test.each(['mean', 'min', 'max'])('a unit without a value has none after a lower bound: %s', async (of) => {
    const events = [exposed('ana'), ...paid('ana', 5), exposed('ben')]
    expect(meansIn(await ask(events, value(of, { atLeast: { value: 20 } })))).toEqual({
      test: [20 / 2, 1 / 2],
    })
  })

  test('a percentile is that of units with a value', async () => {
    const persons = ['a', 'b', 'c', 'd', 'e']
    const events = [
      ...persons.flatMap((person, i) => [
        exposed(person, i % 2 === 0 ? 'test' : 'control'),
        ...paid(person, 10 * (i + 1), 10 * (i + 1)),
      ]),
      ...['f', 'g', 'h', 'i', 'j'].map((person) => exposed(person)),
    ]
    const answer = await ask(
      events,
      value('mean', { atLeast: { percentile: 25 }, atMost: { percentile: 75 } }),
    )
    expect(answer.limits).toEqual([[{ low: 20, high: 40 }]])
    // 20 and 30 and 40 of 8 units in the test, two payments each; 20 and 40 in the control
    expect(meansIn(answer)).toEqual({ control: [(40 + 80) / 2, 2], test: [(40 + 60 + 80) / 8, 6 / 8] })
  })

  test('both tails of a numerator and a denominator, apart, and over all variants together', async () => {
    const rows = [1, 2, 3, 4, 100].map((clicks, i) => ({
      person: `p${i}`,
      clicks,
      views: [50, 2, 2, 2, 1][i] ?? 0,
      variant: i < 2 ? 'control' : 'test',
    }))
    const events = rows.flatMap(({ person, clicks, views, variant }) => [
      exposed(person, variant),
      did(person, 'clicked', 1, { count: String(clicks) }),
      did(person, 'viewed', 1, { count: String(views) }),
    ])
    const part = (event: string) => ({
      happening: { event },
      property: 'count',
      atLeast: { percentile: 25 },
      atMost: { percentile: 75 },
    })
    const answer = await ask(events, {
      type: 'ratio',
      numerator: part('clicked'),
      denominator: part('viewed'),
    })
    expect(answer.limits).toEqual([
      [
        { low: 2, high: 4 },
        { low: 2, high: 2 },
      ],
    ])
    expect(meansIn(answer)).toEqual({ control: [(2 + 2) / 2, 2], test: [(3 + 4 + 4) / 3, 2] })
  })
})

describe('quantiles', () => {
  const loaded = (person: string, ...numbers: number[]) =>
    numbers.map((ms, i) => did(person, 'loaded', i + 1, { ms: String(ms) }))
  const quantile = (level: number) => ({
    type: 'quantile',
    happening: { event: 'loaded' },
    property: 'ms',
    level,
  })
  const momentsIn = async (events: readonly TestEvent[], level: number) => {
    const { cells } = await ask(events, quantile(level))
    return cells[0]?.metrics[0] as QuantileMoments
  }

  /** The interval by definition: the quantiles at the level, less and more 1.96 standard errors of the share below. */
  function plainInterval(byUnit: readonly (readonly number[])[], level: number) {
    const sorted = byUnit.flat().toSorted((one, other) => one - other)
    const n = sorted.length
    const rank = level * (n - 1)
    const [under = 0, over = 0] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]]
    const value = under + (over - under) * (rank - Math.floor(rank))
    const below = sorted.filter((one) => one < value).length
    const equal = sorted.filter((one) => one === value).length
    const part = equal === 0 ? 0 : Math.min(1, Math.max(0, (level * n - below) / equal))
    const shares = byUnit.map((own) =>
      own.reduce((sum, one) => sum + (one < value ? 1 : one === value ? part : 0), 0),
    )
    const share = shares.reduce((sum, one) => sum + one, 0) / n
    const squares = shares.reduce((sum, one, i) => sum + (one - share * (byUnit[i]?.length ?? 0)) ** 2, 0)
    const units = byUnit.length
    const reach = 1.959963984540054 * Math.sqrt((units / (units - 1)) * squares)
    const at = (position: number) => sorted[Math.max(1, Math.min(n, position)) - 1]
    return {
      events: n,
      units,
      value,
      low: at(Math.floor(level * n - reach)),
      high: at(Math.ceil(level * n + reach)),
    }
  }

  test.each([0.5, 0.9])('units whose events are alike have a wide interval: level %d', async (level) => {
    // 20 persons with 30 events each that are almost the same
    const byUnit = Array.from({ length: 20 }, (_, unit) =>
      Array.from({ length: 30 }, (_one, i) => 1000 * unit + i),
    )
    const events = byUnit.flatMap((numbers, unit) => [exposed(`u${unit}`), ...loaded(`u${unit}`, ...numbers)])
    const found = await momentsIn(events, level)
    expect(found).toEqual(plainInterval(byUnit, level))
    // as if the 600 events were 600 persons, it would be five times narrower
    const alone = plainInterval(
      byUnit.flat().map((one) => [one]),
      level,
    )
    expect(found.high - found.low).toBeGreaterThan(2.5 * ((alone.high ?? 0) - (alone.low ?? 0)))
  })

  test('ties, and units of one event each', async () => {
    const byUnit = Array.from({ length: 60 }, (_, unit) => [unit % 3 === 0 ? 10 : 10 * (unit % 7)])
    const events = byUnit.flatMap((numbers, unit) => [exposed(`u${unit}`), ...loaded(`u${unit}`, ...numbers)])
    expect(await momentsIn(events, 0.5)).toEqual(plainInterval(byUnit, 0.5))
    expect(await momentsIn(events, 0.9)).toEqual(plainInterval(byUnit, 0.9))
  })

  test('of units whose window is over, where only those count', async () => {
    const late = 6 * 24 * 60
    const events = [
      exposed('ana'),
      ...loaded('ana', 10, 20, 30),
      exposed('ben', 'test', late),
      did('ben', 'loaded', late + 1, { ms: '500' }),
    ]
    const complete = { ...quantile(0.5), windowHours: 48, onlyComplete: true }
    const { cells } = await ask(events, complete)
    expect(cells[0]?.metrics).toEqual([{ events: 3, units: 1, value: 20, low: 10, high: 30 }])
  })

  test('the course has the quantile of the events that were known at the end of each day', async () => {
    const day = 24 * 60
    const events = [
      exposed('ana'),
      exposed('ben'),
      ...loaded('ana', 10, 20, 30),
      ...loaded('ben', 20).map((event) => ({ ...event, at: 1 + day })),
    ]
    const { cells } = await ask(events, quantile(0.5), { course: true, until: '2026-03-04T00:00:00Z' })
    expect(cells.map(({ day: of, metrics: [one] }) => [of, one])).toEqual([
      ['2026-03-02', { events: 3, units: 1, value: 20, low: 10, high: 30 }],
      ['2026-03-03', { ...plainInterval([[10, 20, 30], [20]], 0.5) }],
    ])
  })
})
