import type { Cohorts } from '../../persons/cohorts'
import type { Viewer } from '../../projects/access'
import { record } from '../../projects/audit'
import type { AuditAction } from '../../projects/audit-actions'
import { type Outcome, undone } from '../../projects/problems'
import type { Store, StoreTransaction } from '../../store/store'
import type { World } from '../../world/world'
import type { Definitions } from '../definitions'
import type { Flag } from '../flag'
import { type Candidate, holdoutsNamedIn, type Imported } from '../imported'
import type { Seal } from '../sealed'
import { isMaskedAnew, withSecretsMasked, withSecretsSealed } from '../secret-values'
import { flagNamed, saveFlags, saveHoldout } from '../store'
import { inspectorOf, type Surroundings, surroundingsIn } from './surroundings'

export interface KeepingGround {
  store: Store
  world: World
  seal: Seal
  cohorts: Pick<Cohorts, 'membership'>
  definitions: Pick<Definitions, 'caughtUp'>
}

export type Changed = Outcome<{ flag: Flag }>

/** A flag as it is to be, and how it was. */
export interface Wanted {
  action: Extract<AuditAction, `flag.${string}`>
  flag: Flag
  before?: Flag | undefined
  note?: string | undefined
}

/** How a flag gets into the store: looked at among all the others, its secrets sealed, with a line in its history. */
export class Keeping {
  constructor(private readonly ground: KeepingGround) {}

  /**
   * What is read is still so when it is written: writers go one after the other. Does not answer before this process
   * decides by it: who changes a flag looks next at what that does.
   */
  async changing<Done>(
    projectId: number,
    work: (transaction: StoreTransaction, around: Surroundings) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    const { store, cohorts } = this.ground
    const known = new Set((await cohorts.membership(projectId)).keys())
    const outcome = await store.transaction(async (transaction) =>
      work(transaction, await surroundingsIn(transaction, projectId, known)),
    )
    if (outcome.done) await this.ground.definitions.caughtUp()
    return outcome
  }

  async save(
    transaction: StoreTransaction,
    wanted: Wanted,
    around: Surroundings,
    viewer: Viewer,
  ): Promise<Changed> {
    const problems = inspectorOf(around)(wanted.flag)
    if (problems.length > 0) return { done: false, problems }
    if (isMaskedAnew(wanted.flag, wanted.before)) return onlyAMask
    return await this.keep(transaction, wanted, viewer)
  }

  /** Whoever changes nothing leaves no trace. */
  async keep(transaction: StoreTransaction, wanted: Wanted, viewer: Viewer): Promise<Changed> {
    const { action, before, note: why } = wanted
    const flag = this.next(wanted)
    if (before && isSame(flag, before)) return { done: true, flag: withSecretsMasked(before) }
    await saveFlags(transaction, [{ flag, by: viewer.name, note: why }])
    await transaction.announce('flags')
    const { projectId, key } = flag
    const deed = { action, subject: key, projectId, after: shown(flag) }
    const entry = before ? { ...deed, before: shown(before) } : deed
    await record(transaction, entry, viewer, this.ground.world.now())
    const kept = (await flagNamed(transaction, projectId, key)) ?? flag
    return { done: true, flag: withSecretsMasked(kept) }
  }

  async keepAll(
    transaction: StoreTransaction,
    accepted: readonly Candidate[],
    around: Surroundings,
    viewer: Viewer,
  ): Promise<Pick<Imported, 'created' | 'changed'>> {
    const saved = accepted
      .map(({ flag, before }) => ({ flag: this.next({ flag, before }), before }))
      .filter(({ flag, before }) => !before || !isSame(flag, before))
    const created = saved.flatMap(({ flag, before }) => (before ? [] : [flag.key]))
    const changed = saved.flatMap(({ flag, before }) => (before ? [flag.key] : []))
    const [one] = saved
    if (!one) return { created, changed }
    const { projectId } = one.flag
    const flags = saved.map(({ flag }) => flag)
    await this.adopt(transaction, flags, around, viewer)
    const changes = flags.map((flag) => ({ flag, by: viewer.name, note: 'Imported.' }))
    await saveFlags(transaction, changes)
    await transaction.announce('flags')
    const subject = saved.length === 1 ? one.flag.key : `${saved.length.toLocaleString('en')} flags`
    const deed = { action: 'flag.import', subject, projectId, after: { created, changed } } as const
    await record(transaction, deed, viewer, this.ground.world.now())
    return { created, changed }
  }

  private next({ flag, before }: Pick<Wanted, 'flag' | 'before'>): Flag {
    const version = (before?.version ?? 0) + 1
    const sealed = withSecretsSealed(flag, before, this.ground.seal)
    return { ...sealed, version, changedAt: this.ground.world.now() }
  }

  /** Their flags say how large their holdouts are; ours only name them. */
  async adopt(
    transaction: StoreTransaction,
    flags: readonly Flag[],
    { holdouts }: Surroundings,
    viewer: Viewer,
  ): Promise<void> {
    for (const [id, { projectId, percentage }] of holdoutsNamedIn(flags)) {
      if (holdouts.has(id)) continue
      const told = { name: `Holdout ${id}`, createdBy: viewer.name, createdAt: this.ground.world.now() }
      await saveHoldout(transaction, { id, projectId, percentage, ...told })
    }
  }
}

const onlyAMask = undone('Give the secret value itself: what is shown of it is only a mask.', 'payloads')

/** But for what every change changes. */
function isSame(one: Flag, other: Flag): boolean {
  const whole = (flag: Flag) => JSON.stringify({ ...flag, version: 0, changedAt: 0 }, inOrder)
  return whole(one) === whole(other)
}

/** The order of keys says nothing, except among variants and conditions, which are lists. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** What the log keeps of a flag. */
function shown(flag: Flag) {
  const {
    id: _id,
    projectId: _projectId,
    createdBy: _by,
    createdAt: _at,
    changedAt: _changed,
    ...rest
  } = withSecretsMasked(flag)
  return rest
}
