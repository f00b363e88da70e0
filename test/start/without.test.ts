import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { startBuiltInPostgres } from '../outside/postgres'
import { signIn } from '../studio/owner'
import { sendThrice } from '../wire/send-again'
import { callApi, createFlag, proPlan } from '../wire/flag-making'
import {
  browser,
  fetchEvents,
  sendCapture,
  key,
  ownedEnvironment,
  pageview,
  secret,
} from '../wire/tilth-fixture'
import {
  aFolder,
  browserHeaders,
  aStartingTilth,
  aTilth,
  childOf,
  isGone,
  run,
  type RunningTestTilth,
  titleOf,
} from './tilth'

/** The flags that a visitor gets; those that could not be decided are missing. */
async function flagsFor(
  { address }: RunningTestTilth,
  distinctId: string,
  more: object = {},
): Promise<object> {
  const answer = await fetch(`${address}/flags/?v=2`, {
    method: 'POST',
    headers: { 'user-agent': browser },
    body: JSON.stringify({ token: key, distinct_id: distinctId, ...more }),
  })
  if (!answer.ok) return { status: answer.status }
  // the tests of the dialect define the format
  const { featureFlags, errorsWhileComputingFlags } = (await answer.json()) as Record<string, unknown>
  return { featureFlags, isComplete: errorsWhileComputingFlags === false }
}

const definitionsOf = ({ address }: RunningTestTilth): Promise<Response> =>
  fetch(`${address}/flags/definitions?token=${key}`, { headers: { authorization: `Bearer ${secret}` } })

const readinessOf = async ({ address }: RunningTestTilth) => {
  const answer = await fetch(`${address}/_tilth/ready`)
  return { status: answer.status, said: await answer.json() }
}

async function stop(tilth: RunningTestTilth): Promise<void> {
  tilth.kill('SIGTERM')
  expect(await tilth.ended).toEqual({ code: 0, signal: null })
}

const askAgain = async (answering: Promise<Response>) => {
  const { status, headers } = await answering
  expect([status, headers.get('retry-after')]).toEqual([503, '1'])
}

test('a store that is away at the start: flags are decided, all else is asked again, and then it comes back', async () => {
  const postgres = await startBuiltInPostgres()
  onTestFinished(() => postgres.stop())
  const settings = { ...ownedEnvironment, TILTH_DATA: aFolder(), TILTH_STORE: await postgres.emptyDatabase() }
  const before = await aTilth(settings)
  await createFlag(before, { key: 'cta' })
  await createFlag(before, { key: 'pros', set: { conditions: [proPlan] } })
  await callApi(before, 'POST', '/environments', { name: 'staging', writeKey: 'phc_staging_key' })
  await stop(before)
  await postgres.disconnect()

  const impatient = await aStartingTilth(settings)
  await impatient.waitForOutput(/^Tilth waits for its store/m)
  await stop(impatient)

  const tilth = await aStartingTilth(settings)
  await tilth.waitForOutput(/^Tilth waits for its store; .*: nothing answers there\. .*start the server\.$/m)
  expect(await flagsFor(tilth, 'ana')).toEqual({ featureFlags: { cta: true }, isComplete: false })
  const pro = { person_properties: { plan: 'pro' } }
  const all = { featureFlags: { cta: true, pros: true }, isComplete: true }
  expect(await flagsFor(tilth, 'ana', pro)).toEqual(all)
  const elsewhere = { featureFlags: { cta: false, pros: false }, isComplete: true }
  expect(await flagsFor(tilth, 'ana', { token: 'phc_staging_key' })).toEqual(elsewhere)
  const ours = await fetch(`${tilth.address}/_tilth/flags?key=${key}&distinct_id=ana`)
  expect(await ours.json()).toMatchObject({ flags: { cta: true }, undecided: ['pros'] })
  const bulk = await fetch(`${tilth.address}/ofrep/v1/evaluate/flags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ context: { targetingKey: 'ana' } }),
  })
  expect(await bulk.json()).toMatchObject({ flags: [{ key: 'cta', value: true }, { key: 'pros' }] })

  await askAgain(sendCapture(tilth, pageview('ana')))
  await askAgain(definitionsOf(tilth))
  await askAgain(fetch(`${tilth.address}/api/v1/projects`))
  expect(await readinessOf(tilth)).toMatchObject({
    status: 503,
    said: {
      ready: false,
      parts: { store: { status: 'unreachable', trouble: expect.stringMatching('nothing answers there') } },
    },
  })
  const page = await fetch(`${tilth.address}/studio`, browserHeaders)
  expect(titleOf(await page.text())).toBe('Tilth is waiting for its store')

  const stream = await fetch(`${tilth.address}/_tilth/flags/stream?key=${key}`)
  await postgres.reconnect()
  await tilth.waitForOutput(/^Tilth is ready at /m)
  // listeners are let go, to come back to a process that hears of changes
  expect(await stream.text()).toMatch(/^retry: /)
  expect((await readinessOf(tilth)).status).toBe(200)
  expect((await sendCapture(tilth, pageview('ana'))).status).toBe(200)
  expect((await definitionsOf(tilth)).status).toBe(200)
  expect(await flagsFor(tilth, 'ana', pro)).toEqual(all)
  await createFlag(tilth, { key: 'new' })
  expect(await flagsFor(tilth, 'ana', pro)).toMatchObject({ featureFlags: { new: true } })
})

/** The cookies of the owner's browser after signing in. */
async function signedInCookies({ address }: RunningTestTilth): Promise<string> {
  const chromium = await openBrowser()
  onTestFinished(() => chromium.close())
  const page = await chromium.newPage({ baseURL: address })
  const { TILTH_OWNER_EMAIL: email = '', TILTH_OWNER_PASSWORD: password = '' } = ownedEnvironment
  await signIn(page, { email, password })
  const cookies = await page.context().cookies()
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

test('a store that freezes: its pages say so, all else goes on, and so do they when it does', async () => {
  const postgres = await startBuiltInPostgres()
  onTestFinished(() => postgres.stop())
  const store = new URL(await postgres.emptyDatabase())
  // Tilth's own limit counts
  store.searchParams.delete('connect_timeout')
  const tilth = await aTilth({ ...ownedEnvironment, TILTH_STORE: store.href })
  await createFlag(tilth, { key: 'cta' })
  await createFlag(tilth, { key: 'pros', set: { conditions: [proPlan] } })
  const cookie = await signedInCookies(tilth)
  const visit = async (path: string) => {
    const { headers } = browserHeaders
    const answer = await fetch(tilth.address + path, { ...browserHeaders, headers: { ...headers, cookie } })
    await answer.text()
    return [path, answer.status, answer.headers.has('retry-after')]
  }
  const visitAll = (paths: string[]) => Promise.all(paths.map(visit))
  const studioPages = ['/studio/acme', '/studio/acme/web', '/studio/acme/flags', '/studio/account']
  const storePages = [...studioPages, '/studio/sign-in', '/share/none']
  const isAskedLater = storePages.map((path) => [path, 503, true])

  postgres.freeze()
  // the first of them find out
  expect(await visitAll(storePages)).toEqual(isAskedLater)
  expect(await visitAll(storePages)).toEqual(isAskedLater)
  expect(await visitAll(['/', '/blog'])).toEqual(['/', '/blog'].map((path) => [path, 200, false]))
  expect((await sendCapture(tilth, pageview('ana'))).status).toBe(200)
  const pro = { person_properties: { plan: 'pro' } }
  const all = { featureFlags: { cta: true, pros: true }, isComplete: true }
  expect(await flagsFor(tilth, 'ana', pro)).toEqual(all)
  const toldToAskLater = await fetch(`${tilth.address}/api/v1/projects`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect([toldToAskLater.status, toldToAskLater.headers.has('retry-after')]).toEqual([503, true])
  expect(await readinessOf(tilth)).toMatchObject({ status: 503, said: { parts: { store: { ok: false } } } })

  postgres.thaw()
  await expect.poll(async () => (await readinessOf(tilth)).status).toBe(200)
  expect(await visitAll(studioPages)).toEqual(studioPages.map((path) => [path, 200, false]))
  const people = async () => (await fetchEvents(tilth)).map(({ distinct_id: person }) => person)
  await expect.poll(people).toContain('ana')
  await createFlag(tilth, { key: 'new' })
  expect(await flagsFor(tilth, 'ana', pro)).toMatchObject({ featureFlags: { new: true } })
})

test('a store that is away before anything was known ends the start', async () => {
  const nowhere = 'postgres://tilth:hush@127.0.0.1:1/tilth'
  const attempt = run(['start'], { PORT: '0', TILTH_DATA: aFolder(), TILTH_STORE: nowhere })
  expect(await attempt.ended).toMatchObject({ code: 1 })
  expect(attempt.err).toMatch(/^Tilth does not start\. The Postgres server .*: nothing answers there\./)
})

test('without an engine, flags are decided by what is stored of people', async () => {
  const tilth = await aTilth(ownedEnvironment)
  await createFlag(tilth, { key: 'pros', set: { conditions: [proPlan] } })
  const identify = { event: '$identify', properties: { distinct_id: 'ana', $set: { plan: 'pro' } } }
  expect((await sendThrice(() => sendCapture(tilth, identify))).status).toBe(200)
  const pro = { featureFlags: { pros: true }, isComplete: true }
  const becomesPro = (who: RunningTestTilth) => expect.poll(() => flagsFor(who, 'ana')).toEqual(pro)
  await becomesPro(tilth)
  const engine = childOf(tilth.pid, 'engine-child.js')
  process.kill(engine, 'SIGSTOP')
  // a person who was not looked up before
  const nobody = { featureFlags: { pros: false }, isComplete: true }
  expect(await flagsFor(tilth, 'ben')).toEqual(nobody)
  await becomesPro(tilth)
  tilth.kill('SIGKILL')
  await tilth.ended
  // stopped, it does not notice that its parent is gone
  if (!isGone(engine)) process.kill(engine, 'SIGKILL')

  const noEngine = {
    ...ownedEnvironment,
    TILTH_DATA: tilth.folder,
    TILTH_ENGINE: 'http://tilth:hush@127.0.0.1:1/tilth',
  }
  const again = await aStartingTilth(noEngine)
  await becomesPro(again)
  expect(await flagsFor(again, 'ben')).toEqual(nobody)
  expect(await readinessOf(again)).toMatchObject({ status: 503, said: { parts: { store: { ok: true } } } })
})
