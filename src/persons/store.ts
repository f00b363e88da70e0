import type { ColumnType, Selectable } from 'kysely'
import type { Properties } from '#events/event'
import { inBatches } from '#store/rows'
import type { Store } from '#store/store'
import type { Group } from './groups'
import type { DistinctIdClaim, PersonOverride } from './identity-ledger'
import type { Person } from './person'

interface Tables {
  persons: {
    project_id: number
    id: string
    properties: string
    is_identified: number
    created_at: string
    version: number
    merged_into: string | null
    mirrored: number
    /** JSON; null if no import has set anything. */
    imported: string | null
  }
  distinct_ids: { project_id: number; distinct_id: string; person_id: string }
  person_overrides: {
    project_id: number
    from_person_id: string
    to_person_id: string
    version: number
    mirrored: number
    /** Whether the events contain the override too. */
    squashed: ColumnType<number, number | undefined, number>
  }
  groups: {
    project_id: number
    type: string
    key: string
    properties: string
    created_at: string
    version: number
    mirrored: number
  }
  person_splits: { project_id: number; to_person_id: string }
  /** Postgres returns a bigint as text. */
  journal_progress: { journal: string; sequence: ColumnType<number | string, number, number> }
}

type TableSource = Pick<Store, 'tables'>

const open = (source: TableSource) => source.tables<Tables>()

const toPerson = (row: Selectable<Tables['persons']>): Person => ({
  projectId: row.project_id,
  id: row.id,
  properties: JSON.parse(row.properties) as Properties, // only `savePersons` writes it
  isIdentified: row.is_identified === 1,
  createdAt: new Date(row.created_at),
  // only `savePersons` writes it
  ...(row.imported !== null && { imported: JSON.parse(row.imported) as Record<string, string> }),
})

/** Returns some of the persons with properties that an import has set. */
export async function personsSetByImport(
  source: TableSource,
  projectId: number,
  importId: string,
): Promise<Person[]> {
  const rows = await open(source)
    .selectFrom('persons')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('merged_into', 'is', null)
    .where('imported', 'like', `%"${importId}"%`)
    .limit(mirrorBatchSize)
    .execute()
  return rows.map(toPerson)
}

export async function distinctIdClaims(
  source: TableSource,
  projectId: number,
  distinctIds: readonly string[],
): Promise<DistinctIdClaim[]> {
  const claims: DistinctIdClaim[] = []
  for (const portion of inBatches(distinctIds)) {
    const rows = await open(source)
      .selectFrom('distinct_ids')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('distinct_id', 'in', portion)
      .execute()
    claims.push(...rows.map((row) => ({ projectId, distinctId: row.distinct_id, personId: row.person_id })))
  }
  return claims
}

export async function distinctIdsOf(
  source: TableSource,
  projectId: number,
  personId: string,
): Promise<string[]> {
  const rows = await open(source)
    .selectFrom('distinct_ids')
    .select('distinct_id')
    .where('project_id', '=', projectId)
    .where('person_id', '=', personId)
    .execute()
  return rows.map((row) => row.distinct_id)
}

export async function personsOf(
  source: TableSource,
  projectId: number,
  ids: readonly string[],
): Promise<Person[]> {
  const persons: Person[] = []
  for (const portion of inBatches(ids)) {
    const rows = await open(source)
      .selectFrom('persons')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('id', 'in', portion)
      .where('merged_into', 'is', null)
      .execute()
    persons.push(...rows.map(toPerson))
  }
  return persons
}

export async function saveClaims(source: TableSource, claims: readonly DistinctIdClaim[]): Promise<void> {
  for (const portion of inBatches(claims)) {
    await open(source)
      .insertInto('distinct_ids')
      .values(
        portion.map(({ projectId, distinctId, personId }) => ({
          project_id: projectId,
          distinct_id: distinctId,
          person_id: personId,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'distinct_id'])
          .doUpdateSet((row) => ({ person_id: row.ref('excluded.person_id') })),
      )
      .execute()
  }
}

export async function savePersons(source: TableSource, persons: readonly Person[]): Promise<void> {
  for (const portion of inBatches(persons)) {
    await open(source)
      .insertInto('persons')
      .values(
        portion.map((person) => ({
          project_id: person.projectId,
          id: person.id,
          properties: JSON.stringify(person.properties),
          is_identified: person.isIdentified ? 1 : 0,
          created_at: person.createdAt.toISOString(),
          version: 1,
          merged_into: null,
          mirrored: 0,
          imported: hasNames(person.imported) ? JSON.stringify(person.imported) : null,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'id']).doUpdateSet((row) => ({
          properties: row.ref('excluded.properties'),
          is_identified: row.ref('excluded.is_identified'),
          created_at: row.ref('excluded.created_at'),
          imported: row.ref('excluded.imported'),
          version: row('persons.version', '+', 1),
          mirrored: 0,
        })),
      )
      .execute()
  }
}

const hasNames = (imported: Person['imported'] = {}): boolean => Object.keys(imported).length > 0

export async function saveOverrides(
  source: TableSource,
  overrides: readonly PersonOverride[],
): Promise<void> {
  for (const portion of inBatches(overrides)) {
    await open(source)
      .insertInto('person_overrides')
      .values(
        portion.map(({ projectId, from, to }) => ({
          project_id: projectId,
          from_person_id: from,
          to_person_id: to,
          version: 1,
          mirrored: 0,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'from_person_id']).doUpdateSet((row) => ({
          to_person_id: row.ref('excluded.to_person_id'),
          version: row('person_overrides.version', '+', 1),
          mirrored: 0,
          squashed: 0,
        })),
      )
      .execute()
    await markMerged(source, portion)
  }
}

/** The row stays, so that an old link to the person leads to the current one. */
async function markMerged(source: TableSource, overrides: readonly PersonOverride[]): Promise<void> {
  for (const { projectId, from, to } of overrides) {
    await open(source)
      .updateTable('persons')
      .set((row) => ({ merged_into: to, version: row('version', '+', 1), mirrored: 0 }))
      .where('project_id', '=', projectId)
      .where('id', '=', from)
      .execute()
  }
}

export async function groupsOf(
  source: TableSource,
  projectId: number,
  keys: readonly string[],
): Promise<Group[]> {
  const groups: Group[] = []
  for (const portion of inBatches(keys)) {
    const rows = await open(source)
      .selectFrom('groups')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('key', 'in', portion)
      .execute()
    groups.push(...rows.map(toGroup))
  }
  return groups
}

const toGroup = (row: Selectable<Tables['groups']>): Group => ({
  projectId: row.project_id,
  type: row.type,
  key: row.key,
  properties: JSON.parse(row.properties) as Properties, // only `saveGroups` writes it
  createdAt: new Date(row.created_at),
})

export async function saveGroups(source: TableSource, groups: readonly Group[]): Promise<void> {
  for (const portion of inBatches(groups)) {
    await open(source)
      .insertInto('groups')
      .values(
        portion.map((group) => ({
          project_id: group.projectId,
          type: group.type,
          key: group.key,
          properties: JSON.stringify(group.properties),
          created_at: group.createdAt.toISOString(),
          version: 1,
          mirrored: 0,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'type', 'key']).doUpdateSet((row) => ({
          properties: row.ref('excluded.properties'),
          created_at: row.ref('excluded.created_at'),
          version: row('groups.version', '+', 1),
          mirrored: 0,
        })),
      )
      .execute()
  }
}

export async function journalProgress(source: TableSource, journal: string): Promise<number> {
  const row = await open(source)
    .selectFrom('journal_progress')
    .select('sequence')
    .where('journal', '=', journal)
    .executeTakeFirst()
  return Number(row?.sequence ?? 0)
}

export async function saveJournalProgress(
  source: TableSource,
  journal: string,
  sequence: number,
): Promise<void> {
  await open(source)
    .insertInto('journal_progress')
    .values({ journal, sequence })
    .onConflict((conflict) => conflict.column('journal').doUpdateSet({ sequence }))
    .execute()
}

export type VersionedOverride = PersonOverride & { version: number }

export interface MirrorBatch {
  persons: { person: Person; version: number; isGone: boolean }[]
  overrides: VersionedOverride[]
  groups: { group: Group; version: number }[]
}

const mirrorBatchSize = 5000

export async function loadMirrorBatch(source: TableSource): Promise<MirrorBatch> {
  const tables = open(source)
  const persons = await tables
    .selectFrom('persons')
    .selectAll()
    .where('mirrored', '=', 0)
    .limit(mirrorBatchSize)
    .execute()
  const overrides = await tables
    .selectFrom('person_overrides')
    .selectAll()
    .where('mirrored', '=', 0)
    .limit(mirrorBatchSize)
    .execute()
  const groups = await tables
    .selectFrom('groups')
    .selectAll()
    .where('mirrored', '=', 0)
    .limit(mirrorBatchSize)
    .execute()
  return {
    persons: persons.map((row) => ({
      person: toPerson(row),
      version: row.version,
      isGone: row.merged_into !== null,
    })),
    overrides: overrides.map(toVersionedOverride),
    groups: groups.map((row) => ({ group: toGroup(row), version: row.version })),
  }
}

const toVersionedOverride = (row: Selectable<Tables['person_overrides']>): VersionedOverride => ({
  projectId: row.project_id,
  from: row.from_person_id,
  to: row.to_person_id,
  version: row.version,
})

/** Marks rows as mirrored if they have not changed since. */
export async function markMirrored(
  source: TableSource,
  { persons, overrides, groups }: MirrorBatch,
): Promise<void> {
  const tables = open(source)
  for (const { person, version } of persons) {
    await tables
      .updateTable('persons')
      .set({ mirrored: 1 })
      .where('project_id', '=', person.projectId)
      .where('id', '=', person.id)
      .where('version', '=', version)
      .execute()
  }
  for (const { projectId, from, version } of overrides) {
    await tables
      .updateTable('person_overrides')
      .set({ mirrored: 1 })
      .where('project_id', '=', projectId)
      .where('from_person_id', '=', from)
      .where('version', '=', version)
      .execute()
  }
  for (const { group, version } of groups) {
    await tables
      .updateTable('groups')
      .set({ mirrored: 1 })
      .where('project_id', '=', group.projectId)
      .where('type', '=', group.type)
      .where('key', '=', group.key)
      .where('version', '=', version)
      .execute()
  }
}

/** Overrides that the engine has and the events do not contain yet, always in the same order. */
export async function unsquashedOverrides(source: TableSource, most: number): Promise<VersionedOverride[]> {
  const rows = await open(source)
    .selectFrom('person_overrides')
    .selectAll()
    .where('squashed', '=', 0)
    .where('mirrored', '=', 1)
    .orderBy('project_id')
    .orderBy('from_person_id')
    .limit(most)
    .execute()
  return rows.map(toVersionedOverride)
}

/** Marks overrides as squashed if they have not changed since. */
export async function markSquashed(
  source: TableSource,
  overrides: readonly VersionedOverride[],
): Promise<void> {
  for (const { projectId, from, version } of overrides) {
    await open(source)
      .updateTable('person_overrides')
      .set({ squashed: 1 })
      .where('project_id', '=', projectId)
      .where('from_person_id', '=', from)
      .where('version', '=', version)
      .execute()
  }
}

export async function mergedInto(
  source: TableSource,
  projectId: number,
  personId: string,
): Promise<string | undefined> {
  const row = await open(source)
    .selectFrom('person_overrides')
    .select('to_person_id')
    .where('project_id', '=', projectId)
    .where('from_person_id', '=', personId)
    .executeTakeFirst()
  return row?.to_person_id
}

export async function idsMergedInto(
  source: TableSource,
  projectId: number,
  personId: string,
): Promise<string[]> {
  const rows = await open(source)
    .selectFrom('person_overrides')
    .select('from_person_id')
    .where('project_id', '=', projectId)
    .where('to_person_id', '=', personId)
    .execute()
  return rows.map((row) => row.from_person_id)
}

/** Every id that stands for one of these persons: claimed distinct ids, and ids of persons merged into them. */
export async function idsBehindPersons(
  source: TableSource,
  projectId: number,
  personIds: readonly string[],
): Promise<{ distinctIds: DistinctIdClaim[]; merged: PersonOverride[] }> {
  const distinctIds: DistinctIdClaim[] = []
  const merged: PersonOverride[] = []
  for (const portion of inBatches(personIds)) {
    const claims = await open(source)
      .selectFrom('distinct_ids')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('person_id', 'in', portion)
      .execute()
    distinctIds.push(
      ...claims.map((row) => ({ projectId, distinctId: row.distinct_id, personId: row.person_id })),
    )
    const overrides = await open(source)
      .selectFrom('person_overrides')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('to_person_id', 'in', portion)
      .execute()
    merged.push(...overrides.map(toVersionedOverride))
  }
  return { distinctIds, merged }
}

/** Deletes everything stored about persons with these ids, including that they were merged. */
export async function forgetPersons(
  source: TableSource,
  projectId: number,
  numbers: readonly string[],
): Promise<void> {
  const tables = open(source)
  for (const portion of inBatches(numbers)) {
    await tables
      .deleteFrom('persons')
      .where('project_id', '=', projectId)
      .where('id', 'in', portion)
      .execute()
    await tables
      .deleteFrom('distinct_ids')
      .where('project_id', '=', projectId)
      .where('person_id', 'in', portion)
      .execute()
    await tables
      .deleteFrom('person_splits')
      .where('project_id', '=', projectId)
      .where('to_person_id', 'in', portion)
      .execute()
    await tables
      .deleteFrom('person_overrides')
      .where('project_id', '=', projectId)
      .where((row) => row.or([row('to_person_id', 'in', portion), row('from_person_id', 'in', portion)]))
      .execute()
  }
}
