import { openRateLimiter } from '#world/rate-limiter'
import type { RunningServices } from './ready'

/** The changes are read at most this often for one host, and for all hosts together. */
export const lookUpLimits = {
  host: { limit: 1, windowMs: 1000 },
  everyHost: { limit: 4, windowMs: 1000 },
} as const

/**
 * Asks the store about a host that belongs to no site here: its site may just have got it, by a change that is not
 * polled yet. Strangers choose hosts, so the number of look-ups is limited.
 */
export class UnknownHosts {
  private readonly mayLookUpHost = openRateLimiter(lookUpLimits.host)
  private readonly mayLookUp = openRateLimiter(lookUpLimits.everyHost)

  /** Reads the changes that this process does not know yet. Above the limits, it resolves at once. */
  async lookUp(host: string, { product }: RunningServices): Promise<void> {
    if (!product || !this.mayLookUpHost(host.toLowerCase()) || !this.mayLookUp('every host')) return
    await product.changes.catchUpTo(product.changes.count() + 1)
  }
}
