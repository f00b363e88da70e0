import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { PersonSplit } from './splits'

interface Tables {
  person_splits: {
    project_id: number
    distinct_id: string
    from_person_id: string
    to_person_id: string
    asked_at: string
  }
  persons: { project_id: number; id: string; merged_into: string | null; version: number; mirrored: number }
  person_overrides: {
    project_id: number
    from_person_id: string
    to_person_id: string
    version: number
    mirrored: number
    squashed: number
  }
}

type TableSource = Pick<Store, 'tables'>

const open = (source: TableSource) => source.tables<Tables>()

const toSplit = (row: Selectable<Tables['person_splits']>): PersonSplit => ({
  projectId: row.project_id,
  distinctId: row.distinct_id,
  from: row.from_person_id,
  to: row.to_person_id,
  askedAt: new Date(row.asked_at),
})

/** Returns the splits that events do not show completely yet, the oldest first. */
export async function everySplit(source: TableSource): Promise<PersonSplit[]> {
  const rows = await open(source).selectFrom('person_splits').selectAll().orderBy('asked_at').execute()
  return rows.map(toSplit)
}

/** Returns the unfinished splits from or to one of these persons. */
export async function splitsAbout(
  source: TableSource,
  projectId: number,
  numbers: readonly string[],
): Promise<PersonSplit[]> {
  const rows = await open(source)
    .selectFrom('person_splits')
    .selectAll()
    .where('project_id', '=', projectId)
    .execute()
  const wanted = new Set(numbers)
  return rows.map(toSplit).filter(({ from, to }) => wanted.has(from) || wanted.has(to))
}

export async function saveSplit(
  source: TableSource,
  { projectId, distinctId, from, to, askedAt }: PersonSplit,
): Promise<void> {
  const columns = { from_person_id: from, to_person_id: to, asked_at: askedAt.toISOString() }
  await open(source)
    .insertInto('person_splits')
    .values({ project_id: projectId, distinct_id: distinctId, ...columns })
    .onConflict((conflict) => conflict.columns(['project_id', 'distinct_id']).doUpdateSet(columns))
    .execute()
}

/** Forgets a split that is finished, unless it was asked for again meanwhile. */
export async function forgetSplit(
  source: TableSource,
  { projectId, distinctId, askedAt }: PersonSplit,
): Promise<void> {
  await open(source)
    .deleteFrom('person_splits')
    .where('project_id', '=', projectId)
    .where('distinct_id', '=', distinctId)
    .where('asked_at', '=', askedAt.toISOString())
    .execute()
}

/** Makes a merged person current again, with the properties from before the merge. */
export async function reviveMergedPerson(
  source: TableSource,
  { projectId, to }: Pick<PersonSplit, 'projectId' | 'to'>,
): Promise<void> {
  await open(source)
    .updateTable('persons')
    .set((row) => ({ merged_into: null, version: row('version', '+', 1), mirrored: 0 }))
    .where('project_id', '=', projectId)
    .where('id', '=', to)
    .execute()
}

/**
 * Makes the override of a merged person point to the person itself. The row stays, since its version must go on
 * counting up: the engine may still have the earlier override.
 */
export async function pointOverrideToItself(
  source: TableSource,
  { projectId, to }: Pick<PersonSplit, 'projectId' | 'to'>,
): Promise<void> {
  await open(source)
    .updateTable('person_overrides')
    .set((row) => ({ to_person_id: to, version: row('version', '+', 1), mirrored: 0, squashed: 0 }))
    .where('project_id', '=', projectId)
    .where('from_person_id', '=', to)
    .execute()
}
