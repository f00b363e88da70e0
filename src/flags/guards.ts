import { operator, requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { type Outcome, parse, undone } from '../projects/problems'
import { newId } from '../projects/secrets'
import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import type { ConditionSet, Flag } from './flag'
import { type Finding, findingOf, type Guard, nextStep, type Reading, type TakenStep } from './guard'
import { guardChange, guardStop, type NewGuard, newGuard } from './guard-input'
import { guardNumbered, guardsOf, runningGuards, saveGuard } from './guards/store'
import { flagNamed, forgetSchedule, saveFlags, schedulesOf } from './store'

interface GuardsGround {
  store: Store
  world: World
  /** What is known of people by now, one for each metric. Rejects where nobody can be asked. */
  look: (guard: Guard) => Promise<Reading[]>
  /** What cannot be looked at, a sentence. */
  objectionTo: (projectId: number, guard: Pick<Guard, 'metrics'>) => Promise<string | undefined>
}

const missing = undone('There is no such guarded rollout in this project.')
const over = undone('This guarded rollout is over. Begin another one.')

/** Rollouts that go on, or back, by themselves. */
export class Guards {
  constructor(private readonly ground: GuardsGround) {}

  /** The newest first; of one flag, where one is named. */
  async list(projectId: number, viewer: Viewer, flagKey?: string): Promise<Guard[]> {
    requireRight('project:read', projectId, viewer)
    const guards = await guardsOf(this.ground.store, projectId)
    return flagKey === undefined ? guards : guards.filter((guard) => guard.flagKey === flagKey)
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Guard | undefined> {
    requireRight('project:read', projectId, viewer)
    return await guardNumbered(this.ground.store, projectId, id)
  }

  /** A step that is due at once is taken at once. */
  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ guard: Guard }>> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parse(newGuard, input)
    if (!parsed.done) return parsed
    const objection = await this.ground.objectionTo(projectId, parsed.value)
    if (objection !== undefined) return undone(objection, 'metrics')
    const { store, world } = this.ground
    return await store.transaction(async (transaction): Promise<Outcome<{ guard: Guard }>> => {
      const flag = await flagNamed(transaction, projectId, parsed.value.flag)
      if (!flag) return undone(`There is no flag “${parsed.value.flag}” in this project.`, 'flag')
      const others = await guardsOf(transaction, projectId)
      const begun = beginning(parsed.value, flag, others, {
        id: newId(world),
        createdBy: viewer.name,
        createdAt: world.now(),
      })
      if (!begun.done) return begun
      await this.save(transaction, begun.guard)
      await this.noted(transaction, 'guard.create', begun.guard, viewer)
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
    const parsed = parse(guardChange, input)
    if (!parsed.done) return parsed
    const { metrics } = parsed.value
    const objection = metrics && (await this.ground.objectionTo(projectId, { metrics }))
    if (objection !== undefined) return undone(objection, 'metrics')
    return await this.ground.store.transaction(async (transaction): Promise<Outcome<{ guard: Guard }>> => {
      const before = await guardNumbered(transaction, projectId, id)
      if (!before) return missing
      if (before.state !== 'running') return over
      // what was read of other metrics says nothing of these
      const guard = { ...before, ...withoutAbsent(parsed.value), ...(metrics && { readings: [] }) }
      await this.save(transaction, guard)
      await this.noted(transaction, 'guard.change', guard, viewer, before)
      return { done: true, guard }
    })
  }

  /** The rollout stays where it is, or goes back to where it began. */
  async stop(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ guard: Guard }>> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parse(guardStop, input)
    if (!parsed.done) return parsed
    return await this.ground.store.transaction(async (transaction): Promise<Outcome<{ guard: Guard }>> => {
      const before = await guardNumbered(transaction, projectId, id)
      if (!before) return missing
      if (before.state !== 'running') return over
      const why = `${viewer.name} stopped it.`
      const flag = await flagNamed(transaction, projectId, before.flagKey)
      if (parsed.value.rollsBack && flag && letGo(before, flag) === undefined)
        await this.rollOut(transaction, before, flag, before.before, `Rolled back: ${why}`, viewer)
      return { done: true, guard: await this.end(transaction, before, { state: 'stopped', why }, viewer) }
    })
  }

  /** Looks at every one that runs. One that cannot be looked at keeps none of the others from it. */
  async run(): Promise<void> {
    const problems: unknown[] = []
    for (const guard of await runningGuards(this.ground.store)) {
      const readings = await this.lookAt(guard).catch((problem: unknown) => {
        problems.push(problem)
        return guard.metrics.map(() => unknown)
      })
      await this.ground.store.transaction((transaction) => this.conclude(transaction, guard, readings))
    }
    if (problems.length > 0)
      throw new AggregateError(problems, 'Some guarded rollouts could not be looked at.')
  }

  /** Before the first step there is nobody to compare. */
  private async lookAt(guard: Guard): Promise<readonly Reading[]> {
    return guard.taken.length === 0 ? [] : await this.ground.look(guard)
  }

  /** Read once more: while people were looked at, somebody may have stopped it. */
  private async conclude(
    transaction: StoreTransaction,
    { id, projectId, metrics }: Guard,
    readings: readonly Reading[],
  ): Promise<void> {
    const known = await guardNumbered(transaction, projectId, id)
    if (!known || known.state !== 'running' || !isSame(known.metrics, metrics)) return
    const guard = { ...known, readings, lookedAt: this.ground.world.now() }
    const flag = await flagNamed(transaction, projectId, guard.flagKey)
    const gone = letGo(guard, flag)
    if (!flag || gone !== undefined)
      await this.end(transaction, guard, { state: 'stopped', why: gone ?? 'The flag is gone.' }, byGuard)
    else await this.follow(transaction, guard, flag, findingOf(guard, readings, this.ground.world.now()))
  }

  private async follow(
    transaction: StoreTransaction,
    guard: Guard,
    flag: Flag,
    finding: Finding,
  ): Promise<void> {
    if (finding.does === 'step') await this.takeStep(transaction, guard, flag, finding.step)
    else if (finding.does === 'roll back') await this.rollBack(transaction, guard, flag, finding.why)
    else if (finding.does === 'complete')
      await this.end(transaction, guard, { state: 'completed', why: finding.why }, byGuard)
    else await this.save(transaction, { ...guard, why: finding.why })
  }

  private async takeStep(
    transaction: StoreTransaction,
    before: Guard,
    flag: Flag,
    { percentage }: TakenStep,
  ): Promise<Guard> {
    const set = { ...before.before.set, percentage }
    const note = `Let in ${percentage}%, as the guarded rollout of ${before.createdBy} has it.`
    await this.rollOut(transaction, before, flag, { isOn: true, set }, note, byGuard)
    const taken = [...before.taken, { percentage, at: this.ground.world.now() }]
    const guard = { ...before, taken, why: `${percentage}% are let in.` }
    await this.save(transaction, guard)
    return guard
  }

  /** What a schedule would do to it later must not happen either. */
  private async rollBack(
    transaction: StoreTransaction,
    before: Guard,
    flag: Flag,
    why: string,
  ): Promise<void> {
    const note = `Rolled back by itself. ${why}`
    await this.rollOut(transaction, before, flag, before.before, note, byGuard)
    for (const schedule of await schedulesOf(transaction, before.projectId, flag.id))
      if (schedule.environment === before.environment && schedule.nextAt)
        await forgetSchedule(transaction, schedule.id)
    await transaction.announce('schedules')
    await this.end(transaction, before, { state: 'rolled-back', why }, byGuard)
  }

  /** The flag and the guard change together, or not at all. */
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
    const now = this.ground.world.now()
    const environments = { ...flag.environments, [environment]: { ...setting, isOn, conditions } }
    const changed = { ...flag, environments, version: flag.version + 1, changedAt: now }
    await saveFlags(transaction, [{ flag: changed, by: viewer.name, note }])
    await transaction.announce('flags')
    const deed = { action: 'flag.change', subject: flag.key, projectId: flag.projectId } as const
    const before = shownRollout(setting.isOn, setting.conditions[place], environment)
    await record(transaction, { ...deed, before, after: shownRollout(isOn, set, environment) }, viewer, now)
  }

  private async end(
    transaction: StoreTransaction,
    before: Guard,
    ending: Pick<Guard, 'state' | 'why'>,
    viewer: Viewer,
  ): Promise<Guard> {
    const guard = { ...before, ...ending, endedAt: this.ground.world.now() }
    await this.save(transaction, guard)
    await this.noted(transaction, 'guard.stop', guard, viewer, before)
    return guard
  }

  private async save(transaction: StoreTransaction, guard: Guard): Promise<void> {
    await saveGuard(transaction, guard)
    await transaction.announce('flag-guards')
  }

  private async noted(
    transaction: StoreTransaction,
    action: Extract<AuditAction, `guard.${string}`>,
    guard: Guard,
    viewer: Viewer,
    before?: Guard,
  ): Promise<void> {
    const { projectId, flagKey: subject } = guard
    const deed = { action, subject, projectId, after: shown(guard) }
    const now = this.ground.world.now()
    await record(transaction, before ? { ...deed, before: shown(before) } : deed, viewer, now)
  }
}

const byGuard = operator('guarded rollout')

const unknown: Reading = { state: 'unknown', got: null, others: null, people: { got: 0, others: 0 } }

const shown = ({ environment, steps, metrics, minimum, state, why }: Guard) => ({
  environment,
  steps,
  metrics,
  minimum,
  state,
  why,
})

const shownRollout = (isOn: boolean, set: ConditionSet | undefined, environment: string) => ({
  environment,
  isOn,
  percentage: set?.percentage,
})

function beginning(
  { flag: _, set: place, environment, ...wanted }: NewGuard,
  flag: Flag,
  others: readonly Guard[],
  whose: Pick<Guard, 'id' | 'createdBy' | 'createdAt'>,
): Outcome<{ guard: Guard }> {
  const setting = flag.environments[environment]
  const set = setting?.conditions[place]
  if (flag.archivedAt) return undone('The flag is archived. Bring it back first.', 'flag')
  if (!setting || !set)
    return undone(
      `In “${environment}” the flag has no condition set ${place + 1} to let people in by.`,
      'set',
    )
  const objection = objectionTo(wanted, flag, setting.isOn ? set.percentage : 0)
  if (objection) return objection
  const isTaken = ({ flagId, ...other }: Guard) =>
    flagId === flag.id && other.environment === environment && other.state === 'running'
  if (others.some(isTaken))
    return undone('A guarded rollout of this flag is under way here already. Stop that one first.', 'flag')
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
    return undone(`The flag has no variant “${variant}”.`, 'variant')
  const [first] = steps
  if (first && first.percentage < percentage)
    return undone(`It lets in ${percentage}% already. Begin with at least as much.`, 'steps')
  return undefined
}

/** Why a guard has nothing to say about the flag any more: somebody took it into their own hands. */
function letGo(guard: Guard, flag: Flag | undefined): string | undefined {
  if (!flag || flag.archivedAt) return 'The flag was archived.'
  const setting = flag.environments[guard.environment]
  const last = guard.taken.at(-1)
  const expected = last
    ? { isOn: true, set: { ...guard.before.set, percentage: last.percentage } }
    : guard.before
  const found = { isOn: setting?.isOn ?? false, set: setting?.conditions[guard.set] }
  return isSame(found, expected) ? undefined : 'Somebody changed the rollout by hand.'
}

/** Both were kept as JSON once, or are about to be. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function withoutAbsent<Parts extends object>(parts: Parts) {
  const said = Object.entries(parts).filter(([, value]) => value !== undefined)
  // the same keys and values, without those that are not there
  return Object.fromEntries(said) as { [Key in keyof Parts]?: Exclude<Parts[Key], undefined> }
}
