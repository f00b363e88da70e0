import type { Flag } from '#flags/flag'
import { saveNextVersion } from '#flags/next-version'
import { flagNamed, versionsOf } from '#flags/store'
import { operator, requireEvery, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome } from '#projects/problems'
import { thompsonPercentages } from '#statistics/best-arm'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type Experiment, statusOf } from '../experiment'
import { flagRights } from '../internal/flag-of-experiment'
import { missingExperiment } from '../internal/missing-experiment'
import { findExperiment, openExperimentsOf } from '../internal/store'
import { defaultBandit, intervalMs } from './bandit'
import {
  allocationChanges,
  percentagesOf,
  weightChangeOf,
  weightsProblem,
  withPercentages,
} from './internal/bandit-flag'
import { type BanditArm, type BanditMove, type BanditProgress, nextMove, type WeightChange } from './progress'
import { addWeights, countWeights, progressOf, saveProgress, weightsOf } from './internal/store'

interface BanditsDependencies {
  store: Store
  world: World
  /** Reads the numbers of each variant by the decision metric. Rejects if the engine fails. */
  readArms: (experiment: Experiment) => Promise<Outcome<{ arms: BanditArm[] }>>
}

/** A bandit with the log of its weights, the latest first. */
export interface BanditReport {
  progress: BanditProgress
  changes: WeightChange[]
}

const notRunning = failedOutcome('There is no running bandit with this id in this project.')
/** The name of the job, which also runs after a change of an experiment. */
export const banditJob = 'move weights of bandits'
const banditOperator = operator('bandit')
const hourMs = 3_600_000
/** Queries divide exposures by all weights there were. */
const mostChanges = 1500

/** Moves the weights of bandits towards their better variants. */
export class Bandits {
  constructor(private readonly dependencies: BanditsDependencies) {}

  /** Returns the bandit's state and every weight since its start, which give each assignment its probability. */
  async report(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ report: BanditReport }>> {
    requireRight('experiments:read', projectId, viewer)
    const { store } = this.dependencies
    if (!(await findExperiment(store, projectId, id))) return missingExperiment
    const progress = await progressOf(store, id)
    if (!progress) return failedOutcome('There is no started bandit with this id in this project.')
    return { done: true, report: { progress, changes: (await weightsOf(store, id)).toReversed() } }
  }

  /** Keeps the weights as they are until it is resumed. */
  async pause(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ progress: BanditProgress }>> {
    requireEvery(flagRights, projectId, viewer)
    return await this.alter(projectId, id, async (transaction, experiment, before) => {
      if (before.state === 'paused') return failedOutcome('It is paused already.')
      return await this.pauseFor(transaction, experiment, before, `${viewer.name} paused it.`, viewer)
    })
  }

  /** Looks at the numbers at once, and moves the weights that the flag has now; not sooner after its last move than else. */
  async resume(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ progress: BanditProgress }>> {
    requireEvery(flagRights, projectId, viewer)
    return await this.alter(projectId, id, async (transaction, experiment, before) => {
      if (before.state === 'running') return failedOutcome('It is not paused.')
      const flag = await flagNamed(transaction, projectId, experiment.flag)
      const problem = weightsProblem(flag, before)
      if (problem !== undefined) return failedOutcome(problem)
      const { progress: noticed } = await this.noticeChanges(transaction, experiment, before)
      const now = this.dependencies.world.now()
      const last = (await weightsOf(transaction, id)).findLast(({ by }) => by === banditOperator.name)
      const earliest = last ? new Date(last.at.getTime() + intervalOf(experiment)) : now
      const progress: BanditProgress = {
        ...noticed,
        state: 'running',
        why: `${viewer.name} resumed it.`,
        nextAt: earliest > now ? earliest : now,
      }
      return await this.saved(transaction, { action: 'experiment.resume', experiment, progress }, viewer)
    })
  }

  /** Looks at every running bandit. A failure of one does not affect the others. */
  async run(): Promise<void> {
    const problems: unknown[] = []
    for (const experiment of await openExperimentsOf(this.dependencies.store))
      if (experiment.kind === 'bandit' && statusOf(experiment) === 'running')
        await this.follow(experiment).catch((problem: unknown) => problems.push(problem))
    if (problems.length > 0) throw new AggregateError(problems, 'Some bandits could not be looked at.')
  }

  private async follow(experiment: Experiment): Promise<void> {
    const { store, world } = this.dependencies
    const progress = await store.transaction((transaction) => this.notice(transaction, experiment))
    if (progress?.state !== 'running' || progress.nextAt > world.now()) return
    const read = await this.dependencies.readArms(experiment).catch(async (problem: unknown) => {
      await this.conclude(
        experiment,
        progress,
        'The numbers could not be read. They are read again every minute.',
      )
      throw problem
    })
    const reading = read.done ? read.arms : read.problems.map(({ message }) => message).join(' ')
    await this.conclude(experiment, progress, reading)
  }

  /** Records changes of the flag by others, and pauses where they changed what the bandit moves. */
  private async notice(
    transaction: StoreTransaction,
    { id, projectId }: Experiment,
  ): Promise<BanditProgress | undefined> {
    const found = await this.running(transaction, projectId, id)
    if (!found) return undefined
    const { experiment, progress: before } = found
    const { progress, changes } = await this.noticeChanges(transaction, experiment, before)
    if (progress.seenVersion !== before.seenVersion) await saveProgress(transaction, progress)
    if (progress.state === 'paused') return progress
    const flag = await flagNamed(transaction, projectId, experiment.flag)
    const byHand = changes.find(({ movedPercent }) => movedPercent > 0)
    const reason = weightsProblem(flag, progress) ?? (byHand && `${byHand.by} changed the weights by hand.`)
    if (reason === undefined) return progress
    const paused = await this.pauseFor(transaction, experiment, progress, reason, banditOperator)
    return paused.progress
  }

  private async noticeChanges(
    transaction: StoreTransaction,
    experiment: Experiment,
    progress: BanditProgress,
  ): Promise<{ progress: BanditProgress; changes: WeightChange[] }> {
    const flag = await flagNamed(transaction, experiment.projectId, experiment.flag)
    if (!flag || flag.version <= progress.seenVersion) return { progress, changes: [] }
    const versions = await versionsOf(transaction, flag, { after: progress.seenVersion - 1 })
    const changes: WeightChange[] = []
    let before = (await weightsOf(transaction, experiment.id)).at(-1)?.weights
    for (const { flag: version, by, at, note } of allocationChanges(versions)) {
      const change = weightChangeOf(version, before, { at, by, why: note ?? 'The flag was changed.' })
      await addWeights(transaction, experiment.id, change)
      changes.push(change)
      before = change.weights
    }
    return { progress: { ...progress, seenVersion: flag.version }, changes }
  }

  /** Reads everything again: a member may have paused or ended it during the query, or another front moved the weights. */
  private async conclude(
    { id, projectId }: Experiment,
    read: BanditProgress,
    reading: readonly BanditArm[] | string,
  ): Promise<void> {
    await this.dependencies.store.transaction(async (transaction) => {
      const found = await this.running(transaction, projectId, id)
      const flag = found && (await flagNamed(transaction, projectId, found.experiment.flag))
      if (!found || !flag || found.progress.state !== 'running') return
      const { experiment, progress } = found
      const isSame = progress.nextAt.getTime() === read.nextAt.getTime()
      if (!isSame || flag.version !== progress.seenVersion) return
      const lookedAt = this.dependencies.world.now()
      if (typeof reading === 'string')
        await saveProgress(transaction, { ...progress, lookedAt, why: reading })
      else await this.act(transaction, experiment, flag, { ...progress, lookedAt, arms: reading })
    })
  }

  private async act(
    transaction: StoreTransaction,
    experiment: Experiment,
    flag: Flag,
    progress: BanditProgress,
  ): Promise<void> {
    const settings = experiment.bandit ?? defaultBandit
    const { arms } = progress
    const best = thompsonPercentages(
      arms.map(({ chance }) => chance),
      settings.smallestPercent,
    )
    const move = nextMove(settings, arms, { now: percentagesOf(flag), best })
    const next = { ...progress, why: move.why, nextAt: this.nextAfter(experiment, move) }
    if (move.does !== 'move') return await saveProgress(transaction, next)
    if ((await countWeights(transaction, experiment.id)) >= mostChanges) {
      const reason = `Its weights moved ${mostChanges.toLocaleString('en')} times. Decide by what is known.`
      await this.pauseFor(transaction, experiment, next, reason, banditOperator)
      return
    }
    const moved = await this.moveFlag(transaction, withPercentages(flag, move.percentages), flag, move.why)
    const before = (await weightsOf(transaction, experiment.id)).at(-1)?.weights
    await addWeights(
      transaction,
      experiment.id,
      weightChangeOf(moved, before, {
        at: moved.changedAt,
        by: banditOperator.name,
        why: move.why,
        chances: Object.fromEntries(arms.map(({ variant, chance }) => [variant, chance])),
        units: Object.fromEntries(arms.map(({ variant, units }) => [variant, units])),
      }),
    )
    await saveProgress(transaction, { ...next, seenVersion: moved.version })
    await transaction.announce('experiments')
  }

  /** Weights move once in the interval; a burn-in is looked at every hour. */
  private nextAfter(experiment: Experiment, { does }: BanditMove): Date {
    const waitMs = does === 'burn in' ? hourMs : intervalOf(experiment)
    return new Date(this.dependencies.world.now().getTime() + waitMs)
  }

  private async moveFlag(
    transaction: StoreTransaction,
    next: Flag,
    before: Flag,
    why: string,
  ): Promise<Flag> {
    const note = `The bandit moved the weights. ${why}`.slice(0, 500)
    const weights = ({ variants }: Flag) => ({
      weights: Object.fromEntries(variants.map(({ key, percentage }) => [key, percentage])),
    })
    return await saveNextVersion(transaction, next, {
      note,
      before: weights(before),
      after: { ...weights(next), note },
      viewer: banditOperator,
      now: this.dependencies.world.now(),
    })
  }

  private async pauseFor(
    transaction: StoreTransaction,
    experiment: Experiment,
    before: BanditProgress,
    why: string,
    viewer: Viewer,
  ) {
    const progress: BanditProgress = { ...before, state: 'paused', why }
    return await this.saved(transaction, { action: 'experiment.pause', experiment, progress }, viewer)
  }

  private async saved(
    transaction: StoreTransaction,
    {
      action,
      experiment,
      progress,
    }: {
      action: 'experiment.pause' | 'experiment.resume'
      experiment: Experiment
      progress: BanditProgress
    },
    viewer: Viewer,
  ): Promise<{ done: true; progress: BanditProgress }> {
    await saveProgress(transaction, progress)
    await transaction.announce('experiments')
    const { name: subject, projectId } = experiment
    const audited = { action, subject, projectId, after: { why: progress.why } }
    await recordAudit(transaction, audited, viewer, this.dependencies.world.now())
    return { done: true, progress }
  }

  private async alter(
    projectId: number,
    id: string,
    change: (
      transaction: StoreTransaction,
      experiment: Experiment,
      progress: BanditProgress,
    ) => Promise<Outcome<{ progress: BanditProgress }>>,
  ): Promise<Outcome<{ progress: BanditProgress }>> {
    return await this.dependencies.store.transaction(async (transaction) => {
      const found = await this.running(transaction, projectId, id)
      if (found) return await change(transaction, found.experiment, found.progress)
      return (await findExperiment(transaction, projectId, id)) ? notRunning : missingExperiment
    })
  }

  private async running(transaction: StoreTransaction, projectId: number, id: string) {
    const experiment = await findExperiment(transaction, projectId, id)
    const progress = experiment && (await progressOf(transaction, id))
    return experiment && progress && statusOf(experiment) === 'running' ? { experiment, progress } : undefined
  }
}

const intervalOf = ({ bandit }: Experiment): number => intervalMs[(bandit ?? defaultBandit).interval]
