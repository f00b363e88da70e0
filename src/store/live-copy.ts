import type { Store } from './store'

interface LiveCopySettings<Value> {
  store: Pick<Store, 'onChange'>
  /** The changes after which it is read again. */
  topics: readonly string[]
  /** The value until the first read. */
  initial: Value
  /** Reads the store. What has not changed since the last read may be taken from that. */
  read: (last: Value) => Promise<Value>
  /** Receives the problem of a read without a caller, once until a read succeeds. */
  onTrouble?: (problem: unknown) => void
  retryMs?: number
}

const usualRetryMs = 1000

/**
 * A value from the store in memory, current by some topics. One read at a time, again for each change that came during
 * it. A change is announced only once, so a failed read is retried; until then the last value stays.
 *
 * @example
 * const copy = await LiveCopy.open({ store, topics: ['flags'], initial: [], read: () => allFlags(store) })
 * copy.value // what the store says, without asking it
 */
export class LiveCopy<Value> {
  private current: Value
  private readonly listeners = new Set<(now: Value, last: Value) => void>()
  private readonly stopListening: () => void
  private reading: Promise<void> | undefined
  private isStale = false
  private staleSince: number | undefined
  private isClosed = false
  private retry: NodeJS.Timeout | undefined

  constructor(private readonly settings: LiveCopySettings<Value>) {
    this.current = settings.initial
    const topics: ReadonlySet<string> = new Set(settings.topics)
    this.stopListening = settings.store.onChange((topic) => {
      if (topics.has(topic)) this.reloadSoon()
    })
  }

  /** Reads it for the first time. Rejects if the store does not respond. */
  static async open<Value>(settings: LiveCopySettings<Value>): Promise<LiveCopy<Value>> {
    const copy = new LiveCopy(settings)
    await copy.reload()
    return copy
  }

  get value(): Value {
    return this.current
  }

  /** The time for which the store has had another state; 0 for a copy that is up to date, as far as is known here. */
  get staleMs(): number {
    return this.staleSince === undefined ? 0 : performance.now() - this.staleSince
  }

  /** Calls the listener after each read. */
  onChange(listener: (now: Value, last: Value) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Replaces the value by one from elsewhere, until the next read. */
  replace(value: Value): void {
    const last = this.current
    this.current = value
    for (const listener of this.listeners) listener(value, last)
  }

  /** Reads what has changed. A call during a read waits for the next one. */
  async reload(): Promise<void> {
    this.isStale = true
    this.staleSince ??= performance.now()
    this.reading ??= this.readUntilFresh().finally(() => (this.reading = undefined))
    await this.reading
  }

  reloadSoon(): void {
    const isFirst = this.retry === undefined
    void this.reload().catch((problem: unknown) => isFirst && this.settings.onTrouble?.(problem))
  }

  /** Resolves once every change that was announced until now is read, or could not be read. */
  async caughtUp(): Promise<void> {
    await this.reading?.catch(() => {})
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.stopListening()
    this.listeners.clear()
    clearTimeout(this.retry)
    await this.caughtUp()
  }

  private async readUntilFresh(): Promise<void> {
    try {
      while (this.isStale) {
        this.isStale = false
        this.replace(await this.settings.read(this.current))
      }
      clearTimeout(this.retry)
      this.retry = undefined
      this.staleSince = undefined
    } catch (problem) {
      this.retryLater()
      throw problem
    }
  }

  private retryLater(): void {
    clearTimeout(this.retry)
    if (this.isClosed) return
    this.retry = setTimeout(() => this.reloadSoon(), this.settings.retryMs ?? usualRetryMs).unref()
  }
}

/** Calls a listener with the id of each project that differs, where a copy is kept by project. */
export const listenByProject =
  <Value>(
    projectsOf: (value: Value) => ReadonlyMap<number, unknown>,
    listener: (projectId: number) => void,
  ) =>
  (now: Value, last: Value): void => {
    const [before, after] = [projectsOf(last), projectsOf(now)]
    for (const projectId of new Set([...before.keys(), ...after.keys()]))
      if (before.get(projectId) !== after.get(projectId)) listener(projectId)
  }
