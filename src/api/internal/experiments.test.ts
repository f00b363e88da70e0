import { expect, test } from 'vitest'
import { anApiProgram } from '#test/api-program'
import { anEngine, type TestEvent } from '#test/test-engine'

const engine = anEngine()

const variants = [
  { key: 'control', percentage: 50 },
  { key: 'test', percentage: 50 },
]

/** Persons who got a variant, one second after the other; some ordered a minute later. */
const exposedTo = (
  variant: string,
  from: Date,
  { size, ordered }: { size: number; ordered: number },
): TestEvent[] =>
  Array.from({ length: size }, (_, i) => {
    const person = `${variant} ${i}`
    const at = (seconds: number) => new Date(from.getTime() + (i + seconds) * 1000).toISOString()
    const seen: TestEvent = {
      person,
      event: '$feature_flag_called',
      at: at(0),
      properties: {
        $feature_flag: 'checkout',
        $feature_flag_response: variant,
        plan: i % 2 === 0 ? 'free' : 'pro',
      },
    }
    return i < ordered ? [seen, { person, event: 'ordered', at: at(60) }] : [seen]
  }).flat()

test('an experiment is made, checked, started, read and shipped by its API alone', async () => {
  const { ask, world, id } = await anApiProgram({ engine: engine.engine() })
  const environments = { production: { isOn: true, conditions: [{ percentage: 100 }] } }
  expect(
    (await ask('POST', '/flags', { key: 'checkout', kind: 'variants', variants, environments })).status,
  ).toBe(201)
  const made = await ask('POST', '/experiments', {
    name: 'New checkout',
    flag: 'checkout',
    hypothesis: 'A shorter form brings more orders.',
    metrics: [
      { id: 'orders', name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } },
    ],
    analysis: { method: 'sequential', lookbackDays: 0 },
  })
  expect([made.status, made.body]).toMatchObject([201, { status: 'draft', control: 'control' }])
  const at = `/experiments/${String(made.body['id'])}`

  expect((await ask('GET', `${at}/results`)).body).toMatchObject({ verdict: { advice: 'not-started' } })
  expect((await ask('POST', `${at}/ship`, { variant: 'test' })).status).toBe(422)
  const started = await ask('POST', `${at}/start`)
  expect([started.status, started.body]).toMatchObject([200, { status: 'running' }])

  const from = new Date(world.now().getTime() + 1000)
  const events = [
    ...exposedTo('control', from, { size: 500, ordered: 50 }),
    ...exposedTo('test', from, { size: 500, ordered: 150 }),
  ]
  expect(await engine.tell(events)).toBe(id)
  world.advance('5 days')

  const results = await ask('GET', `${at}/results`)
  expect(results.body).toMatchObject({
    verdict: { advice: 'ship', variant: 'test', metric: 'Orders' },
    report: {
      variants: [
        { key: 'control', units: 500 },
        { key: 'test', units: 500 },
      ],
      metrics: [{ values: [{ value: 0.1 }, { value: 0.3 }] }],
    },
  })
  expect((await ask('GET', `${at}/course`)).body).toMatchObject({ course: [{ id: 'orders' }] })
  expect((await ask('GET', `${at}/exposures`)).body).toMatchObject({
    totals: [
      { variant: 'control', units: 500, converted: 50 },
      { variant: 'test', units: 500, converted: 150 },
    ],
    groupsLeftOut: [],
  })
  expect((await ask('GET', `${at}/segments?key=plan`)).body).toMatchObject({
    segments: [{ value: 'free' }, { value: 'pro' }],
  })

  const shipped = await ask('POST', `${at}/ship`, { variant: 'test', note: 'More orders' })
  expect(shipped.body).toMatchObject({
    status: 'ended',
    conclusion: { outcome: 'shipped', variant: 'test', note: 'More orders' },
  })
  expect((await ask('GET', '/flags/checkout')).body).toMatchObject({
    environments: { production: { isOn: true, conditions: [{ percentage: 100, variant: 'test' }] } },
  })
  expect((await ask('POST', `${at}/ship`, { variant: 'test' })).status).toBe(422)

  const takenBack = await ask('POST', `${at}/take-back`)
  expect([takenBack.status, takenBack.body]).toMatchObject([200, { status: 'running' }])
  expect(takenBack.body['conclusion']).toBeUndefined()
  expect((await ask('GET', '/flags/checkout')).body).toMatchObject({
    environments: { production: { conditions: [{ percentage: 100 }] } },
    hasExperiment: true,
  })
  const ended = await ask('POST', `${at}/end`, { at: new Date(world.now().getTime() - 1000).toISOString() })
  expect([ended.status, ended.body]).toMatchObject([200, { status: 'ended' }])
  const reopened = await ask('POST', `${at}/reopen`)
  expect([reopened.status, reopened.body]).toMatchObject([200, { status: 'running' }])
})

test('the flag of a running experiment is neither archived nor robbed of a variant by the API', async () => {
  const { ask } = await anApiProgram()
  const environments = { production: { isOn: true, conditions: [{ percentage: 100 }] } }
  await ask('POST', '/flags', { key: 'checkout', kind: 'variants', variants, environments })
  const metrics = [{ name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }]
  const made = await ask('POST', '/experiments', { name: 'Checkout', flag: 'checkout', metrics })
  await ask('POST', `/experiments/${String(made.body['id'])}/start`)

  const archived = await ask('POST', '/flags/checkout/archive', { anyway: true })
  const renamed = await ask('PATCH', '/flags/checkout', {
    variants: ['control', 'new'].map((key) => ({ key, percentage: 50 })),
  })

  const message = 'The experiment “Checkout” runs on this flag. End it, or ship a variant, first.'
  expect([archived.status, renamed.status]).toEqual([422, 422])
  expect(JSON.stringify(archived.body)).toContain(message)
  expect(JSON.stringify(renamed.body)).toContain(message)
})
