import type { Engine } from '../engine/engine'
import type { PreparedEvent } from '../events/event'
import { type EventKey, keyOf, knownTo } from './duplicates'
import { Seen } from './seen'

/** Tells events from those that were sent before. Of several with the same uuid the first counts, whatever the others say. */
export class Doubles {
  private readonly seen: Seen
  /** On their way into the engine, where nobody can find them yet. */
  private underWay: ReadonlySet<EventKey> = new Set()

  constructor(
    private readonly ground: { engine: Pick<Engine, 'query'>; now: () => Date; isAlone: boolean },
    seen = new Seen(ground.engine),
  ) {
    this.seen = seen
  }

  /** Those that are neither stored nor under way. Rejects when the engine cannot say. */
  async leaveOut<Event extends PreparedEvent>(
    events: readonly Event[],
  ): Promise<ReadonlyMap<EventKey, Event>> {
    if (this.seen.isFull()) await this.seen.turn(this.ground.now())
    const firsts = this.firstsOf(events)
    const known = await knownTo(this.ground.engine, this.doubtfulOf(firsts))
    for (const key of known) firsts.delete(key)
    return firsts
  }

  /** From now on these are under way, and those that were are stored. */
  note(fresh: ReadonlyMap<EventKey, PreparedEvent>): void {
    for (const key of fresh.keys()) this.seen.note(key)
    this.underWay = new Set(fresh.keys())
  }

  private firstsOf<Event extends PreparedEvent>(events: readonly Event[]): Map<EventKey, Event> {
    const firsts = new Map<EventKey, Event>()
    for (const event of events) {
      const key = keyOf(event)
      if (!firsts.has(key) && !this.underWay.has(key)) firsts.set(key, event)
    }
    return firsts
  }

  private doubtfulOf(firsts: ReadonlyMap<EventKey, PreparedEvent>): PreparedEvent[] {
    const doubtful: PreparedEvent[] = []
    for (const [key, event] of firsts)
      if (!this.ground.isAlone || !this.seen.isSurelyNew(event, key)) doubtful.push(event)
    return doubtful
  }
}
