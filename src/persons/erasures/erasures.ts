import { requireRecentPassword, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { addErasure, erasuresOf, everyErasure, removeFromCohorts, saveErased } from './internal/store'
import { findPersonAliases } from '../person-aliases'
import { splitsAbout } from '../splits/store'
import { forgetPersons } from '../store'

/** A requested or finished erasure. It does not identify the person. */
export interface Erasure {
  id: string
  projectId: number
  /** The person ids under which they were known. */
  numbers: string[]
  askedBy: string
  askedAt: Date
  /** The number of their events; undefined until they were counted. */
  events: number | undefined
  /** The number of rows removed from quarantine and damaged pieces of the journal so far. */
  rowsOnDisk: number
  /** Bytes of those files in which no row could be read, so that they may still contain data of the person. */
  unsearchedBytes: number | undefined
  /** When all their data was deleted. */
  finishedAt: Date | undefined
}

const mostListed = 100

/** An erasure as a backup stores it. */
export type ErasureToRepeat = Pick<Erasure, 'projectId' | 'numbers' | 'askedAt'>

/**
 * Erases persons again that a restored store has brought back. The front deletes their events at its next start.
 * Returns the number of erasures that the store did not have.
 */
export async function reapplyErasures(
  { store, world }: { store: Store; world: World },
  erasures: readonly ErasureToRepeat[],
): Promise<number> {
  return await store.transaction(async (transaction) => {
    const known = new Set((await everyErasure(transaction)).map(identityOf))
    const unknown = erasures.filter((erasure) => !known.has(identityOf(erasure)))
    for (const { projectId, numbers, askedAt } of unknown) {
      const erasure = {
        id: newId(world),
        projectId,
        numbers,
        askedAt,
        askedBy: 'restore',
        ...unfinishedFields,
      }
      await saveErased(transaction, erasure)
      await addErasure(transaction, erasure)
      await removeFromCohorts(transaction, erasure)
      await forgetPersons(transaction, projectId, numbers)
    }
    if (unknown.length > 0) await transaction.announce('erasures')
    return unknown.length
  }, 'every person')
}

const unfinishedFields = {
  events: undefined,
  rowsOnDisk: 0,
  unsearchedBytes: undefined,
  finishedAt: undefined,
}

const identityOf = ({ projectId, numbers, askedAt }: ErasureToRepeat): string =>
  JSON.stringify([projectId, askedAt.toISOString(), numbers.toSorted()])

/** All erasures of all projects. */
export const everyErasureEver = async (store: Store): Promise<Erasure[]> => await everyErasure(store)

/**
 * Requests erasures. The front carries them out, because only it writes to the engine (see `Eraser`). The person's data
 * in the store is deleted at once, and earlier events are no longer attributed to them.
 */
export class Erasures {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  async list(projectId: number, viewer: Viewer): Promise<Erasure[]> {
    requireRight('persons:write', projectId, viewer)
    return await erasuresOf(this.dependencies.store, projectId, mostListed)
  }

  async ask(projectId: number, personId: string, viewer: Viewer): Promise<Outcome<{ erasure: Erasure }>> {
    const { store, world } = this.dependencies
    const now = world.now()
    requireRight('persons:write', projectId, viewer)
    requireRecentPassword(viewer, now)
    return await store.transaction(async (transaction): Promise<Outcome<{ erasure: Erasure }>> => {
      const { personId: id, numbers } = await findPersonAliases(transaction, projectId, personId)
      // until all events are corrected, some of one person are still stored as the other's
      if ((await splitsAbout(transaction, projectId, numbers)).length > 0) return beingSplit
      const erasure: Erasure = {
        id: newId(world),
        projectId,
        numbers,
        askedBy: viewer.name,
        askedAt: now,
        ...unfinishedFields,
      }
      await saveErased(transaction, erasure)
      await addErasure(transaction, erasure)
      await removeFromCohorts(transaction, erasure)
      await forgetPersons(transaction, projectId, numbers)
      await transaction.announce('erasures')
      await transaction.announce('cohorts')
      await recordAudit(transaction, { action: 'person.erase', subject: id, projectId }, viewer, now)
      return { done: true, erasure }
    }, 'every person')
  }
}

const beingSplit = failedOutcome('The person is being split. Wait until that is done, at most 20 minutes.')
