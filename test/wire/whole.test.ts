import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Page } from 'playwright-core'
import { PostHog } from 'posthog-node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aTilthForAll, childOf, type RunningTestTilth } from '../start/tilth'
import { patienceMs } from '../running/patience'
import { patientClient } from './posthog-server'
import { sendThrice } from './send-again'
import { aSharedTilth } from './shared-tilth'
import {
  anOwnedTilth,
  browser,
  sendCapture,
  changeProject,
  fetchEvents,
  key,
  ownedEnvironment,
  readMetric,
  pageview,
  secret,
  waitForStored,
} from './tilth-fixture'

const aProject = aSharedTilth()

/** A tag without a key counts for the only project that there is. */
const aTilthWithOneProject = aTilthForAll(ownedEnvironment)

test('an event goes from the wire into an answer within seconds, and what must not be kept is not', async () => {
  const project = await aProject()
  expect((await sendCapture(project, pageview('ana'), '/ingest/i/v0/e/')).status).toBe(200)
  await waitForStored(project, 1)
  const [event] = await fetchEvents(project)
  expect(event).toMatchObject({ event: '$pageview', distinct_id: 'ana' })
  expect(JSON.stringify(event)).not.toContain('secret')
})

test('the same event sent three times is stored once', async () => {
  const project = await aProject()
  const event = pageview('ana')
  for (let time = 0; time < 3; time++) expect((await sendCapture(project, event)).status).toBe(200)
  await sendCapture(project, pageview('ben'))
  await waitForStored(project, 2)
})

test('events sent before identify belong to the identified person', async () => {
  const project = await aProject()
  await sendCapture(project, pageview('anonymous-1'))
  await waitForStored(project, 1)
  await sendCapture(project, {
    event: '$identify',
    properties: { distinct_id: 'ana', $anon_distinct_id: 'anonymous-1' },
    $set: { plan: 'pro' },
  })
  await waitForStored(project, 2)
  const persons = async () => new Set((await fetchEvents(project)).map(({ person_id }) => person_id))
  await expect.poll(async () => (await persons()).size).toBe(1)
})

test('an event of an unmodified posthog-node is stored', async () => {
  const project = await aProject()
  const client = new PostHog(project.key, { ...patientClient, host: project.address, flushAt: 1 })
  client.capture({ distinctId: 'ana', event: 'order placed', properties: { total: 12.5 } })
  await client.shutdown()
  await waitForStored(project, 1)
  expect((await fetchEvents(project))[0]).toMatchObject({
    event: 'order placed',
    properties: { total: '12.5' },
  })
})

test('posthog-node with our secret key fetches definitions, and is content that there are none', async () => {
  const project = await aProject()
  const mistakes = async (personalApiKey: string) => {
    const client = new PostHog(project.key, { ...patientClient, host: project.address, personalApiKey })
    onTestFinished(() => client.shutdown())
    const errors: unknown[] = []
    client.on('error', (problem: unknown) => errors.push(problem))
    await client.reloadFeatureFlags()
    expect(await client.getAllFlags('ana')).toEqual({})
    return errors.map(String)
  }
  expect(await mistakes(project.secret)).toEqual([])
  expect(await mistakes('phx_of_nobody')).toContainEqual(
    expect.stringContaining('project key or secret key is invalid'),
  )
})

test.each([
  ['/flags/definitions', 200],
  ['/api/feature_flag/local_evaluation/', 200],
  ['/api/projects/@current/feature_flags/new-cta/remote_config/', 404],
])('%s is answered to a secret key alone', async (path, status) => {
  const project = await aProject()
  const ask = (bearer: string) =>
    fetch(`${project.address}${path}?token=${project.key}`, {
      headers: { authorization: `Bearer ${bearer}` },
    })
  expect((await ask(project.secret)).status).toBe(status)
  for (const wrong of ['phx_of_nobody', project.key]) {
    const answer = await ask(wrong)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ type: 'authentication_error', code: 'invalid_api_key' })
  }
})

test('what was acknowledged before a kill is there after it, once', async () => {
  const first = await anOwnedTilth()
  const acknowledged: string[] = []
  const sending = Array.from({ length: 60 }, async (_, n) => {
    const event = pageview(`visitor-${n}`)
    const answer = await sendCapture(first, event).catch(() => undefined)
    if (answer?.status === 200) acknowledged.push(event.uuid)
    if (acknowledged.length === 30) first.kill('SIGKILL')
  })
  await Promise.all(sending)
  await first.ended

  const second = await anOwnedTilth({ TILTH_DATA: first.folder })
  await expect
    .poll(async () => (await fetchEvents(second)).map(({ uuid }) => uuid))
    .toEqual(expect.arrayContaining(acknowledged))
  const uuids = (await fetchEvents(second)).map(({ uuid }) => uuid)
  expect(new Set(uuids).size).toBe(uuids.length)
})

const engineOf = (tilth: RunningTestTilth): number => childOf(tilth.pid, 'engine-child')

/** Sends events, with harm done after ten of them, and returns their statuses, with the reason of each refusal. */
async function sendWhile(tilth: RunningTestTilth, harm: () => void, amount = 40): Promise<string[]> {
  const statuses: string[] = []
  for (let n = 0; n < amount; n++) {
    if (n === 10) harm()
    const event = pageview(`visitor ${n}`)
    const answer = await sendThrice(() => sendCapture(tilth, event))
    statuses.push(answer.ok ? String(answer.status) : `${answer.status} ${await answer.text()}`)
  }
  return statuses
}

const harms: [string, (tilth: RunningTestTilth) => void][] = [
  ['is killed', (tilth) => process.kill(engineOf(tilth), 'SIGKILL')],
  ['crashes (SEGV)', (tilth) => process.kill(engineOf(tilth), 'SIGSEGV')],
  ['hangs (STOP)', (tilth) => process.kill(engineOf(tilth), 'SIGSTOP')],
  ['has no memory left (prlimit --as)', (tilth) => starve(engineOf(tilth))],
]

// most of the time they wait until a silent engine is given up
describe.concurrent('C5: while the engine', () => {
  test.for(harms)(
    '%s every event is taken, and stored when it is back',
    // a silent engine is waited for four times as long while the machine is busy (src/processes/internal/watchdog.ts)
    async ([, harm], { expect: expectHere, onTestFinished: endLater }) => {
      const tilth = await anOwnedTilth({}, endLater)
      await sendCapture(tilth, pageview('before'))
      await waitForStored(tilth, 1)
      const statuses = await sendWhile(tilth, () => harm(tilth))
      expectHere(statuses).toEqual(Array.from({ length: 40 }, () => '200'))
      await expectHere
        .poll(() => fetchEvents(tilth), { timeout: 4 * patienceMs, interval: 500 })
        .toHaveLength(41)
      expectHere(new Set((await fetchEvents(tilth)).map(({ uuid }) => uuid)).size).toBe(41)
    },
  )

  test('hangs, queries are told so and SDKs hear of flags', async ({
    expect: expectHere,
    onTestFinished: endLater,
  }) => {
    const tilth = await anOwnedTilth({}, endLater)
    process.kill(engineOf(tilth), 'SIGSTOP')
    const flags = await fetch(`${tilth.address}/flags/?v=2`, {
      method: 'POST',
      body: JSON.stringify({ token: key, distinct_id: 'ana' }),
    })
    expectHere(flags.status).toBe(200)
    const asked = () =>
      fetch(`${tilth.address}/api/v1/projects/acme/events`, {
        headers: { authorization: `Bearer ${secret}` },
      })
    await expectHere
      .poll(async () => (await asked()).status, { timeout: 4 * patienceMs, interval: 100 })
      .toBe(503)
  })
})

/** From now on it gets no memory that it does not have. */
function starve(pid: number): void {
  // As its own user: root may lack the right to limit others.
  const { uid, gid } = statSync(`/proc/${pid}`)
  execFileSync('prlimit', ['--pid', String(pid), '--as=1000000:1000000'], { uid, gid })
}

test.each([
  // what is sent                                       and what is said
  ['an unknown key', { api_key: 'phc_wrong', batch: [pageview('ana')] }, 401],
  ['no key', { batch: [pageview('ana')] }, 401],
  ['nothing at all', '', 400],
])('%s is turned away and nothing is stored', async (_, body, status) => {
  const project = await aProject()
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${project.address}/batch/`, {
    method: 'POST',
    body: sent,
    headers: { 'user-agent': browser },
  })
  expect(answer.status).toBe(status)
  await sendCapture(project, pageview('ben'))
  await waitForStored(project, 1)
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
  const page = await (await opened.newContext(as)).newPage()
  page.setDefaultTimeout(patienceMs)
  return page
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
  const { port } = server.address() as AddressInfo // listens on a port, not on a pipe
  return `http://localhost:${port}/pricing?utm_source=news`
}

test.each([
  [
    'Tilth’s own script',
    ({ address }: RunningTestTilth) =>
      `<script>window.__tilth = true</script><script defer src="${address}/_tilth/script.js"></script>`,
  ],
  [
    'Plausible’s tag',
    ({ address }: RunningTestTilth) =>
      `<script>window.__plausible = true</script><script defer data-domain="acme.example" data-api="${address}/api/event" src="${address}/js/script.local.js"></script>`,
  ],
  [
    'Umami’s tag',
    ({ address }: RunningTestTilth) =>
      `<script defer data-website-id="${key}" src="${address}/script.js"></script>`,
  ],
  [
    'PostHog’s snippet',
    ({ address }: RunningTestTilth) =>
      `<script src="${address}/static/array.js"></script><script>posthog.init('${key}', { api_host: '${address}', opt_out_useragent_filter: true })</script>`,
  ],
])('%s on a site of another origin: its page view is stored', async (_, tag) => {
  const tilth = await aTilthWithOneProject()
  const page = await aPage({ userAgent: browser })
  const url = await aSite(tag(tilth))
  // not every tracker sends again what a busy Tilth refused: then the visitor comes once more
  for (let isRefused = true; isRefused;) {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.goto(url)
    isRefused = (await answered).status() === 503
  }
  await expect
    .poll(() => fetchEvents(tilth), { interval: 100 })
    .toContainEqual(
      expect.objectContaining({
        event: '$pageview',
        properties: expect.objectContaining({ $current_url: url }),
      }),
    )
})

test('a session goes on after a restart of Tilth', async () => {
  const before = await anOwnedTilth()
  await sendCapture(before, pageview('ana'))
  await waitForStored(before, 1)
  before.kill('SIGTERM')
  await before.ended

  const after = await anOwnedTilth({ TILTH_DATA: before.folder })
  await waitForStored(after, 1)
  // the memory of sessions comes from the same engine a moment after it answers
  await expect
    .poll(
      async () => {
        await sendCapture(after, pageview('ana'))
        const [latest, first] = [(await fetchEvents(after)).at(0), (await fetchEvents(after)).at(-1)]
        return latest?.uuid !== first?.uuid && latest?.session_id === first?.session_id
      },
      { interval: 300 },
    )
    .toBe(true)
})

test('C1: a visitor whose events were only in the journal at a kill goes on with the same session', async () => {
  const before = await anOwnedTilth()
  await waitForStored(before, 0)
  const engine = engineOf(before)
  process.kill(engine, 'SIGSTOP')
  await sendCapture(before, pageview('ana'))
  before.kill('SIGKILL')
  process.kill(engine, 'SIGKILL')
  await before.ended

  const after = await anOwnedTilth({ TILTH_DATA: before.folder })
  await waitForStored(after, 1)
  await sendCapture(after, pageview('ana'))
  await waitForStored(after, 2)
  expect(new Set((await fetchEvents(after)).map(({ session_id }) => session_id)).size).toBe(1)
})

test('with the events of the month used up, senders are told without an error, and the owner sees how many', async () => {
  const project = await aProject()
  expect((await changeProject(project, { intake: { monthlyEvents: 2 } })).status).toBe(200)
  for (const visitor of ['ana', 'ben']) await sendCapture(project, pageview(visitor))
  const answer = await sendCapture(project, pageview('carl'))
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ status: 1, quota_limited: ['events'] })
  await waitForStored(project, 2)
  expect(await readMetric(project, 'tilth_events_dropped{reason="over-quota"}')).toBe(1)
})

test('what is not collected is counted: logs, metrics and traces', async () => {
  const project = await aProject()
  const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [{}, {}] }] }] }
  const answer = await fetch(`${project.address}/i/v1/logs?token=${project.key}`, {
    method: 'POST',
    body: JSON.stringify(logs),
  })
  expect([answer.status, answer.headers.get('x-tilth-dropped')]).toEqual([200, 'not-collected'])
  expect(await readMetric(project, 'tilth_events_dropped{reason="not-collected"}')).toBe(2)
})

test('what the project’s owners decided holds for the next event, and nonsense is refused in words', async () => {
  const project = await aProject()
  const refused = await changeProject(project, { intake: { shields: { countries: ['Germany'] } } })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('two letters')

  expect(
    (
      await changeProject(project, {
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
    expect((await sendCapture(project, at(url))).status).toBe(200)
  await sendCapture({ ...project, key: 'phc_old_token' }, at('https://acme.example/by-its-old-name'))
  await waitForStored(project, 2)
})
