import type { DropReason, TrafficKind } from '../events/event'

/** What one step did since the start. */
export interface StepCount {
  name: string
  runs: number
  drops: number
  /** Spent in it, all runs together. */
  milliseconds: number
}

/** What came of a project's events. `kept` and every `dropped` together are all that were prepared. */
export interface ProjectCount {
  projectId: number
  kept: Partial<Record<TrafficKind, number>>
  dropped: Partial<Record<DropReason, number>>
}

/** What prepare did, by step and by project: what was dropped, and why, is never a secret. */
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

  kept(projectId: number, traffic: TrafficKind): void {
    const { kept } = this.project(projectId)
    kept[traffic] = (kept[traffic] ?? 0) + 1
  }

  /** Also for what a dialect refused before it was an event. */
  dropped(projectId: number, reason: DropReason): void {
    const { dropped } = this.project(projectId)
    dropped[reason] = (dropped[reason] ?? 0) + 1
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
