import { expect, test } from 'vitest'
import { anApiProgram } from '#test/product/api-program'
import { requireDone, testOrigin } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { StreamedBody } from '#http/streamed-body'
import { operator } from '#projects/access'
import { handleApiRequest } from '../endpoints'

const engine = anEngine()

const variants = [
  { key: 'control', percentage: 50 },
  { key: 'test', percentage: 50 },
]

/** The text of a file that the API sends, and its name. */
async function fileFrom(
  { product, id }: Pick<Awaited<ReturnType<typeof anApiProgram>>, 'product' | 'id'>,
  path: string,
): Promise<{ name: string; text: string }> {
  const wanted = { name: 'Reader', scopes: ['experiments:read', 'project:read'] }
  const { text: key } = requireDone(await product.projects.keys.create(id, wanted, operator()))
  const [below = '', query = ''] = path.split('?')
  const { body } = await handleApiRequest(
    {
      method: 'GET',
      path: `/projects/${id}${below}`,
      query: new URLSearchParams(query),
      authorization: `Bearer ${key}`,
      body: async () => new Uint8Array(),
      origin: testOrigin,
    },
    product,
  )
  if (!(body instanceof StreamedBody)) throw new Error(`No file, but ${JSON.stringify(body)}`)
  let text = ''
  for await (const part of body.parts) text += String(part)
  return { name: body.fileName, text }
}

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

interface Numbers {
  value: number
  low: number
  high: number
}

/** Expects CSV with the numbers of the JSON. */
async function expectFiles(
  program: Parameters<typeof fileFrom>[0],
  at: string,
  { results, course }: { results: object; course: object },
) {
  const asOf = 'at' in results ? results.at : undefined
  const file = await fileFrom(program, `${at}/results?format=csv`)
  expect(file.name).toBe(`${at.slice('/experiments/'.length)}-results.csv`)
  const [, control, treatment] = file.text.split('\r\n')
  expect(control).toBe(`Orders,primary,increase,control,500,0.1,,,,,,,,,,,control,ship,${String(asOf)}`)
  // the API describes both bodies, and their metrics are loose in it
  const { report } = results as { report: { metrics: { comparisons: { absolute: Numbers }[] }[] } }
  const absolute = report.metrics[0]?.comparisons[0]?.absolute
  expect(treatment).toContain(
    `Orders,primary,increase,test,500,0.3,,${absolute?.value},${absolute?.low},${absolute?.high},`,
  )
  expect(treatment).toContain(`,better,ship,${String(asOf)}`)

  const { course: courses } = course as {
    course: { variants: { points: { day: string; estimate?: Numbers }[] }[] }[]
  }
  const points = courses[0]?.variants[0]?.points ?? []
  const [, ...days] = (await fileFrom(program, `${at}/course?format=csv`)).text.trim().split('\r\n')
  expect(days).toHaveLength(points.length)
  expect(days.map((line) => line.split(',')[0])).toEqual(points.map(({ day }) => day))
  const last = points.at(-1)?.estimate
  expect(days.at(-1)).toContain(`,relative,${last?.value},${last?.low},${last?.high},`)
}

test('an experiment is made, checked, started, read and shipped by its API alone', async () => {
  const program = await anApiProgram({ engine: engine.engine() })
  const { ask, world, id } = program
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
  expect(await engine.addProject(events)).toBe(id)
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
  const course = await ask('GET', `${at}/course`)
  expect(course.body).toMatchObject({
    course: [{ id: 'orders' }],
    at: world.now().toISOString(),
    isRenewed: false,
  })
  await expectFiles(program, at, { results: results.body, course: course.body })
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
  expect((await ask('GET', '/experiment-programme?period=7d&search=checkout')).body).toMatchObject({
    metric: { name: 'Orders', experiments: 1 },
    winRate: { wins: 1, of: 1 },
    experiments: [{ name: 'New checkout', effect: { variant: 'test', reading: 'better' } }],
  })

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

test('a format that there is not is answered in a sentence', async () => {
  const { ask } = await anApiProgram()
  for (const file of ['results', 'course']) {
    const answer = await ask('GET', `/experiments/any/${file}?format=pdf`)
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([422, expect.stringContaining('format')])
  }
})
