import type { PreparedEvent } from '../../src/events/event'
import type { People } from '../../src/ingest/batches'
import type { JournalPosition } from '../../src/ingest/journal'
import { uuidOf } from './events'

/** Takes down which events were applied to people, all of a batch and its position at once, as a store does. */
export class PeopleInMemory implements People {
  /** In the order in which they were applied. */
  readonly applied: string[] = []
  position = 0

  async readUpTo(): Promise<JournalPosition> {
    return this.position
  }

  /** As one process reaches them; what hinders it may throw, before and after the writing. */
  by(hindrance: () => Promise<void>): People {
    return {
      readUpTo: () => this.readUpTo(),
      resolve: (events, upTo) => this.resolve(events, upTo, hindrance),
    }
  }

  async resolve(
    events: readonly PreparedEvent[],
    upTo: JournalPosition,
    hindrance: () => Promise<void> | void = () => {},
  ): Promise<readonly string[]> {
    await hindrance()
    if (upTo > this.position) {
      this.applied.push(...events.map(({ uuid }) => uuid))
      this.position = upTo
    }
    await hindrance()
    return events.map(({ distinctId }) => personOf(distinctId))
  }
}

export function personOf(distinctId: string): string {
  return uuidOf(`person ${distinctId}`)
}
