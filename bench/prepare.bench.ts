import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Envelope, IncomingEvent, Properties } from '#events/event'
import { Counts } from '#ingest/counts'
import { CityDatabase } from '#ingest/places'
import { type IngestContext, prepare } from '#ingest/prepare'
import { EventQuota } from '#ingest/quota'
import { Salts } from '#ingest/salts'
import { SessionCache } from '#ingest/sessions'
import { compileIngestRules, defaultIngestSettings } from '#ingest/settings'
import { newUuid } from '#ingest/uuid'
import { realWorld } from '#world/world'
import { type Finding, megabytes, report } from './report'

/** A page view as posthog-js 1.449 sends it, campaign parameters and all: some 2 KB. */
const recorded: Properties = {
  $os: 'Linux',
  $browser: 'Chrome',
  $browser_version: 140,
  $device_type: 'Desktop',
  $timezone: 'UTC',
  $timezone_offset: 0,
  $host: 'example.com',
  $pathname: '/',
  $browser_language: 'en-US',
  $browser_language_prefix: 'en',
  $screen_height: 720,
  $screen_width: 1280,
  $viewport_height: 720,
  $viewport_width: 1280,
  $lib: 'web',
  $lib_version: '1.449.2',
  $insert_id: '6maodvg96ymnondh',
  $time: 1795238145.339,
  $sdk_dist_channel: 'cdn',
  $initialization_time: '2026-11-21T05:15:45.307Z',
  $configured_session_timeout_ms: 1_800_000,
  utm_source: 'news',
  utm_medium: null,
  utm_campaign: 'c1',
  gclid: null,
  fbclid: null,
  $referrer: 'https://www.google.com/',
  $referring_domain: 'www.google.com',
  title: 'Pricing',
  token: 'phc_testtoken',
  $config_defaults: 'unset',
  $session_entry_referrer: '$direct',
  $session_entry_url: 'https://example.com/?utm_source=news',
  $recording_status: 'disabled',
  $sdk_debug_retry_queue_size: 0,
  $lib_custom_api_host: 'https://example.com',
  $is_identified: false,
  $process_person_profile: false,
  $lib_rate_limit_remaining_tokens: 99,
}

/** The event of Tilth's own script: the ordinary one of 1 KB. */
const ordinary: Properties = {
  $referrer: 'https://www.google.com/',
  title: 'What a small team pays, and what it gets for that – Example',
  $screen_width: 1280,
  $screen_height: 720,
  $lib: 'tilth',
  $lib_version: '1.0.0',
  plan: 'pro',
  seats: 12,
  isTrial: true,
  note: 'Some words that a customer wrote about how the page could be better. '.repeat(6),
}

const agents: string[] = JSON.parse(readFileSync('test/vectors/useragents.json', 'utf8')).browsers.map(
  ({ ua }: { ua: string }) => ua,
)

const address = (n: number): string => `${1 + (n % 220)}.${(n * 13) % 256}.${(n * 31) % 256}.${(n * 7) % 256}`

type Traffic = (n: number) => { text: string; envelope: Envelope }

const envelopeOf = (n: number): Envelope => ({
  projectId: 1 + (n % 3),
  dialect: 'posthog',
  receivedAt: new Date(),
  sentAt: new Date(),
  address: address(n % 5000),
  userAgent: agents[n % agents.length] ?? '',
  language: 'en-US,en;q=0.9',
  optedOut: false,
  fromServer: false,
  isHistorical: false,
})

/** 5,000 visitors with 150 browsers on 2,000 pages; every tenth address has a query that was not seen before. */
function trafficOf(properties: Properties, isCookieless: boolean): Traffic {
  return (n) => {
    const query = n % 10 === 0 ? `?utm_source=news&gclid=g${n}&q=${n}` : ''
    const event = {
      uuid: newUuid(realWorld),
      name: '$pageview',
      distinctId: isCookieless ? undefined : `visitor-${n % 5000}`,
      properties: { ...properties, $current_url: `https://example.com/blog/${n % 2000}${query}` },
      hasPerson: false,
      person: { set: {}, setOnce: {}, unset: [], add: {} },
      groups: {},
    }
    return { text: JSON.stringify(event), envelope: envelopeOf(n) }
  }
}

async function aContext(): Promise<IngestContext> {
  const rules = compileIngestRules(defaultIngestSettings)
  const fail = (error: unknown) => {
    throw error
  }
  const places = new CityDatabase(fail)
  const nowhere = { load: async () => undefined, save: async () => {} }
  return {
    world: realWorld,
    places,
    salts: await Salts.open(realWorld, nowhere, fail),
    sessions: new SessionCache(),
    counts: new Counts(),
    quota: new EventQuota(realWorld),
    surveys: { objectionTo: () => undefined },
    rulesOf: () => rules,
  }
}

interface Run {
  bytes: number
  prepareUs: number
  parseUs: number
  shares: [string, number][]
}

const count = 60_000

async function run(traffic: Traffic): Promise<Run> {
  const context = await aContext()
  const sent = Array.from({ length: count }, (_, n) => traffic(n))
  const parsed = (text: string): IncomingEvent => JSON.parse(text)
  for (const { text, envelope } of sent.slice(0, count / 3)) prepare(parsed(text), envelope, context)
  const rounds = Array.from({ length: 5 }, () => round(context, sent, parsed))
  const middle = rounds.toSorted((one, other) => one.prepareUs - other.prepareUs)[2] ?? {
    prepareUs: 0,
    parseUs: 1,
  }
  const steps = context.counts.byStep()
  const all = steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const shares = steps.map(({ name, milliseconds }): [string, number] => [name, milliseconds / all])
  const bytes = sent.reduce((sum, { text }) => sum + text.length, 0) / count
  return { ...middle, bytes, shares: shares.toSorted(([, one], [, other]) => other - one) }
}

/** In microseconds, of all threads: what others do on the machine counts as little as can be. */
function processor(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Parsing alone, and then preparing what was parsed, of the same events. */
function round(
  context: IngestContext,
  sent: readonly { text: string; envelope: Envelope }[],
  parsed: (text: string) => IncomingEvent,
) {
  const beforeParse = processor()
  const events = sent.map(({ text }) => parsed(text))
  const beforePrepare = processor()
  for (const [n, event] of events.entries()) {
    const envelope = sent[n]?.envelope
    if (envelope) prepare(event, envelope, context)
  }
  const after = processor()
  const each = 1 / sent.length
  return { prepareUs: (after - beforePrepare) * each, parseUs: (beforePrepare - beforeParse) * each }
}

const us = (value: number): string => `${value.toFixed(1)} µs`

function findingOf(what: string, { prepareUs, parseUs, bytes }: Run): Finding {
  return {
    what: `${what}, ${Math.round(bytes)} bytes`,
    measured: `${us(prepareUs)} an event`,
    beside: `\`JSON.parse\` of the same ${us(parseUs)}: **ratio ${(prepareUs / parseUs).toFixed(1)}**`,
  }
}

/** The memory on the heap and beside it, after garbage collection. */
function memoryHeld(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Addresses that were not asked before, spread over the whole of their family. */
function placesTake(draw: (n: number) => string): { bytes: number; microseconds: number } {
  const places = new CityDatabase((error) => {
    throw error
  })
  const addresses = Array.from({ length: 20_000 }, (_, n) => draw((n * 2_654_435_761) % 2 ** 32))
  const before = memoryHeld()
  const began = performance.now()
  for (const drawn of addresses) places.find(drawn)
  const microseconds = ((performance.now() - began) * 1000) / addresses.length
  const bytes = memoryHeld() - before
  places.close()
  return { bytes, microseconds }
}

const mostVisitors = 100_000

function sessionsTake(): number {
  const before = memoryHeld()
  const memory = new SessionCache(mostVisitors)
  for (let n = 0; n < mostVisitors; n++) memory.record(1, newUuid(realWorld), newUuid(realWorld), Date.now())
  const after = memoryHeld()
  return memory.size === mostVisitors ? after - before : 0
}

const ipv4 = placesTake((n) => [24, 16, 8, 0].map((bits) => (n >>> bits) & 255).join('.'))
const ipv6 = placesTake((n) => `2${(n >>> 20).toString(16).padStart(3, '0')}:${(n & 0xffff).toString(16)}::1`)
const sessionBytes = sessionsTake()
const own = await run(trafficOf(ordinary, false))
const cookieless = await run(trafficOf(ordinary, true))
const posthog = await run(trafficOf(recorded, false))

report(
  'prepare',
  'Preparing an event',
  [
    findingOf('an ordinary page view', own),
    findingOf('the same without an id', cookieless),
    findingOf('a page view of posthog-js', posthog),
    ...own.shares.slice(0, 10).map(([name, share]) => ({
      what: `of that, \`${name}\``,
      measured: `${(share * 100).toFixed(0)} %`,
      beside: us(share * own.prepareUs),
    })),
    {
      what: 'the place of an IPv4 address, new each time',
      measured: us(ipv4.microseconds),
      beside: `${megabytes(ipv4.bytes)} with 20,000 addresses remembered`,
    },
    {
      what: 'the place of an IPv6 address, new each time',
      measured: us(ipv6.microseconds),
      beside: `${megabytes(ipv6.bytes)} with 20,000 addresses remembered`,
    },
    {
      what: 'sessions of 100,000 visitors',
      measured: megabytes(sessionBytes),
      beside: 'the most that are remembered',
    },
  ],
  [
    '5,000 visitors, 150 browsers, 2,000 pages; processor time, the middle one of 5 rounds of 60,000 events, after a warm-up.',
  ],
)
