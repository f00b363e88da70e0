import type { PreparedEvent } from '#events/event'
import type { PersonResolver } from '#ingest/internal/batches'
import type { JournalPosition } from '#ingest/internal/journal'
import { uuidOf } from './events'

/** Takes down which events were applied to people, all of a batch and its position at once, as a store does. */
export class PeopleInMemory implements PersonResolver {
  /** In the order in which they were applied. */
  readonly applied: string[] = []
  position = 0

  async processedUpTo(): Promise<JournalPosition> {
    return this.position
  }

  /** As one process reaches them; what hinders it may throw, before and after the writing. */
  by(hindrance: () => Promise<void>): PersonResolver {
    return {
      processedUpTo: () => this.processedUpTo(),
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
