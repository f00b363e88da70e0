import { expect, onTestFinished, test } from 'vitest'
import { aFlag } from '#test/random/random-flags'
import { key, someWireServices } from '#test/wire/posthog-fixture'
import { posthog } from '#wire/posthog/posthog'
import { forcedFlagsCookie } from '#wire/forced-flags'
import { readConfig } from '#server/config'
import { openFront } from '#server/internal/front'
import { openLog } from '#server/log'

const shop = 'https://shop.example'

async function aFront() {
  const reading = readConfig({ PORT: '0' })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  const services = await someWireServices({}, [aFlag({ key: 'cta' })])
  const front = await openFront({
    config: reading.config,
    log: openLog({ level: 'silent', format: 'json' }),
    dialects: [posthog],
  })
  front.use({ wire: services, disk: async () => ({ freeBytes: 1, usedBytes: 0, trouble: undefined }) })
  onTestFinished(() => front.drain())
  const ask = (
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ) =>
    fetch(`http://127.0.0.1:${front.port}${path}`, {
      ...init,
      headers: { origin: shop, ...init.headers },
    })
  return { services, ask, post: (path: string, body: string) => ask(path, { method: 'POST', body }) }
}

/** Returns the headers that let a browser show an answer to a page that asked with credentials. */
const readableWithCredentials = (answer: Response) => ({
  origin: answer.headers.get('access-control-allow-origin'),
  credentials: answer.headers.get('access-control-allow-credentials'),
  variesByOrigin: /\borigin\b/i.test(answer.headers.get('vary') ?? ''),
})
const readable = { origin: shop, credentials: 'true', variesByOrigin: true }

const event = JSON.stringify({ event: 'a', properties: { token: key, distinct_id: 'u1' } })

test('a page of another origin can read what our scripts need', async () => {
  const { post } = await aFront()
  const answer = await post('/e/', event)
  const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
  expect(exposed).toEqual(['etag', 'retry-after', 'x-tilth-dropped', 'x-tilth-part'])
})

test.each([
  ['/e/', 200, event],
  ['/ingest/batch/', 200, event],
  ['/engage/', 200, event],
  ['/s/', 200, event],
  ['/decide/?v=3', 200, JSON.stringify({ token: key, distinct_id: 'u1' })],
  ['/flags/?v=2', 200, JSON.stringify({ token: key, distinct_id: 'u1' })],
  ['/e/', 400, '{'],
  ['/flags/?v=2', 401, JSON.stringify({ token: 'phc_nobody', distinct_id: 'u1' })],
])('POST %s answered %i can be read by a page that asked with credentials', async (path, status, body) => {
  const { post } = await aFront()
  const answer = await post(path, body)
  expect([answer.status, readableWithCredentials(answer)]).toEqual([status, readable])
})

test.each([
  [`/array/${key}/config`, 200],
  [`/array/${key}/config.js`, 200],
  ['/array/phc_nobody/config.js', 404],
  [`/api/surveys/?token=${key}`, 200],
  ['/static/array.js', 200],
  ['/static/1.2.3/unknown.js', 404],
  ['/flags/definitions', 401],
])('GET %s answered %i can be read by a page that asked with credentials', async (path, status) => {
  const { ask } = await aFront()
  const answer = await ask(path)
  expect([answer.status, readableWithCredentials(answer)]).toEqual([status, readable])
})

test('a refusal that asks to send again can be read, and so can a preflight', async () => {
  const { services, ask, post } = await aFront()
  services.close()
  const busy = await post('/e/', event)
  expect([busy.status, readableWithCredentials(busy)]).toEqual([503, readable])
  const preflight = await ask('/e/', {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-of-the-app' },
  })
  expect([preflight.status, readableWithCredentials(preflight)]).toEqual([204, readable])
  expect(preflight.headers.get('access-control-allow-headers')).toBe('x-of-the-app')
})

test('each of several origins is named in its own answers', async () => {
  const { ask } = await aFront()
  const origins = [shop, 'https://other.example', shop, 'null']
  for (const origin of origins) {
    const body = JSON.stringify({ token: key, distinct_id: 'u1' })
    const answer = await ask('/flags/?v=2', { method: 'POST', body, headers: { origin } })
    expect(readableWithCredentials(answer)).toEqual({ ...readable, origin })
  }
})

test('compressed scripts vary by the encoding and by the origin', async () => {
  const { ask } = await aFront()
  const answer = await ask('/static/array.js')
  expect(answer.headers.get('vary')).toMatch(/^accept-encoding, origin$/i)
})

test('a page of another origin learns nothing by the cookies of its visitor', async () => {
  const { services, ask } = await aFront()
  const until = new Date(Date.now() + 60_000)
  services.forced.set('token-1', { projectId: 1, values: { cta: false }, until })
  const decidedWith = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ token: key, distinct_id: 'u1' })
    const cookie = `${forcedFlagsCookie}=token-1`
    const answer = await ask('/flags/?v=2', { method: 'POST', body, headers: { cookie, ...headers } })
    // the dialect's own tests hold the whole answer
    const { featureFlags } = (await answer.json()) as { featureFlags: Record<string, unknown> }
    return featureFlags['cta']
  }
  expect(await decidedWith({ 'sec-fetch-site': 'same-origin' })).toBe(false)
  expect(await decidedWith({})).toBe(true)
  expect(await decidedWith({ 'sec-fetch-site': 'same-site' })).toBe(true)
  expect(await decidedWith({ 'sec-fetch-site': 'cross-site' })).toBe(true)
})
