import type { PreparedEvent } from '#events/event'

/** A number of events of each project. */
export type EventsByProject = ReadonlyMap<number, number>

/** The events in the journal that are not stored yet, by project: those of this start, and earlier ones once they are read. */
export class ProjectBacklog {
  private readonly counts = new Map<number, number>()

  add(events: EventsByProject): void {
    for (const [projectId, amount] of events) this.change(projectId, amount)
  }

  remove(events: EventsByProject): void {
    for (const [projectId, amount] of events) this.change(projectId, -amount)
  }

  clear(): void {
    this.counts.clear()
  }

  /** Names no project of which nothing waits. */
  byProject(): Record<number, number> {
    return Object.fromEntries(this.counts)
  }

  private change(projectId: number, difference: number): void {
    const amount = (this.counts.get(projectId) ?? 0) + difference
    if (amount > 0) this.counts.set(projectId, amount)
    else this.counts.delete(projectId)
  }
}

export function countByProject(events: Iterable<Pick<PreparedEvent, 'projectId'>>): EventsByProject {
  const counts = new Map<number, number>()
  for (const { projectId } of events) counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
  return counts
}
