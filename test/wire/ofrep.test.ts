import { OpenFeature as Servers } from '@openfeature/server-sdk'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { build } from 'esbuild'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { callApi, colours, createFlag, proPlan, switchFlag } from './flag-making'
import { anOwnedTilth, key, secret } from './tilth-fixture'
import { patienceMs } from '../running/patience'

/** The bundle of an app that installs the SDK and the provider. */
async function webApp(): Promise<string> {
  const made = await build({
    stdin: {
      contents: `
        import { OpenFeature } from '@openfeature/web-sdk'
        import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
        Object.assign(window, { OpenFeature, OFREPWebProvider })`,
      resolveDir: join(import.meta.dirname, '../..'),
    },
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'error',
  })
  return made.outputFiles[0]?.text ?? ''
}

/** A site of its own, which is another origin than Tilth's. */
async function aSite(script: string): Promise<string> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/app.js'
    response.setHeader('content-type', isScript ? 'application/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>App</title><script src="/app.js"></script>')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  // a server that listens on a port has an address that is no text
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('OpenFeature’s providers, on a server and in a browser, are told the same and hear of changes', async () => {
  const tilth = await anOwnedTilth()
  await createFlag(tilth, { key: 'cta' })
  await createFlag(tilth, { key: 'pros', set: { conditions: [proPlan] } })
  await createFlag(tilth, { key: 'colour', kind: 'variants', variants: colours })
  await createFlag(tilth, {
    key: 'limits',
    kind: 'config',
    payloads: { true: '{"rows":10}' },
    setting: { conditions: [] },
  })
  await createFlag(tilth, { key: 'off', setting: { isOn: false } })
  await createFlag(tilth, {
    key: 'secret',
    kind: 'config',
    isSecret: true,
    servedTo: 'servers',
    payloads: { true: '"s3cr3t"' },
    setting: { conditions: [] },
  })
  await callApi(tilth, 'POST', '/environments', { name: 'staging', writeKey: 'phc_staging_key' })

  const provider = (token: string) =>
    new OFREPProvider({ baseUrl: tilth.address, headers: [['Authorization', `Bearer ${token}`]] })
  await Servers.setProviderAndWait('by write key', provider(key))
  await Servers.setProviderAndWait('by secret', provider(secret))
  await Servers.setProviderAndWait('staging', provider('phc_staging_key'))
  onTestFinished(() => Servers.close())
  const [servers, holders, staging] = ['by write key', 'by secret', 'staging'].map((name) =>
    Servers.getClient(name),
  )
  if (!servers || !holders || !staging) throw new Error('There is no client.')

  const ana = { targetingKey: 'ana', plan: 'pro' }
  expect(await servers.getBooleanDetails('cta', false, ana)).toMatchObject({ value: true, reason: 'STATIC' })
  expect(await servers.getBooleanDetails('pros', false, ana)).toMatchObject({
    value: true,
    reason: 'TARGETING_MATCH',
    flagMetadata: { version: 1 },
  })
  expect(await servers.getBooleanDetails('pros', true, { targetingKey: 'ben' })).toMatchObject({
    value: false,
    reason: 'DEFAULT',
  })
  expect(await servers.getBooleanDetails('off', true, ana)).toMatchObject({
    value: false,
    reason: 'DISABLED',
  })
  expect(await servers.getObjectValue('limits', {}, ana)).toEqual({ rows: 10 })
  expect(await servers.getStringDetails('none', 'own', ana)).toMatchObject({
    value: 'own',
    errorCode: 'FLAG_NOT_FOUND',
  })
  expect(await servers.getBooleanDetails('cta', false, {})).toMatchObject({
    errorCode: 'TARGETING_KEY_MISSING',
  })
  expect(await servers.getNumberDetails('cta', 1, ana)).toMatchObject({
    value: 1,
    errorCode: 'TYPE_MISMATCH',
  })
  expect(await servers.getStringDetails('secret', 'own', ana)).toMatchObject({
    value: 'own',
    errorCode: 'FLAG_NOT_FOUND',
  })
  expect(await holders.getStringValue('secret', 'own', ana)).toBe('s3cr3t')
  expect(await staging.getBooleanDetails('cta', true, ana)).toMatchObject({
    value: false,
    reason: 'DISABLED',
  })
  const colour = await servers.getStringValue('colour', 'none', ana)
  expect(['blue', 'red']).toContain(colour)

  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(patienceMs)
  await page.goto(await aSite(await webApp()))
  const inBrowser = <Result>(code: string) => page.evaluate<Result>(`(async () => { ${code} })()`)
  await inBrowser(`
    await OpenFeature.setContext({ targetingKey: 'ana', plan: 'pro' })
    await OpenFeature.setProviderAndWait(
      new OFREPWebProvider({
        baseUrl: '${tilth.address}',
        headers: [['Authorization', 'Bearer ${key}']],
        // it asks again for itself never
        pollInterval: 0,
      }))
    window.client = OpenFeature.getClient()`)
  const see = () =>
    inBrowser(`return {
      cta: client.getBooleanValue('cta', false),
      pros: client.getBooleanValue('pros', false),
      off: client.getBooleanValue('off', true),
      colour: client.getStringValue('colour', 'none'),
      limits: client.getObjectValue('limits', {}),
      secret: client.getStringValue('secret', 'own'),
    }`)
  const before = { cta: true, pros: true, off: false, colour, limits: { rows: 10 }, secret: 'own' }
  expect(await see()).toEqual(before)

  // one that can only be heard of in the stream
  await switchFlag(tilth, 'cta', false)
  await expect.poll(see).toEqual({ ...before, cta: false })

  await inBrowser(`await OpenFeature.setContext({ targetingKey: 'ana', plan: 'free' })`)
  // the provider shows what it last knew of them, and asks meanwhile
  await expect.poll(see).toMatchObject({ cta: false, pros: false })

  const stream = await fetch(`${tilth.address}/_tilth/flags/stream?key=${key}`)
  tilth.kill('SIGTERM')
  // listeners do not hold up the end: their streams end in order, and are not cut off
  expect(await stream.text()).toMatch(/^retry: /)
  expect(await tilth.ended).toEqual({ code: 0, signal: null })
})
