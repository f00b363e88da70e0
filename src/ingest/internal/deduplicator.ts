import type { Engine } from '#engine/engine'
import type { PreparedEvent } from '#events/event'
import { type EventKey, keyOf, findStoredByDate, findReceivedRecently } from './duplicates'
import { RecentEventFilter } from '../recent-event-filter'
import { inSlices } from './slices'

/**
 * Filters out events that were sent before. Of several events with the same uuid the first one counts, whatever the
 * others contain: within 30 days after its arrival, and at any time if the second has the same date.
 */
export class Deduplicator {
  /** Events of the insert in progress; queries do not return them yet. */
  private inFlight: ReadonlySet<EventKey> = new Set()

  constructor(
    private readonly dependencies: { engine: Pick<Engine, 'query'>; now: () => Date; isOnlyWriter: boolean },
    private readonly recentEvents = new RecentEventFilter(dependencies.engine),
  ) {}

  /** Returns the events that are neither stored nor being inserted. Rejects if the engine cannot answer. */
  async filter<Event extends PreparedEvent>(events: readonly Event[]): Promise<ReadonlyMap<EventKey, Event>> {
    const { engine, isOnlyWriter, now } = this.dependencies
    if (isOnlyWriter) await this.recentEvents.readHistory(now())
    const firsts = await this.firstsOf(events)
    const lookups = isOnlyWriter
      ? await this.lookupsFor([...firsts.values()])
      : lookupsWithoutFilter(firsts.values())
    const duplicates = await Promise.all([
      findStoredByDate(engine, lookups.byDate),
      findReceivedRecently(engine, lookups.byReceipt, now()),
    ])
    for (const keys of duplicates) for (const key of keys) firsts.delete(key)
    return firsts
  }

  /** Marks these events as being inserted. */
  async remember(events: ReadonlyMap<EventKey, PreparedEvent>): Promise<void> {
    if (this.dependencies.isOnlyWriter)
      await inSlices([...events.values()], (slice) => this.recentEvents.add(slice))
    this.inFlight = new Set(events.keys())
  }

  /** The insert is done. Queries return its events from now on, unless they are deleted. */
  inserted(): void {
    this.inFlight = new Set()
  }

  private async firstsOf<Event extends PreparedEvent>(
    events: readonly Event[],
  ): Promise<Map<EventKey, Event>> {
    const firsts = new Map<EventKey, Event>()
    await inSlices(events, (slice) => {
      for (const event of slice) {
        const key = keyOf(event)
        if (!firsts.has(key) && !this.inFlight.has(key)) firsts.set(key, event)
      }
    })
    return firsts
  }

  private async lookupsFor(events: readonly PreparedEvent[]): Promise<Lookups> {
    const now = this.dependencies.now()
    const lookups: Lookups = { byDate: [], byReceipt: [] }
    await inSlices(events, (slice) => {
      for (const event of slice) {
        const isInFilter = this.recentEvents.mayContain(event.uuid)
        if (isInFilter || !this.recentEvents.coversDate(event)) lookups.byDate.push(event)
        if (isInFilter || !this.recentEvents.covers(event, now)) lookups.byReceipt.push(event)
      }
    })
    return lookups
  }
}

/** The look-ups in the engine: around the date of each event, and among recently received events. */
interface Lookups {
  byDate: PreparedEvent[]
  byReceipt: PreparedEvent[]
}

/** If other fronts write to the same engine, the filter does not know their events. */
const lookupsWithoutFilter = (events: Iterable<PreparedEvent>): Lookups => {
  const all = [...events]
  return { byDate: all, byReceipt: all }
}
