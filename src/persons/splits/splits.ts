import { z } from 'zod'
import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { personIdOf } from '../person'
import { findPersonAliases } from '../person-aliases'
import { distinctIdClaims, saveClaims } from '../store'
import { giveNameBack, pointOverrideToItself, reviveMergedPerson, saveSplit, splitsAbout } from './store'

/** A distinct id that becomes a person of its own again. */
export interface PersonSplit {
  projectId: number
  distinctId: string
  /** The person that it was merged into. */
  from: string
  /** The new person of the id. */
  to: string
  askedAt: Date
}

const splitInput = z.strictObject({
  distinctId: z
    .string({ error: 'Name the distinct id to split off.' })
    .min(1, 'Name the distinct id to split off.')
    .max(400),
})

/**
 * Undoes merges, one distinct id at a time. New events belong to the id's own person at once; the front corrects the
 * past ones (see `SplitApplier`).
 */
export class PersonSplits {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  /** Returns the distinct ids that can be split off a person, and those whose events are being corrected. */
  async of(
    projectId: number,
    personId: string,
    viewer: Viewer,
  ): Promise<{ separable: string[]; pending: PersonSplit[] }> {
    requireRight('events:read', projectId, viewer)
    if (!z.uuid().safeParse(personId).success) return { separable: [], pending: [] }
    const { store } = this.dependencies
    const known = await findPersonAliases(store, projectId, personId)
    return {
      separable: known.distinctIds.filter((id) => personIdOf(projectId, id) !== known.personId).toSorted(),
      pending: await splitsAbout(store, projectId, [known.personId]),
    }
  }

  async ask(
    projectId: number,
    personId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ split: PersonSplit }>> {
    requireRight('persons:write', projectId, viewer)
    const parsed = parseInput(splitInput, input)
    if (!parsed.done) return parsed
    const { distinctId } = parsed.value
    const { store, world } = this.dependencies
    const now = world.now()
    return await store.transaction(async (transaction): Promise<Outcome<{ split: PersonSplit }>> => {
      const { personId: from } = await findPersonAliases(transaction, projectId, personId)
      const [claim] = await distinctIdClaims(transaction, projectId, [distinctId])
      const to = personIdOf(projectId, distinctId)
      if (claim?.personId !== from) return notMerged
      if (to === from) return ownId
      const split: PersonSplit = { projectId, distinctId, from, to, askedAt: now }
      await saveClaims(transaction, [{ projectId, distinctId, personId: to }])
      await reviveMergedPerson(transaction, split)
      await giveNameBack(transaction, split)
      await pointOverrideToItself(transaction, split)
      await saveSplit(transaction, split)
      await transaction.announce('person splits')
      await recordAudit(transaction, { action: 'person.split', subject: from, projectId }, viewer, now)
      return { done: true, split }
    }, 'every person')
  }
}

const notMerged = failedOutcome('The distinct id was not merged into this person.', 'distinctId')
const ownId = failedOutcome(
  'This is the id that the person began with. Split the other ids off instead.',
  'distinctId',
)
