import type { PreparedEvent } from '#events/event'
import type { Store } from '#store/store'
import { erasedPersons } from './erasures/store'
import { personIdOf } from './person'

/**
 * The erased persons. Their late events, or events that are read from the journal again, are dropped. Events after the
 * erasure belong to a new person.
 */
export class ErasedPersons {
  private byProject: ReadonlyMap<number, ReadonlyMap<string, Date | undefined>> = new Map()
  private reloading: Promise<void> | undefined

  constructor(private readonly store: Store) {}

  /** Loads the erasures, before the first event is read. */
  async begin(): Promise<void> {
    await this.reload()
    this.store.onChange((topic) => topic === 'erasures' && void this.reload().catch(() => {}))
  }

  /** Loads the erasures again. */
  async reload(): Promise<void> {
    const before = this.reloading
    this.reloading = this.reloadAfter(before)
    await this.reloading
  }

  includes({ projectId, distinctId, at, receivedAt }: PreparedEvent): boolean {
    const erased = this.byProject.get(projectId)
    const number = erased && personIdOf(projectId, distinctId)
    if (!number || !erased.has(number)) return false
    const erasedAt = erased.get(number)
    return erasedAt === undefined || receivedAt <= erasedAt || at <= erasedAt
  }

  private async reloadAfter(before: Promise<void> | undefined): Promise<void> {
    await before?.catch(() => {})
    const byProject = new Map<number, Map<string, Date | undefined>>()
    for (const { projectId, number, at } of await erasedPersons(this.store)) {
      const ofProject = byProject.get(projectId) ?? new Map<string, Date | undefined>()
      byProject.set(projectId, ofProject.set(number, at))
    }
    this.byProject = byProject
  }
}
