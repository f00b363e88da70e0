import { operator, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import type { ConditionSet, Flag } from '../flag'
import {
  type GuardAction,
  nextGuardAction,
  type Guard,
  nextStep,
  type GuardReading,
  type TakenStep,
} from '../guard'
import { guardChange, guardStop, type NewGuard, newGuard } from '../guard-input'
import { guardNumbered, guardsOf, runningGuards, saveGuard } from './store'
import { flagNamed, forgetSchedule, saveFlags, schedulesOf } from '../store'

interface GuardsDependencies {
  store: Store
  world: World
  /** Current figures, one for each metric. Rejects if the engine fails. */
  readMetrics: (guard: Guard) => Promise<GuardReading[]>
  /** Returns a sentence about metrics that cannot be read. */
  objectionTo: (projectId: number, guard: Pick<Guard, 'metrics'>) => Promise<string | undefined>
}

const missing = failedOutcome('There is no such guarded rollout in this project.')
const guardIsOver = failedOutcome('This guarded rollout is over. Begin another one.')

/** Manages guarded rollouts. */
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
  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ guard: Guard }>> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(newGuard, input)
    if (!parsed.done) return parsed
    const objection = await this.dependencies.objectionTo(projectId, parsed.value)
    if (objection !== undefined) return failedOutcome(objection, 'metrics')
    const { store, world } = this.dependencies
    return await store.transaction(async (transaction): Promise<Outcome<{ guard: Guard }>> => {
      const flag = await flagNamed(transaction, projectId, parsed.value.flag)
      if (!flag) return failedOutcome(`There is no flag “${parsed.value.flag}” in this project.`, 'flag')
      const others = await guardsOf(transaction, projectId)
      const begun = startGuard(parsed.value, flag, others, {
        id: newId(world),
        createdBy: viewer.name,
        createdAt: world.now(),
      })
      if (!begun.done) return begun
      await this.save(transaction, begun.guard)
      await this.recordChange(transaction, 'guard.create', begun.guard, viewer)
      const step = nextStep(begun.guard)
      if (!step || step.at > world.now()) return begun
      return { done: true, guard: await this.takeStep(transaction, begun.guard, flag, step) }
    })
  }

  async change(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ guard: Guard }>> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(guardChange, input)
    if (!parsed.done) return parsed
    const { metrics } = parsed.value
    const objection = metrics && (await this.dependencies.objectionTo(projectId, { metrics }))
    if (objection !== undefined) return failedOutcome(objection, 'metrics')
    return await this.dependencies.store.transaction(
      async (transaction): Promise<Outcome<{ guard: Guard }>> => {
        const before = await guardNumbered(transaction, projectId, id)
        if (!before) return missing
        if (before.state !== 'running') return guardIsOver
        // readings of the old metrics do not apply to the new ones
        const guard = { ...before, ...withoutUndefined(parsed.value), ...(metrics && { readings: [] }) }
        await this.save(transaction, guard)
        await this.recordChange(transaction, 'guard.change', guard, viewer, before)
        return { done: true, guard }
      },
    )
  }

  /** Stops a guard. The rollout stays as it is, or returns to the initial one. */
  async stop(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ guard: Guard }>> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(guardStop, input)
    if (!parsed.done) return parsed
    return await this.dependencies.store.transaction(
      async (transaction): Promise<Outcome<{ guard: Guard }>> => {
        const before = await guardNumbered(transaction, projectId, id)
        if (!before) return missing
        if (before.state !== 'running') return guardIsOver
        const why = `${viewer.name} stopped it.`
        const flag = await flagNamed(transaction, projectId, before.flagKey)
        if (parsed.value.rollsBack && flag && releaseReason(before, flag) === undefined)
          await this.rollOut(transaction, before, flag, before.before, `Rolled back: ${why}`, viewer)
        return { done: true, guard: await this.end(transaction, before, { state: 'stopped', why }, viewer) }
      },
    )
  }

  /** Checks every running guard. A failed check does not affect the others. */
  async run(): Promise<void> {
    const problems: unknown[] = []
    for (const guard of await runningGuards(this.dependencies.store)) {
      const readings = await this.readingsOf(guard).catch((problem: unknown) => {
        problems.push(problem)
        return guard.metrics.map(() => unknownReading)
      })
      await this.dependencies.store.transaction((transaction) => this.conclude(transaction, guard, readings))
    }
    if (problems.length > 0)
      throw new AggregateError(problems, 'Some guarded rollouts could not be looked at.')
  }

  /** Before the first step there are no people to compare. */
  private async readingsOf(guard: Guard): Promise<readonly GuardReading[]> {
    return guard.taken.length === 0 ? [] : await this.dependencies.readMetrics(guard)
  }

  /** Reads the guard again: a member may have stopped it during the query. */
  private async conclude(
    transaction: StoreTransaction,
    { id, projectId, metrics }: Guard,
    readings: readonly GuardReading[],
  ): Promise<void> {
    const known = await guardNumbered(transaction, projectId, id)
    if (!known || known.state !== 'running' || !isSame(known.metrics, metrics)) return
    const guard = { ...known, readings, lookedAt: this.dependencies.world.now() }
    const flag = await flagNamed(transaction, projectId, guard.flagKey)
    const gone = releaseReason(guard, flag)
    if (!flag || gone !== undefined)
      await this.end(
        transaction,
        guard,
        { state: 'stopped', why: gone ?? 'The flag is gone.' },
        guardOperator,
      )
    else
      await this.follow(
        transaction,
        guard,
        flag,
        nextGuardAction(guard, readings, this.dependencies.world.now()),
      )
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
    const guard = { ...before, taken, why: `${percentage}% are let in.` }
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
    const now = this.dependencies.world.now()
    const environments = { ...flag.environments, [environment]: { ...setting, isOn, conditions } }
    const changed = { ...flag, environments, version: flag.version + 1, changedAt: now }
    await saveFlags(transaction, [{ flag: changed, by: viewer.name, note }])
    await transaction.announce('flags')
    const deed = { action: 'flag.change', subject: flag.key, projectId: flag.projectId } as const
    const before = auditedRollout(setting.isOn, setting.conditions[place], environment)
    await recordAudit(
      transaction,
      { ...deed, before, after: auditedRollout(isOn, set, environment) },
      viewer,
      now,
    )
  }

  private async end(
    transaction: StoreTransaction,
    before: Guard,
    ending: Pick<Guard, 'state' | 'why'>,
    viewer: Viewer,
  ): Promise<Guard> {
    const guard = { ...before, ...ending, endedAt: this.dependencies.world.now() }
    await this.save(transaction, guard)
    await this.recordChange(transaction, 'guard.stop', guard, viewer, before)
    return guard
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
    const deed = { action, subject, projectId, after: auditedFields(guard) }
    const now = this.dependencies.world.now()
    await recordAudit(transaction, before ? { ...deed, before: auditedFields(before) } : deed, viewer, now)
  }
}

const guardOperator = operator('guarded rollout')

const unknownReading: GuardReading = {
  state: 'unknown',
  got: null,
  others: null,
  people: { got: 0, others: 0 },
}

const auditedFields = ({ environment, steps, metrics, minimum, state, why }: Guard) => ({
  environment,
  steps,
  metrics,
  minimum,
  state,
  why,
})

const auditedRollout = (isOn: boolean, set: ConditionSet | undefined, environment: string) => ({
  environment,
  isOn,
  percentage: set?.percentage,
})

function startGuard(
  { flag: _, set: place, environment, ...wanted }: NewGuard,
  flag: Flag,
  others: readonly Guard[],
  whose: Pick<Guard, 'id' | 'createdBy' | 'createdAt'>,
): Outcome<{ guard: Guard }> {
  const setting = flag.environments[environment]
  const set = setting?.conditions[place]
  if (flag.archivedAt) return failedOutcome('The flag is archived. Bring it back first.', 'flag')
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
    variant: wanted.variant,
    before: { isOn: setting.isOn, set },
    taken: [],
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

/** Both are stored as JSON, or will be. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function withoutUndefined<Parts extends object>(parts: Parts) {
  const said = Object.entries(parts).filter(([, value]) => value !== undefined)
  // the same keys and values, without the undefined ones
  return Object.fromEntries(said) as { [Key in keyof Parts]?: Exclude<Parts[Key], undefined> }
}
