import type { Store, TableSource } from '#store/store'
import { inBatches } from '#store/rows'
import type { Group } from './groups'
import type { PersonOverride } from './identity-ledger'
import type { Person } from '../person'
import { groups, openPersons, overrides, persons } from '../store'

/** The most rows of a table in a batch: some ten milliseconds of reading. */
const batchSize = 2000

export type VersionedOverride = PersonOverride & { version: number }

export interface MirrorBatch {
  persons: { person: Person; version: number; isGone: boolean }[]
  overrides: VersionedOverride[]
  groups: { group: Group; version: number }[]
}

export async function loadMirrorBatch(source: TableSource): Promise<MirrorBatch> {
  const changedPersons = await persons(source)
    .select(['version', 'mergedInto'])
    .where('mirrored', '=', 0)
    .limit(batchSize)
    .execute()
  const changedGroups = await groups(source)
    .select('version')
    .where('mirrored', '=', 0)
    .limit(batchSize)
    .execute()
  return {
    persons: changedPersons.map(({ version, mergedInto: heir, ...person }) => ({
      person,
      version,
      isGone: heir !== undefined,
    })),
    overrides: await overrides(source).where('mirrored', '=', 0).limit(batchSize).execute(),
    groups: changedGroups.map(({ version, ...group }) => ({ group, version })),
  }
}

/** Whether there may be more. */
export const isFullBatch = ({ persons: changed, overrides: merged, groups: grouped }: MirrorBatch): boolean =>
  [changed, merged, grouped].some(({ length }) => length === batchSize)

/**
 * Marks rows as mirrored if they have not changed since. A row that another transaction is changing is left out, so that
 * neither waits for the other.
 */
export async function markMirrored(
  source: TableSource,
  batch: MirrorBatch,
  form: Store['form'],
): Promise<void> {
  const tables = openPersons(source)
  const people = batch.persons.map(({ person: { projectId, id }, version }) => ({ projectId, version, id }))
  for (const { projectId, version, rows } of sameVersions(people)) {
    const ids = rows.map(({ id }) => id)
    const unchanged = tables
      .selectFrom('persons')
      .select('id')
      .where('projectId', '=', projectId)
      .where('version', '=', version)
      .where('id', 'in', ids)
      .$call((query) => unlockedOn(form, query))
    await tables
      .updateTable('persons')
      .set({ mirrored: 1 })
      .where('projectId', '=', projectId)
      .where('id', 'in', unchanged)
      .execute()
  }
  await markOverrides(source, batch.overrides, { mirrored: 1 }, form)
  for (const { group, version } of batch.groups) {
    const unchanged = tables
      .selectFrom('groups')
      .select('key')
      .where('projectId', '=', group.projectId)
      .where('type', '=', group.type)
      .where('key', '=', group.key)
      .where('version', '=', version)
      .$call((query) => unlockedOn(form, query))
    await tables
      .updateTable('groups')
      .set({ mirrored: 1 })
      .where('projectId', '=', group.projectId)
      .where('type', '=', group.type)
      .where('key', 'in', unchanged)
      .execute()
  }
}

/** Leaves out rows that another transaction is changing. A file has one writer. */
function unlockedOn<Query extends { forUpdate(): Query; skipLocked(): Query }>(
  form: Store['form'],
  query: Query,
): Query {
  return form === 'postgres' ? query.forUpdate().skipLocked() : query
}

/** Rows of one project that have changed equally often, as many as one statement marks. */
function* sameVersions<Row extends { projectId: number; version: number }>(rows: readonly Row[]) {
  const alike = Map.groupBy(rows, ({ projectId, version }) => `${projectId} ${version}`)
  for (const portion of [...alike.values()].flatMap((each) => [...inBatches(each)])) {
    const [first] = portion
    if (first) yield { projectId: first.projectId, version: first.version, rows: portion }
  }
}

/** Overrides that the engine has and the events do not contain yet, always in the same order. */
export const unsquashedOverrides = async (source: TableSource, most: number): Promise<VersionedOverride[]> =>
  await overrides(source)
    .where('squashed', '=', 0)
    .where('mirrored', '=', 1)
    .orderBy('projectId')
    .orderBy('fromPersonId')
    .limit(most)
    .execute()

/** Marks overrides as squashed if they have not changed since. */
export async function markSquashed(
  source: TableSource,
  squashed: readonly VersionedOverride[],
  form: Store['form'],
): Promise<void> {
  await markOverrides(source, squashed, { squashed: 1 }, form)
}

async function markOverrides(
  source: TableSource,
  marked: readonly VersionedOverride[],
  mark: { mirrored: 1 } | { squashed: 1 },
  form: Store['form'],
): Promise<void> {
  const tables = openPersons(source)
  for (const { projectId, version, rows } of sameVersions(marked)) {
    const ids = rows.map(({ from }) => from)
    const unchanged = tables
      .selectFrom('personOverrides')
      .select('fromPersonId')
      .where('projectId', '=', projectId)
      .where('version', '=', version)
      .where('fromPersonId', 'in', ids)
      .$call((query) => unlockedOn(form, query))
    await tables
      .updateTable('personOverrides')
      .set(mark)
      .where('projectId', '=', projectId)
      .where('fromPersonId', 'in', unchanged)
      .execute()
  }
}
