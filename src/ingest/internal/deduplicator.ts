import type { Engine } from '#engine/engine'
import type { PreparedEvent } from '#events/event'
import { type EventKey, keyOf, findStoredByDate, findReceivedRecently } from './duplicates'
import { waitForInFlightInserts } from './in-flight-inserts'
import { bytesOfUuids, RecentEventFilter } from '../recent-event-filter'
import { inSlices } from './slices'
import type { TableSource } from '#store/store'
import type { UuidAnnouncements } from './uuid-announcements'

/** A front that begins reads the announcements of a longer time, because their inserts may still come. */
const announcedForMs = 5 * 60_000
const announcedAgainAfterMs = 2 * 60_000

export interface DeduplicatorDependencies {
  engine: Pick<Engine, 'query'>
  now: () => Date
  /** Returns false while the engine may hold events that no front of this store has inserted. */
  trustsFilter?: (() => boolean) | undefined
  /** The uuids that other fronts insert; absent if no other front inserts into this engine. */
  announcements?:
    | Pick<UuidAnnouncements, 'hasBegun' | 'begin' | 'forget' | 'readNew' | 'announce'>
    | undefined
}

/**
 * Filters out events that were sent before. Of several events with the same uuid the first one counts, whatever the
 * others contain: within 30 days after its arrival, and at any time if the second has the same date.
 *
 * With several fronts, `filter` decides by what this front knows. The last word is spoken in its turn to store, when it
 * knows what all others have announced: by `findStored`.
 */
export class Deduplicator {
  /** Events of the insert in progress; queries do not return them yet. */
  private inFlight: ReadonlySet<EventKey> = new Set()
  /** The epoch of the filter by which the batch that is being stored was filtered, and the one after it. */
  private storedEpoch = -1
  private filteredEpoch = -1
  /** The events of the last announcement, and when it was begun, in milliseconds of `performance.now()`. */
  private announced: { keys: ReadonlySet<EventKey>; at: number } = { keys: new Set(), at: -Infinity }

  constructor(
    private readonly dependencies: DeduplicatorDependencies,
    private readonly recentEvents = new RecentEventFilter(dependencies.engine),
  ) {}

  /** Returns the events that are neither stored nor being inserted. Rejects if the engine cannot answer. */
  async filter<Event extends PreparedEvent>(events: readonly Event[]): Promise<ReadonlyMap<EventKey, Event>> {
    const { announcements, now } = this.dependencies
    this.filteredEpoch = this.recentEvents.epoch
    if (this.isTrusted() && announcements?.hasBegun !== false) await this.recentEvents.readHistory(now())
    const firsts = await this.firstsOf(events)
    for (const key of await this.lookUp(await this.lookupsFor([...firsts.values()]))) firsts.delete(key)
    return firsts
  }

  /** Marks these events as being inserted. */
  async remember(events: ReadonlyMap<EventKey, PreparedEvent>): Promise<void> {
    this.storedEpoch = this.filteredEpoch
    if (!this.dependencies.announcements)
      await inSlices([...events.values()], (slice) => this.recentEvents.add(slice))
    this.inFlight = new Set(events.keys())
  }

  /** The insert is done. Queries return its events from now on, unless they are deleted. */
  inserted(): void {
    this.inFlight = new Set()
  }

  /** Tells other fronts of events that are about to be inserted. It is called before this front takes its turn. */
  async announce(events: readonly PreparedEvent[]): Promise<void> {
    const { keys, at } = this.announced
    const isRecent = performance.now() - at < announcedAgainAfterMs
    // an insert that is tried again is known already
    if (isRecent && events.every((event) => keys.has(keyOf(event)))) return
    this.announced = { keys: new Set(events.map(keyOf)), at: performance.now() }
    await this.dependencies.announcements?.announce(bytesOfUuids(events.map(({ uuid }) => uuid)))
  }

  /**
   * Whether none of these events can be stored or announced by another front; then they are about to be inserted. It is
   * called while no other front works exclusively. Of two fronts that have the same event, at least one reads the
   * announcement of the other here, and then waits for the other's insert in a turn of its own.
   */
  async areNew(events: readonly PreparedEvent[], source: TableSource | undefined): Promise<boolean> {
    const { announcements } = this.dependencies
    await this.catchUpInTurn(source)
    if (announcements?.hasBegun === false || this.unsureAmong(events).length > 0) return false
    await inSlices(events, (slice) => this.recentEvents.add(slice))
    return true
  }

  /**
   * Returns which of these events are stored, in this front's turn; the others are about to be inserted. `filter` has
   * looked up what the filter did not cover then. Since then, only what others announced can have been stored.
   */
  async findStored(
    events: readonly PreparedEvent[],
    source: TableSource | undefined,
  ): Promise<ReadonlySet<EventKey>> {
    const { announcements, engine } = this.dependencies
    await this.catchUpInTurn(source)
    if (announcements && source && !announcements.hasBegun) {
      await announcements.begin(source, () => waitForInFlightInserts(engine))
      this.recentEvents.reset()
    }
    const stored = await this.lookUpUnsure(events)
    await inSlices(events, (slice) =>
      this.recentEvents.add(slice.filter((event) => !stored.has(keyOf(event)))),
    )
    return stored
  }

  private async catchUpInTurn(source: TableSource | undefined): Promise<void> {
    if (performance.now() - this.announced.at > announcedForMs)
      throw new Error('The events were announced too long ago, and are announced again.')
    await this.catchUp(source)
  }

  private unsureAmong(events: readonly PreparedEvent[]): readonly PreparedEvent[] {
    const isSure = this.isTrusted() && this.storedEpoch === this.recentEvents.epoch
    return isSure ? events.filter(({ uuid }) => this.recentEvents.mayContain(uuid)) : events
  }

  private async lookUpUnsure(events: readonly PreparedEvent[]): Promise<ReadonlySet<EventKey>> {
    const unsure = this.unsureAmong(events)
    if (unsure.length === 0) return new Set()
    await waitForInFlightInserts(this.dependencies.engine)
    return await this.lookUp({ byDate: unsure, byReceipt: unsure })
  }

  /** Adds what other fronts have announced. If some of it may be missing, the filter begins again in the next turn. */
  async catchUp(source: TableSource | undefined): Promise<void> {
    const { announcements, now } = this.dependencies
    if (!announcements?.hasBegun || !source) return
    await announcements.readNew(
      source,
      (uuids) => this.recentEvents.addBytes(uuids, now()),
      () => this.recentEvents.reset(),
    )
  }

  /** Otherwise the filter is emptied: it then covers nothing, so every event is looked up. */
  private isTrusted(): boolean {
    const { trustsFilter, announcements } = this.dependencies
    if (trustsFilter?.() !== false) return true
    announcements?.forget()
    this.recentEvents.reset()
    return false
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

  private async lookUp({ byDate, byReceipt }: Lookups): Promise<ReadonlySet<EventKey>> {
    const { engine, now } = this.dependencies
    const [stored, received] = await Promise.all([
      findStoredByDate(engine, byDate),
      findReceivedRecently(engine, byReceipt, now()),
    ])
    return new Set([...stored, ...received])
  }

  private async lookupsFor(events: readonly PreparedEvent[]): Promise<Lookups> {
    const now = this.dependencies.now()
    const byDate: PreparedEvent[] = []
    const byReceipt: PreparedEvent[] = []
    await inSlices(events, (slice) => {
      for (const event of slice) {
        const isInFilter = this.recentEvents.mayContain(event.uuid)
        if (isInFilter || !this.recentEvents.coversDate(event)) byDate.push(event)
        if (isInFilter || !this.recentEvents.covers(event, now)) byReceipt.push(event)
      }
    })
    return { byDate, byReceipt }
  }
}

/** The look-ups in the engine: around the date of each event, and among recently received events. */
interface Lookups {
  byDate: readonly PreparedEvent[]
  byReceipt: readonly PreparedEvent[]
}
