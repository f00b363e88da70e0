import { createHash } from 'node:crypto'
import type { PreparedEvent } from '#events/event'

/**
 * A site as sites are: few pages get most of the views, people come in sessions of a few events, most come once. Every
 * event is about a kilobyte as JSON, as those of SDKs are after `prepare`. The same seed is the same site.
 */
export class BusySite {
  private readonly chance: () => number
  private readonly sessions: Session[] = []
  private visitors = 0

  constructor(
    readonly seed: number,
    /** The time of the first event, and how far apart they are. */
    private readonly clock: { at: number; stepMs: number },
    private readonly projects = 1,
  ) {
    this.chance = randomBy(seed)
  }

  events(amount: number): PreparedEvent[] {
    return Array.from({ length: amount }, () => this.next())
  }

  next(): PreparedEvent {
    this.clock.at += this.clock.stepMs
    return this.eventIn(this.session(), new Date(this.clock.at))
  }

  /** Some 400 sessions are under way; each event belongs to one, and now and then one ends and another begins. */
  private session(): Session {
    const place = Math.floor(this.chance() * 400)
    const current = this.sessions[place]
    if (current && this.chance() > 0.18) return current
    return (this.sessions[place] = this.beginSession())
  }

  private beginSession(): Session {
    // four of ten have been here before
    const visitor = this.chance() < 0.4 ? this.skewed(Math.max(1, this.visitors)) : ++this.visitors
    const device = devices[this.skewed(devices.length)] ?? firstDevice
    return {
      project: 1 + this.skewed(this.projects),
      distinctId: uuidOf(`visitor ${this.seed} ${visitor}`),
      sessionId: this.uuidAt(this.clock.at),
      device,
      place: places[visitor % places.length] ?? firstPlace,
      source: sources[this.skewed(sources.length)] ?? firstSource,
    }
  }

  private eventIn(session: Session, at: Date): PreparedEvent {
    const name = names[this.skewed(names.length)] ?? '$pageview'
    const page = this.skewed(900)
    const path = `/shop/department-${page % 17}/article-${page}`
    return {
      uuid: this.uuidAt(at.getTime()),
      projectId: session.project,
      name,
      at,
      receivedAt: new Date(at.getTime() + Math.floor(this.chance() * 900)),
      distinctId: session.distinctId,
      sessionId: session.sessionId,
      hasPerson: true,
      isCookieless: false,
      person: { set: {}, setOnce: {}, unset: [], add: {} },
      identity: undefined,
      groups: {},
      group: undefined,
      columns: {
        traffic: 'human',
        host: 'www.acme.example',
        path,
        title: `Article ${page} of department ${page % 17} | Acme`,
        ...session.source,
        country: session.place.country,
        region: session.place.region,
        city: session.place.city,
        ...session.device,
        language: 'en-GB',
        lib: 'web',
        lib_version: '1.434.18',
        ...(name === '$pageleave' && {
          engaged_ms: Math.floor(this.chance() * 90_000),
          scroll_depth: Math.floor(this.chance() * 100),
        }),
        ...(name === '$autocapture' && { elements: this.clicked() }),
        ...(name === 'order placed' && { revenue: Math.round(this.chance() * 9000) / 100, currency: 'EUR' }),
      },
      properties: {
        $viewport_height: String(600 + this.skewed(12) * 20),
        $viewport_width: session.device.screen.split('x')[0] ?? '',
        $timezone: session.place.timezone,
        $timezone_offset: '-60',
        $current_url: `https://www.acme.example${path}${this.chance() < 0.2 ? `?size=${page % 40}&from=list` : ''}`,
        $is_identified: 'false',
        ...(name === '$autocapture' && { $event_type: 'click', $el_text: 'Add to basket' }),
        $active_feature_flags: '["new-checkout","headline-42"]',
        '$feature/new-checkout': 'true',
        '$feature/headline-42': `variant-${page % 2}`,
        plan: ['free', 'team', 'business'][this.skewed(3)] ?? 'free',
        signed_in: String(this.chance() < 0.3),
        release: `2026.11.${1 + this.skewed(5)}`,
      },
    }
  }

  private clicked(): string {
    const button = this.skewed(60)
    return `button.btn.primary:attr__class="btn primary"attr__id="b${button}"nth-child="${1 + (button % 5)}"nth-of-type="1"text="Add to basket";div.actions:nth-child="3"nth-of-type="2";main:nth-child="2"nth-of-type="1"`
  }

  /** Few of the first ones are most of all. */
  private skewed(amount: number): number {
    return Math.floor(amount * this.chance() ** 3)
  }

  /** A version 7 UUID, as SDKs make them. */
  private uuidAt(at: number): string {
    const time = Math.floor(at).toString(16).padStart(12, '0')
    const random = () => Math.floor(this.chance() * 65536)
    const rest = [random(), random(), random(), random(), random()].map(hex4)
    const [a = '', b = '', c = '', d = '', e = ''] = rest
    return `${time.slice(0, 8)}-${time.slice(8)}-7${a.slice(1)}-a${b.slice(1)}-${c}${d}${e}`
  }
}

interface Session {
  project: number
  distinctId: string
  sessionId: string
  device: (typeof devices)[number]
  place: (typeof places)[number]
  source: (typeof sources)[number]
}

const hex4 = (number: number): string => number.toString(16).padStart(4, '0')

/** The same text is the same UUID. */
export function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Mulberry32: a few lines, and good enough to make a site by. */
export function randomBy(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const names = ['$pageview', '$autocapture', '$pageleave', '$web_vitals', 'article viewed', 'order placed']

const firstDevice = {
  browser: 'Chrome',
  browser_version: '143',
  os: 'Windows',
  os_version: '11',
  device: 'Desktop',
  screen: '1920x1080',
}
const devices = [
  firstDevice,
  { ...firstDevice, os: 'Android', os_version: '16', device: 'Mobile', screen: '412x915' },
  {
    ...firstDevice,
    browser: 'Safari',
    browser_version: '26',
    os: 'iOS',
    os_version: '26.1',
    device: 'Mobile',
    screen: '393x852',
  },
  {
    ...firstDevice,
    browser: 'Safari',
    browser_version: '26',
    os: 'macOS',
    os_version: '26.1',
    screen: '1512x982',
  },
  { ...firstDevice, browser: 'Firefox', browser_version: '146', os: 'Linux', os_version: '' },
  { ...firstDevice, browser: 'Edge', browser_version: '142', screen: '2560x1440' },
]

const firstPlace = { country: 'DE', region: 'Berlin', city: 'Berlin', timezone: 'Europe/Berlin' }
const places = [
  firstPlace,
  { country: 'DE', region: 'Bavaria', city: 'Munich', timezone: 'Europe/Berlin' },
  { country: 'GB', region: 'England', city: 'London', timezone: 'Europe/London' },
  { country: 'US', region: 'California', city: 'San Francisco', timezone: 'America/Los_Angeles' },
  { country: 'US', region: 'New York', city: 'New York', timezone: 'America/New_York' },
  { country: 'FR', region: 'Île-de-France', city: 'Paris', timezone: 'Europe/Paris' },
  { country: 'NL', region: 'North Holland', city: 'Amsterdam', timezone: 'Europe/Amsterdam' },
]

const firstSource = {
  referrer: 'https://www.google.com/',
  referrer_host: 'www.google.com',
  source: 'Google',
  channel: 'Organic Search',
}
const sources = [
  firstSource,
  { referrer: '', referrer_host: '', source: '', channel: 'Direct' },
  {
    referrer: 'https://news.example/2026/11/a-long-article',
    referrer_host: 'news.example',
    source: 'news.example',
    channel: 'Referral',
  },
  {
    ...firstSource,
    channel: 'Paid Search',
    utm_source: 'google',
    utm_medium: 'cpc',
    utm_campaign: 'autumn',
    click_id: 'gclid',
  },
]
