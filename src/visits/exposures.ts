import { LRUCache } from 'lru-cache'
import type { IncomingEvent } from '#events/event'
import { isSurveyFlagKey } from '#flags/survey-flag-key'
import { newUuid } from '#ingest/uuid'
import { cacheClock, type World } from '#world/world'
import { visitEvent } from './views'
import type { Visit } from './visit'

const aDayMs = 24 * 3_600_000
const mostRemembered = 100_000

/** Reports once a day that a visitor was shown a variant, however often their pages show it. */
export class Exposures {
  private readonly reported: LRUCache<string, true>

  constructor(private readonly world: World) {
    const perf = cacheClock(world)
    // with `max` it would take the memory of all of them at once
    const bound = { maxSize: mostRemembered, sizeCalculation: () => 1 }
    this.reported = new LRUCache({ ...bound, ttl: aDayMs, perf, ttlResolution: 0 })
  }

  /** Returns an event for each decision that a page shows and that this visitor was not shown before. */
  eventsFor(uses: readonly string[], visit: Visit, address: string): IncomingEvent[] {
    return uses.flatMap((key) => {
      // undecided and unknown flags were not shown
      const value = Object.hasOwn(visit.decisions, key) ? visit.decisions[key] : undefined
      return value !== undefined && !isSurveyFlagKey(key) && this.isNew(key, value, visit)
        ? this.exposure(key, value, visit, address)
        : []
    })
  }

  private isNew(key: string, value: boolean | string, { projectId, visitor }: Visit): boolean {
    const name = JSON.stringify([projectId, visitor, key, value])
    if (this.reported.has(name)) return false
    this.reported.set(name, true)
    return true
  }

  private exposure(key: string, value: boolean | string, visit: Visit, address: string): IncomingEvent {
    // the daily visitor id also depends on the site
    const properties = { $feature_flag: key, $feature_flag_response: value, $current_url: address }
    return visitEvent(visit, '$feature_flag_called', newUuid(this.world), properties)
  }
}
