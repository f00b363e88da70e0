import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Page } from 'playwright-core'
import { PostHog } from 'posthog-node'
import { expect, onTestFinished, test } from 'vitest'
import { aTilth, childOf, type Environment, type Tilth } from '../start/tilth'

const key = 'phc_whole_test_key'
const secret = 'a-secret-key-of-the-test'
const owned: Environment = {
  TILTH_OWNER_EMAIL: 'ana@example.com',
  TILTH_OWNER_PASSWORD: 'five unrelated words do well',
  TILTH_PROJECT: 'Acme',
  TILTH_PROJECT_KEY: key,
  TILTH_PROJECT_SECRET: secret,
}

interface Stored {
  uuid: string
  event: string
  distinct_id: string
  person_id: string
  session_id: string
  properties: Record<string, string>
}

/** What the engine has, asked as a program asks. */
async function events({ address }: Tilth, query = ''): Promise<Stored[]> {
  const answer = await fetch(`${address}/api/v1/projects/acme/events?limit=1000${query}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  if (!answer.ok) return []
  const { events: found } = (await answer.json()) as { events: Stored[] } // the endpoint's own description says so
  return found
}

const stored = (tilth: Tilth, amount: number) =>
  expect.poll(() => events(tilth), { timeout: 15_000, interval: 50 }).toHaveLength(amount)

const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

async function capture(tilth: Tilth, event: object, path = '/e/'): Promise<Response> {
  return await fetch(tilth.address + path, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'user-agent': browser },
    body: JSON.stringify({ api_key: key, batch: [event] }),
  })
}

const pageview = (distinctId: string, rest: object = {}) => ({
  uuid: crypto.randomUUID(),
  event: '$pageview',
  properties: {
    distinct_id: distinctId,
    $current_url: 'https://acme.example/pricing?utm_source=news&token=secret',
  },
  ...rest,
})

test('an event goes from the wire into an answer within seconds, and what must not be kept is not', async () => {
  const tilth = await aTilth(owned)
  expect((await capture(tilth, pageview('ana'), '/ingest/i/v0/e/')).status).toBe(200)
  await stored(tilth, 1)
  const [event] = await events(tilth)
  expect(event).toMatchObject({ event: '$pageview', distinct_id: 'ana' })
  expect(JSON.stringify(event)).not.toContain('secret')
})

test('the same event sent three times is stored once', async () => {
  const tilth = await aTilth(owned)
  const event = pageview('ana')
  for (let time = 0; time < 3; time++) expect((await capture(tilth, event)).status).toBe(200)
  await capture(tilth, pageview('ben'))
  await stored(tilth, 2)
})

test('who somebody turned out to be holds for what they did before', async () => {
  const tilth = await aTilth(owned)
  await capture(tilth, pageview('anonymous-1'))
  await stored(tilth, 1)
  await capture(tilth, {
    event: '$identify',
    properties: { distinct_id: 'ana', $anon_distinct_id: 'anonymous-1' },
    $set: { plan: 'pro' },
  })
  await stored(tilth, 2)
  const persons = new Set((await events(tilth)).map(({ person_id }) => person_id))
  expect(persons.size).toBe(1)
})

test('posthog-node, unchanged, is heard', async () => {
  const tilth = await aTilth(owned)
  const client = new PostHog(key, { host: tilth.address, flushAt: 1 })
  client.capture({ distinctId: 'ana', event: 'order placed', properties: { total: 12.5 } })
  await client.shutdown()
  await stored(tilth, 1)
  expect((await events(tilth))[0]).toMatchObject({ event: 'order placed', properties: { total: '12.5' } })
})

test('what was acknowledged before a kill is there after it, once', async () => {
  const first = await aTilth(owned)
  const acknowledged: string[] = []
  const sending = Array.from({ length: 60 }, async (_, n) => {
    const event = pageview(`visitor-${n}`)
    const answer = await capture(first, event).catch(() => undefined)
    if (answer?.status === 200) acknowledged.push(event.uuid)
    if (acknowledged.length === 30) first.kill('SIGKILL')
  })
  await Promise.all(sending)
  await first.ended

  const second = await aTilth({ ...owned, TILTH_DATA: first.folder })
  await expect
    .poll(async () => (await events(second)).map(({ uuid }) => uuid), { timeout: 20_000 })
    .toEqual(expect.arrayContaining(acknowledged))
  const uuids = (await events(second)).map(({ uuid }) => uuid)
  expect(new Set(uuids).size).toBe(uuids.length)
})

test('while the engine is gone events are taken, and stored when it is back', async () => {
  const tilth = await aTilth(owned)
  process.kill(childOf(tilth.pid, 'engine-child'), 'SIGKILL')
  expect((await capture(tilth, pageview('ana'))).status).toBe(200)
  await stored(tilth, 1)
})

test.each([
  // what is sent                                       and what is said
  ['an unknown key', { api_key: 'phc_wrong', batch: [pageview('ana')] }, 401],
  ['no key', { batch: [pageview('ana')] }, 401],
  ['nothing at all', '', 400],
])('%s is turned away and nothing is stored', async (_, body, status) => {
  const tilth = await aTilth(owned)
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${tilth.address}/batch/`, {
    method: 'POST',
    body: sent,
    headers: { 'user-agent': browser },
  })
  expect(answer.status).toBe(status)
  await capture(tilth, pageview('ben'))
  await stored(tilth, 1)
})

async function aPage(as: { userAgent: string }): Promise<Page> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  const opened = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args,
  })
  onTestFinished(() => opened.close())
  return await (await opened.newContext(as)).newPage()
}

/** A page of a site that is not ours, with nothing but the tag of one vendor in it. */
async function aSite(head: string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><html><head><title>Prices</title>${head}</head><body><h1>Prices</h1></body></html>`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return `http://localhost:${port}/pricing?utm_source=news`
}

test.each([
  [
    'Tilth’s own script',
    ({ address }: Tilth) =>
      `<script>window.__tilth = true</script><script defer src="${address}/_tilth/script.js"></script>`,
  ],
  [
    'Plausible’s tag',
    ({ address }: Tilth) =>
      `<script>window.__plausible = true</script><script defer data-domain="acme.example" data-api="${address}/api/event" src="${address}/js/script.local.js"></script>`,
  ],
  [
    'Umami’s tag',
    ({ address }: Tilth) => `<script defer data-website-id="${key}" src="${address}/script.js"></script>`,
  ],
  [
    'PostHog’s snippet',
    ({ address }: Tilth) =>
      `<script src="${address}/static/array.js"></script><script>posthog.init('${key}', { api_host: '${address}', opt_out_useragent_filter: true })</script>`,
  ],
])('%s on a site of another origin: its page view is stored', async (_, tag) => {
  const tilth = await aTilth(owned)
  const page = await aPage({ userAgent: browser })
  await page.goto(await aSite(tag(tilth)))
  await expect
    .poll(async () => (await events(tilth)).map(({ event }) => event), { timeout: 20_000, interval: 100 })
    .toContain('$pageview')
})

test('a visitor who was reading while Tilth was started again goes on with the same session', async () => {
  const before = await aTilth(owned)
  await capture(before, pageview('ana'))
  await stored(before, 1)
  before.kill('SIGTERM')
  await before.ended

  const after = await aTilth({ ...owned, TILTH_DATA: before.folder })
  await stored(after, 1)
  // what is remembered of sessions comes from the same engine a moment after it answers
  await expect
    .poll(
      async () => {
        await capture(after, pageview('ana'))
        const [latest, first] = [(await events(after)).at(0), (await events(after)).at(-1)]
        return latest?.uuid !== first?.uuid && latest?.session_id === first?.session_id
      },
      { timeout: 15_000, interval: 300 },
    )
    .toBe(true)
})

test('what the project’s owners decided holds for the next event, and nonsense is refused in words', async () => {
  const tilth = await aTilth(owned)
  const change = (body: object) =>
    fetch(`${tilth.address}/api/v1/projects/acme`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const refused = await change({ intake: { shields: { countries: ['Germany'] } } })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('two letters')

  expect(
    (
      await change({
        hosts: ['acme.example'],
        aliases: ['phc_old_token'],
        intake: { shields: { pages: ['/admin*'] } },
      })
    ).status,
  ).toBe(200)
  const at = (url: string) => pageview('ana', { properties: { distinct_id: 'ana', $current_url: url } })
  for (const url of [
    'https://elsewhere.example/',
    'https://acme.example/admin/users',
    'https://acme.example/',
  ])
    expect((await capture(tilth, at(url))).status).toBe(200)
  await fetch(`${tilth.address}/e/`, {
    method: 'POST',
    headers: { 'user-agent': browser },
    body: JSON.stringify({ api_key: 'phc_old_token', batch: [at('https://acme.example/by-its-old-name')] }),
  })
  await stored(tilth, 2)
})
