import { withoutUndefined } from '#collection/without-undefined'
import { requireRight, type Viewer } from '#projects/access'
import { type Outcome, parseInput, failedOutcome, type FailedOutcome } from '#projects/problems'
import type { Store, StoreTransaction } from '#store/store'
import type { Guard } from '../../guard'
import { guardChange, guardStop, newGuard } from '../../guard-input'
import type { GuardEngine } from '../guard-engine'
import { guardNumbered, guardsOf } from './store'

interface GuardsDependencies {
  store: Store
  engine: GuardEngine
  /** Returns a sentence about metrics that cannot be read. */
  objectionTo: (projectId: number, guard: Pick<Guard, 'metrics'>) => Promise<string | undefined>
}

type GuardOutcome = Outcome<{ guard: Guard }>

const missing = failedOutcome('There is no such guarded rollout in this project.')
const guardIsOver = failedOutcome('This guarded rollout is over. Begin another one.')
const ofExperiment = failedOutcome('This rollout belongs to an experiment. Change it there.')

/** Manages the guarded rollouts of flags; `GuardEngine` takes their steps. */
export class Guards {
  constructor(private readonly dependencies: GuardsDependencies) {}

  /** Returns guards, the newest first; only those of one flag if it is named. */
  async list(projectId: number, viewer: Viewer, flagKey?: string): Promise<Guard[]> {
    requireRight('project:read', projectId, viewer)
    const guards = await guardsOf(this.dependencies.store, projectId)
    return flagKey === undefined ? guards : guards.filter((guard) => guard.flagKey === flagKey)
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Guard | undefined> {
    requireRight('project:read', projectId, viewer)
    return await guardNumbered(this.dependencies.store, projectId, id)
  }

  /** Creates a guard. A step that is due at once is taken at once. */
  async create(projectId: number, input: unknown, viewer: Viewer): Promise<GuardOutcome> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(newGuard, input)
    if (!parsed.done) return parsed
    const objection = await this.dependencies.objectionTo(projectId, parsed.value)
    if (objection !== undefined) return failedOutcome(objection, 'metrics')
    const { store, engine } = this.dependencies
    return await store.transaction((transaction) =>
      engine.begin(transaction, projectId, parsed.value, viewer),
    )
  }

  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<GuardOutcome> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(guardChange, input)
    if (!parsed.done) return parsed
    const { metrics } = parsed.value
    const objection = metrics && (await this.dependencies.objectionTo(projectId, { metrics }))
    if (objection !== undefined) return failedOutcome(objection, 'metrics')
    return await this.alter(projectId, id, (transaction, before) => {
      // readings of the old metrics do not apply to the new ones
      const guard = { ...before, ...withoutUndefined(parsed.value), ...(metrics && { readings: [] }) }
      return this.dependencies.engine.saveChanged(transaction, guard, before, viewer)
    })
  }

  /** Takes no further step until it is resumed; the metrics are watched all the same. */
  async pause(projectId: number, id: string, viewer: Viewer): Promise<GuardOutcome> {
    requireRight('flags:write', projectId, viewer)
    return await this.alter(projectId, id, (transaction, guard) =>
      this.dependencies.engine.pause(transaction, guard, viewer),
    )
  }

  /** The interrupted step lasts its full time from now. */
  async resume(projectId: number, id: string, viewer: Viewer): Promise<GuardOutcome> {
    requireRight('flags:write', projectId, viewer)
    return await this.alter(projectId, id, (transaction, guard) =>
      this.dependencies.engine.resume(transaction, guard, viewer),
    )
  }

  /** Stops a guard. The rollout stays as it is, or returns to the initial one. */
  async stop(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<GuardOutcome> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(guardStop, input)
    if (!parsed.done) return parsed
    return await this.alter(projectId, id, async (transaction, before) => ({
      done: true,
      guard: await this.dependencies.engine.stop(
        transaction,
        before,
        { ...parsed.value, why: `${viewer.name} stopped it.` },
        viewer,
      ),
    }))
  }

  /** Checks every running guard. */
  async run(): Promise<void> {
    await this.dependencies.engine.run()
  }

  private async alter(
    projectId: number,
    id: string,
    change: (transaction: StoreTransaction, guard: Guard) => Promise<GuardOutcome>,
  ): Promise<GuardOutcome> {
    return await this.dependencies.store.transaction(async (transaction): Promise<GuardOutcome> => {
      const guard = await guardNumbered(transaction, projectId, id)
      return guard ? (refusal(guard) ?? (await change(transaction, guard))) : missing
    })
  }
}

function refusal({ state, experiment }: Guard): FailedOutcome | undefined {
  if (state !== 'running') return guardIsOver
  return experiment === undefined ? undefined : ofExperiment
}
