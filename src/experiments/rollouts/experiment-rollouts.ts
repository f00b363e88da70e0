import { type Guard, nextStep, type TakenStep, watchedUntil } from '#flags/guard'
import type { GuardEngine, GuardrailReadings } from '#flags/guards/guard-engine'
import { flagNamed } from '#flags/store'
import { operator, requireEvery, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { Store, StoreTransaction, TableSource } from '#store/store'
import type { World } from '#world/world'
import { type Conclusion, type Experiment, statusOf } from '../experiment'
import { missingExperiment } from '../internal/missing-experiment'
import { flagRights, markFlag, shippedFlag } from '../internal/flag-of-experiment'
import type { ExperimentResults } from '../results/experiment-results'
import { findExperiment, saveExperiment } from '../internal/store'
import { experimentTopic } from '../web/published-experiments'
import { guardrailReadings } from './internal/guardrail-readings'
import { rolledOutVariant } from './rollout'

interface ExperimentRolloutsDependencies {
  store: Store
  world: World
  guards: GuardEngine
  experiments: { find: (projectId: number, id: string, viewer: Viewer) => Promise<Experiment | undefined> }
  results: Pick<ExperimentResults, 'result'>
}

export interface RolloutProgress {
  guard: Guard
  /** The next step and when it is due at the earliest. */
  next: TakenStep | undefined
  /** When the last step has lasted long enough; undefined before it. */
  watchedUntil: Date | undefined
}

type RolloutOutcome = Outcome<{ progress: RolloutProgress }>

const noRollout = failedOutcome('The experiment is no rollout, or it has not started.')
const isOver = failedOutcome('This rollout is over.')

const rolloutOperator = operator('guarded rollout')

/** The rollouts of experiments: their ramps, which the engine of guarded rollouts takes, and what follows their ends. */
export class ExperimentRollouts {
  constructor(private readonly dependencies: ExperimentRolloutsDependencies) {
    dependencies.guards.connectExperiments({
      read: (guard) => this.readings(guard),
      ended: (transaction, guard) => this.conclude(transaction, guard),
    })
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<RolloutOutcome> {
    requireRight('experiments:read', projectId, viewer)
    const found = await this.guardOf(this.dependencies.store, projectId, id)
    return found.done ? { done: true, progress: progressOf(found.guard) } : found
  }

  /** Takes no further step until it is resumed; the guardrails are watched all the same. */
  async pause(projectId: number, id: string, viewer: Viewer): Promise<RolloutOutcome> {
    requireEvery(flagRights, projectId, viewer)
    return await this.alter(projectId, id, (transaction, guard) =>
      this.dependencies.guards.pause(transaction, guard, viewer),
    )
  }

  /** The interrupted step lasts its full time from now. */
  async resume(projectId: number, id: string, viewer: Viewer): Promise<RolloutOutcome> {
    requireEvery(flagRights, projectId, viewer)
    return await this.alter(projectId, id, (transaction, guard) =>
      this.dependencies.guards.resume(transaction, guard, viewer),
    )
  }

  private async alter(
    projectId: number,
    id: string,
    change: (transaction: StoreTransaction, guard: Guard) => Promise<Outcome<{ guard: Guard }>>,
  ): Promise<RolloutOutcome> {
    return await this.dependencies.store.transaction(async (transaction): Promise<RolloutOutcome> => {
      const found = await this.guardOf(transaction, projectId, id)
      if (!found.done) return found
      if (found.guard.state !== 'running') return isOver
      const changed = await change(transaction, found.guard)
      return changed.done ? { done: true, progress: progressOf(changed.guard) } : changed
    })
  }

  private async guardOf(
    source: TableSource,
    projectId: number,
    id: string,
  ): Promise<Outcome<{ guard: Guard }>> {
    if (!(await findExperiment(source, projectId, id))) return missingExperiment
    const guard = await this.dependencies.guards.ofExperiment(source, projectId, id)
    return guard ? { done: true, guard } : noRollout
  }

  /** The guardrails as the results page reads them. Rejects if they cannot be computed. */
  private async readings({ projectId, experiment: id = '' }: Guard): Promise<GuardrailReadings> {
    const { experiments, results } = this.dependencies
    const experiment = await experiments.find(projectId, id, rolloutOperator)
    const outcome = await results.result(projectId, id, rolloutOperator, { isFresh: true })
    if (!experiment || !outcome.done || !outcome.result.report)
      throw new Error(
        outcome.done
          ? 'The experiment of a rollout is gone.'
          : outcome.problems.map(({ message }) => message).join(' '),
      )
    return guardrailReadings(outcome.result.report, experiment.analysis.minimumUnits)
  }

  /** A rollout that went back has ended; one that went through ships its variant, if it was made to. */
  private async conclude(transaction: StoreTransaction, guard: Guard): Promise<void> {
    const experiment = await findExperiment(transaction, guard.projectId, guard.experiment ?? '')
    const flag = await flagNamed(transaction, guard.projectId, guard.flagKey)
    if (!experiment || !flag || statusOf(experiment) !== 'running') return
    const variant = rolledOutVariant(experiment, flag)
    const now = this.dependencies.world.now()
    const by = { viewer: rolloutOperator, now }
    if (guard.state === 'rolled-back') {
      await markFlag(transaction, flag, false, {
        note: `The experiment “${experiment.name}” ended: it was rolled back.`,
        ...by,
      })
      // the flag went back then; what follows is not a phase of the experiment
      const at = flag.changedAt
      await this.save(transaction, experiment, {
        outcome: 'rolled-back',
        variant: undefined,
        note: guard.why,
        at,
      })
    } else if (
      guard.state === 'completed' &&
      experiment.rollout?.whenDone === 'ship' &&
      variant !== undefined
    ) {
      await markFlag(transaction, shippedFlag(flag, variant, experiment.name), false, {
        note: `The experiment “${experiment.name}” shipped “${variant}”.`,
        ...by,
      })
      await this.save(transaction, experiment, { outcome: 'shipped', variant, note: guard.why, at: now })
    }
  }

  private async save(
    transaction: StoreTransaction,
    before: Experiment,
    conclusion: Omit<Conclusion, 'by'>,
  ): Promise<void> {
    const { at } = conclusion
    const { name: by } = rolloutOperator
    const after = { ...before, endedAt: at, changedAt: at, conclusion: { ...conclusion, by } }
    await saveExperiment(transaction, after)
    await transaction.announce(experimentTopic)
    const audited = { action: 'experiment.end', subject: before.name, projectId: before.projectId } as const
    const fields = { endedAt: at, conclusion: after.conclusion }
    await recordAudit(transaction, { ...audited, after: fields }, rolloutOperator, at)
  }
}

const progressOf = (guard: Guard): RolloutProgress => {
  const isRunning = guard.state === 'running'
  return {
    guard,
    next: isRunning ? nextStep(guard) : undefined,
    watchedUntil: isRunning ? watchedUntil(guard) : undefined,
  }
}
