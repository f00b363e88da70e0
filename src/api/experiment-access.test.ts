import { expect, test } from 'vitest'
import { anApiProgram } from '#test/product/api-program'
import { requireDone } from '#test/product/fixture'
import { anEngine } from '#test/product/test-engine'
import { operator } from '#projects/access'
import { endpoints } from './endpoints'
import { type Endpoint, rightsOf } from './internal/endpoint'

const addressOf = ({ method, path }: Endpoint): string =>
  `${method} ${path.replace('/projects/{project}', '')}`

const ofExperiments = endpoints.filter(({ path }) =>
  /^\/projects\/\{project\}\/(?:experiment|saved-metric)/.test(path),
)

/** The inputs of endpoints that need one. */
const inputs: Record<string, Record<string, string>> = {
  'GET /experiments/{experiment}/segments': { key: 'plan' },
  'GET /experiments/{experiment}/decomposition': { metric: 'metric-1', key: 'plan' },
  'POST /experiments/{experiment}/ship': { variant: 'test' },
  'POST /experiments/{experiment}/saved-metrics': { tag: 'shop' },
}

const ana = operator('Ana')
const engine = anEngine()
const kinds = ['fixed', 'bandit', 'rollout'] as const

/** A project with a running experiment of each kind, and calls with keys of exactly the scopes that are declared. */
async function setUp() {
  const { product, id, askWith, world } = await anApiProgram({ engine: engine.engine() })
  const measured = { type: 'conversion', happening: { event: 'ordered' } }
  const saved = requireDone(await product.experiments.metrics.create(id, { name: 'Orders', measured }, ana))
  const variants = ['control', 'test'].map((key) => ({ key, percentage: 50 }))
  const ids: string[] = []
  for (const kind of kinds) {
    const environments = { production: { isOn: kind !== 'rollout', conditions: [{ percentage: 100 }] } }
    const flag = { key: kind, kind: 'variants', variants, environments }
    requireDone(await product.flags.create(id, flag, ana))
    const role = kind === 'rollout' ? 'guardrail' : 'primary'
    const input = { name: kind, flag: kind, kind, metrics: [{ name: 'Orders', role, measured }] }
    const { experiment } = requireDone(await product.experiments.create(id, input, ana))
    requireDone(await product.experiments.start(id, experiment.id, {}, ana))
    ids.push(experiment.id)
  }
  await engine.addProject(
    ['control', 'test'].map((variant, at) => ({
      person: variant,
      event: '$feature_flag_called',
      at: new Date(world.now().getTime() + 1000 * (at + 1)).toISOString(),
      properties: { $feature_flag: 'fixed', $feature_flag_response: variant, plan: 'free' },
    })),
  )
  world.advance('1 day')

  const call = async (endpoint: Endpoint, name: string) => {
    const { method, path } = endpoint
    const ask = await askWith(rightsOf(endpoint))
    const input = inputs[addressOf(endpoint)] ?? {}
    const below = path.replace('/projects/{project}', '').replaceAll(/\{\w+\}/g, name)
    const query = new URLSearchParams(input).toString()
    return method === 'GET' ? await ask(method, `${below}?${query}`) : await ask(method, below, input)
  }
  return { call, namesFor: ({ path }: Endpoint) => (path.includes('{metric}') ? [saved.metric.id] : ids) }
}

test('each endpoint of experiments works with a key of its own scopes alone', async () => {
  const { call, namesFor } = await setUp()
  const refused: object[] = []
  for (const endpoint of ofExperiments.toSorted(readingFirst)) {
    const answers = []
    for (const name of namesFor(endpoint)) answers.push(await call(endpoint, name))
    // a change of a running bandit or rollout asks for the right to its flag too
    const isAnswered =
      endpoint.method === 'GET'
        ? answers.some(({ status }) => status < 300)
        : [200, 201, 422].includes(answers[0]?.status ?? 0)
    if (!isAnswered) refused.push([addressOf(endpoint), answers])
  }
  expect(refused).toEqual([])
})

/** A change may end what is read. */
const readingFirst = (one: Endpoint, other: Endpoint): number =>
  Number(one.method !== 'GET') - Number(other.method !== 'GET')

test('each endpoint of experiments says that there is no such experiment', async () => {
  const { call } = await setUp()
  const found: object[] = []
  const missing = ofExperiments.filter(({ path }) => /\{(?!project)/.test(path))
  for (const endpoint of missing)
    for (const name of ['unknown', '0', '%00', '%zz'])
      found.push({ address: addressOf(endpoint), name, ...(await call(endpoint, name)) })

  const sentence = expect.stringMatching(/^There is no such .* in this project\.$/)
  const body = { error: { code: 'not-found', message: sentence } }
  expect(found).toEqual(found.map((one) => ({ ...one, status: 404, body })))
})
