export interface EventDetails {
  props?: Readonly<Record<string, unknown>>
  revenue?: { amount: number | string; currency: string }
}

export interface QueuedEvent extends EventDetails {
  /** The same at every attempt, so that the server keeps the event once. */
  uuid: string
  name: string
  time: number
  set?: object
}

/** All events of a page between two deliveries. */
interface Message {
  key: string
  url: string
  referrer: string
  title?: string
  screen: string
  distinctId?: string
  anonymousId?: string
  optedOut: unknown
  sentAt?: number
  events: QueuedEvent[]
}

export interface Sender {
  address: string
  project: string
  distinctId?: string
  anonymousId?: string
}

/** Receives the name of a script that the server asks pages to load, with the page it is for. */
type OnPart = (part: string, message: object) => void

const gatherMs = 250
const retryMs = 5000
const mostWaiting = 50

/** Queues the events of a page and sends them together. Events that could not be sent wait in memory. */
export class EventQueue {
  #message: Message | undefined
  #failed: Message[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  referrer = ''

  readonly #onPart: OnPart | undefined

  constructor(
    readonly sender: Sender,
    onPart?: OnPart,
  ) {
    this.#onPart = onPart
  }

  add(event: QueuedEvent): void {
    // events keep the address of the page they happened on
    if (this.#message && this.#message.url !== location.href) this.flush()
    this.#message ??= {
      key: this.sender.project,
      url: location.href,
      referrer: this.referrer,
      screen: `${screen.width}x${screen.height}`,
      distinctId: this.sender.distinctId,
      anonymousId: this.sender.anonymousId,
      optedOut: isOptedOut(),
      events: [],
    }
    this.#message.events.push(event)
    this.#schedule(gatherMs)
  }

  flush(isLeaving?: boolean): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const messages = this.#failed
    if (this.#message) messages.push({ ...this.#message, title: document.title })
    this.#message = undefined
    this.#failed = []
    for (const message of messages) this.#send(message, isLeaving)
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => this.flush(), ms)
  }

  #send(message: Message, isLeaving?: boolean): void {
    const url = `${this.sender.address}/_tilth/event`
    const body = JSON.stringify({ ...message, sentAt: Date.now() })
    if (isLeaving) navigator.sendBeacon(url, body)
    else void this.#post(url, body, message)
  }

  async #post(url: string, body: string, message: Message): Promise<void> {
    try {
      const { status, headers } = await fetch(url, { method: 'POST', body, keepalive: true })
      if (status >= 500) this.#keep(message)
      const part = headers.get('x-tilth-part')
      if (part) this.#onPart?.(part, message)
    } catch {
      this.#keep(message)
    }
  }

  #keep(message: Message): void {
    this.#failed = [...this.#failed, message].slice(-mostWaiting)
    this.#schedule(retryMs)
  }
}

export const isOptedOut = (): boolean =>
  !!(navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl || navigator.doNotTrack === '1'
