import { requireRecentPassword, requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { Outcome } from '../projects/problems'
import { newId } from '../projects/secrets'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import { addErasure, erasuresOf, leaveCohorts, saveErased } from './erasures/store'
import { knownAs } from './known-as'
import { forgetPersons } from './store'

/** Somebody who is to be forgotten, or has been. It says nothing of who they were. */
export interface Erasure {
  id: string
  projectId: number
  /** Under which they were known. */
  numbers: string[]
  askedBy: string
  askedAt: Date
  /** How many there were; undefined until they were counted. */
  events: number | undefined
  /** When nothing of them was left. */
  finishedAt: Date | undefined
}

const mostListed = 100

/**
 * What is asked for here is done by the front, which alone writes to the engine (see `Eraser`). What the store knows of
 * the person is gone at once, and from then on nothing that was sent before is taken for theirs.
 */
export class Erasures {
  constructor(private readonly ground: { store: Store; world: World }) {}

  async list(projectId: number, viewer: Viewer): Promise<Erasure[]> {
    requireRight('persons:write', projectId, viewer)
    return await erasuresOf(this.ground.store, projectId, mostListed)
  }

  async ask(projectId: number, personId: string, viewer: Viewer): Promise<Outcome<{ erasure: Erasure }>> {
    const { store, world } = this.ground
    const now = world.now()
    requireRight('persons:write', projectId, viewer)
    requireRecentPassword(viewer, now)
    return await store.transaction(async (transaction) => {
      const { personId: id, numbers } = await knownAs(transaction, projectId, personId)
      const erasure: Erasure = {
        id: newId(world),
        projectId,
        numbers,
        askedBy: viewer.name,
        askedAt: now,
        events: undefined,
        finishedAt: undefined,
      }
      await saveErased(transaction, erasure)
      await addErasure(transaction, erasure)
      await leaveCohorts(transaction, erasure)
      await forgetPersons(transaction, projectId, numbers)
      await transaction.announce('erasures')
      await transaction.announce('cohorts')
      await record(transaction, { action: 'person.erase', subject: id, projectId }, viewer, now)
      return { done: true, erasure }
    })
  }
}
