import type { DropReason, Prepared, TrafficKind } from '../events/event'

/** What one step did since the start. */
export interface StepCount {
  name: string
  runs: number
  drops: number
  /** Spent in it, all runs together, as far as one event in sixteen tells. */
  milliseconds: number
}

/** What came of a project's events. `kept` and every `dropped` together are all whose senders heard that they were taken. */
export interface ProjectCount {
  projectId: number
  kept: Partial<Record<TrafficKind, number>>
  dropped: Partial<Record<DropReason, number>>
}

/**
 * What was done, by step, and what came of it, by project: what was dropped, and why, is never a secret. A step counts
 * every run; a project counts an event when its sender is told, since what could not be written down comes again.
 */
export class Counts {
  private readonly steps = new Map<string, StepCount>()
  private projects = new Map<number, ProjectCount>()

  constructor(readonly clock: () => number = () => performance.now()) {}

  /** The counter of a step, to be kept by whoever runs it. */
  step(name: string): StepCount {
    const known = this.steps.get(name)
    if (known) return known
    const count = { name, runs: 0, drops: 0, milliseconds: 0 }
    this.steps.set(name, count)
    return count
  }

  /** To be called when the sender will hear of it. */
  told(projectId: number, prepared: readonly Prepared[]): void {
    const { kept, dropped } = this.project(projectId)
    for (const one of prepared) {
      if (one.kept) addOne(kept, one.event.columns.traffic ?? 'human')
      else addOne(dropped, one.reason)
    }
  }

  byStep(): StepCount[] {
    return [...this.steps.values()].map((count) => ({ ...count }))
  }

  byProject(): ProjectCount[] {
    return [...this.projects.values()].map(({ projectId, kept, dropped }) => ({
      projectId,
      kept: { ...kept },
      dropped: { ...dropped },
    }))
  }

  /** What happened since this was called last, for whoever keeps it for good. */
  take(): ProjectCount[] {
    const taken = [...this.projects.values()]
    this.projects = new Map()
    return taken
  }

  private project(projectId: number): ProjectCount {
    const known = this.projects.get(projectId)
    if (known) return known
    const count: ProjectCount = { projectId, kept: {}, dropped: {} }
    this.projects.set(projectId, count)
    return count
  }
}

function addOne<Name extends string>(counts: Partial<Record<Name, number>>, name: Name): void {
  counts[name] = (counts[name] ?? 0) + 1
}
