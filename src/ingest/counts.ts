import type { DropReason, PreparedEvent, TrafficKind } from '#events/event'

/** The counts of one step since the start. */
export interface StepCount {
  name: string
  runs: number
  drops: number
  /** The time spent in the step, extrapolated from one event in sixteen. */
  milliseconds: number
}

/**
 * Counts the outcomes of a project's events. `kept` plus every `dropped` equals the number of acknowledged events and of
 * refused answers to surveys.
 */
export interface ProjectCount {
  projectId: number
  kept: Partial<Record<TrafficKind, number>>
  dropped: Partial<Record<DropReason, number>>
}

/** The outcome of events: the traffic of each that was kept, and the reason why each other one was dropped. */
export interface Outcomes {
  kept: readonly TrafficKind[]
  dropped: readonly { reason: DropReason }[]
}

export const trafficOf = ({ columns }: PreparedEvent): TrafficKind => columns.traffic ?? 'human'

/**
 * Counts runs by step and outcomes by project, so that the studio can show every dropped event with its reason. A step
 * counts every run. A project counts an event when it is acknowledged, because clients send unacknowledged ones again.
 */
export class Counts {
  private readonly steps = new Map<string, StepCount>()
  private projects = new Map<number, ProjectCount>()

  constructor(readonly clock: () => number = () => performance.now()) {}

  /** Returns the counter of a step; the pipeline increments it. */
  step(name: string): StepCount {
    const existing = this.steps.get(name)
    if (existing) return existing
    const count = { name, runs: 0, drops: 0, milliseconds: 0 }
    this.steps.set(name, count)
    return count
  }

  /** Counts outcomes. Call it when the client is sure to receive the acknowledgement. */
  recordOutcomes(projectId: number, outcomes: Outcomes): void {
    const { kept, dropped } = this.project(projectId)
    for (const traffic of outcomes.kept) addOne(kept, traffic)
    for (const { reason } of outcomes.dropped) addOne(dropped, reason)
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

  /** Returns the counts since the last call, for the caller to store. */
  drain(): ProjectCount[] {
    const taken = [...this.projects.values()]
    this.projects = new Map()
    return taken
  }

  private project(projectId: number): ProjectCount {
    const existing = this.projects.get(projectId)
    if (existing) return existing
    const count: ProjectCount = { projectId, kept: {}, dropped: {} }
    this.projects.set(projectId, count)
    return count
  }
}

function addOne<Name extends string>(counts: Partial<Record<Name, number>>, name: Name): void {
  counts[name] = (counts[name] ?? 0) + 1
}
