import { LRUCache } from 'lru-cache'
import type { IncomingEvent } from '../events/event'
import { newUuid } from '../ingest/uuid'
import type { World } from '../world/world'
import { anEventOf } from './views'
import type { Visit } from './visit'

const aDayMs = 24 * 3_600_000
const remembered = 100_000

/** Tells once a day that a visitor was shown a variant, however often it stands in their pages. */
export class Exposures {
  private readonly told: LRUCache<string, true>

  constructor(private readonly world: World) {
    const perf = { now: () => world.now().getTime() }
    this.told = new LRUCache({ max: remembered, ttl: aDayMs, perf, ttlResolution: 0 })
  }

  /** An event for each decision that a page shows and that this visitor was not shown before, and where it was. */
  of(uses: readonly string[], visit: Visit, address: string): IncomingEvent[] {
    return uses.flatMap((key) => {
      // what was not decided, and what there is not, was not shown
      const value = Object.hasOwn(visit.decisions, key) ? visit.decisions[key] : undefined
      return value !== undefined && this.isNew(key, value, visit)
        ? this.exposure(key, value, visit, address)
        : []
    })
  }

  private isNew(key: string, value: boolean | string, { projectId, visitor }: Visit): boolean {
    const name = JSON.stringify([projectId, visitor, key, value])
    if (this.told.has(name)) return false
    this.told.set(name, true)
    return true
  }

  private exposure(key: string, value: boolean | string, visit: Visit, address: string): IncomingEvent {
    // visitors of a day are told apart by their site as well
    const properties = { $feature_flag: key, $feature_flag_response: value, $current_url: address }
    return anEventOf(visit, '$feature_flag_called', newUuid(this.world), properties)
  }
}
