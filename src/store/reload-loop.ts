interface ReloadLoopSettings {
  /** Reads the store once and replaces what is in memory. */
  read(): Promise<void>
  retryMs: number
  /** Receives errors of retries, which have no caller to throw to. */
  onTrouble: (problem: unknown) => void
}

/**
 * Keeps a copy in memory as current as the store: one read at a time, again for each call that came during it. A change
 * is announced only once, so a failed read is retried.
 */
export class ReloadLoop {
  private reading: Promise<void> | undefined
  private isStale = false
  private isClosed = false
  private retry: NodeJS.Timeout | undefined

  constructor(private readonly settings: ReloadLoopSettings) {}

  /** Reads what has changed. A call during a read waits for the next one. */
  async reload(): Promise<void> {
    this.isStale = true
    this.reading ??= this.readUntilFresh().finally(() => (this.reading = undefined))
    await this.reading
  }

  /** Resolves once every change that was announced until now is read, or could not be read. */
  async caughtUp(): Promise<void> {
    await this.reading?.catch(() => {})
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.retry)
    await this.caughtUp()
  }

  private async readUntilFresh(): Promise<void> {
    try {
      while (this.isStale) {
        this.isStale = false
        await this.settings.read()
      }
    } catch (problem) {
      this.retryLater()
      throw problem
    }
  }

  private retryLater(): void {
    clearTimeout(this.retry)
    if (this.isClosed) return
    const { retryMs, onTrouble } = this.settings
    this.retry = setTimeout(() => void this.reload().catch(onTrouble), retryMs).unref()
  }
}
