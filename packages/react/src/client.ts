import type { TilthBootstrap } from './bootstrap'
import { type EventDetails, EventQueue, isOptedOut } from './delivery'
import { type PageView, watchPages } from './page-views'
import { createVisitorCookie, readVisitorCookie } from './visitor-cookie'

export interface TilthOptions {
  /** The address of Tilth: "https://tilth.example.com", or a path of the site that is passed on to it. */
  address: string
  /** The project's public write key, or that of an environment. */
  project: string
  bootstrap?: TilthBootstrap | null
  /** The way visitors are told apart without a bootstrap: for a day and without storage, or by a first-party cookie. */
  visitors?: 'daily' | 'cookie'
  /** Whether views are counted, except those that the server counted already. */
  pageviews?: boolean
  /** Whether pages show the project's surveys. */
  surveys?: boolean
}

export interface FlagSnapshot {
  flags: TilthBootstrap['flags']
  payloads: TilthBootstrap['payloads']
  /** Whether the flags are there, or could not be had. */
  isSettled: boolean
}

const decideMs = 2000

const noDecisions: Pick<TilthBootstrap, 'flags' | 'payloads'> = { flags: {}, payloads: {} }

/**
 * Holds a visitor's decisions and reports events. Touches nothing of the browser before `start`. Members are `#private`,
 * because their names are shortened then.
 */
export class TilthClient {
  #snapshot: FlagSnapshot
  /** The decisions that the server rendered, with which late parts of the page are hydrated. */
  readonly #rendered: FlagSnapshot
  readonly #queue: EventQueue
  readonly #listeners = new Set<() => void>()
  readonly #reported = new Set<string>()
  #bootstrap: TilthBootstrap | null | undefined
  #isStarted = false
  /** Only the response to the newest request counts. */
  #requests = 0

  readonly #options: TilthOptions

  constructor(options: TilthOptions) {
    this.#options = options
    const { bootstrap, address, project, surveys } = options
    this.#bootstrap = bootstrap
    this.#snapshot = this.#rendered = { ...noDecisions, ...bootstrap, isSettled: !!bootstrap }
    const sender = { address: address.replace(/\/$/, ''), project, distinctId: bootstrap?.visitor }
    this.#queue = new EventQueue(sender, surveys ? (part, page) => this.#loadPart(part, page) : undefined)
  }

  readonly getSnapshot = (): FlagSnapshot => this.#snapshot

  readonly getServerSnapshot = (): FlagSnapshot => this.#rendered

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Begins in a browser. Returns what ends it. */
  start(): () => void {
    const { sender } = this.#queue
    this.#isStarted = true
    sender.distinctId ??= this.#visitorInBrowser()
    if (!this.#snapshot.isSettled) void this.refresh()
    const stop = watchPages(
      (view) => this.#show(view),
      (isLeaving) => this.#queue.flush(isLeaving),
    )
    return () => {
      this.#isStarted = false
      stop()
      this.#queue.flush()
    }
  }

  /** Takes decisions of a newer rendering on the server. */
  adopt(bootstrap: TilthBootstrap | null | undefined): void {
    if (!bootstrap || bootstrap === this.#bootstrap) return
    this.#bootstrap = bootstrap
    this.#settle(bootstrap)
  }

  readonly track = (name: string, details?: EventDetails): void => this.#record(name, details)

  /** Names the person. Events and decisions of the visitor so far become this person's. */
  readonly identify = (id: string, set?: Readonly<Record<string, unknown>>): void => {
    const { sender } = this.#queue
    this.#queue.flush()
    if (sender.distinctId !== id) sender.anonymousId = sender.distinctId
    sender.distinctId = id
    this.#record('$identify', {}, set)
    void this.refresh()
  }

  /** Reports once that code used a decision. */
  expose(key: string): void {
    this.#report('$feature_flag_called', key)
  }

  /** Reports once that a decision was in view. */
  see(key: string): void {
    this.#report('$feature_flag_seen', key)
  }

  /** Asks for all decisions again, as after something that may change them. */
  readonly refresh = async (): Promise<void> => {
    const { address, project, distinctId, anonymousId } = this.#queue.sender
    const request = ++this.#requests
    const body = JSON.stringify({
      key: project,
      distinctId,
      deviceId: anonymousId ?? distinctId,
      anonymousId,
    })
    try {
      const signal = AbortSignal.timeout(decideMs)
      const response = await fetch(`${address}/_tilth/flags`, { method: 'POST', body, signal })
      // the format is documented in docs/sdk-tilth.md
      const decided = (await response.json()) as typeof noDecisions
      if (response.ok && request === this.#requests) this.#settle(decided)
    } catch {
      // the known decisions stay
    }
    if (!this.#snapshot.isSettled) this.#settle(noDecisions)
  }

  #report(event: string, key: string): void {
    const { flags } = this.#snapshot
    if (!Object.hasOwn(flags, key)) return
    const value = flags[key]
    const id = `${event}/${key}/${value}`
    if (this.#reported.has(id)) return
    this.#reported.add(id)
    const props = { $feature_flag: key, $feature_flag_response: value }
    const seed = this.#bootstrap?.exposureSeed
    this.#record(event, { props }, undefined, seed && `${seed}/${id}`)
  }

  #record(name: string, details?: EventDetails, set?: object, uuid?: string): void {
    // driven browsers are no visitors, unless they say that they play one
    if (
      !this.#isStarted ||
      this.#bootstrap?.isCounted === false ||
      (navigator.webdriver && !('__tilth' in window))
    )
      return
    const { props, revenue } = details ?? {}
    this.#queue.add({ uuid: uuid ?? newId(), name, time: Date.now(), props, revenue, set })
  }

  #show({ referrer, isDocument }: PageView): void {
    this.#queue.referrer = referrer
    const isCounted = isDocument && wasViewCounted(this.#bootstrap)
    if (this.#options.pageviews !== false && !isCounted) this.#record('$pageview')
  }

  /** A server that makes bootstraps decides about cookies as well. */
  #visitorInBrowser(): string | undefined {
    if (this.#bootstrap) return readVisitorCookie()
    if (this.#options.visitors !== 'cookie' || isOptedOut()) return undefined
    return readVisitorCookie() ?? createVisitorCookie()
  }

  #settle({ flags, payloads }: typeof noDecisions): void {
    this.#snapshot = { flags, payloads, isSettled: true }
    for (const listener of this.#listeners) listener()
  }

  #loadPart(part: string, page: object): void {
    const url = new URL(part, new URL(`${this.#queue.sender.address}/_tilth/`, location.href)).href
    import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ url).then(
      (loaded: { begin(page: object): void }) => loaded.begin(page),
      () => {
        // a page whose policy refuses the script goes without surveys
      },
    )
  }
}

/** Pages on plain http have no `crypto.randomUUID`; the server makes a uuid of any other text. */
const newId = (): string => crypto.randomUUID?.() ?? `${Math.random()}${Date.now()}`

/** A document from the browser's own cache was not counted again. */
function wasViewCounted(bootstrap: TilthBootstrap | null | undefined): boolean {
  // navigation entries have this type
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return (
    load?.transferSize !== 0 &&
    (bootstrap?.isViewCounted || load?.serverTiming?.some(({ name }) => name === 'view')) === true
  )
}
