import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aFlag } from '#test/random/random-flags'
import { testSetting, inMainEnvironment, personProperty } from '#test/wire/flag-services'
import {
  someWireServices,
  type TestWireServices,
  key as writeKey,
  otherKey,
  secretKey,
  stagingKey,
} from '#test/wire/posthog-fixture'
import type { Flag } from '#flags/flag'
import type { WireResponse } from '../dialect'
import { createRouteMatcher } from '../route-matcher'
import { ofrep } from './ofrep'

const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const find = createRouteMatcher([ofrep])

interface Sent {
  path?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: unknown
}

async function send(
  services: TestWireServices,
  { path = '', query = {}, headers = {}, body }: Sent,
): Promise<WireResponse> {
  const full = `/ofrep/v1/evaluate/flags${path}`
  const match = find('POST', full, String(new URLSearchParams(query)))
  if (!match) throw new Error(`No route is for ${full}.`)
  return await match.route.respond(
    {
      method: 'POST',
      path: match.path,
      prefix: match.prefix,
      parts: match.parts,
      query: new URLSearchParams(query),
      headers: { 'user-agent': browser, ...headers },
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? about())),
      address: '198.51.100.23',
      receivedAt: new Date('2026-11-21T06:00:00.000Z'),
    },
    services,
  )
}

const about = (more: object = {}) => ({ context: { targetingKey: 'u1', ...more } })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const apiKey = (token: string) => ({ 'x-api-key': token })
const response = ({ body }: WireResponse): unknown => JSON.parse(String(body))

const cta = aFlag({ key: 'cta', version: 4 })
const off = aFlag({ key: 'off', environments: inMainEnvironment({}, { isOn: false }) })
const pros = aFlag({
  key: 'pros',
  environments: inMainEnvironment({ conditions: [personProperty('plan', 'pro')] }),
})
const nobody = aFlag({ key: 'nobody', environments: inMainEnvironment({ percentage: 0 }) })
const variants = [
  { key: 'blue', name: '', percentage: 100 },
  { key: 'red', name: '', percentage: 0 },
]
const colour = aFlag({ key: 'colour', variants, payloads: { blue: '{"x":1}' } })
const red = aFlag({ key: 'red', variants, environments: inMainEnvironment({ variant: 'red' }) })
const blank = aFlag({ key: 'blank', variants, environments: {} })
const limits = aFlag({ key: 'limits', kind: 'config', payloads: { true: '{"rows":10}' } })
const secret = aFlag({ key: 'secret', kind: 'config', isSecret: true, payloads: { true: 'sealed "s3cr3t"' } })
const flags = [cta, off, pros, nobody, colour, red, blank, limits, secret]

test.each([
  // flag, what a visitor on the free plan is told among all, and what is told of it alone beside that
  ['cta', { value: true, reason: 'STATIC', metadata: { flagId: cta.id, version: 4, exposure: true } }, {}],
  ['off', { value: false, reason: 'DISABLED' }, {}],
  ['pros', { value: false, reason: 'DEFAULT' }, {}],
  ['nobody', { value: false, reason: 'SPLIT' }, {}],
  [
    'colour',
    { value: 'blue', variant: 'blue', reason: 'SPLIT', metadata: { payload: '{"x":1}', exposure: 'blue' } },
    {},
  ],
  ['red', { value: 'red', variant: 'red', reason: 'STATIC' }, {}],
  ['blank', { reason: 'DISABLED', metadata: { exposure: false } }, { value: false }],
  ['limits', { value: { rows: 10 }, reason: 'STATIC', metadata: { exposure: true } }, {}],
])('%s', async (key, wanted, alone) => {
  const services = await someWireServices({}, flags)
  const headers = bearer(writeKey)
  const bulk = z
    .object({ flags: z.array(z.looseObject({ key: z.string() })) })
    .parse(response(await send(services, { headers, body: about({ plan: 'free' }) })))
  const among = bulk.flags.find((flag) => flag.key === key)
  expect(among).toMatchObject({ key, ...wanted })
  if ('value' in alone) expect(among).not.toHaveProperty('value')

  const single = await send(services, { path: `/${key}`, headers, body: about({ plan: 'free' }) })
  expect(single.status).toBe(200)
  expect(response(single)).toMatchObject({ key, ...wanted, ...alone })
})

test('a value that a preview link forces is no exposure', async () => {
  const services = await someWireServices({}, flags)
  services.forced.set('link', { projectId: 1, values: { cta: false }, until: new Date() })
  const headers = { ...bearer(writeKey), cookie: 'tilth_trying=link' }
  const { value, metadata } = z
    .object({ value: z.boolean(), metadata: z.record(z.string(), z.unknown()) })
    .parse(response(await send(services, { path: '/cta', headers })))
  expect([value, metadata]).toEqual([false, { flagId: cta.id, version: 4 }])
})

test('who is targeted is told so', async () => {
  const services = await someWireServices({}, flags)
  const answer = await send(services, {
    path: '/pros',
    headers: bearer(writeKey),
    body: about({ plan: 'pro' }),
  })
  expect(response(answer)).toMatchObject({ value: true, reason: 'TARGETING_MATCH' })
})

test.each([
  ['nobody’s key', bearer('phc_nobody'), 401],
  ['no key', {}, 401],
  ['the write key', bearer(writeKey), 200],
  ['the write key, the other way', apiKey(writeKey), 200],
  ['a secret key', bearer(secretKey), 200],
  ['a secret key, the other way', apiKey(secretKey), 200],
  ['a secret key, and an environment’s', { ...bearer(secretKey), ...apiKey(stagingKey) }, 200],
  ['a secret key, and another project’s', { ...bearer(secretKey), ...apiKey(otherKey) }, 403],
])('by %s', async (_who, headers, status) => {
  const services = await someWireServices({}, flags)
  expect((await send(services, { headers })).status).toBe(status)
  expect((await send(services, { path: '/cta', headers })).status).toBe(status)
  expect(services.refusals.length > 0).toBe(status === 401)
})

test.each([
  ['PARSE_ERROR', '{"context":'],
  ['PARSE_ERROR', '[]'],
  ['INVALID_CONTEXT', { context: 'u1' }],
  ['INVALID_CONTEXT', { context: { targetingKey: {} } }],
  ['INVALID_CONTEXT', { context: { targetingKey: '' } }],
  ['INVALID_CONTEXT', about({ groups: 'acme' })],
  ['TARGETING_KEY_MISSING', { context: {} }],
  ['TARGETING_KEY_MISSING', {}],
  ['TARGETING_KEY_MISSING', { context: { targetingKey: null } }],
])('%s: %o', async (errorCode, body) => {
  const services = await someWireServices({}, flags)
  const all = await send(services, { headers: bearer(writeKey), body })
  expect([all.status, response(all)]).toEqual([
    400,
    { errorCode, errorDetails: expect.stringMatching(/\.$/) },
  ])
  const one = await send(services, { path: '/cta', headers: bearer(writeKey), body })
  expect([one.status, response(one)]).toMatchObject([400, { key: 'cta', errorCode }])
})

test('a flag that is not there is not found, and no more is a secret one by a key that anybody can read', async () => {
  const gone = aFlag({ key: 'gone', archivedAt: new Date(0) })
  const services = await someWireServices({}, [...flags, gone])
  for (const key of ['none', 'gone', 'secret', '%C3%A4']) {
    const answer = await send(services, {
      path: `/${key}`,
      headers: { ...bearer(writeKey), 'user-agent': 'node' },
    })
    expect([answer.status, response(answer)]).toMatchObject([
      404,
      { key: decodeURIComponent(key), errorCode: 'FLAG_NOT_FOUND' },
    ])
  }
})

test('a secret is opened for a secret key, and for no other', async () => {
  const services = await someWireServices({}, flags)
  const headers = { 'user-agent': 'node' }
  const bulk = await send(services, { headers: { ...headers, ...bearer(writeKey) } })
  expect(bulk.body).not.toContain('secret')
  const opened = await send(services, { path: '/secret', headers: { ...headers, ...bearer(secretKey) } })
  expect(response(opened)).toMatchObject({ key: 'secret', value: 's3cr3t', reason: 'STATIC' })
})

test('what cannot be decided is an error, so that the program’s own default holds', async () => {
  const services = await someWireServices({}, flags)
  services.loseStore()
  const one = await send(services, { path: '/pros', headers: bearer(writeKey) })
  expect([one.status, response(one)]).toMatchObject([500, { key: 'pros', errorCode: 'GENERAL' }])
  const all = response(await send(services, { headers: bearer(writeKey) }))
  expect(all).toMatchObject({
    flags: expect.arrayContaining([expect.objectContaining({ errorCode: 'GENERAL' })]),
  })
})

test('an environment’s key chooses what is set there', async () => {
  const staged = aFlag({ key: 'cta', environments: { staging: testSetting() } })
  const services = await someWireServices({}, [staged])
  const ask = async (headers: Record<string, string>) =>
    response(await send(services, { path: '/cta', headers }))
  expect(await ask(bearer(writeKey))).toMatchObject({ value: false })
  expect(await ask(bearer(stagingKey))).toMatchObject({ value: true })
  expect(await ask({ ...bearer(secretKey), ...apiKey(stagingKey) })).toMatchObject({ value: true })
})

test('what is the same for someone is not sent again; what is another for someone else is', async () => {
  const services = await someWireServices({}, flags)
  const ask = (more: object, headers: object = {}, query = {}) =>
    send(services, { headers: { ...bearer(writeKey), ...headers }, body: about(more), query })
  const first = await ask({ plan: 'free' })
  const known = { 'if-none-match': first.headers?.['etag'] ?? '' }
  expect(known['if-none-match']).toMatch(/^".+"$/)

  const same = await ask({ plan: 'free' }, known)
  expect(same).toMatchObject({ status: 304, headers: { etag: first.headers?.['etag'] } })
  expect(same.body).toBeUndefined()

  const other = await ask({ plan: 'pro' }, known)
  expect(other.status).toBe(200)
  expect(other.headers?.['etag']).not.toBe(first.headers?.['etag'])

  // a client that was told of a change is never told that there is none
  expect((await ask({ plan: 'free' }, known, { flagConfigEtag: '"x"' })).status).toBe(200)
})

test('changes are told of below whatever the site put before our addresses', async () => {
  const services = await someWireServices({}, flags)
  const match = find('POST', '/ingest/ofrep/v1/evaluate/flags')
  expect(match?.prefix).toBe('/ingest')
  const stream = (key: string) => ({
    eventStreams: [
      { type: 'sse', endpoint: { requestUri: `/_tilth/flags/stream?key=${key}` }, inactivityDelaySec: 120 },
    ],
  })
  expect(response(await send(services, { headers: bearer(writeKey) }))).toMatchObject(stream(writeKey))
  expect(response(await send(services, { headers: bearer(stagingKey) }))).toMatchObject(stream(stagingKey))
  expect(response(await send(services, { headers: bearer(secretKey) }))).toMatchObject(stream(writeKey))
})

test('what the context says beside the names is what is known of the person', async () => {
  const services = await someWireServices({}, flags)
  await send(services, {
    headers: bearer(writeKey),
    body: about({
      plan: 'pro',
      groups: { company: 'acme' },
      groupProperties: { company: { tier: 1 } },
      deviceId: 'd',
    }),
  })
  expect(services.requests).toMatchObject([
    {
      distinctId: 'u1',
      person: { plan: 'pro' },
      groups: { company: 'acme' },
      groupProperties: { company: { tier: 1 } },
      deviceId: 'd',
    },
  ])
  expect(services.requests[0]?.person).toEqual({ plan: 'pro' })
})

const recording = z.object({
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()).optional(),
  headers: z.record(z.string(), z.string()),
  body: z.object({ context: z.looseObject({ targetingKey: z.string().optional() }) }),
})
const folder = join(import.meta.dirname, '../../../test/recordings/ofrep')

/** The recordings were made of flags that every provider was shown: these are the same of ours. */
const recorded: readonly Flag[] = [
  aFlag({ key: 'b' }),
  aFlag({ key: 's', variants }),
  aFlag({ key: 'n', kind: 'config', payloads: { true: '3.5' } }),
  aFlag({ key: 'o', kind: 'config', payloads: { true: '{"a":1}' } }),
  aFlag({ key: 'd', environments: {} }),
]

test.each(readdirSync(folder))('%s is understood', async (name) => {
  const services = await someWireServices({}, recorded)
  const requests = z.array(recording).parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
  expect(requests.length).toBeGreaterThan(0)
  const letIn = { ...bearer(writeKey), ...apiKey(writeKey) }
  for (const { path, query, headers, body } of requests) {
    const key = path.slice('/ofrep/v1/evaluate/flags'.length)
    const answer = await send(services, { path: key, query, headers: { ...headers, ...letIn }, body })
    const isKnown = key === '' || recorded.some((flag) => `/${flag.key}` === key)
    const wanted = body.context.targetingKey === undefined ? 400 : isKnown ? 200 : 404
    expect([path, answer.status]).toEqual([path, wanted])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
    })
  }
})
