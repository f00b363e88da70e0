import { describe, expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { ExperimentAnswer, MetricMoments } from './answer'
import { experimentQuery } from './schema'
import { unitSample } from './unit-sample'

const engine = anEngine()

const exposed = (
  person: string,
  value: string,
  at: number,
  more: Record<string, string> = {},
): TestEvent => ({
  person,
  event: '$feature_flag_called',
  at,
  properties: { $feature_flag: 'checkout', $feature_flag_response: value, ...more },
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

const query = {
  kind: 'experiment',
  flag: 'checkout',
  variants: ['control', 'test'],
  phases: ['2026-03-02T00:00:00Z'],
  until: '2026-03-09T00:00:00Z',
}
const bought = { type: 'conversion', happening: { event: 'bought' } }

const ask = async (events: readonly TestEvent[], more: object = {}) =>
  await engine.ask<ExperimentAnswer>(await engine.addProject(events), { ...query, ...more })

const unitsIn = ({ cells }: ExperimentAnswer) =>
  Object.fromEntries(cells.map(({ variant, units }) => [variant, units]))

/** The means of one metric by variant. */
const meansIn = ({ cells }: ExperimentAnswer, metric = 0) =>
  Object.fromEntries(
    cells.map(({ variant, metrics }) => {
      const found = metrics[metric]
      return [variant, found && 'means' in found ? found.means : []]
    }),
  )

describe('exposures', () => {
  test('a unit is exposed once, whatever the number of reports', async () => {
    const answer = await ask([
      exposed('ana', 'test', 1),
      exposed('ana', 'test', 2),
      exposed('ana', 'test', 3),
      exposed('ben', 'control', 1),
    ])
    expect(unitsIn(answer)).toEqual({ control: 1, test: 1 })
  })

  test('the flag’s value on other events exposes no one', async () => {
    const answer = await ask([
      exposed('ana', 'test', 1),
      did('ben', '$pageview', 2, { '$feature/checkout': 'test' }),
    ])
    expect(unitsIn(answer)).toEqual({ test: 1 })
  })

  test('off, holdouts, unknown values and another flag are no variants', async () => {
    const answer = await ask([
      exposed('ana', 'false', 1),
      exposed('ben', 'holdout-1', 1),
      {
        ...exposed('cleo', 'test', 1),
        properties: { $feature_flag: 'other', $feature_flag_response: 'test' },
      },
      exposed('dan', 'test', 1),
    ])
    expect(unitsIn(answer)).toEqual({ test: 1 })
    expect(answer.exposed).toContainEqual({ seen: [''], units: 2 })
  })

  test('a flag whose key differs only in case is another flag', async () => {
    const answer = await ask([
      exposed('ana', 'test', 1),
      {
        ...exposed('ben', 'test', 1),
        properties: { $feature_flag: 'Checkout', $feature_flag_response: 'test' },
      },
    ])
    expect(unitsIn(answer)).toEqual({ test: 1 })
  })

  test('units of several variants are left out and counted, or belong to the first', async () => {
    const events = [
      exposed('ana', 'control', 1),
      exposed('ana', 'test', 2),
      exposed('ben', 'test', 1),
      exposed('cleo', 'control', 1),
    ]
    const answer = await ask(events)
    expect(unitsIn(answer)).toEqual({ control: 1, test: 1 })
    expect(answer.exposed).toContainEqual({ seen: ['control', 'test'], units: 1 })
    expect(unitsIn(await ask(events, { severalVariants: 'first' }))).toEqual({ control: 2, test: 1 })
  })

  test('previews and overrides are left out and counted', async () => {
    const answer = await ask([
      exposed('ana', 'test', 1, { $override_feature_flags: '{"checkout":"test"}' }),
      exposed('ben', 'test', 1),
      exposed('cleo', 'test', 1, { $feature_flag_original_response: 'control' }),
      exposed('dan', 'control', 1, {
        $current_url: 'https://a.example/?__experiment_id=1&__experiment_variant=test',
      }),
    ])
    expect(unitsIn(answer)).toEqual({ test: 1 })
    expect(answer.exposed).toContainEqual({ seen: ['(preview)'], units: 3 })
  })

  test('robots are left out', async () => {
    const robot = { ...exposed('bot', 'test', 1), columns: { traffic: 'bot' as const } }
    expect(unitsIn(await ask([robot, exposed('ana', 'test', 1)]))).toEqual({ test: 1 })
  })

  test('exposures before the beginning and after the end do not count', async () => {
    const answer = await ask([
      exposed('early', 'test', -24 * 60),
      exposed('late', 'test', 8 * 24 * 60),
      exposed('ana', 'test', 1),
    ])
    expect(unitsIn(answer)).toEqual({ test: 1 })
  })

  test('any event with the variant in a property exposes', async () => {
    const viewed = (person: string, variant: string): TestEvent =>
      did(person, 'Experiment Viewed', 1, { experimentId: 'checkout', variationId: variant })
    const exposure = {
      by: 'event',
      event: 'Experiment Viewed',
      property: 'variationId',
      filter: { type: 'event', key: 'experimentId', operator: 'exact', value: ['checkout'] },
    }
    const other = { ...viewed('cleo', 'test'), properties: { experimentId: 'other', variationId: 'test' } }
    const answer = await ask([viewed('ana', 'test'), viewed('ben', 'control'), other], { exposure })
    expect(unitsIn(answer)).toEqual({ control: 1, test: 1 })
  })

  test('who may enter is decided by the exposure', async () => {
    const entry = { type: 'event', key: 'plan', operator: 'exact', value: ['pro'] }
    const answer = await ask(
      [exposed('ana', 'test', 1, { plan: 'pro' }), exposed('ben', 'test', 1), did('ana', 'bought', 2)],
      { entry, metrics: [bought] },
    )
    expect(unitsIn(answer)).toEqual({ test: 1 })
    expect(meansIn(answer)).toEqual({ test: [1] })
  })

  test('a session, a device or a group is the unit', async () => {
    const events = [
      { ...exposed('ana', 'test', 1, { $device_id: 'd' }), session: 'one', groups: { company: 'u' } },
      { ...exposed('ana', 'test', 200, { $device_id: 'd' }), session: 'two', groups: { company: 'v' } },
      { ...exposed('ben', 'test', 1, { $device_id: 'e' }), session: 'three', groups: { company: 'u' } },
      exposed('cleo', 'test', 1),
    ]
    expect(unitsIn(await ask(events, { unit: { by: 'session' } }))).toEqual({ test: 3 })
    expect(unitsIn(await ask(events, { unit: { by: 'device' } }))).toEqual({ test: 2 })
    expect(unitsIn(await ask(events, { unit: { by: 'group', group: 'company' } }))).toEqual({ test: 2 })
  })

  test('a unit belongs to the phase of its first exposure', async () => {
    const phases = ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z']
    const { cells } = await ask(
      [exposed('ana', 'test', 1), exposed('ana', 'test', 48 * 60), exposed('ben', 'test', 48 * 60)],
      { phases },
    )
    expect(cells.map(({ phase, units }) => [phase, units])).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  test('a segment is the value at the first exposure', async () => {
    const { cells } = await ask(
      [exposed('ana', 'test', 1, { plan: 'free' }), exposed('ana', 'test', 9, { plan: 'pro' })],
      { segment: { type: 'event', key: 'plan' } },
    )
    expect(cells.map(({ segment, units }) => [segment, units])).toEqual([['free', 1]])
  })
})

test('the course knows an exposure from its report on, and no later event', async () => {
  const midnight = 14 * 60
  const { cells } = await ask(
    [
      // evaluated before midnight, reported after it
      exposed('ana', 'test', midnight + 5, {
        $feature_flag_evaluated_at: String(Date.parse('2026-03-02T23:55:00Z')),
      }),
      exposed('ben', 'test', 0),
      did('ben', 'bought', 1),
      did('ana', 'bought', midnight - 2),
    ],
    { course: true, until: '2026-03-04T00:00:00Z', metrics: [bought] },
  )
  expect(
    cells.map(({ day, units, metrics: [one] }) => [day, units, one && 'means' in one && one.means]),
  ).toEqual([
    ['2026-03-02', 1, [1]],
    ['2026-03-03', 2, [1]],
  ])
})

describe('metrics', () => {
  test('what happened before the exposure does not count', async () => {
    const answer = await ask(
      [
        did('ana', 'bought', 0),
        exposed('ana', 'test', 1),
        exposed('ben', 'test', 1),
        did('ben', 'bought', 2),
      ],
      {
        metrics: [bought],
      },
    )
    expect(meansIn(answer)).toEqual({ test: [0.5] })
  })

  test('a conversion that overtook its exposure in the SDK’s queue counts by the time of the evaluation', async () => {
    const evaluated = String(Date.parse('2026-03-02T10:00:30Z'))
    const answer = await ask(
      [
        did('ana', 'bought', 1),
        exposed('ana', 'test', 2, { $feature_flag_evaluated_at: evaluated }),
        did('ben', 'bought', 1),
        exposed('ben', 'test', 2),
      ],
      { metrics: [bought] },
    )
    expect(meansIn(answer)).toEqual({ test: [0.5] })
  })

  test('windows and delays are measured from the first exposure', async () => {
    const events = [
      exposed('ana', 'test', 0),
      exposed('ana', 'test', 50),
      did('ana', 'bought', 70),
      exposed('ben', 'test', 0),
      did('ben', 'bought', 10),
    ]
    expect(meansIn(await ask(events, { metrics: [{ ...bought, windowHours: 1 }] }))).toEqual({ test: [0.5] })
    expect(meansIn(await ask(events, { metrics: [{ ...bought, delayHours: 1 }] }))).toEqual({ test: [0.5] })
    expect(meansIn(await ask(events, { metrics: [{ ...bought, delayHours: 1, windowHours: 0.1 }] }))).toEqual(
      {
        test: [0],
      },
    )
  })

  test('only complete windows count where it is said', async () => {
    const lastDay = 6 * 24 * 60
    const answer = await ask(
      [exposed('ana', 'test', 0), exposed('ben', 'test', lastDay), did('ana', 'bought', 5)],
      {
        metrics: [{ ...bought, windowHours: 48, onlyComplete: true }],
      },
    )
    const [cell] = answer.cells
    expect(cell?.units).toBe(2)
    expect(cell?.metrics[0]).toMatchObject({ n: 1, means: [1] })
  })

  test('totals, values and ratios', async () => {
    const paid = (person: string, at: number, price: string) => did(person, 'bought', at, { price })
    const answer = await ask(
      [
        exposed('ana', 'test', 0),
        paid('ana', 1, '10'),
        paid('ana', 2, '30'),
        paid('ana', 3, 'free'),
        did('ana', '$pageview', 4),
        exposed('ben', 'test', 0),
        did('ben', '$pageview', 4),
      ],
      {
        metrics: [
          { type: 'total', amount: { happening: { event: 'bought' } } },
          { type: 'total', amount: { happening: { event: 'bought' }, property: 'price' } },
          { type: 'value', of: 'mean', happening: { event: 'bought' }, property: 'price' },
          { type: 'value', of: 'max', happening: { event: 'bought' }, property: 'price' },
          { type: 'value', of: 'min', happening: { event: 'bought' }, property: 'price' },
          {
            type: 'ratio',
            numerator: { happening: { event: 'bought' } },
            denominator: { happening: { event: '$pageview' } },
          },
        ],
      },
    )
    expect([0, 1, 2, 3, 4, 5].map((metric) => meansIn(answer, metric).test)).toEqual([
      [1.5],
      [20],
      [20, 1],
      [15, 0.5],
      [5, 0.5],
      [1.5, 1],
    ])
    expect(answer.cells[0]?.metrics[0]).toMatchObject({ n: 2, deviations: [[4.5]] })
  })

  test('each step of a funnel is a share of all exposed', async () => {
    const answer = await ask(
      [
        did('ana', 'a', -1),
        exposed('ana', 'test', 0),
        did('ana', 'b', 1),
        did('ana', 'a', 2),
        did('ana', 'c', 3),
        did('ana', 'b', 4),
        exposed('ben', 'test', 0),
      ],
      { metrics: [{ type: 'funnel', steps: [{ event: 'a' }, { event: 'b' }, { event: 'c' }] }] },
    )
    expect(meansIn(answer)).toEqual({ test: [0.5, 0.5, 0] })
  })

  test('bounds by value, and by a percentile of all variants together', async () => {
    const events = ['control', 'test'].flatMap((variant, v) =>
      [1, 2, 3, 4, 5].flatMap((price) => {
        const person = `${variant}${price}`
        return [
          exposed(person, variant, 0),
          did(person, 'bought', 1, { price: String(price * (v === 1 ? 10 : 1)) }),
        ]
      }),
    )
    const total = { type: 'total', amount: { happening: { event: 'bought' }, property: 'price' } }
    const capped = await ask(events, { metrics: [{ ...total, atMost: { value: 3 }, atLeast: { value: 2 } }] })
    expect(meansIn(capped)).toEqual({ control: [(2 + 2 + 3 + 3 + 3) / 5], test: [3] })
    const byShare = await ask(events, { metrics: [{ ...total, atMost: { percentile: 50 } }] })
    // the middle of 1, 2, 3, 4, 5, 10, 20, 30, 40, 50
    expect(byShare.limits).toEqual([[{ low: null, high: 7.5 }]])
    expect(meansIn(byShare)).toEqual({ control: [3], test: [7.5] })
  })

  test('a quantile of events, with its interval', async () => {
    const events = Array.from({ length: 101 }, (_, i) => did('ana', 'loaded', i + 1, { ms: String(i) }))
    const answer = await ask([exposed('ana', 'test', 0), ...events], {
      metrics: [{ type: 'quantile', happening: { event: 'loaded' }, property: 'ms', level: 0.5 }],
    })
    expect(answer.cells[0]?.metrics).toEqual([{ events: 101, units: 1, value: 50, low: 39, high: 60 }])
  })

  test('behaviour before each unit’s own exposure', async () => {
    const day = 24 * 60
    const answer = await ask(
      [
        did('ana', 'bought', -2 * day),
        did('ana', 'bought', -1),
        exposed('ana', 'test', 0),
        did('ana', 'bought', 1),
        did('ben', 'bought', -1),
        exposed('ben', 'test', 2 * day),
      ],
      { metrics: [{ type: 'total', amount: { happening: { event: 'bought' } } }], lookbackDays: 1 },
    )
    const moments = answer.cells[0]?.metrics[0] as MetricMoments
    // ben’s purchase was two days before his exposure
    expect(moments.means).toEqual([0.5, 0.5])
    expect(moments.deviations).toEqual([
      [0.5, 0.5],
      [0.5, 0.5],
    ])
  })
})

test.each<[string, object, string]>([
  ['one variant', { variants: ['control'] }, 'An experiment has at least two variants.'],
  ['a variant twice', { variants: ['a', 'a'] }, 'Name each variant once.'],
  [
    'phases out of order',
    { phases: ['2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z'] },
    'Each phase begins after the one before.',
  ],
])('%s is refused', async (_, more, message) => {
  await expect(ask([], more)).rejects.toThrow(message)
})

describe('history, for a plan', () => {
  const history = { event: '$pageview' }
  const events = [
    did('ana', 'bought', -60),
    did('ana', '$pageview', 1),
    did('ana', 'bought', 5),
    did('ben', '$pageview', 2),
    did('ben', '$pageview', 24 * 60),
    did('ben', 'bought', -24 * 60),
    // without the page, no unit
    did('cleo', 'bought', 3),
    exposed('dan', 'test', 4),
  ]

  test('units are those with the event, from its first time on, as one variant', async () => {
    const { cells, exposed: sets } = await ask(events, {
      history,
      metrics: [bought],
      lookbackDays: 3,
      byDay: true,
    })
    expect(cells).toMatchObject([{ variant: '', day: '2026-03-02', units: 2 }])
    expect(cells[0]?.metrics[0]).toMatchObject({ n: 2, means: [0.5, 1] })
    expect(sets).toEqual([])
  })

  test('any event makes a unit where none is named', async () => {
    const { cells } = await ask(events, { history: { event: null }, metrics: [bought] })
    expect(cells).toMatchObject([{ units: 4 }])
  })

  test('the values of single units', async () => {
    const project = await engine.addProject(events)
    const parsed = experimentQuery.parse({
      ...query,
      history,
      lookbackDays: 3,
      metrics: [
        bought,
        { type: 'quantile', happening: { event: 'bought' }, property: 'price', level: 0.5 },
        { ...bought, windowHours: 158 - 1.5 / 60, onlyComplete: true },
      ],
    })
    const [plain, quantile, complete] = await unitSample(parsed, engine.scope(project), 10)
    const byUnit = (columns: readonly (readonly (number | null)[])[] = []) =>
      (columns[0] ?? []).map((_, unit) => columns.map((column) => column[unit]).join()).toSorted()
    expect(byUnit(plain)).toEqual(['0,1', '1,1'])
    expect(quantile).toEqual([])
    // the end is 158 hours after the beginning, and ben came two minutes after it
    expect(byUnit(complete)).toEqual([',', '1,1'])
    const one = await unitSample(parsed, engine.scope(project), 1)
    expect(one[0]?.[0]).toHaveLength(1)
  })
})

test('an exposure belongs to the phase of the version that it names, and otherwise to that of its time', async () => {
  const version = (number: number) => ({ $feature_flag_version: String(number) })
  const phases = ['2026-03-02T10:00:00Z', '2026-03-02T11:00:00Z', '2026-03-02T12:00:00Z']
  const answer = await ask(
    [
      // decided by weights that had moved since
      exposed('ana', 'test', 65, version(4)),
      // a change of the description is no phase
      exposed('ben', 'test', 130, version(7)),
      exposed('cleo', 'test', 70, version(6)),
      exposed('dan', 'test', 125),
      exposed('eve', 'test', 30, version(1)),
      exposed('fay', 'control', 130, version(8)),
    ],
    { phases, versions: [4, 6, 8] },
  )
  expect(
    answer.cells.map(({ variant, phase, units, versioned }) => [variant, phase, units, versioned]),
  ).toEqual([
    ['control', 2, 1, 1],
    // a version from before the start says nothing about the weights
    ['test', 0, 2, 2],
    ['test', 1, 2, 2],
    ['test', 2, 1, 0],
  ])
})
