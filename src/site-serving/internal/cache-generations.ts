/** The delay within which the pages process learns of a change. */
const changeDelayMs = 2000

interface Generation {
  number: number
  since: number
}

const noGeneration: Generation = { number: 0, since: Number.NEGATIVE_INFINITY }

/**
 * Numbers the states of a site. A render that began before a change answers its waiting requests but is not cached. One
 * that began shortly after may still show the old state and is cached only briefly.
 */
export class CacheGenerations {
  private count = 0
  private all = noGeneration
  private readonly ofProjects = new Map<number, Generation>()

  of(projectId: number): string {
    return `${this.all.number} ${this.ofProject(projectId).number}`
  }

  /** The time of the latest change. */
  since(projectId: number): number {
    return Math.max(this.all.since, this.ofProject(projectId).since)
  }

  /** The time until which a render begun at that time may be cached: it may show the state before a change. */
  earliestNext(projectId: number, begunAt: Date): number {
    const known = this.since(projectId) + changeDelayMs
    return known > begunAt.getTime() ? known : Number.POSITIVE_INFINITY
  }

  advance(projectId: number | undefined, now: Date): void {
    const next = { number: ++this.count, since: now.getTime() }
    if (projectId === undefined) this.all = next
    else this.ofProjects.set(projectId, next)
  }

  private ofProject(projectId: number): Generation {
    return this.ofProjects.get(projectId) ?? noGeneration
  }
}
