import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { posthogOptions } from './posthog'
import { Remembered } from './remembered'
import { senderOf } from './sender'
import { staticFlags } from './static'
import { sendEvents } from './tilth-server'
import { bootstrapOf, openVisit, sealVisit, type Visit } from './visit'
import { readVisitorIds } from './visitor-ids'

const visit: Visit = {
  visitor: 'ana',
  isKnownToPosthog: false,
  isCrawler: false,
  isPreview: false,
  isViewCounted: true,
  url: 'https://shop.example/ü',
  exposureSeed: 'seed',
  flags: { headline: 'bold', ours: true },
  payloads: { headline: { size: 3 }, ours: 1 },
  serverOnly: ['ours'],
}

test('a visit is carried to the page, and no client can make one', async () => {
  const sealed = await sealVisit(visit, 'secret')
  expect(await openVisit(sealed, 'secret')).toEqual(visit)
  const [text = '', signature = ''] = sealed.split('.')
  const other = await sealVisit({ ...visit, visitor: 'ben' }, 'another secret')
  for (const forged of [null, '', 'away', text, `${text}.`, `${text}.%`, `${text}A.${signature}`, other])
    expect(await openVisit(forged, 'secret')).toBeUndefined()
})

test('browsers get what is decided for them, and nothing of flags for servers', () => {
  expect(bootstrapOf(visit)).toEqual({
    flags: { headline: 'bold' },
    payloads: { headline: { size: 3 } },
    visitor: 'ana',
    exposureSeed: 'seed',
    isViewCounted: true,
    isCounted: true,
  })
  expect(bootstrapOf({ ...visit, isPreview: true }).isCounted).toBe(false)
})

test.each([
  // the visit, and the options that posthog-js begins with
  [
    visit,
    { distinctID: 'ana', featureFlags: { headline: 'bold' }, featureFlagPayloads: { headline: { size: 3 } } },
  ],
  [
    { ...visit, isKnownToPosthog: true },
    { featureFlags: { headline: 'bold' }, featureFlagPayloads: { headline: { size: 3 } } },
  ],
  [undefined, { featureFlags: {}, featureFlagPayloads: {} }],
])('posthog-js is bootstrapped, case %#', (of, bootstrap) =>
  expect(posthogOptions(of)).toEqual({ bootstrap, capture_pageview: false }),
)

const posthogCookie = JSON.stringify({ distinct_id: 'user-1', $device_id: 'device', $sesid: [1, 's', 1] })
test.each<[string, Record<string, string>, object]>([
  ['no cookie', {}, { visitor: undefined, deviceId: undefined, isKnownToPosthog: false }],
  ['our cookie', { tilth_visitor: 'v1' }, { visitor: 'v1', deviceId: undefined, isKnownToPosthog: false }],
  [
    'both cookies',
    { tilth_visitor: 'v1', ph_phc_posthog: encodeURIComponent(posthogCookie) },
    { visitor: 'user-1', deviceId: 'device', isKnownToPosthog: true },
  ],
  [
    'a decoded cookie of posthog-js',
    { ph_phc_posthog: posthogCookie },
    { visitor: 'user-1', deviceId: 'device', isKnownToPosthog: true },
  ],
  [
    'a broken cookie of posthog-js',
    { tilth_visitor: 'v1', ph_phc_posthog: '%7B%' },
    { visitor: 'v1', deviceId: undefined, isKnownToPosthog: false },
  ],
])('the visitor of %s', (_of, cookies, ids) =>
  expect(readVisitorIds((name) => cookies[name], 'phc')).toEqual(ids),
)

test.each([
  // X-Forwarded-For, proxies that are trusted, the visitor
  ['198.51.100.23', 1, '198.51.100.23'],
  ['6.6.6.6, 198.51.100.23', 1, '198.51.100.23'],
  ['6.6.6.6, 198.51.100.23, 10.0.0.1', 2, '198.51.100.23'],
  ['198.51.100.23', 3, '198.51.100.23'],
  [undefined, 1, ''],
])('%s through %i proxies is %s', (forwarded, proxies, address) => {
  const headers = new Headers({ 'user-agent': 'Mozilla/5.0', 'sec-gpc': '1' })
  if (forwarded !== undefined) headers.set('x-forwarded-for', forwarded)
  expect(senderOf(headers, proxies)).toEqual({
    address,
    userAgent: 'Mozilla/5.0',
    language: '',
    optedOut: true,
  })
})

test('static pages are built once for each combination of values', () => {
  const flags = staticFlags({ headline: ['control', 'bold'], 'new-checkout': [false, true] })
  expect(flags.codes()).toEqual(['00', '01', '10', '11'])
  const code = flags.codeFor({ headline: 'bold', 'new-checkout': true, other: 'x' })
  expect([code, flags.flag(code, 'headline'), flags.flag(code, 'new-checkout')]).toEqual(['11', 'bold', true])
  expect(flags.bootstrap(code).flags).toEqual({ headline: 'bold', 'new-checkout': true })
  // a flag that is not decided, or not listed, is the original
  expect([flags.codeFor({}), flags.codeFor({ headline: 'italic' })]).toEqual(['00', '00'])
  expect(flags.flag('x', 'headline')).toBe('control')
})

test('what is remembered is bounded', () => {
  const two = new Remembered<number>(2, 60_000)
  for (const [at, key] of ['a', 'b', 'a', 'c'].entries()) two.set(key, at)
  expect([two.get('a'), two.get('b'), two.get('c')]).toEqual([2, undefined, 3])
  const none = new Remembered<number>(2, -1)
  none.set('a', 1)
  expect(none.get('a')).toBeUndefined()
})

test('keys that are not registered do not compile', async () => {
  const tsc = resolve('node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '-p', join(import.meta.dirname, 'fixtures')])
})

test.each([
  // Tilth's answers in turn, and the number of times the event is sent
  [[503, 200], 2],
  [[400, 200], 1],
])('an event that is answered with %j is sent %i times', async (statuses, times) => {
  const received: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      received.push(body)
      response.writeHead(statuses[received.length - 1] ?? 200).end('{}')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  // a listening server has an address of this form
  const { port } = server.address() as AddressInfo
  const config = {
    address: `http://127.0.0.1:${port}`,
    publicAddress: '',
    project: 'phc',
    secretKey: 'secret',
    visitors: 'cookie',
    deadlineMs: 300,
    trustedProxies: 1,
  } as const
  const sender = { address: '', userAgent: '', language: '', optedOut: false }
  await sendEvents(
    [{ uuid: 'u1', name: 'signup' }],
    { visitor: 'ana', url: 'https://shop.example/', sender },
    config,
  )
  expect(received).toHaveLength(times)
  expect(new Set(received).size).toBe(1)
})
