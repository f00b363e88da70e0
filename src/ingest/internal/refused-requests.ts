/** The requests of one dialect that were answered 503, because no more could be taken at that moment. */
export interface RefusedRequestCount {
  dialect: string
  /** Whether their clients do not send them again. */
  isLost: boolean
  requests: number
}

/** Lost requests are reported for this time after the last one. */
const reportedForMs = 60 * 60_000

/** Counts requests with events that were answered 503 since the start. */
export class RefusedRequests {
  private readonly counts = new Map<string, RefusedRequestCount & { lastAt: Date }>()

  record({ dialect, isLost }: Omit<RefusedRequestCount, 'requests'>, at: Date): void {
    const key = `${dialect} ${isLost}`
    const requests = (this.counts.get(key)?.requests ?? 0) + 1
    this.counts.set(key, { dialect, isLost, requests, lastAt: at })
  }

  all(): RefusedRequestCount[] {
    return [...this.counts.values()].map(({ dialect, isLost, requests }) => ({ dialect, isLost, requests }))
  }

  /** Returns the lost ones of each dialect that lost some lately. */
  lostLately(now: Date): RefusedRequestCount[] {
    const since = now.getTime() - reportedForMs
    return [...this.counts.values()].filter(({ isLost, lastAt }) => isLost && lastAt.getTime() >= since)
  }
}
