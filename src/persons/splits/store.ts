import type { PersonsTransaction, TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { PersonSplit } from './splits'

interface Tables {
  personSplits: Pick<PersonSplit, 'projectId' | 'distinctId' | 'askedAt'> & {
    fromPersonId: string
    toPersonId: string
  }
  persons: {
    projectId: number
    id: string
    mergedInto: string | null
    nameId: string | null
    version: number
    mirrored: number
  }
  personOverrides: {
    projectId: number
    fromPersonId: string
    toPersonId: string
    version: number
    mirrored: number
    squashed: number
  }
}

const open = openTables<Tables>()

const splits = (source: TableSource) =>
  open(source)
    .selectFrom('personSplits')
    .select(['projectId', 'distinctId', 'fromPersonId as from', 'toPersonId as to', 'askedAt'])

/** Returns the splits that events do not show completely yet, the oldest first. */
export const everySplit = async (source: TableSource): Promise<PersonSplit[]> =>
  await splits(source).orderBy('askedAt').execute()

/** Returns the unfinished splits from or to one of these persons. */
export async function splitsAbout(
  source: TableSource,
  projectId: number,
  numbers: readonly string[],
): Promise<PersonSplit[]> {
  const ofProject = await splits(source).where('projectId', '=', projectId).execute()
  const wanted = new Set(numbers)
  return ofProject.filter(({ from, to }) => wanted.has(from) || wanted.has(to))
}

export async function saveSplit(
  source: TableSource,
  { projectId, distinctId, from, to, askedAt }: PersonSplit,
): Promise<void> {
  const row = { projectId, distinctId, fromPersonId: from, toPersonId: to, askedAt }
  await open(source)
    .insertInto('personSplits')
    .values(row)
    .onConflict((conflict) => conflict.columns(['projectId', 'distinctId']).doUpdateSet(row))
    .execute()
}

/** Forgets a split that is finished, unless it was asked for again meanwhile. */
export async function forgetSplit(
  source: TableSource,
  { projectId, distinctId, askedAt }: PersonSplit,
): Promise<void> {
  await open(source)
    .deleteFrom('personSplits')
    .where('projectId', '=', projectId)
    .where('distinctId', '=', distinctId)
    .where('askedAt', '=', askedAt)
    .execute()
}

/** Makes a merged person current again, with the properties from before the merge. */
export async function reviveMergedPerson(
  source: PersonsTransaction,
  { projectId, to }: Pick<PersonSplit, 'projectId' | 'to'>,
): Promise<void> {
  await open(source)
    .updateTable('persons')
    .set((row) => ({ mergedInto: null, version: row('version', '+', 1), mirrored: 0 }))
    .where('projectId', '=', projectId)
    .where('id', '=', to)
    .execute()
}

/** Lets the split person have their name back, if the person that they leave had it from them. */
export async function giveNameBack(
  source: PersonsTransaction,
  { projectId, from, to }: Pick<PersonSplit, 'projectId' | 'from' | 'to'>,
): Promise<void> {
  await open(source)
    .updateTable('persons')
    .set((row) => ({ nameId: null, version: row('version', '+', 1), mirrored: 0 }))
    .where('projectId', '=', projectId)
    .where('id', '=', from)
    .where('nameId', '=', to)
    .execute()
}

/**
 * Makes the override of a merged person point to the person itself. The row stays, since its version must go on
 * counting up: the engine may still have the earlier override.
 */
export async function pointOverrideToItself(
  source: PersonsTransaction,
  { projectId, to }: Pick<PersonSplit, 'projectId' | 'to'>,
): Promise<void> {
  await open(source)
    .updateTable('personOverrides')
    .set((row) => ({ toPersonId: to, version: row('version', '+', 1), mirrored: 0, squashed: 0 }))
    .where('projectId', '=', projectId)
    .where('fromPersonId', '=', to)
    .execute()
}
