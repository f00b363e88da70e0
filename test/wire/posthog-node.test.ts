import { PostHog, type PostHogOptions } from 'posthog-node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { key } from './posthog-fixture'
import { aWireServer, patientClient } from './posthog-server'

async function aClient(options: PostHogOptions = {}, projectKey = key) {
  const server = await aWireServer()
  const client = new PostHog(projectKey, {
    ...patientClient,
    host: server.address,
    flushInterval: 20,
    fetchRetryDelay: 50,
    disableGeoip: true,
    ...options,
  })
  const errors: unknown[] = []
  client.on('error', (problem: unknown) => errors.push(problem))
  onTestFinished(() => client.shutdown(2000))
  const named = (name: string) => server.wire.events().filter((event) => event.name === name)
  return { server, client, errors, named }
}

test('a server’s events, people and groups arrive', async () => {
  const { client, server, named, errors } = await aClient()
  client.capture({ distinctId: 'u1', event: 'order', properties: { total: 12 }, groups: { company: 'acme' } })
  client.identify({ distinctId: 'u1', properties: { email: 'a@b.c', $set_once: { first: 1 } } })
  client.alias({ distinctId: 'u1', alias: 'anon-1' })
  client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { name: 'Acme' } })
  client.captureException(new Error('boom'), 'u1')
  await client.flush()
  await expect.poll(() => server.wire.events().length).toBe(5)

  expect(named('order')[0]).toMatchObject({
    distinctId: 'u1',
    groups: { company: 'acme' },
    properties: { total: 12 },
  })
  expect(named('$identify')[0]?.person).toMatchObject({ set: { email: 'a@b.c' }, setOnce: { first: 1 } })
  expect(named('$create_alias')[0]?.identity).toEqual({ kind: 'alias', alias: 'anon-1' })
  expect(named('$groupidentify')[0]).toMatchObject({
    hasPerson: false,
    group: { type: 'company', key: 'acme', set: { name: 'Acme' } },
  })
  expect(named('$exception')[0]?.properties).toMatchObject({ $exception_list: [{ value: 'boom' }] })
  expect(server.wire.accepted.every(({ envelope }) => envelope.fromServer)).toBe(true)
  expect(server.wire.stored).toHaveLength(5)
  expect(errors).toEqual([])
})

test('without compression, and of long ago', async () => {
  const { client, server, named } = await aClient({ disableCompression: true, historicalMigration: true })
  const timestamp = new Date('2019-05-06T07:08:09Z')
  client.capture({ distinctId: 'u1', event: 'of old', timestamp })
  await client.flush()
  await expect.poll(() => named('of old')).toHaveLength(1)
  expect(server.wire.accepted[0]?.envelope.isHistorical).toBe(true)
  expect(named('of old')[0]?.timestamp).toEqual(timestamp)
})

test('an event that could not be written down is sent again, and stored once', async () => {
  const { client, server, named } = await aClient({ fetchRetryCount: 1000 })
  server.wire.close()
  client.capture({ distinctId: 'u1', event: 'patient' })
  const flushed = client.flush()
  await expect.poll(() => server.requestLines.length).toBeGreaterThan(1)
  server.wire.open()
  await flushed
  await expect.poll(() => named('patient')).toHaveLength(1)
  const [sent] = named('patient')
  expect(new Set(server.wire.refusedEvents.map(({ uuid }) => uuid))).toEqual(new Set([sent?.uuid]))
  expect(server.wire.stored).toHaveLength(1)
})

test('by the protocol of 2026, each event is answered for', async () => {
  vi.stubEnv('POSTHOG_CAPTURE_MODE', 'v1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { client, server, named, errors } = await aClient()
  client.capture({ distinctId: 'u1', event: 'anew', properties: { $process_person_profile: false, n: 1 } })
  await client.flush()
  await expect.poll(() => named('anew')).toHaveLength(1)
  expect(named('anew')[0]).toMatchObject({ hasPerson: false, properties: { n: 1, $lib: 'posthog-node' } })
  await expect.poll(() => server.requestLines).toEqual(['POST /i/v1/analytics/events'])
  expect(errors).toEqual([])
})

test('while there are no flags, every flag is off and nothing fails', async () => {
  const { client, errors } = await aClient()
  expect(await client.getAllFlags('u1')).toEqual({})
  expect(await client.isFeatureEnabled('new-cta', 'u1')).toBeFalsy()
  expect(errors).toEqual([])
})

test('an unknown key is refused at once, and is listed among the refusals that the owner sees', async () => {
  const { client, server } = await aClient({}, 'phc_mistyped')
  client.capture({ distinctId: 'u1', event: 'lost' })
  await client.flush().catch(() => undefined)
  await expect
    .poll(() => server.wire.refusals)
    .toEqual([{ dialect: 'posthog', reason: 'unknown-key', named: 'phc_mistyped' }])
})
