import { expect, test } from 'vitest'
import { aFlag } from '#test/random/random-flags'
import { inMainEnvironment, personProperty } from '#test/wire/flag-services'
import { answerTo, recordingWireServices } from '#test/wire/trackers-fixture'
import type { ForcedFlags, WireResponse } from '../dialect'

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', origin: 'https://example.com' }
const cta = aFlag({ key: 'cta' })
const colour = aFlag({
  key: 'colour',
  variants: [{ key: 'blue', name: '', percentage: 100 }],
  payloads: { blue: '{"x":1}' },
})
const pros = aFlag({
  key: 'pros',
  environments: inMainEnvironment({ conditions: [personProperty('plan', 'pro')] }),
})
const serverFlag = aFlag({ key: 'theirs', servedTo: 'servers' })
const secret = aFlag({ key: 'secret', kind: 'config', isSecret: true, payloads: { true: '"s3cr3t"' } })

const wireServices = () => recordingWireServices(undefined, [cta, colour, pros, serverFlag, secret])
const response = ({ body }: WireResponse): unknown => JSON.parse(String(body))

test.each([
  // the request, and the visitor that it names
  ['GET', '/_tilth/flags?key=key-1&distinct_id=ana', undefined, 'ana'],
  ['GET', '/ingest/_tilth/flags?key=key-1&distinct_id=ana', undefined, 'ana'],
  ['GET', '/_tilth/flags', undefined, undefined],
  ['POST', '/_tilth/flags', { key: 'key-1', distinctId: 'ana' }, 'ana'],
  ['POST', '/_tilth/flags', {}, undefined],
])('%s %s %o', async (method, path, body, distinctId) => {
  const services = wireServices()
  const answer = await answerTo({ method, path, headers: browser, body }, services)
  expect(answer.status).toBe(200)
  expect(response(answer)).toEqual({
    flags: { cta: true, colour: 'blue', pros: false },
    payloads: { colour: { x: 1 } },
    undecided: [],
  })
  expect(services.requests).toMatchObject([{ distinctId, host: 'example.com', environment: 'production' }])
})

test('what is said of the visitor counts, by GET as by POST', async () => {
  const properties = { plan: 'pro' }
  const asked = { key: 'key-1', distinctId: 'ana', deviceId: 'd', properties, flags: ['pros'] }
  const query = `key=key-1&distinct_id=ana&device_id=d&flags=pros&properties=${encodeURIComponent(JSON.stringify(properties))}`
  for (const sent of [
    { method: 'GET', path: `/_tilth/flags?${query}` },
    { method: 'POST', path: '/_tilth/flags', body: asked },
  ]) {
    const services = wireServices()
    expect(response(await answerTo({ ...sent, headers: browser }, services))).toMatchObject({
      flags: { pros: true },
    })
    expect(services.requests).toMatchObject([{ deviceId: 'd', keys: ['pros'], person: properties }])
  }
})

test('what no one could decide is named, and has no value', async () => {
  const services = wireServices()
  services.loseStore()
  const answer = await answerTo(
    { method: 'GET', path: '/_tilth/flags?key=key-1', headers: browser },
    services,
  )
  expect(response(answer)).toEqual({
    flags: { cta: true, colour: 'blue' },
    payloads: { colour: { x: 1 } },
    undecided: ['pros'],
  })
})

test('a server is given what is for servers, and no secret', async () => {
  const answer = await answerTo({ method: 'GET', path: '/_tilth/flags?key=key-1' }, wireServices())
  expect(response(answer)).toMatchObject({ flags: { theirs: true } })
  expect(answer.body).not.toMatch(/secret|s3cr3t/)
})

test.each([
  ['GET', '/_tilth/flags?key=wrong', undefined, 404],
  ['GET', '/_tilth/flags/stream?key=wrong', undefined, 404],
  ['GET', '/_tilth/flags/stream', undefined, 404],
  ['GET', '/_tilth/flags?key=key-1&properties={', undefined, 400],
  ['POST', '/_tilth/flags', '{', 400],
  ['POST', '/_tilth/flags', '[]', 400],
])('%s %s %s is answered %4$i', async (method, path, body, status) => {
  const answer = await answerTo({ method, path, headers: browser, body }, wireServices())
  expect(answer.status).toBe(status)
  expect(response(answer)).toEqual({ error: expect.stringMatching(/\.$/) })
})

test('who keeps values for the next page is told their versions, but not of what is undecided or forced', async () => {
  const sent = { method: 'POST', path: '/_tilth/flags', body: { key: 'key-1', versions: true } }
  const services = wireServices()
  services.loseStore()
  services.forced.set('good', forced)
  const plain = await answerTo({ ...sent, headers: browser }, services)
  expect(response(plain)).toMatchObject({ versions: { cta: 1, colour: 1 }, undecided: ['pros'] })
  const preview = await answerTo({ ...sent, headers: { ...browser, cookie: 'tilth_trying=good' } }, services)
  expect(response(preview)).toMatchObject({ flags: { cta: false }, versions: {} })
})

test.each([
  ['same-origin', 'a2f9c1c0-2f60-4b6e-9d5e-1b2c3d4e5f60', 'a2f9c1c0-2f60-4b6e-9d5e-1b2c3d4e5f60'],
  ['cross-site', 'a2f9c1c0-2f60-4b6e-9d5e-1b2c3d4e5f60', undefined],
])('a %s request without an id is of the visitor whose events it is of', async (from, cookie, visitor) => {
  const services = wireServices()
  const headers = { ...browser, 'sec-fetch-site': from, cookie: `tilth_visitor=${cookie}` }
  await answerTo({ method: 'POST', path: '/_tilth/flags', headers, body: { key: 'key-1' } }, services)
  expect(services.requests).toMatchObject([{ distinctId: visitor, deviceId: visitor }])
})

test('keys that mean harm are unknown, and ten thousand are answered', async () => {
  const bad = ['__proto__', 'constructor', '"]}', '<img src=x onerror=alert(1)>', '', 'cta']
  const keys = [...bad, ...Array.from({ length: 10_000 }, (_, i) => `k${i}`)]
  const body = { key: 'key-1', flags: keys, versions: true }
  const answer = await answerTo(
    { method: 'POST', path: '/_tilth/flags', headers: browser, body },
    wireServices(),
  )
  expect(response(answer)).toEqual({
    flags: { cta: true },
    payloads: {},
    undecided: [],
    versions: { cta: 1 },
  })
})

/** Opens a stream, and collects what it sends. */
async function listening(headers: Record<string, string> = {}) {
  const services = wireServices()
  const path = '/_tilth/flags/stream?key=key-1'
  const { status, headers: told, body, stream } = await answerTo({ method: 'GET', path, headers }, services)
  expect([status, told?.['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const messages: string[] = [String(body)]
  const stop = stream?.(
    (text) => messages.push(text),
    () => messages.push('the end'),
  )
  return { services, messages, stop }
}

test('a listener hears of a change, until they leave', async () => {
  const { services, messages, stop } = await listening()
  expect(messages).toEqual([expect.stringMatching(/^retry: 2000\nid: \S+\n\n$/)])
  const [listener] = services.listeners
  expect(listener).toMatchObject({ projectId: 1, environment: 'production', key: 'key-1' })

  listener?.notify({ substance: 'new', at: new Date(5000) })
  expect(messages.slice(1)).toEqual([
    'id: new\ndata: {"type":"refetchEvaluation","etag":"new","lastModified":5}\n\n',
  ])
  stop?.()
  expect(services.listeners.size).toBe(0)
})

test('a listener that returns hears of what has changed meanwhile, and of nothing else', async () => {
  const [first] = (await listening()).messages
  const id = /id: (\S+)/.exec(first ?? '')?.[1] ?? ''
  expect((await listening({ 'last-event-id': id })).messages[0]).not.toContain('data:')
  expect((await listening({ 'last-event-id': 'older' })).messages[0]).toContain(
    `data: {"type":"refetchEvaluation","etag":"${id}"`,
  )
})

test('where too many listen, one more is asked to come later', async () => {
  const services = { ...wireServices(), listenForFlagChanges: () => undefined }
  const answer = await answerTo({ method: 'GET', path: '/_tilth/flags/stream?key=key-1' }, services)
  expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
})

const forced: ForcedFlags = {
  projectId: 1,
  values: { cta: false, colour: 'blue', '<script>': true },
  until: new Date('2026-11-21T07:00:00Z'),
}

async function follow(path: string, headers: Record<string, string> = {}) {
  const services = wireServices()
  services.forced.set('good', forced)
  const answer = await answerTo({ method: 'GET', path, headers }, services)
  expect(answer.headers?.['content-security-policy']).toMatch(/^default-src 'none'; /)
  return { ...answer, page: String(answer.body) }
}

test('a preview link is kept by the browser for as long as it lasts, and the page says what it does', async () => {
  const { status, headers, page } = await follow('/ingest/_tilth/qa?link=good')
  expect(status).toBe(200)
  expect(headers?.['set-cookie']).toBe('tilth_trying=good; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax')
  expect(page).toContain('<dt>colour</dt><dd>blue</dd>')
  expect(page).toContain('<dt>cta</dt><dd>off</dd>')
  expect(page).not.toContain('<script>')
  expect(page).toContain('2026-11-21 07:00 UTC')
})

test('it can be looked at again, and ended', async () => {
  expect((await follow('/_tilth/qa', { cookie: 'tilth_trying=good' })).page).toContain('End it now')
  const { status, headers } = await follow('/_tilth/qa?end', { cookie: 'tilth_trying=good' })
  expect([status, headers?.['set-cookie']]).toEqual([
    200,
    'tilth_trying=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  ])
})

test.each(['/_tilth/qa', '/_tilth/qa?link=', '/_tilth/qa?link=made-up'])('%s leads nowhere', async (path) => {
  const { status, headers, page } = await follow(path)
  expect(status).toBe(404)
  expect(headers).not.toHaveProperty('set-cookie')
  expect(page).toContain('This link does not work')
})
