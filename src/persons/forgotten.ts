import type { PreparedEvent } from '../events/event'
import type { Store } from '../store/store'
import { erasedPersons } from './erasures/store'
import { personIdOf } from './person'

/**
 * Who was erased, so that what comes late of them, or is read from the journal once more, does not bring them back.
 * What somebody does afterwards is a new person's.
 */
export class Forgotten {
  private byProject: ReadonlyMap<number, ReadonlyMap<string, Date | undefined>> = new Map()
  private looking: Promise<void> | undefined

  constructor(private readonly store: Store) {}

  /** Before the first event is looked at. */
  async begin(): Promise<void> {
    await this.look()
    this.store.onChange((topic) => topic === 'erasures' && void this.look().catch(() => {}))
  }

  /** What was erased until now counts from now on. */
  async look(): Promise<void> {
    const before = this.looking
    this.looking = this.lookAfter(before)
    await this.looking
  }

  includes({ projectId, distinctId, at, receivedAt }: PreparedEvent): boolean {
    const erased = this.byProject.get(projectId)
    const number = erased && personIdOf(projectId, distinctId)
    if (!number || !erased.has(number)) return false
    const erasedAt = erased.get(number)
    return erasedAt === undefined || receivedAt <= erasedAt || at <= erasedAt
  }

  private async lookAfter(before: Promise<void> | undefined): Promise<void> {
    await before?.catch(() => {})
    const byProject = new Map<number, Map<string, Date | undefined>>()
    for (const { projectId, number, at } of await erasedPersons(this.store)) {
      const ofProject = byProject.get(projectId) ?? new Map<string, Date | undefined>()
      byProject.set(projectId, ofProject.set(number, at))
    }
    this.byProject = byProject
  }
}
