import { operator, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import { type Outcome, failedOutcome } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store, StoreTransaction, TableSource } from '#store/store'
import type { World } from '#world/world'
import type { ConditionSet, Flag } from '../flag'
import {
  type Guard,
  type GuardAction,
  type GuardLogEntry,
  type GuardMetric,
  type GuardReading,
  nextGuardAction,
  nextStep,
  type TakenStep,
  unknownReading,
} from '../guard'
import type { NewGuard } from '../guard-input'
import { saveNextVersion } from '../next-version'
import { flagNamed } from '../store'
import { forgetSchedule, schedulesOf } from '../internal/stored-schedules'
import { guardNumbered, guardOfExperiment, guardsOf, runningGuards, saveGuard } from './internal/store'

export interface GuardEngineDependencies {
  store: Store
  world: World
  /** Current figures, one for each metric. Rejects if the engine fails. */
  readMetrics: (guard: Guard) => Promise<GuardReading[]>
  /** Tells people of a rollout that ended by itself, in the transaction of its end. */
  notify?: ((transaction: StoreTransaction, guard: Guard) => Promise<void>) | undefined
}

/** The guardrails of an experiment, and what is known of them now. */
export interface GuardrailReadings {
  metrics: readonly GuardMetric[]
  readings: readonly GuardReading[]
}

/** The experiments, seen from their rollouts. */
export interface GuardedExperiments {
  read: (guard: Guard) => Promise<GuardrailReadings>
  /** Follows the end of a rollout, in the same transaction. */
  ended: (transaction: StoreTransaction, guard: Guard) => Promise<void>
}

/** The checked plan of a rollout, with which it begins. */
export type GuardPlan = Omit<NewGuard, 'metrics'> & {
  metrics: readonly GuardMetric[]
  experiment?: string | undefined
}

type GuardOutcome = Outcome<{ guard: Guard }>

const guardOperator = operator('guarded rollout')

const mostLogEntries = 200
const experimentReadMs = 5 * 60_000

/**
 * Takes the steps of every guarded rollout, decides after each reading, and rolls back: for rollouts of a flag alone and
 * for those of experiments. Callers check access.
 */
export class GuardEngine {
  private experiments: GuardedExperiments | undefined

  constructor(private readonly dependencies: GuardEngineDependencies) {}

  /** Experiments know their flags, and not the other way round; so they make themselves known. */
  connectExperiments(experiments: GuardedExperiments): void {
    this.experiments = experiments
  }

  /** Begins a rollout. A step that is due at once is taken at once. */
  async begin(
    transaction: StoreTransaction,
    projectId: number,
    plan: GuardPlan,
    viewer: Viewer,
  ): Promise<GuardOutcome> {
    const { world } = this.dependencies
    const flag = await flagNamed(transaction, projectId, plan.flag)
    if (!flag) return failedOutcome(`There is no flag “${plan.flag}” in this project.`, 'flag')
    const others = await guardsOf(transaction, projectId)
    const outcome = startGuard(plan, flag, others, {
      id: newId(world),
      createdBy: viewer.name,
      createdAt: world.now(),
    })
    if (!outcome.done) return outcome
    const guard = this.logged(outcome.guard, 'began', `${viewer.name} began the rollout.`, viewer)
    await this.save(transaction, guard)
    await this.recordChange(transaction, 'guard.create', guard, viewer)
    const step = nextStep(guard)
    if (!step || step.at > world.now()) return { done: true, guard }
    return { done: true, guard: await this.takeStep(transaction, guard, flag, step) }
  }

  /** Checks every running guard. A failed check does not affect the others. */
  async run(): Promise<void> {
    const problems: unknown[] = []
    for (const guard of await runningGuards(this.dependencies.store)) {
      if (!this.isDue(guard)) continue
      const read = await this.readingsOf(guard).catch((problem: unknown) => {
        problems.push(problem)
        return { metrics: guard.metrics, readings: guard.metrics.map(() => unknownReading) }
      })
      await this.dependencies.store.transaction((transaction) => this.conclude(transaction, guard, read))
    }
    if (problems.length > 0)
      throw new AggregateError(problems, 'Some guarded rollouts could not be looked at.')
  }

  /** Takes no further step; the metrics are watched all the same. */
  async pause(transaction: StoreTransaction, guard: Guard, viewer: Viewer): Promise<GuardOutcome> {
    if (guard.pausedAt) return failedOutcome('The rollout is paused already.')
    const note = `${viewer.name} paused the rollout.`
    const paused = this.logged(
      { ...guard, pausedAt: this.dependencies.world.now(), why: note },
      'paused',
      note,
      viewer,
    )
    return await this.saveChanged(transaction, paused, guard, viewer)
  }

  /** The interrupted step lasts its full time from now. */
  async resume(transaction: StoreTransaction, guard: Guard, viewer: Viewer): Promise<GuardOutcome> {
    if (!guard.pausedAt) return failedOutcome('The rollout is not paused.')
    const note = `${viewer.name} resumed the rollout.`
    const resumed = this.logged(
      { ...guard, pausedAt: undefined, resumedAt: this.dependencies.world.now(), why: note },
      'resumed',
      note,
      viewer,
    )
    return await this.saveChanged(transaction, resumed, guard, viewer)
  }

  /** Saves what changed by hand. */
  async saveChanged(
    transaction: StoreTransaction,
    guard: Guard,
    before: Guard,
    viewer: Viewer,
  ): Promise<GuardOutcome> {
    await this.save(transaction, guard)
    await this.recordChange(transaction, 'guard.change', guard, viewer, before)
    return { done: true, guard }
  }

  /** Stops a rollout by hand. The flag stays as it is, or returns to what it was before. */
  async stop(
    transaction: StoreTransaction,
    before: Guard,
    { rollsBack, why }: { rollsBack: boolean; why: string },
    viewer: Viewer,
  ): Promise<Guard> {
    const flag = await flagNamed(transaction, before.projectId, before.flagKey)
    if (rollsBack && flag && releaseReason(before, flag) === undefined)
      await this.rollOut(transaction, before, flag, before.before, `Rolled back: ${why}`, viewer)
    return await this.end(transaction, before, { state: 'stopped', why }, viewer)
  }

  /** The latest rollout of an experiment, running or not. */
  async ofExperiment(source: TableSource, projectId: number, experiment: string): Promise<Guard | undefined> {
    return await guardOfExperiment(source, projectId, experiment)
  }

  /** The figures of an experiment cost more than those of a flag, so they are read less often. */
  private isDue({ experiment, lookedAt }: Guard): boolean {
    if (experiment === undefined || !lookedAt) return true
    return this.dependencies.world.now().getTime() - lookedAt.getTime() >= experimentReadMs
  }

  /** Reads the figures of a guard. Before the first step there are no people to compare. */
  private async readingsOf(guard: Guard): Promise<GuardrailReadings> {
    if (guard.taken.length === 0) return { metrics: guard.metrics, readings: [] }
    if (guard.experiment !== undefined) {
      if (!this.experiments) throw new Error('No one reads the guardrails of experiments.')
      return await this.experiments.read(guard)
    }
    return { metrics: guard.metrics, readings: await this.dependencies.readMetrics(guard) }
  }

  /** Reads the guard again: a member may have stopped it during the query. */
  private async conclude(
    transaction: StoreTransaction,
    asked: Guard,
    { metrics, readings }: GuardrailReadings,
  ): Promise<void> {
    const known = await guardNumbered(transaction, asked.projectId, asked.id)
    if (!known || known.state !== 'running' || !isSame(known.metrics, asked.metrics)) return
    const now = this.dependencies.world.now()
    const guard = { ...known, metrics, readings, lookedAt: now }
    const flag = await flagNamed(transaction, guard.projectId, guard.flagKey)
    const gone = releaseReason(guard, flag)
    if (!flag || gone !== undefined)
      await this.end(
        transaction,
        guard,
        { state: 'stopped', why: gone ?? 'The flag is gone.' },
        guardOperator,
      )
    else await this.follow(transaction, guard, flag, nextGuardAction(guard, readings, now))
  }

  private async follow(
    transaction: StoreTransaction,
    guard: Guard,
    flag: Flag,
    action: GuardAction,
  ): Promise<void> {
    if (action.does === 'step') await this.takeStep(transaction, guard, flag, action.step)
    else if (action.does === 'roll back') await this.rollBack(transaction, guard, flag, action.why)
    else if (action.does === 'complete')
      await this.end(transaction, guard, { state: 'completed', why: action.why }, guardOperator)
    else await this.save(transaction, { ...guard, why: action.why })
  }

  private async takeStep(
    transaction: StoreTransaction,
    before: Guard,
    flag: Flag,
    { percentage }: TakenStep,
  ): Promise<Guard> {
    const set = { ...before.before.set, percentage }
    const note = `Let in ${percentage}%, as the guarded rollout of ${before.createdBy} has it.`
    await this.rollOut(transaction, before, flag, { isOn: true, set }, note, guardOperator)
    const taken = [...before.taken, { percentage, at: this.dependencies.world.now() }]
    const why = `${percentage}% are let in.`
    const guard = this.logged({ ...before, taken, why }, 'step', why, guardOperator)
    await this.save(transaction, guard)
    return guard
  }

  /** Scheduled steps for the flag are removed too. */
  private async rollBack(
    transaction: StoreTransaction,
    before: Guard,
    flag: Flag,
    why: string,
  ): Promise<void> {
    const note = `Rolled back by itself. ${why}`
    await this.rollOut(transaction, before, flag, before.before, note, guardOperator)
    for (const schedule of await schedulesOf(transaction, before.projectId, flag.id))
      if (schedule.environment === before.environment && schedule.nextAt)
        await forgetSchedule(transaction, schedule.id)
    await transaction.announce('schedules')
    await this.end(transaction, before, { state: 'rolled-back', why }, guardOperator)
  }

  /** Changes the flag and the guard together, in one transaction. */
  private async rollOut(
    transaction: StoreTransaction,
    { set: place, environment }: Guard,
    flag: Flag,
    { isOn, set }: Guard['before'],
    note: string,
    viewer: Viewer,
  ): Promise<void> {
    const setting = flag.environments[environment]
    if (!setting) return
    const conditions = setting.conditions.with(place, set)
    const environments = { ...flag.environments, [environment]: { ...setting, isOn, conditions } }
    await saveNextVersion(
      transaction,
      { ...flag, environments },
      {
        note,
        before: auditedRollout(setting.isOn, setting.conditions[place], environment),
        after: auditedRollout(isOn, set, environment),
        viewer,
        now: this.dependencies.world.now(),
      },
    )
  }

  /** People are told of an end that no one has made. */
  private async end(
    transaction: StoreTransaction,
    before: Guard,
    { state, why }: { state: Exclude<Guard['state'], 'running'>; why: string },
    viewer: Viewer,
  ): Promise<Guard> {
    const ended = { ...before, state, why, pausedAt: undefined, endedAt: this.dependencies.world.now() }
    const guard = this.logged(ended, state, why, viewer)
    await this.save(transaction, guard)
    await this.recordChange(transaction, 'guard.stop', guard, viewer, before)
    if (viewer === guardOperator) {
      if (guard.experiment !== undefined) await this.experiments?.ended(transaction, guard)
      if (state !== 'stopped') await this.dependencies.notify?.(transaction, guard)
    }
    return guard
  }

  private logged(guard: Guard, event: GuardLogEntry['event'], note: string, viewer: Viewer): Guard {
    const entry = { at: this.dependencies.world.now(), event, note, by: viewer.name }
    return { ...guard, log: [...guard.log, entry].slice(-mostLogEntries) }
  }

  private async save(transaction: StoreTransaction, guard: Guard): Promise<void> {
    await saveGuard(transaction, guard)
    await transaction.announce('flag-guards')
  }

  private async recordChange(
    transaction: StoreTransaction,
    action: Extract<AuditAction, `guard.${string}`>,
    guard: Guard,
    viewer: Viewer,
    before?: Guard,
  ): Promise<void> {
    const { projectId, flagKey: subject } = guard
    const audited = { action, subject, projectId, after: auditedFields(guard) }
    const now = this.dependencies.world.now()
    await recordAudit(
      transaction,
      before ? { ...audited, before: auditedFields(before) } : audited,
      viewer,
      now,
    )
  }
}

const auditedFields = ({ environment, steps, metrics, minimum, pausedAt, state, why }: Guard) => ({
  environment,
  steps,
  metrics,
  minimum,
  ...(pausedAt && { pausedAt }),
  state,
  why,
})

const auditedRollout = (isOn: boolean, set: ConditionSet | undefined, environment: string) => ({
  environment,
  isOn,
  percentage: set?.percentage,
})

function startGuard(
  { flag: _, set: place, environment, ...wanted }: GuardPlan,
  flag: Flag,
  others: readonly Guard[],
  whose: Pick<Guard, 'id' | 'createdBy' | 'createdAt'>,
): Outcome<{ guard: Guard }> {
  const setting = flag.environments[environment]
  const set = setting?.conditions[place]
  if (flag.archivedAt) return failedOutcome('The flag is archived. Restore it first.', 'flag')
  if (!setting || !set)
    return failedOutcome(
      `In “${environment}” the flag has no condition set ${place + 1} to let people in by.`,
      'set',
    )
  const objection = objectionTo(wanted, flag, setting.isOn ? set.percentage : 0)
  if (objection) return objection
  const isTaken = ({ flagId, ...other }: Guard) =>
    flagId === flag.id && other.environment === environment && other.state === 'running'
  if (others.some(isTaken))
    return failedOutcome(
      'A guarded rollout of this flag is under way here already. Stop that one first.',
      'flag',
    )
  const guard: Guard = {
    ...wanted,
    ...whose,
    projectId: flag.projectId,
    flagId: flag.id,
    flagKey: flag.key,
    environment,
    set: place,
    experiment: wanted.experiment,
    variant: wanted.variant,
    before: { isOn: setting.isOn, set },
    taken: [],
    pausedAt: undefined,
    resumedAt: undefined,
    log: [],
    state: 'running',
    why: 'It has not begun yet.',
    readings: [],
    lookedAt: undefined,
    endedAt: undefined,
  }
  return { done: true, guard }
}

function objectionTo(
  { variant, steps }: Pick<NewGuard, 'variant' | 'steps'>,
  flag: Flag,
  percentage: number,
) {
  if (variant !== undefined && !flag.variants.some(({ key }) => key === variant))
    return failedOutcome(`The flag has no variant “${variant}”.`, 'variant')
  const [first] = steps
  if (first && first.percentage < percentage)
    return failedOutcome(`It lets in ${percentage}% already. Begin with at least as much.`, 'steps')
  return undefined
}

/** Why the guard no longer controls the flag: the flag was changed by other means. */
function releaseReason(guard: Guard, flag: Flag | undefined): string | undefined {
  if (!flag || flag.archivedAt) return 'The flag was archived.'
  const setting = flag.environments[guard.environment]
  const last = guard.taken.at(-1)
  const expected = last
    ? { isOn: true, set: { ...guard.before.set, percentage: last.percentage } }
    : guard.before
  const found = { isOn: setting?.isOn ?? false, set: setting?.conditions[guard.set] }
  return isSame(found, expected) ? undefined : 'The rollout was changed by hand.'
}

/** Compares values as JSON, since both are stored so, or will be. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
