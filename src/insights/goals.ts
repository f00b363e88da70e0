import { z } from 'zod'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { nameFor } from '../projects/name'
import { type Outcome, parse, undone } from '../projects/problems'
import { newId } from '../projects/secrets'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import { type Goal, goal } from './goal'
import { forgetGoal, goalsOf, saveGoal } from './goals/store'

/** What visitors are hoped to do, under a name. */
export interface SavedGoal {
  id: string
  projectId: number
  name: string
  goal: Goal
  createdBy: string
  createdAt: Date
}

const told = { name: nameFor('Name the goal after what visitors are hoped to do.'), goal }

export const newGoal = z.strictObject(told)
export const goalChange = newGoal.partial()

/** More than that, nobody would find the one they look for. */
const mostGoals = 200

const missing = undone('There is no such goal in this project.')

type Saved = Outcome<{ goal: SavedGoal }>

export class Goals {
  constructor(private readonly ground: { store: Store; world: World }) {}

  async list(projectId: number, viewer: Viewer): Promise<SavedGoal[]> {
    requireRight('events:read', projectId, viewer)
    return await goalsOf(this.ground.store, projectId)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Saved> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(newGoal, input)
    if (!parsed.done) return parsed
    const known = await goalsOf(this.ground.store, projectId)
    if (known.length >= mostGoals)
      return undone(`A project has ${mostGoals} goals at most. Remove one first.`)
    const created = {
      id: newId(this.ground.world),
      projectId,
      ...parsed.value,
      createdBy: viewer.name,
      createdAt: this.ground.world.now(),
    }
    return await this.save('goal.create', created, viewer)
  }

  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Saved> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(goalChange, input)
    if (!parsed.done) return parsed
    const before = await this.find(projectId, id)
    if (!before) return missing
    return await this.save('goal.change', { ...before, ...parsed.value }, viewer, before)
  }

  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await this.find(projectId, id)
    if (!before) return missing
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await forgetGoal(transaction, before)
      const deed = { action: 'goal.remove', subject: before.name, projectId, before: shown(before) } as const
      await record(transaction, deed, viewer, world.now())
    })
    return { done: true }
  }

  private async find(projectId: number, id: string): Promise<SavedGoal | undefined> {
    const goals = await goalsOf(this.ground.store, projectId)
    return goals.find((one) => one.id === id)
  }

  private async save(
    action: Extract<AuditAction, `goal.${string}`>,
    saved: SavedGoal,
    viewer: Viewer,
    before?: SavedGoal,
  ): Promise<Saved> {
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await saveGoal(transaction, saved)
      const deed = { action, subject: saved.name, projectId: saved.projectId, after: shown(saved) }
      await record(transaction, before ? { ...deed, before: shown(before) } : deed, viewer, world.now())
    })
    return { done: true, goal: saved }
  }
}

const shown = ({ name, goal: wanted }: SavedGoal) => ({ name, goal: wanted })
