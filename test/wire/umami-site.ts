import { expect, vi } from 'vitest'
import type { Engine } from '#engine/engine'
import { umamiAddressIn } from '#api/umami/internal/addresses'
import { handleUmamiRequest } from '#api/umami/internal/handle'
import { operator, type Right, scopes } from '#projects/access'
import { openLog } from '#server/log'
import { openProduct } from '#server/product'
import { patienceMs } from '../running/patience'
import { aFolder, requireDone, testOrigin } from '../product/fixture'
import { chrome } from '../product/ingest-fixture'
import { answerTo } from './trackers-fixture'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

/** Visitors by the ids that a site gives them. */
const visitors = {
  ana: { userAgent: chrome, language: 'de-DE', screen: '1920x1080', browser: 'Chrome' },
  ben: { userAgent: firefox, language: 'en-US', screen: '1280x720', browser: 'Firefox' },
  cleo: { userAgent: phone, language: 'en-GB', screen: '390x844', browser: 'Mobile Safari' },
} as const
type Visitor = keyof typeof visitors

/** An event as Umami's tracker sends it; `minute` is counted from the beginning of the story. */
export interface SentUmamiEvent {
  who: Visitor
  minute: number
  url: string
  title?: string
  referrer?: string
  name?: string
  tag?: string
  data?: Record<string, string | number>
}

const hour = 60
const day = 24 * hour

/** Two days with a visit of one view, visits of several, a purchase and campaigns. */
export const story: readonly SentUmamiEvent[] = [
  { who: 'ana', minute: 9 * hour, url: '/?utm_source=news&utm_medium=email', title: 'Home' },
  { who: 'ana', minute: 9 * hour + 2, url: '/pricing', title: 'Pricing', tag: 'B' },
  { who: 'ana', minute: 9 * hour + 5, url: '/pricing', name: 'signup', data: { plan: 'pro', seats: 3 } },
  {
    who: 'ben',
    minute: 9 * hour + 30,
    url: '/blog/one',
    title: 'One',
    referrer: 'https://www.example.org/list',
  },
  { who: 'cleo', minute: 10 * hour, url: '/', title: 'Home', tag: 'A' },
  { who: 'cleo', minute: 10 * hour + 10, url: '/pricing', title: 'Pricing', tag: 'B' },
  { who: 'ben', minute: 23 * hour + 30, url: '/pricing', title: 'Pricing' },
  { who: 'ben', minute: 23 * hour + 31, url: '/pricing', name: 'signup', data: { plan: 'free' } },
  { who: 'ana', minute: day + 8 * hour, url: '/', title: 'Home' },
  { who: 'ana', minute: day + 8 * hour + 4, url: '/thanks', title: 'Thanks' },
  {
    who: 'ana',
    minute: day + 8 * hour + 5,
    url: '/thanks',
    name: 'purchase',
    data: { revenue: 25, currency: 'EUR' },
  },
  {
    who: 'cleo',
    minute: day + 12 * hour,
    url: '/thanks',
    name: 'purchase',
    data: { revenue: 10, currency: 'USD' },
  },
]

const minuteMs = 60_000

/** The midnight in UTC at which the story begins: some days ago, so that its days are over. */
const beginning = Math.floor(Date.now() / (day * minuteMs)) * day * minuteMs - 4 * day * minuteMs
export const timeOf = (minute: number): number => beginning + minute * minuteMs
/** Both days of the story, as a client names them. */
export const bothDays = { startAt: timeOf(0), endAt: timeOf(2 * day) - 1 }
export const firstDay = { startAt: timeOf(0), endAt: timeOf(day) - 1 }
export const secondDay = { startAt: timeOf(day), endAt: timeOf(2 * day) - 1 }

type Fields = Readonly<Record<string, string | number>>
export const searchOf = (fields: Fields): string =>
  String(new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])))

/** The website id that the project had at Umami. */
export const website = '94db1cb1-74f4-4a40-ad6c-962362670409'

interface UmamiSiteOptions {
  engine: Engine
  /** Ends the site with its test, or with all tests of a file. */
  endLater: (end: () => void | Promise<void>) => void
  events?: readonly SentUmamiEvent[]
  /** The scopes of the client's key. */
  held?: readonly Right[]
}

/** A Tilth with the story, sent by Umami's dialect, and a client of Umami's API with a key. */
export async function openUmamiSite({ engine, endLater, events = story, held = scopes }: UmamiSiteOptions) {
  const folder = aFolder(endLater)
  const product = await openProduct({
    store: { folder },
    engine,
    intake: {
      dataFolder: folder,
      isAlone: true,
      diskSpace: async () => ({ freeBytes: 1e9, usedBytes: undefined, trouble: undefined }),
      log: openLog({ level: 'silent', format: 'json' }),
      onLiveEvent: () => {},
    },
  })
  endLater(() => product.close())
  const { intake } = product
  if (!intake) throw new Error('A product with settings of an intake has one.')
  const { project } = requireDone(await product.projects.create({ name: 'Acme' }, operator()))
  requireDone(
    await product.projects.change(
      project.id,
      { aliases: [website], siteAddress: 'https://acme.example' },
      operator(),
    ),
  )
  const send = async (type: string, payload: object) => {
    const answer = await answerTo(
      {
        path: '/api/send',
        body: { type, payload: { website, hostname: 'acme.example', ...payload } },
        receivedAt: new Date(),
      },
      intake,
    )
    expect(answer.status).toBe(200)
  }
  for (const { who, minute, ...event } of events) {
    const { userAgent, language, screen } = visitors[who]
    await send('event', { ...event, id: who, userAgent, language, screen, timestamp: timeOf(minute) / 1000 })
  }
  const untilStored = () =>
    vi.waitUntil(() => intake.counts().pipeline.pending === 0, { timeout: patienceMs })
  await untilStored()
  const { text: key } = requireDone(
    await product.projects.keys.create(project.id, { name: 'Dashboard', scopes: held }, operator()),
  )
  const ask = async (
    path: string,
    { body, method = body === undefined ? 'GET' : 'POST', ...sent }: UmamiApiCall = {},
  ) => {
    const { pathname, searchParams } = new URL(path, 'https://tilth.example')
    const bytes = new TextEncoder().encode(
      typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body),
    )
    const address = umamiAddressIn(pathname, true)
    if (!address) throw new Error(`${pathname} is no address of Umami’s API.`)
    const answer = await handleUmamiRequest(
      {
        method,
        address,
        query: searchParams,
        authorization: 'authorization' in sent ? sent.authorization : `Bearer ${key}`,
        apiKey: sent.apiKey,
        body: async () => bytes,
        bodyBytes: bytes.length,
        origin: testOrigin,
        receivedAt: new Date(),
      },
      product,
    )
    // what a client parses
    return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) }
  }
  return { product, intake, project, key, ask, send, untilStored }
}

export interface UmamiApiCall {
  method?: string
  body?: unknown
  authorization?: string | undefined
  apiKey?: string
}
