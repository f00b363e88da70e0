import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { anIngestContext, anEnvelope, aSetWorld, berlin, chrome } from '#test/product/ingest-fixture'
import { aFlag } from '#test/random/random-flags'
import { inMainEnvironment, personProperty } from '#test/wire/flag-services'
import type { Decision } from '#flags/decision'
import type { DecisionRequest } from '#flags/flag-decider'
import { FlagDefinitions } from '#flags/definitions'
import { type Flag, mainEnvironment } from '#flags/flag'
import { Seal } from '#flags/seal'
import { type KeyViewer, localOrigin } from '#projects/access'
import type { Project } from '#projects/project'
import type { FlagRequest } from '#wire/dialect'
import { openFlagWireServices } from './flag-wire-services'

const acme = { id: 1, slug: 'acme', writeKey: 'phc_acme' } as Project // the rest of a project is not looked at
const address = '198.51.100.23'

const lastVariant = (flag: Flag): Decision => ({
  flag,
  value: flag.variants.at(-1)?.key ?? true,
  payload: undefined,
  reason: { code: 'condition_match', condition: 0 },
})

/** The flag requests of a front with these flags; decisions are recorded, not computed: the last variant of each experiment. */
async function wireServices(flags: readonly Flag[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-services-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const fail = (problem: unknown) => {
    throw problem
  }
  let loaded = flags
  const definitions = new FlagDefinitions({
    load: async () => ({ flags: loaded, cohorts: new Map(), projects: [], environments: [] }),
    onChange: () => () => {},
    snapshotFile: undefined,
    fail,
  })
  await definitions.open()
  onTestFinished(() => definitions.close())
  const asked: DecisionRequest[] = []
  let secretsAsked = 0
  let announce: (topic: string) => void = () => {}
  const context = await anIngestContext()
  const fixture = {
    flags: {
      definitions,
      deciding: {
        decide: (_projectId: number, _environment: string, request: DecisionRequest) => {
          asked.push(request)
          return {
            decisions: loaded.filter(({ hasExperiment }) => hasExperiment).map(lastVariant),
            isComplete: true,
          }
        },
      },
      environments: {
        environmentNamed: (writeKey: string) =>
          writeKey === 'phc_staging' ? { projectId: 1, name: 'staging', writeKey } : undefined,
      },
      seal: new Seal({ folder, world: aSetWorld() }),
      overrideLinks: { read: () => undefined },
      requestCounts: { note: () => {} },
    },
    projects: {
      named: (name: string) => (name === acme.writeKey ? acme : undefined),
      numbered: (id: number) => (id === 1 ? acme : undefined),
    },
    keys: {
      viewer: async (text: string) => {
        secretsAsked++
        return text === 'secret' ? aHolder : undefined
      },
    },
    store: {
      onChange: (listener: (topic: string) => void) => {
        announce = listener
        return () => {}
      },
    },
  }
  const { services, close } = openFlagWireServices(fixture, context)
  onTestFinished(close)
  return {
    services,
    asked,
    announce: (topic: string) => announce(topic),
    timesSecretsWereAsked: () => secretsAsked,
    change: async (next: readonly Flag[]) => {
      loaded = next
      await definitions.reload()
    },
  }
}

const aHolder: KeyViewer = {
  kind: 'key',
  keyId: 'k',
  name: 'CI',
  projectId: 1,
  scopes: new Set(['project:read'] as const),
  origin: localOrigin,
}

const asking = (more: Partial<FlagRequest> = {}): FlagRequest => ({
  environment: mainEnvironment,
  distinctId: 'ana',
  deviceId: 'phone',
  anonymousId: undefined,
  groups: {},
  person: {},
  groupProperties: {},
  keys: undefined,
  contexts: undefined,
  host: 'example.com',
  mayLocate: true,
  envelope: anEnvelope({ address, userAgent: chrome }),
  ...more,
})

const plain = aFlag({ key: 'plain' })
const ofBrowser = aFlag({
  key: 'b',
  environments: inMainEnvironment({ conditions: [personProperty('$browser', 'Chrome')] }),
})
const ofPlace = aFlag({
  key: 'p',
  environments: inMainEnvironment({ conditions: [personProperty('$geoip_country_code', 'DE')] }),
})

test('a request is looked at no closer than the flags of the environment need', async () => {
  const { services, asked } = await wireServices([plain])
  expect(services.decide(asking())).not.toBeInstanceOf(Promise)
  expect(asked[0]).toMatchObject({
    distinctId: 'ana',
    deviceId: 'phone',
    asks: 'browser',
    ofRequest: undefined,
  })
})

test('flags that ask for the browser are told it at once', async () => {
  const { services, asked } = await wireServices([plain, ofBrowser])
  expect(services.decide(asking())).not.toBeInstanceOf(Promise)
  expect(asked[0]?.ofRequest).toMatchObject({ $browser: 'Chrome' })
  await services.decide(asking({ environment: 'staging' }))
  expect(asked[1]?.ofRequest).toBeUndefined()
})

test('flags that ask for the place are told it, unless no one is to be placed', async () => {
  const { services, asked } = await wireServices([ofPlace])
  await services.decide(asking())
  expect(asked[0]?.ofRequest).toMatchObject({ $geoip_country_code: berlin.country })
  await services.decide(asking({ mayLocate: false }))
  expect(asked[1]?.ofRequest).not.toHaveProperty('$geoip_country_code')
})

test('a visitor without an id is bucketed by the hash of the day, and has no device', async () => {
  const { services, asked } = await wireServices([plain])
  await services.decide(asking({ distinctId: undefined }))
  await services.decide(asking({ distinctId: undefined, deviceId: undefined }))
  await services.decide(asking({ distinctId: undefined, host: 'other.example' }))
  const [one, again, elsewhere] = asked.map(({ distinctId }) => distinctId)
  expect(one).toMatch(/^cookieless_/)
  expect([again, asked[0]?.deviceId]).toEqual([one, one])
  expect(elsewhere).not.toBe(one)
})

test('an environment’s key is its project’s, and no other', async () => {
  const { services } = await wireServices([plain])
  expect(services.findProject('phc_acme')).toMatchObject({ id: 1 })
  expect(services.findProject('phc_acme')?.environment).toBeUndefined()
  expect(services.findProject('phc_staging')).toMatchObject({
    id: 1,
    environment: 'staging',
    environmentKey: 'phc_staging',
  })
  expect(services.findProject('phc_nobody')).toBeUndefined()
})

test('a secret key is looked up once, until word comes that keys have changed', async () => {
  const { services, announce, timesSecretsWereAsked } = await wireServices([plain])
  for (let n = 0; n < 3; n++) expect(await services.findProjectBySecret('secret')).toMatchObject({ id: 1 })
  expect(timesSecretsWereAsked()).toBe(1)
  announce('keys')
  await services.findProjectBySecret('secret')
  expect(timesSecretsWereAsked()).toBe(2)
  for (let n = 0; n < 2; n++) expect(await services.findProjectBySecret('wrong')).toBeUndefined()
})

test('archived flags are in no answer', async () => {
  const { services } = await wireServices([plain, aFlag({ key: 'gone', archivedAt: new Date(0) })])
  expect(services.flagsOf(1).map(({ key }) => key)).toEqual(['plain'])
  expect(services.flagDefinitions(1, mainEnvironment).text).not.toContain('gone')
})

test('definitions are written once for each change, and listeners hear of those that decide otherwise', async () => {
  const { services, change } = await wireServices([plain])
  const messages: string[] = []
  const listener = { projectId: 1, environment: mainEnvironment, key: 'phc_acme', address, end: () => {} }
  services.listenForFlagChanges({ ...listener, notify: ({ substance }) => messages.push(substance) })
  const before = services.flagDefinitions(1, mainEnvironment)
  expect(services.flagDefinitions(1, mainEnvironment)).toBe(before)

  await change([{ ...plain, version: 2 }])
  const counted = services.flagDefinitions(1, mainEnvironment)
  expect(counted.etag).not.toBe(before.etag)
  expect(messages).toEqual([])

  await change([{ ...plain, version: 3, environments: inMainEnvironment({ percentage: 50 }) }])
  expect(messages).toEqual([services.flagDefinitions(1, mainEnvironment).substance])
})

const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

test.each([
  ['tilth', googlebot, 'control'],
  ['tilth', chrome, 'bold'],
  ['posthog', googlebot, 'bold'],
])('in the dialect %s, %s is shown %s', async (dialect, userAgent, shown) => {
  const variants = ['control', 'bold'].map((key) => ({ key, name: '', percentage: 50 }))
  const { services } = await wireServices([aFlag({ key: 'headline', variants, hasExperiment: true })])
  const { decisions } = await services.decide(asking({ envelope: anEnvelope({ dialect, userAgent }) }))
  expect(decisions.map(({ value }) => value)).toEqual([shown])
})
