import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type EvaluationContext, OpenFeature, type Provider } from '@openfeature/server-sdk'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AddressInfo } from 'node:net'
import { withTilth } from './openfeature'

interface SentEvent {
  uuid: string
  event: string
  distinct_id: string
  properties: Record<string, unknown>
}

/** The address to which events are sent. It answers with `status`, and keeps what it answered with 200. */
async function anAddress() {
  const seen: { status: number; requests: number; events: SentEvent[] } = {
    status: 200,
    requests: 0,
    events: [],
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // the test itself says what is sent
    const { batch, api_key: key } = JSON.parse(await text(request)) as { batch: SentEvent[]; api_key: string }
    expect([request.url, key]).toEqual(['/batch/', 'phc_key'])
    seen.requests++
    if (seen.status === 200) seen.events.push(...batch)
    response.writeHead(seen.status).end('{}')
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // a server that listens on a port has an address that is no text
  return { seen, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** Resolves every flag to "test", with the metadata of Tilth's answer. */
const resolving = (flagMetadata: Record<string, string | number | boolean>): Provider => {
  const resolve = async <Value>(value: Value) => ({ value, flagMetadata })
  return {
    metadata: { name: 'test' },
    resolveBooleanEvaluation: async () => ({ ...(await resolve(true)), errorCode: 'GENERAL' as never }), // one of the SDK's codes
    resolveStringEvaluation: () => resolve('test'),
    resolveNumberEvaluation: () => resolve(1),
    resolveObjectEvaluation: (_key, value) => resolve(value),
  }
}

const decided = { flagId: 7, version: 3, exposure: 'test' }

async function aClient(flagMetadata: Record<string, string | number | boolean> = decided) {
  const { seen, address } = await anAddress()
  const provider = withTilth(resolving(flagMetadata), { address, project: 'phc_key' })
  await OpenFeature.setProviderAndWait(provider)
  onTestFinished(() => OpenFeature.close())
  const client = OpenFeature.getClient()
  const ask = (context: EvaluationContext, flag = 'headline') => client.getStringValue(flag, 'none', context)
  return { seen, provider, client, ask }
}

test('an exposure says who was given which value of which version', async () => {
  const { seen, provider, ask } = await aClient()
  await ask({ targetingKey: 'ana', plan: 'pro', deviceId: 'phone', groups: { company: 'acme' } })
  await provider.flush()
  expect(seen.events).toMatchObject([{ event: '$feature_flag_called', distinct_id: 'ana' }])
  expect(seen.events[0]?.properties).toEqual({
    $feature_flag: 'headline',
    $feature_flag_response: 'test',
    $feature_flag_id: 7,
    $feature_flag_version: 3,
    $device_id: 'phone',
    $groups: { company: 'acme' },
    $lib: 'tilth-openfeature',
    $is_server: true,
  })
})

test('each person, group and flag is reported once a day, and together', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { seen, provider, ask } = await aClient()
  const askAll = async () => {
    for (let i = 0; i < 3; i++) {
      for (const person of ['ana', 'ben']) await ask({ targetingKey: person })
      await ask({ targetingKey: 'ana' }, 'offer')
      await ask({ targetingKey: 'ana', groups: { company: 'acme' } })
    }
    await provider.flush()
  }
  await askAll()
  expect([seen.events.length, seen.requests]).toEqual([4, 1])
  vi.setSystemTime(Date.now() + 24 * 3_600_000)
  await askAll()
  expect([seen.events.length, seen.requests]).toEqual([8, 2])
})

test.each<[string, Record<string, string | number | boolean>, EvaluationContext]>([
  ['a flag that another service decides', { flagId: 7, version: 3 }, { targetingKey: 'ana' }],
  ['an evaluation without a targeting key', decided, {}],
])('%s is no exposure', async (_what, metadata, context) => {
  const { seen, provider, ask, client } = await aClient(metadata)
  expect(await ask(context)).toBe('test')
  await client.getBooleanValue('headline', false, { targetingKey: 'ana' })
  await provider.flush()
  expect(seen.events).toEqual([])
})

test('a flag that gives nothing reports that it gave nothing', async () => {
  const { seen, provider, ask } = await aClient({ ...decided, exposure: false })
  await ask({ targetingKey: 'ana' })
  await provider.flush()
  expect(seen.events[0]?.properties).toMatchObject({ $feature_flag_response: false })
})

test('a tracked value is revenue if it has a currency, and nothing that is tracked fails', async () => {
  const { seen, client } = await aClient()
  const ana = { targetingKey: 'ana' }
  client.track('ordered', ana, { value: 99.5, currency: 'EUR', items: 3 })
  client.track('waited', ana, { value: 230 })
  client.track('opened', ana)
  client.track('ordered', {}, { value: 1, currency: 'EUR' })
  // JSON has no such value
  client.track('ordered', ana, { value: 1n as never })
  // the SDK sends what waits when it ends
  await OpenFeature.close()
  expect(seen.events).toMatchObject([
    { event: 'ordered', distinct_id: 'ana', properties: { $revenue: 99.5, currency: 'EUR', items: 3 } },
    { event: 'waited', properties: { value: 230 } },
    { event: 'opened' },
  ])
  expect(seen.events[1]?.properties).not.toHaveProperty('$revenue')
})

test('what cannot be sent is sent later, once, and a refusal is final', async () => {
  const { seen, provider, ask, client } = await aClient()
  seen.status = 503
  await ask({ targetingKey: 'ana' })
  await provider.flush()
  client.track('ordered', { targetingKey: 'ana' })
  await provider.flush()
  expect([seen.events, seen.requests]).toEqual([[], 2])
  seen.status = 200
  await provider.flush()
  await provider.flush()
  expect(seen.events.map(({ event }) => event)).toEqual(['$feature_flag_called', 'ordered'])
  expect(seen.requests).toBe(3)

  seen.status = 401
  await ask({ targetingKey: 'ben' })
  await provider.flush()
  seen.status = 200
  await provider.flush()
  expect(seen.events).toHaveLength(2)
})

test('while Tilth is away, the newest ten thousand events wait', async () => {
  const { seen, provider, client } = await aClient()
  seen.status = 503
  for (let i = 0; i < 10_001; i++) client.track('counted', { targetingKey: 'ana' }, { value: i })
  await provider.flush()
  seen.status = 200
  await provider.flush()
  expect(seen.events).toHaveLength(10_000)
  expect(seen.events[0]?.properties).toMatchObject({ value: 1 })
})

test('a provider keeps its own hooks, tracking and end', async () => {
  const { address } = await anAddress()
  const done: string[] = []
  const own: Provider = {
    ...resolving(decided),
    hooks: [{ after: () => void done.push('hook') }],
    track: (name) => void done.push(name),
    onClose: async () => void done.push('end'),
  }
  await OpenFeature.setProviderAndWait(withTilth(own, { address, project: 'phc_key' }))
  const client = OpenFeature.getClient()
  await client.getStringValue('headline', 'none', { targetingKey: 'ana' })
  client.track('ordered', { targetingKey: 'ana' })
  await OpenFeature.close()
  expect(done).toEqual(['hook', 'ordered', 'end'])
})
