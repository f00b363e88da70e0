import { afterAll, beforeAll, expect, test } from 'vitest'
import { anEngine } from '#test/product/test-engine'
import { bothDays, openUmamiSite, searchOf, website } from '#test/wire/umami-site'
import { readConfig } from '#server/config'
import { openFront } from '#server/internal/front'
import { openLog } from '#server/log'

const engine = anEngine()

async function aServer() {
  const site = await openUmamiSite({ engine: engine.engine(), endLater: afterAll })
  const reading = readConfig({ PORT: '0' })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  const front = await openFront({
    config: reading.config,
    log: openLog({ level: 'silent', format: 'json' }),
    dialects: [],
  })
  front.use({ product: site.product })
  afterAll(() => front.drain())
  const ask = (path: string, { headers = {}, ...init }: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${front.port}${path}`, { headers, ...init })
  return { ...site, ask }
}

let server: Awaited<ReturnType<typeof aServer>>
beforeAll(async () => {
  server = await aServer()
})

test('Umami’s API is served at its addresses, also to pages of other origins', async () => {
  const { ask, key } = server
  const headers = { 'x-umami-api-key': key }
  const stats = `/websites/${website}/stats?${searchOf(bothDays)}`
  const own = await ask(`/api${stats}`, { headers })
  expect(own.headers.get('access-control-allow-origin')).toBe('*')
  expect(await own.json()).toMatchObject({ pageviews: 8, visitors: 3 })
  expect(await (await ask(`/v1${stats}`, { headers })).json()).toMatchObject({ pageviews: 8 })
  expect(await (await ask(`/_tilth/umami/v2/api${stats}`, { headers })).json()).toMatchObject({
    pageviews: { value: 8 },
  })
  const preflight = await ask(`/api${stats}`, {
    method: 'OPTIONS',
    headers: { 'access-control-request-headers': 'x-umami-api-key' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-umami-api-key')
  // without a key, an address below /v1 may be a page of the site
  const page = await ask('/v1/websites')
  expect(page.headers.get('content-type')).not.toContain('json')
  expect((await ask('/api/websites')).status).toBe(401)
  expect(
    await (await ask('/api/projects/@current', { headers: { authorization: `Bearer ${key}` } })).json(),
  ).toMatchObject({ name: 'Acme' })
})

test('a sign-in of a megabyte is refused before it is read', async () => {
  const { ask, key } = server
  const login = (body: BodyInit, more: object = {}) =>
    ask('/api/auth/login', { method: 'POST', body, ...more })
  expect((await login(JSON.stringify({ username: 'a', password: key }))).status).toBe(200)
  expect((await login(JSON.stringify({ username: 'a', password: 'x'.repeat(1_000_000) }))).status).toBe(413)
  const chunks = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{'))
      controller.close()
    },
  })
  expect((await login(chunks, { duplex: 'half' })).status).toBe(413)
})
