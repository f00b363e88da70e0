import { expect, onTestFinished } from 'vitest'
import type { SavedGoal } from '#insights/goals/goals'
import { handlePlausibleRequest } from '#api/plausible/internal/handle'
import { operator, scopes } from '#projects/access'
import type { Project } from '#projects/project'
import { openProduct, type Product } from '#server/product'
import { patienceMs } from '#test/running/patience'
import { recordingWireServices, trackersWith } from '#test/wire/trackers-fixture'
import { createRouteMatcher } from '#wire/route-matcher'
import type { WireServices } from '#wire/dialect'
import { aFolder, aWorld, type FixedWorld, requireDone, testOrigin } from './fixture'
import type { TestEngine } from './test-engine'

/** An event as Plausible's tracker sends it, with the facts that a plain count needs. */
export interface Hit {
  at: Date
  /** The same word is the same visitor on the same day. */
  visitor: string
  visit: string
  name: string
  host: string
  path: string
  props: Readonly<Record<string, string>>
  revenue: number
  engagedMs: number
  scroll: number
  device: Device
  place: Place
  /** Of the visit. */
  source: string
  campaign: Readonly<Record<string, string>>
}

interface Device {
  agent: string
  browser: string
  version: string
  os: string
  kind: string
}

const devices: readonly Device[] = [
  {
    agent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    browser: 'Chrome',
    version: '140',
    os: 'Windows',
    kind: 'Desktop',
  },
  {
    agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
    browser: 'Firefox',
    version: '142',
    os: 'GNU/Linux',
    kind: 'Desktop',
  },
  {
    agent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    browser: 'Safari',
    version: '18',
    os: 'Mac',
    kind: 'Desktop',
  },
  {
    agent:
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    browser: 'Chrome',
    version: '141',
    os: 'Android',
    kind: 'Mobile',
  },
]

interface Place {
  address: string
  code: string
  name: string
}

const places: readonly Place[] = [
  { address: '193.99.144.80', code: 'DE', name: 'Germany' },
  { address: '8.8.8.8', code: 'US', name: 'United States' },
  { address: '213.184.32.1', code: 'EE', name: 'Estonia' },
]

const origins: readonly { referrer?: string; source: string; campaign: Record<string, string> }[] = [
  { source: '', campaign: {} },
  { referrer: 'https://www.google.com/', source: 'Google', campaign: {} },
  { referrer: 'https://t.co/fzWTE9OTPt', source: 'Twitter', campaign: {} },
  {
    source: 'newsletter',
    campaign: {
      utm_source: 'newsletter',
      utm_medium: 'email',
      utm_campaign: 'Referral',
      utm_term: 'one|two',
    },
  },
  { source: 'shop', campaign: { utm_source: 'shop', utm_medium: 'social' } },
]

const paths = ['/', '/pricing', '/blog/a', '/Blog/b', '/docs/start', '/login']

/** Numbers that look like chance and are the same each time. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const dayMs = 86_400_000
const firstDay = Date.parse('2026-03-03T00:00:00Z')
export const today = '2026-03-14'
const lastDays = 12
const noon = Date.parse(`${today}T12:00:00Z`)

/** Two weeks of visits in the order of time. The last day is today, until noon; one visit is going on. */
export function visitsOfTwoWeeks(seed = 7): Hit[] {
  const draw = chance(seed)
  const hits: Hit[] = []
  for (let day = 0; day < lastDays; day++) {
    // each pair of device and place comes at most twice a day, with hours between
    const pairs = devices.flatMap((device) => places.map((place) => ({ device, place })))
    for (const [index, { device, place }] of pairs.entries())
      for (const hour of [1, 9])
        if (draw(3) === 0) {
          const at = firstDay + day * dayMs + hour * 3_600_000 + index * 120_000 + draw(60) * 1000
          hits.push(...visit({ at, day, device, place, draw }))
        }
  }
  const [device, place] = [devices[0], places[0]]
  if (device && place) hits.push(...visit({ at: noon - 200_000, day: lastDays - 1, device, place, draw }))
  return hits
    .filter(({ at }) => at.getTime() < noon)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

interface VisitPlan {
  at: number
  day: number
  device: Device
  place: Place
  draw: (below: number) => number
}

function visit({ at, day, device, place, draw }: VisitPlan): Hit[] {
  const { source, campaign } = origins[draw(origins.length)] ?? { source: '', campaign: {} }
  const host = draw(4) === 0 ? 'docs.example.com' : 'example.com'
  const common = {
    visitor: `${day} ${device.version} ${place.code}`,
    visit: `${at} ${device.version} ${place.code}`,
    host,
    device,
    place,
    source,
    campaign,
  }
  const hits: Hit[] = []
  const add = (hit: Partial<Hit> & Pick<Hit, 'name' | 'path'>): void => {
    const time = at + hits.length * 61_000
    hits.push({ ...common, at: new Date(time), props: {}, revenue: 0, engagedMs: 0, scroll: 0, ...hit })
  }
  for (let view = 0; view <= draw(4); view++) {
    const path = paths[draw(paths.length)] ?? '/'
    const props: Record<string, string> =
      draw(2) === 0 ? { is_customer: draw(2) === 0 ? 'true' : 'false' } : {}
    add({ name: 'pageview', path, props })
    if (draw(4) === 0) add({ name: 'Signup', path, props: { plan: draw(2) === 0 ? 'pro' : 'Free' } })
    if (draw(6) === 0) add({ name: 'Purchase', path, revenue: 10 + draw(20) })
    if (draw(6) === 0) add({ name: 'Outbound Link: Click', path, props: { url: 'https://else.example/x' } })
    if (draw(2) === 0)
      add({ name: 'engagement', path, engagedMs: 1000 + draw(20_000), scroll: 10 + draw(90) })
  }
  return hits
}

/** The request of the script for a hit. */
function eventOf(
  { name, host, path, props, revenue, engagedMs, scroll, source, campaign }: Hit,
  isFirst: boolean,
) {
  const query = isFirst ? new URLSearchParams(campaign).toString() : ''
  const origin = origins.find((one) => one.source === source)
  return {
    n: name,
    u: `https://${host}${path}${query === '' ? '' : `?${query}`}`,
    d: 'example.com',
    r: isFirst ? (origin?.referrer ?? null) : null,
    ...(Object.keys(props).length > 0 && { p: props }),
    ...(revenue > 0 && { $: { amount: revenue, currency: 'USD' } }),
    ...(engagedMs > 0 && { e: engagedMs, sd: scroll }),
    v: 36,
  }
}

interface StatsAnswer {
  status: number
  body: unknown
}

export interface PlausibleSite {
  product: Product
  project: Project
  world: FixedWorld
  key: string
  hits: readonly Hit[]
  goals: readonly SavedGoal[]
  /** POST /api/v2/query */
  query: (body: object) => Promise<StatsAnswer>
  /** GET below /api/v1/stats */
  read: (path: string) => Promise<StatsAnswer>
  /** Any request. */
  call: (
    method: string,
    path: string,
    options?: { body?: string; authorization?: string },
  ) => Promise<StatsAnswer>
}

const find = createRouteMatcher(trackersWith({ text: () => '' }))
const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

/** A site whose events came by the script of Plausible's tracker, and a key to read it. */
export async function aPlausibleSite(
  engine: TestEngine,
  hits: readonly Hit[] = visitsOfTwoWeeks(),
  endLater: (end: () => void | Promise<void>) => void = onTestFinished,
): Promise<PlausibleSite> {
  const world = aWorld('plausible')
  const folder = aFolder(endLater)
  const product = await openProduct({
    store: { folder },
    world,
    engine: engine.engine(),
    intake: {
      dataFolder: folder,
      isAlone: true,
      // only the trouble of a disk is read
      diskSpace: async () => ({ freeBytes: 2 ** 40, trouble: undefined }) as never,
      log: log as never,
      onLiveEvent: () => {},
    },
  })
  endLater(() => product.close())
  const { project } = requireDone(await product.projects.create({ name: 'Example' }, operator()))
  requireDone(
    await product.projects.change(
      project.id,
      { hosts: ['example.com', '*.example.com'], aliases: ['dummy.site'] },
      operator(),
    ),
  )
  const goals = await addGoals(product, project)
  await sendAll(product, world, hits)
  const { text: key } = requireDone(
    await product.projects.keys.create(project.id, { name: 'Widget', scopes }, operator()),
  )
  const call: PlausibleSite['call'] = async (
    method,
    path,
    { body = '', authorization = `Bearer ${key}` } = {},
  ) => {
    const { status, body: answered } = await handlePlausibleRequest(
      {
        method,
        address: new URL(path, 'https://tilth.example.com'),
        authorization: authorization === '' ? undefined : authorization,
        body: async () => new TextEncoder().encode(body),
        origin: testOrigin,
        receivedAt: world.now(),
      },
      product,
    )
    return { status, body: JSON.parse(JSON.stringify(answered)) }
  }
  return {
    product,
    project,
    world,
    key,
    hits,
    goals,
    call,
    query: (body) =>
      call('POST', '/api/v2/query', { body: JSON.stringify({ site_id: 'example.com', ...body }) }),
    read: (path) => call('GET', `/api/v1/stats/${path}${path.includes('?') ? '&' : '?'}site_id=example.com`),
  }
}

async function addGoals({ insights }: Product, { id }: Project): Promise<SavedGoal[]> {
  const wanted = [
    { name: 'Signup', goal: { type: 'event', event: 'Signup' } },
    { name: 'Pricing seen', goal: { type: 'page', path: '/pricing' } },
    { name: 'Blog', goal: { type: 'page', path: '/blog/*' } },
    { name: 'Purchase', goal: { type: 'event', event: 'Purchase' } },
    { name: 'Left', goal: { type: 'event', event: '$outbound_click' } },
  ]
  for (const goal of wanted) requireDone(await insights.goals.create(id, goal, operator()))
  const segment = {
    name: 'From Germany',
    filter: { type: 'session', key: '$session_country', operator: 'exact', value: ['DE'] },
  }
  requireDone(await insights.segments.create(id, segment, operator()))
  return await insights.goals.list(id, operator())
}

/** Sends each hit at its time, and waits until all are stored. It ends at noon of the last day. */
async function sendAll(product: Product, world: FixedWorld, hits: readonly Hit[]): Promise<void> {
  const { intake } = product
  if (!intake) throw new Error('This product collects events.')
  const services: WireServices = {
    ...recordingWireServices(),
    ...intake,
    findProject: (name) => product.projects.named(name),
  }
  const match = find('POST', '/api/event')
  if (!match) throw new Error('The tracker has no address.')
  const begun = new Set<string>()
  for (const hit of hits) {
    moveTo(world, hit.at)
    const answer = await match.route.respond(
      {
        method: 'POST',
        path: match.path,
        prefix: match.prefix,
        parts: match.parts,
        query: new URLSearchParams(),
        headers: { 'user-agent': hit.device.agent, 'content-type': 'text/plain' },
        body: Buffer.from(JSON.stringify(eventOf(hit, !begun.has(hit.visit)))),
        address: hit.place.address,
        receivedAt: hit.at,
      },
      services,
    )
    begun.add(hit.visit)
    expect(answer).toMatchObject({
      status: 202,
      headers: expect.not.objectContaining({ 'x-plausible-dropped': '1' }),
    })
  }
  moveTo(world, new Date(noon))
  expect(await intake.history.settle(patienceMs)).toBe(true)
}

function moveTo(world: FixedWorld, at: Date): void {
  const seconds = Math.round((at.getTime() - world.now().getTime()) / 1000)
  if (seconds > 0) world.advance(`${seconds} seconds`)
}
