import { z } from 'zod'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { nameFor } from '../projects/name'
import { type Outcome, parse, undone } from '../projects/problems'
import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import type { Flag, Holdout } from './flag'
import { percentage } from './input/parts'
import { flagsOf, forgetHoldout, holdoutsOf, saveHoldout } from './store'

/** People to whom nothing new is shown, so that all of it together can be measured against them. */
export interface ProjectHoldout extends Holdout {
  projectId: number
  name: string
  createdBy: string
  createdAt: Date
}

const name = nameFor('Name the holdout after what is measured with it.')

export const newHoldout = z.strictObject({ name, percentage })
export const holdoutChange = newHoldout.partial()

const mostHoldouts = 1000

type Changed = Outcome<{ holdout: ProjectHoldout }>

export class Holdouts {
  constructor(private readonly ground: { store: Store; world: World }) {}

  async list(projectId: number, viewer: Viewer): Promise<ProjectHoldout[]> {
    requireRight('project:read', projectId, viewer)
    return await holdoutsOf(this.ground.store, projectId)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parse(newHoldout, input)
    if (!parsed.done) return parsed
    return await this.ground.store.transaction(async (transaction) => {
      const all = await holdoutsOf(transaction, projectId)
      if (all.length >= mostHoldouts) return undone('A project has 1,000 holdouts at most. Remove one first.')
      const id = Math.max(0, ...all.map((one) => one.id)) + 1
      const holdout = {
        id,
        projectId,
        ...parsed.value,
        createdBy: viewer.name,
        createdAt: this.ground.world.now(),
      }
      return await this.save(transaction, 'holdout.create', holdout, viewer)
    })
  }

  /** Whoever was held out stays so when it grows, and is the last to be let in when it shrinks. */
  async change(projectId: number, id: number, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parse(holdoutChange, input)
    if (!parsed.done) return parsed
    return await this.ground.store.transaction(async (transaction) => {
      const before = (await holdoutsOf(transaction, projectId)).find((one) => one.id === id)
      if (!before) return missing
      const { name: called = before.name, percentage: share = before.percentage } = parsed.value
      return await this.save(
        transaction,
        'holdout.change',
        { ...before, name: called, percentage: share },
        viewer,
        before,
      )
    })
  }

  async remove(projectId: number, id: number, viewer: Viewer): Promise<Outcome> {
    requireRight('flags:write', projectId, viewer)
    return await this.ground.store.transaction(async (transaction) => {
      const before = (await holdoutsOf(transaction, projectId)).find((one) => one.id === id)
      if (!before) return missing
      const users = (await flagsOf(transaction, projectId)).filter((flag) => holdsOut(flag, id))
      if (users.length > 0) return inUse(users)
      await forgetHoldout(transaction, before)
      await transaction.announce('flags')
      const deed = {
        action: 'holdout.remove',
        subject: before.name,
        projectId,
        before: shown(before),
      } as const
      await record(transaction, deed, viewer, this.ground.world.now())
      return { done: true }
    })
  }

  private async save(
    transaction: StoreTransaction,
    action: Extract<AuditAction, `holdout.${string}`>,
    holdout: ProjectHoldout,
    viewer: Viewer,
    before?: ProjectHoldout,
  ): Promise<Changed> {
    await saveHoldout(transaction, holdout)
    await transaction.announce('flags')
    const deed = { action, subject: holdout.name, projectId: holdout.projectId, after: shown(holdout) }
    const entry = before ? { ...deed, before: shown(before) } : deed
    await record(transaction, entry, viewer, this.ground.world.now())
    return { done: true, holdout }
  }
}

const missing = undone('There is no such holdout in this project.')

const shown = ({ name: called, percentage: share }: ProjectHoldout) => ({ name: called, percentage: share })

const holdsOut = ({ environments }: Flag, id: number): boolean =>
  Object.values(environments).some(({ holdout }) => holdout?.id === id)

function inUse(flags: readonly Flag[]) {
  const named = flags.slice(0, 3).map(({ key }) => `“${key}”`)
  const more = flags.length > 3 ? ` and ${flags.length - 3} more` : ''
  return undone(`It is used by ${named.join(', ')}${more}. Take it out of there first.`)
}
