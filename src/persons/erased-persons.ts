import type { PreparedEvent } from '#events/event'
import { LiveCopy } from '#store/live-copy'
import type { Store } from '#store/store'
import { erasedPersons } from './erasures/internal/store'
import { personIdOf } from './person'

/** The time of each person's erasure, by the person's number. */
type ErasuresByProject = ReadonlyMap<number, ReadonlyMap<string, Date | undefined>>

/**
 * The erased persons. Their late events, or events that are read from the journal again, are dropped. Events after the
 * erasure belong to a new person.
 */
export class ErasedPersons {
  private constructor(private readonly copy: LiveCopy<ErasuresByProject>) {}

  /** Loads the erasures, before the first event is read. */
  static async open(store: Store, onTrouble?: (problem: unknown) => void): Promise<ErasedPersons> {
    const initial: ErasuresByProject = new Map()
    const read = () => readErasures(store)
    return new ErasedPersons(await LiveCopy.open({ store, topics: ['erasures'], initial, read, onTrouble }))
  }

  /** Loads the erasures again. */
  async reload(): Promise<void> {
    await this.copy.reload()
  }

  async close(): Promise<void> {
    await this.copy.close()
  }

  includes({
    projectId,
    distinctId,
    at,
    receivedAt,
  }: Pick<PreparedEvent, 'projectId' | 'distinctId' | 'at' | 'receivedAt'>): boolean {
    const erased = this.copy.value.get(projectId)
    const number = erased && personIdOf(projectId, distinctId)
    if (!number || !erased.has(number)) return false
    const erasedAt = erased.get(number)
    return erasedAt === undefined || receivedAt <= erasedAt || at <= erasedAt
  }
}

async function readErasures(store: Store): Promise<ErasuresByProject> {
  const byProject = new Map<number, Map<string, Date | undefined>>()
  for (const { projectId, number, at } of await erasedPersons(store)) {
    const ofProject = byProject.get(projectId) ?? new Map<string, Date | undefined>()
    byProject.set(projectId, ofProject.set(number, at))
  }
  return byProject
}
