import { expect, test } from 'vitest'
import { anEnvelope, anIngestContext, chrome } from '#test/product/ingest-fixture'
import { aFlag, aVariant } from '#test/random/random-flags'
import { createTestFlagServices } from '#test/wire/flag-services'
import { mainEnvironment } from '#flags/flag'
import type { RemoteVisitRequest } from '#wire/dialect'
import { beginRemoteVisit } from './remote-visits'

const variants = [aVariant('control', 0), aVariant('bold', 100)]
const headline = aFlag({ key: 'headline', variants, hasExperiment: true })
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const uuid = /^[\da-f-]{36}$/

async function begin(
  more: Partial<RemoteVisitRequest> = {},
  envelope: Parameters<typeof anEnvelope>[0] = {},
) {
  const flags = createTestFlagServices([headline])
  const context = await anIngestContext()
  const values = { headline: 'control' }
  const findForcedFlags = (token: string) =>
    token === 'link' ? { projectId: 1, values, until: new Date('2100-01-01') } : undefined
  const request: RemoteVisitRequest = {
    environment: mainEnvironment,
    visitor: undefined,
    deviceId: undefined,
    mayIdentify: true,
    host: 'shop.example',
    previewToken: undefined,
    envelope: anEnvelope({ userAgent: chrome, address: '198.51.100.23', ...envelope }),
    ...more,
  }
  const visit = await beginRemoteVisit(request, { decide: flags.decide, findForcedFlags, context })
  return { visit, value: visit.decisions[0]?.value, asked: flags.requests }
}

test('a new visitor gets an id, a known one keeps it, and both are decided by it', async () => {
  const { visit, asked } = await begin()
  expect(visit).toMatchObject({ visitor: expect.stringMatching(uuid), isNew: true, isCrawler: false })
  expect(asked).toMatchObject([{ distinctId: visit.visitor, deviceId: visit.visitor, asks: 'page' }])
  expect((await begin({ visitor: 'ana' })).visit).toMatchObject({ visitor: 'ana', isNew: false })
})

test.each([
  ['sites without a cookie', { mayIdentify: false }, {}],
  ['visitors who opted out', { visitor: 'ana' }, { optedOut: true }],
])('%s get no id', async (_whose, request, envelope) =>
  expect((await begin(request, envelope)).visit).toMatchObject({ visitor: undefined, isNew: false }),
)

test('crawlers get the original and no id', async () => {
  const { visit, value } = await begin({}, { userAgent: googlebot })
  expect([visit.isCrawler, visit.visitor, value]).toEqual([true, undefined, 'control'])
  expect((await begin()).value).toBe('bold')
})

test('a preview link forces values, and says so', async () => {
  const { visit, value } = await begin({ previewToken: 'link' })
  expect([visit.isPreview, value]).toEqual([true, 'control'])
  expect((await begin({ previewToken: 'expired' })).visit.isPreview).toBe(false)
})

test('the seed of exposures is the same for a visitor all day, and another for others and on other days', async () => {
  const seedOf = async (visitor: string, at: string) =>
    (await begin({ visitor }, { receivedAt: new Date(at) })).visit.exposureSeed
  const morning = await seedOf('ana', '2026-11-21T06:00:00Z')
  expect(await seedOf('ana', '2026-11-21T22:00:00Z')).toBe(morning)
  expect(await seedOf('ana', '2026-11-22T06:00:00Z')).not.toBe(morning)
  expect(await seedOf('ben', '2026-11-21T06:00:00Z')).not.toBe(morning)
})
