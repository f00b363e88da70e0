import { describe, expect, test } from 'vitest'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'
import { unitsNeeded } from '#statistics/power'

const ana = operator('Ana')
const engine = anEngine()
const hour = 3_600_000

/** A project as the engine’s next one, with a flag for a checkout. */
async function setUp() {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  const addProject = async (events: readonly TestEvent[]) => {
    let told = await engine.addProject(events)
    let { id } = await aProject({ name: `Shop ${told}` })
    // the engine counts projects over all tests, a store only its own
    while (id < told) ({ id } = await aProject({ name: `Shop ${id + 1}` }))
    while (told < id) told = await engine.addProject(events)
    const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
    requireDone(await product.flags.create(id, { key: 'checkout', kind: 'variants', variants }, ana))
    requireDone(await product.flags.turn(id, 'checkout', { isOn: true }, ana))
    return id
  }
  const make = async (id: number, more: object = {}) => {
    const wanted = { name: 'Checkout', flag: 'checkout', metrics: [orders], ...more }
    return requireDone(await product.experiments.create(id, wanted, ana)).experiment.id
  }
  return { product, world, addProject, make, now: world.now().getTime() }
}

const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }

const at = (time: number): string => new Date(time).toISOString()

/** Forty visitors a day for four weeks; every fourth orders, and each comes once. */
const visitors = (now: number, more: Partial<TestEvent> = {}): TestEvent[] =>
  Array.from({ length: 28 * 40 }, (_, i) => {
    const time = now - 28 * 24 * hour + 2 * hour + Math.floor(i / 40) * 24 * hour
    const view = {
      person: `visitor ${i}`,
      event: '$pageview',
      at: at(time),
      columns: { path: '/cart' },
      ...more,
    }
    return i % 4 === 0 ? [view, { person: `visitor ${i}`, event: 'ordered', at: at(time + 60_000) }] : [view]
  }).flat()

describe('a plan', () => {
  test('without exposures counts all active people, and says so', async () => {
    const { product, addProject, make, now } = await setUp()
    const id = await addProject(visitors(now))
    const experiment = await make(id, { analysis: { smallestEffect: 0.3 } })

    const { plan, sentences } = requireDone(await product.experiments.planning.plan(id, experiment, {}, ana))

    expect(plan.history.units).toBe(28 * 40)
    expect(plan.source).toEqual({ by: 'activity' })
    const [metric] = plan.metrics
    expect(metric).toMatchObject({ missing: null, mean: 0.25, varianceReduction: 0 })
    const needed = unitsNeeded(
      {
        baseline: { mean: 0.25, variance: 0.1875, isShare: true },
        effect: 0.3,
        alpha: 0.045,
        isSequential: true,
        tuning: 500,
        scale: 'absolute',
      },
      0.8,
    )
    expect(metric?.unitsNeeded).toBe(Math.ceil(needed))
    // twenty units a day in each variant
    expect(plan.days).toBe(Math.ceil(needed / 20))
    expect(plan.unitsByWeek.slice(0, 5)).toEqual([280, 560, 840, 1120, 1400])
    expect(sentences).toEqual([
      'The flag was not read in the last 28 days. The plan takes all 1,120 active units to be exposed; name the page or the event where they meet the experiment.',
      `An effect of 30% takes about ${plan.days} days to find.`,
    ])
  })

  test('of a draft is that of the experiment that it becomes, before it and its flag are created', async () => {
    const { product, addProject, make, now } = await setUp()
    const id = await addProject(visitors(now))
    const wanted = { name: 'Checkout', metrics: [orders], analysis: { smallestEffect: 0.3 } }
    const draft = (input: object) => product.experiments.planning.planDraft(id, input, ana)

    const created = requireDone(
      await product.experiments.planning.plan(id, await make(id, wanted), { path: '/cart' }, ana),
    )
    const history = { path: '/cart' }
    const ofFlag = requireDone(await draft({ experiment: { ...wanted, flag: 'checkout' }, history }))
    const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
    const ofNew = requireDone(await draft({ experiment: { ...wanted, flag: 'new' }, variants, history }))

    const timeless = ({ plan: { metrics, ...plan }, sentences }: typeof created) => ({
      ...plan,
      sentences,
      metrics: metrics.map(({ id: _, ...metric }) => metric),
    })
    expect(timeless(ofFlag)).toEqual(timeless(created))
    expect(timeless(ofNew)).toEqual(timeless(created))
    expect(created.plan.days).toBeGreaterThan(0)
    const uneven = variants.map((variant, i) => ({ ...variant, percentage: i === 0 ? 90 : 10 }))
    const slower = requireDone(
      await draft({ experiment: { ...wanted, flag: 'new' }, variants: uneven, history }),
    )
    expect(slower.plan.days).toBeGreaterThan(created.plan.days ?? 0)

    expect(problemMessages(await draft({ experiment: { ...wanted, flag: 'gone' } }))).toEqual([
      'There is no flag "gone" in this project.',
    ])
    const list = await product.experiments.list(id, ana)
    expect(list).toHaveLength(1)
  })

  test('a page, and a share of its visitors', async () => {
    const { product, addProject, make, now } = await setUp()
    const id = await addProject([
      ...visitors(now),
      { person: 'elsewhere', event: '$pageview', at: at(now - 48 * hour), columns: { path: '/' } },
    ])
    const experiment = await make(id)
    const request = { path: '/cart', traffic: '50' }
    const { plan } = requireDone(await product.experiments.planning.plan(id, experiment, request, ana))
    expect(plan).toMatchObject({ history: { units: 28 * 40 }, trafficPercent: 50 })
    expect(plan.unitsByWeek[0]).toBe(140)
  })

  test('reading the flag is the exposure, once it is read', async () => {
    const { product, addProject, make, now } = await setUp()
    const properties = { $feature_flag: 'checkout', $feature_flag_response: 'false' }
    const id = await addProject(
      visitors(now, { event: '$feature_flag_called', properties }).filter(
        ({ person }) => Number(person.slice(8)) % 2 === 0,
      ),
    )
    const experiment = await make(id)
    const { plan } = requireDone(await product.experiments.planning.plan(id, experiment, {}, ana))
    expect(plan).toMatchObject({ source: { by: 'exposures' }, history: { units: 14 * 40 } })
    expect(plan.metrics[0]?.mean).toBe(0.5)
  })

  test('ratios, funnels and quantiles have a plan; what never happened has a reason', async () => {
    const { product, addProject, make, now } = await setUp()
    const id = await addProject(
      visitors(now).map((one, i) =>
        one.event === 'ordered' ? { ...one, properties: { price: String(10 + (i % 97) / 10) } } : one,
      ),
    )
    const price = { happening: { event: 'ordered' }, property: 'price' }
    const experiment = await make(id, {
      metrics: [
        {
          name: 'Price',
          measured: { type: 'ratio', numerator: price, denominator: { happening: { event: 'ordered' } } },
        },
        {
          name: 'Funnel',
          measured: { type: 'funnel', steps: [{ event: '$pageview' }, { event: 'ordered' }] },
        },
        { name: 'Median', measured: { type: 'quantile', ...price, level: 0.5 } },
        { ...orders, name: 'Refunds', measured: { type: 'conversion', happening: { event: 'refunded' } } },
        { name: 'Views', measured: { type: 'total', amount: { happening: { event: '$pageview' } } } },
      ],
    })
    const { plan, sentences } = requireDone(await product.experiments.planning.plan(id, experiment, {}, ana))
    const [ratio, funnel, median, refunds, views] = plan.metrics
    expect(ratio?.mean).toBeGreaterThan(14)
    expect(ratio?.mean).toBeLessThan(16)
    expect(funnel?.mean).toBe(0.25)
    expect(median?.mean).toBeGreaterThan(14)
    expect(median?.mean).toBeLessThan(16)
    for (const metric of [ratio, funnel, median]) {
      const [first, second] = metric?.detectable ?? []
      expect(metric?.missing).toBeNull()
      expect(second).toBeLessThan(first ?? 0)
    }
    expect(refunds?.missing).toBe('no-value')
    expect(views?.missing).toBe('no-variance')
    expect(sentences).toContain(
      '“Refunds” cannot be planned: nothing of it happened in the history, so there is no baseline.',
    )
  })

  test('behaviour before the exposure shortens it', async () => {
    const { product, addProject, make, now } = await setUp()
    // visitors who ordered before order again
    const id = await addProject([
      ...visitors(now),
      ...visitors(now).flatMap((one) =>
        one.event === 'ordered' ? [{ ...one, at: at(Date.parse(String(one.at)) - 24 * hour) }] : [],
      ),
    ])
    const plan = async (lookbackDays: number) => {
      const experiment = await make(id, { analysis: { lookbackDays } })
      const request = { event: '$pageview' }
      return requireDone(await product.experiments.planning.plan(id, experiment, request, ana)).plan
        .metrics[0]
    }
    const [without, with2] = [await plan(0), await plan(2)]
    expect(without?.varianceReduction).toBeNull()
    expect(with2?.varianceReduction).toBeGreaterThan(0.99)
    expect(with2?.unitsNeeded).toBeLessThan((without?.unitsNeeded ?? 0) / 5)
  })

  /** Forty people a day meet a variant for four weeks, every second the control, and as many of both order. */
  const exposed = (now: number): TestEvent[] =>
    Array.from({ length: 28 * 40 }, (_, i) => {
      const time = now - 28 * 24 * hour + 2 * hour + Math.floor(i / 40) * 24 * hour
      const person = `exposed ${i}`
      const properties = {
        $feature_flag: 'checkout',
        $feature_flag_response: i % 2 === 0 ? 'control' : 'test',
      }
      const called = { person, event: '$feature_flag_called', at: at(time), properties }
      const did = (event: string) => ({ person, event, at: at(time + 60_000) })
      const pair = Math.floor(i / 2)
      return [
        called,
        ...(pair % 4 === 0 ? [did('ordered')] : []),
        ...(pair % 3 === 0 ? [did('refunded')] : []),
      ]
    }).flat()

  const refunds = { name: 'Refunds', measured: { type: 'conversion', happening: { event: 'refunded' } } }
  const guarded = [orders, { ...refunds, role: 'guardrail', goal: 'decrease', margin: 20 }]

  test.each([
    ['at any time', { smallestEffect: 0.15 }, [orders]],
    ['at any time beside a guardrail', { smallestEffect: 0.2 }, guarded],
    ['at a planned size', { decision: { rule: 'planned-size', units: 2000 } }, [orders]],
  ])('of an experiment that decides %s has as many days as its result', async (_rule, analysis, metrics) => {
    const { product, addProject, make, now } = await setUp()
    const id = await addProject(exposed(now))
    const experiment = await make(id, { metrics, analysis: { lookbackDays: 0, ...analysis } })
    const startedAt = at(now - 28 * 24 * hour)
    requireDone(await product.experiments.start(id, experiment, { at: startedAt }, ana))
    const { plan } = requireDone(await product.experiments.planning.plan(id, experiment, {}, ana))
    const { verdict } = requireDone(await product.experiments.results.result(id, experiment, ana)).result
    expect(verdict.advice).toBe('wait')
    const planned = (plan.decision ?? plan).days ?? NaN
    const left = verdict.advice === 'wait' ? (verdict.days ?? NaN) : NaN
    expect(planned).toBeGreaterThan(28)
    // the day of the look is not over
    expect(Math.abs(28 + left - planned)).toBeLessThanOrEqual(1)
  })

  test('of a planned decision says when it falls, what it finds, and how many people another effect needs', async () => {
    const { product, addProject, make, now } = await setUp()
    const id = await addProject(exposed(now))
    const planOf = async (decision: object) => {
      const experiment = await make(id, { analysis: { lookbackDays: 0, smallestEffect: 0.3, decision } })
      return requireDone(await product.experiments.planning.plan(id, experiment, {}, ana))
    }
    const free = await planOf({ rule: 'any-time' })
    const size = free.plan.plannedSize ?? 0
    expect(size).toBeLessThan(free.plan.metrics[0]?.unitsNeeded ?? 0)
    expect(free.plan.decision).toBeUndefined()

    const planned = await planOf({ rule: 'planned-size', units: size })
    expect(planned.plan.decision?.days).toBe(Math.ceil(size / 20))
    expect(planned.plan.decision?.effect).toBeCloseTo(0.3, 3)
    expect(planned.plan).toMatchObject({ plannedSize: size, days: Math.ceil(size / 20) })
    expect(planned.sentences.slice(1)).toEqual([
      `It decides with ${size} people in each variant after about ${Math.ceil(size / 20)} days, and finds effects of 30% or more with a probability of 80%.`,
      `An effect of 30% takes about ${Math.ceil(size / 20)} days to find.`,
    ])

    const weekly = await planOf({ rule: 'whole-weeks', weeks: 2 })
    expect(weekly.plan.decision?.days).toBe(14)
    expect(weekly.plan.decision?.effect).toBeCloseTo(weekly.plan.metrics[0]?.detectable[1] ?? 0, 12)
  })

  test('bad input is answered by a sentence', async () => {
    const { product, addProject, make } = await setUp()
    const id = await addProject([])
    const experiment = await make(id)
    const plan = async (input: object, of = experiment) =>
      await product.experiments.planning.plan(id, of, input, ana)
    expect(problemMessages(await plan({ days: 3 }))).toEqual(['Use at least 7 days of history.'])
    expect(problemMessages(await plan({ path: 'cart' }))).toEqual(['Write a path like /pricing.'])
    expect(problemMessages(await plan({}, 'nope'))).toEqual(['There is no such experiment in this project.'])
    const { plan: empty, sentences } = requireDone(await plan({}))
    expect(empty).toMatchObject({ days: null, history: { units: 0 } })
    expect(sentences[0]).toBe('There were no events in the last 28 days, so nothing can be planned.')
  })
})

describe('the checklist', () => {
  const severities = (checks: readonly { name: string; severity: string }[]) =>
    Object.fromEntries(checks.map(({ name, severity }) => [name, severity]))

  test('of an experiment in order has advice only', async () => {
    const { product, addProject, make, now } = await setUp()
    const properties = { $feature_flag: 'checkout', $feature_flag_response: 'test' }
    const id = await addProject(visitors(now, { event: '$feature_flag_called', properties }))
    const experiment = await make(id, { analysis: { smallestEffect: 0.3 } })
    const { readiness } = requireDone(await product.experiments.planning.readiness(id, experiment, ana))
    expect(readiness.canStart).toBe(true)
    expect(severities(readiness.checks)).toEqual({
      'same-flag': 'passed',
      'primary-metric': 'passed',
      production: 'passed',
      variants: 'passed',
      control: 'passed',
      targeting: 'passed',
      unit: 'passed',
      'sign-in': 'advice',
      guardrail: 'advice',
      'metric-events': 'passed',
      exposure: 'passed',
      'running-time': 'passed',
      overlap: 'passed',
    })
  })

  test('names an event that is probably meant', async () => {
    const { product, addProject, make, now } = await setUp()
    const id = await addProject(visitors(now))
    const matcher = { event: 'Orderd' }
    const experiment = await make(id, {
      metrics: [{ name: 'Orders', measured: { type: 'conversion', happening: matcher } }],
    })
    const { readiness } = requireDone(await product.experiments.planning.readiness(id, experiment, ana))
    expect(readiness.checks).toContainEqual({
      name: 'metric-events',
      severity: 'warning',
      field: 'metrics',
      sentence: '“Orders” measures “Orderd”, which was not seen in the last 30 days. Is it “ordered”?',
    })
    expect(severities(readiness.checks).exposure).toBe('warning')
    expect(readiness.canStart).toBe(true)
  })

  test('refuses what the start refuses', async () => {
    const { product, addProject, make } = await setUp()
    const id = await addProject([])
    const experiment = await make(id, { metrics: [] })
    requireDone(await product.flags.turn(id, 'checkout', { isOn: false }, ana))
    const { readiness } = requireDone(await product.experiments.planning.readiness(id, experiment, ana))
    expect(readiness.canStart).toBe(false)
    expect(severities(readiness.checks)).toMatchObject({ 'primary-metric': 'error', production: 'error' })
  })

  test('shows who is in another running experiment too', async () => {
    const { product, addProject, make, now } = await setUp()
    const read = (flag: string, person: string): TestEvent => ({
      person,
      event: '$feature_flag_called',
      at: at(now - 24 * hour),
      properties: { $feature_flag: flag, $feature_flag_response: 'control' },
    })
    const id = await addProject([
      ...['ana', 'ben', 'cleo', 'dan'].map((person) => read('checkout', person)),
      ...['ana', 'eve'].map((person) => read('banner', person)),
    ])
    const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
    requireDone(await product.flags.create(id, { key: 'banner', kind: 'variants', variants }, ana))
    requireDone(await product.flags.turn(id, 'banner', { isOn: true }, ana))
    const other = await make(id, { name: 'Banner', flag: 'banner' })
    requireDone(await product.experiments.start(id, other, {}, ana))
    const experiment = await make(id)
    const { readiness } = requireDone(await product.experiments.planning.readiness(id, experiment, ana))
    expect(readiness.overlaps).toEqual([
      { id: other, name: 'Banner', flag: 'banner', persons: 1, share: 0.25, isSeparated: false },
    ])
    expect(readiness.checks.find(({ name }) => name === 'overlap')?.sentence).toMatch(
      /^The same people are in “Banner” \(25%\)\./,
    )

    const { layer } = requireDone(await product.flags.layers.create(id, { name: 'Checkout' }, ana))
    for (const [key, from] of [
      ['checkout', 0],
      ['banner', 50],
    ] as const) {
      const slice = { layer: { id: layer.id, from, until: from + 50 } }
      requireDone(await product.flags.change(id, key, { environments: { production: slice } }, ana))
    }
    const apart = requireDone(await product.experiments.planning.readiness(id, experiment, ana)).readiness
    expect(apart.overlaps).toMatchObject([{ persons: 0, isSeparated: true }])
    expect(apart.checks.find(({ name }) => name === 'overlap')).toMatchObject({
      severity: 'passed',
      sentence: 'Slices of a layer keep its visitors apart from those of “Banner”.',
    })
  })

  test('a slice of a layer leaves fewer people', async () => {
    const { product, addProject, make } = await setUp()
    const id = await addProject([])
    const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
    requireDone(await product.flags.create(id, { key: 'banner', kind: 'variants', variants }, ana))
    requireDone(await product.flags.turn(id, 'banner', { isOn: true }, ana))
    const layers = [
      requireDone(await product.flags.layers.create(id, { name: 'Shop' }, ana)).layer,
      requireDone(await product.flags.layers.create(id, { name: 'Blog' }, ana)).layer,
    ] as const
    const take = async (key: string, from: number, until: number, layer = layers[0]) => {
      const environments = { production: { layer: { id: layer.id, from, until } } }
      requireDone(await product.flags.change(id, key, { environments }, ana))
    }
    await take('checkout', 0, 40)
    await take('banner', 40, 100)
    const other = await make(id, { name: 'Banner', flag: 'banner' })
    requireDone(await product.experiments.start(id, other, {}, ana))
    const experiment = await make(id)
    const readiness = async () =>
      requireDone(await product.experiments.planning.readiness(id, experiment, ana)).readiness
    expect((await readiness()).overlaps).toMatchObject([{ id: other, isSeparated: true }])
    const sentences = (await readiness()).checks.map(({ sentence }) => sentence)
    expect(sentences).toContain('The flag lets in 40% of those it is for.')
    await take('banner', 40, 100, layers[1])
    expect((await readiness()).overlaps).toMatchObject([{ isSeparated: false }])
  })

  test('an experiment on the flag of an earlier one begins after its end', async () => {
    const { product, world, addProject, make } = await setUp()
    const id = await addProject([])
    const earlier = await make(id, { name: 'Earlier' })
    requireDone(await product.experiments.start(id, earlier, {}, ana))
    world.advance('2 days')
    requireDone(await product.experiments.end(id, earlier, {}, ana))
    world.advance('1 day')
    const experiment = await make(id)
    const start = async (days: number) =>
      await product.experiments.start(
        id,
        experiment,
        { at: at(world.now().getTime() - days * 24 * hour) },
        ana,
      )
    expect(problemMessages(await start(2))).toEqual([
      expect.stringMatching(
        /^The experiment “Earlier” ran on this flag from .* to .*\. Begin after its end\.$/,
      ),
    ])
    requireDone(await start(0.5))
  })
})
