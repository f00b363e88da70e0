export interface BatchOptions {
  /** The address of Tilth: "https://tilth.example.com", or in a browser a path of the site that is passed on to it. */
  address: string
  /** The project's public write key, or that of an environment. */
  project: string
}

const gatherMs = 250
const retryMs = 5000
const sendMs = 5000
/** Retries for ten minutes. Until then they keep a process alive that has nothing else to do. */
const mostFailures = 120
const mostAtOnce = 200
const mostWaiting = 10_000

/** Sends events of any number of people together. Events that could not be sent wait in memory, the newest ones. */
export class EventBatches {
  /** The JSON of each event. A value that JSON lacks throws in `add`, and holds up no other event. */
  #waiting: string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #sent = Promise.resolve()

  readonly #options: BatchOptions

  constructor(options: BatchOptions) {
    this.#options = { ...options, address: options.address.replace(/\/$/, '') }
    if (isBrowser) document.addEventListener('visibilitychange', () => document.hidden && void this.flush())
  }

  add(event: object): void {
    this.#waiting.push(JSON.stringify(event))
    if (this.#waiting.length > mostWaiting) this.#waiting.shift()
    this.#schedule(this.#failures ? retryMs : gatherMs)
  }

  /** Sends what waits, and resolves when that and what is on its way has been answered or has failed. */
  flush(): Promise<void> {
    this.#stopTimer()
    const [earlier, now] = [this.#sent, this.#send()]
    return (this.#sent = earlier.then(() => now))
  }

  /** Sends what waits a last time. */
  async close(): Promise<void> {
    await this.flush()
    this.#stopTimer()
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), ms)
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #send(): Promise<void> {
    const events = this.#waiting.splice(0, mostAtOnce)
    if (events.length === 0) return
    if (await isReceived(events, this.#options)) {
      this.#failures = 0
      await this.#send()
      return
    }
    this.#failures = (this.#failures + 1) % mostFailures
    this.#waiting = this.#failures ? [...events, ...this.#waiting].slice(-mostWaiting) : []
    this.#schedule(retryMs)
  }
}

const isBrowser = typeof document !== 'undefined'

/** Whether Tilth has the events, or will refuse them every time. Their uuids keep them from being counted twice. */
async function isReceived(events: readonly string[], { address, project }: BatchOptions): Promise<boolean> {
  const about = JSON.stringify({ api_key: project, sent_at: new Date() }).slice(0, -1)
  try {
    const { status } = await fetch(`${address}/batch/`, {
      method: 'POST',
      body: `${about},"batch":[${events.join()}]}`,
      keepalive: isBrowser && document.hidden,
      signal: AbortSignal.timeout(sendMs),
    })
    return status < 500 && status !== 429
  } catch {
    return false
  }
}
