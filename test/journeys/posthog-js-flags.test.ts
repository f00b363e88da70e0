import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { aTilth } from '../start/tilth'
import { callApi, colours, createFlag, proPlan, switchFlag } from '../wire/flag-making'
import { aSite, installedScript, installedPage } from '../wire/posthog-server'
import {
  anOwnedTilth,
  browser as agent,
  fetchEvents,
  key,
  ownedEnvironment,
  secret,
  sendCapture,
} from '../wire/tilth-fixture'
import { patienceMs } from '../running/patience'

interface Answer {
  flags: Record<string, { enabled: boolean; variant?: string; reason: { code: string } }>
  featureFlags: Record<string, boolean | string>
  errorsWhileComputingFlags: boolean
}

async function ask(address: string, distinctId: string, more: object = {}): Promise<Answer> {
  const answer = await fetch(`${address}/flags/?v=2`, {
    method: 'POST',
    headers: { 'user-agent': agent },
    body: JSON.stringify({ token: key, distinct_id: distinctId, ...more }),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Answer // the tests of the dialect define the format
}

test('posthog-js in a browser: before and after signing in, taking part, and trying out by a link', async () => {
  const tilth = await anOwnedTilth()
  const pages = { '/installed.js': await installedScript() } as Record<string, string>
  const site = await aSite(pages, tilth.port)
  // bare Chromium counts as a robot, which sends nothing
  pages['/'] = installedPage(key, '/ingest', { advanced_disable_feature_flags_on_first_load: false })
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const page = await (await browser.newContext({ userAgent: agent })).newPage()
  page.setDefaultTimeout(patienceMs)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  const visit = async () => {
    await page.goto(`${site}/`)
    await page.waitForFunction('window.posthog?.__loaded')
  }
  const value = (flag: string) => page.evaluate(`posthog.getFeatureFlag('${flag}')`)
  const eventually = (flag: string, wanted: unknown) => expect.poll(() => value(flag)).toBe(wanted)

  await visit()
  await expect.poll(() => fetchEvents(tilth)).not.toEqual([])
  expect(requests).not.toContain('/ingest/flags/')

  await createFlag(tilth, { key: 'cta', payloads: { true: '{"a":1}' } })
  await createFlag(tilth, { key: 'kept', kind: 'variants', variants: colours, keepsThroughSignIn: true })
  await createFlag(tilth, { key: 'pros', set: { conditions: [proPlan] } })
  await createFlag(tilth, {
    key: 'phones',
    set: { conditions: [{ type: 'person', key: '$device_type', operator: 'exact', value: 'Mobile' }] },
  })
  await createFlag(tilth, {
    key: 'desks',
    set: { conditions: [{ type: 'person', key: '$device_type', operator: 'exact', value: 'Desktop' }] },
  })
  await createFlag(tilth, {
    key: 'beta-ui',
    set: { percentage: 0 },
    earlyAccess: { name: 'Beta UI', description: 'd', stage: 'beta' },
  })
  // the browser alone keeps the configuration, for a minute
  await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache')
  await visit()
  await eventually('cta', true)
  expect(await page.evaluate(`posthog.getFeatureFlagPayload('cta')`)).toEqual({ a: 1 })
  expect(await value('pros')).toBe(false)
  expect([await value('phones'), await value('desks')]).toEqual([false, true])
  expect(await value('nobody')).toBeUndefined()

  const before = await value('kept')
  const ids = Array.from({ length: 20 }, (_, n) => `ana-${n}`)
  const others = await Promise.all(ids.map(async (id) => (await ask(tilth.address, id)).featureFlags['kept']))
  // the id of a person who would be shown the other one by that id
  const ana = ids[others.findIndex((other) => other !== before)] ?? ''
  await page.evaluate(`posthog.identify('${ana}', { plan: 'pro' })`)
  await eventually('pros', true)
  expect(await value('kept')).toBe(before)
  await expect.poll(async () => (await ask(tilth.address, ana)).featureFlags['kept']).toBe(before)
  // their stored properties count without being sent along
  await expect.poll(async () => (await ask(tilth.address, ana)).featureFlags['pros']).toBe(true)

  const features = await page.evaluate(
    `new Promise((tell) => posthog.getEarlyAccessFeatures((list) => tell(list), true))`,
  )
  expect(features).toMatchObject([{ flagKey: 'beta-ui', name: 'Beta UI', stage: 'beta' }])
  expect(await value('beta-ui')).toBe(false)
  await page.evaluate(`posthog.updateEarlyAccessFeatureEnrollment('beta-ui', true)`)
  await eventually('beta-ui', true)

  await expect
    .poll(async () =>
      (await fetchEvents(tilth, '&event=$feature_flag_called')).map((event) => event.properties),
    )
    .toContainEqual(expect.objectContaining({ $feature_flag: 'cta', $feature_flag_response: 'true' }))

  const { path } = await callApi(tilth, 'POST', '/trying-links', { values: { cta: false, pros: false } })
  await page.goto(`${site}/ingest${String(path)}`)
  await page.getByRole('heading', { name: 'This browser tries flags out' }).waitFor()
  await visit()
  await page.evaluate('posthog.reloadFeatureFlags()')
  await eventually('cta', false)
  await eventually('pros', false)
  expect((await ask(tilth.address, ana)).featureFlags).toMatchObject({ cta: true, pros: true })

  await page.goto(`${site}/ingest/_tilth/qa`)
  await page.click('text=End it now')
  await page.getByRole('heading', { name: 'This browser is as any other again' }).waitFor()
  await visit()
  await page.evaluate('posthog.reloadFeatureFlags()')
  await eventually('cta', true)
})

test('a change reaches listening clients, and flags are decided after a restart as before', async () => {
  const tilth = await anOwnedTilth()
  await createFlag(tilth, { key: 'cta' })
  await createFlag(tilth, { key: 'pros', set: { conditions: [proPlan] } })
  await callApi(tilth, 'POST', '/environments', { name: 'staging', writeKey: 'phc_staging_key' })

  const heard = await listen(`${tilth.address}/_tilth/flags/stream?key=${key}`)
  const elsewhere = await listen(`${tilth.address}/_tilth/flags/stream?key=phc_staging_key`)
  await switchFlag(tilth, 'cta', false)
  await expect.poll(heard, { interval: 10 }).toHaveLength(1)
  expect(heard()[0]).toMatchObject({ type: 'refetchEvaluation', etag: expect.any(String) })
  expect(elsewhere()).toEqual([])
  expect((await ask(tilth.address, 'ana')).featureFlags).toEqual({ cta: false, pros: false })

  await switchFlag(tilth, 'cta', true, 'staging')
  await expect.poll(elsewhere).toHaveLength(1)
  expect(await ask(tilth.address, 'ana', { token: 'phc_staging_key' })).toMatchObject({
    featureFlags: { cta: true, pros: false },
  })

  const revoked = await fetch(`${tilth.address}/_tilth/flags/stream?key=phc_staging_key`)
  const untilItsEnd = revoked.text()

  const few = await fetch(`${tilth.address}/_tilth/flags?key=${key}&distinct_id=ana&flags=pros`)
  expect(await few.json()).toEqual({ flags: { pros: false }, payloads: {}, undecided: [] })

  const tried = { event: 'tried', properties: { distinct_id: 'ana' } }
  await sendCapture({ address: tilth.address, key: 'phc_staging_key' }, tried)
  await expect
    .poll(async () => (await fetchEvents(tilth, '&event=tried'))[0]?.properties['$environment'])
    .toBe('staging')
  // a stream ends with the key that it was opened with
  await callApi(tilth, 'POST', '/environments/staging/renew', {})
  expect(await untilItsEnd).toContain('retry:')

  tilth.kill('SIGTERM')
  await tilth.ended
  const again = await aTilth({ ...ownedEnvironment, TILTH_DATA: tilth.folder })
  expect((await ask(again.address, 'ana', { person_properties: { plan: 'pro' } })).featureFlags).toEqual({
    cta: false,
    pros: true,
  })
  const definitions = await fetch(`${again.address}/flags/definitions?token=${key}&send_cohorts`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect([definitions.status, definitions.headers.get('etag')]).toEqual([200, expect.stringMatching(/^W\/"/)])
})

/** Listens to a stream of changes; the returned function gives the messages received so far. */
async function listen(address: string): Promise<() => unknown[]> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const answer = await fetch(address, { signal: leaving.signal })
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  let text = ''
  const read = async () => {
    for await (const part of answer.body ?? []) text += Buffer.from(part).toString()
  }
  // the stream ends when the test does, or when the server stops
  read().catch(() => {})
  return () =>
    Array.from(text.matchAll(/^data: (.*)$/gm), ([, message = '']) => JSON.parse(message) as unknown)
}
