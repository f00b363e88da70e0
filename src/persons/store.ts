import { type Generated, sql } from 'kysely'
import { inBatches } from '#store/rows'
import type { PersonsTransaction, TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { Group } from './internal/groups'
import type { DistinctIdClaim, PersonOverride } from './internal/identity-ledger'
import type { Person } from './person'

/** The engine's copy of a row: the version counts its changes. */
interface MirroredRow {
  version: number
  mirrored: number
}

interface Tables {
  persons: RowsOf<Person & MirroredRow & { mergedInto: string | undefined }>
  distinctIds: DistinctIdClaim
  personOverrides: MirroredRow & {
    projectId: number
    fromPersonId: string
    toPersonId: string
    /** Whether the events contain the override too. */
    squashed: Generated<number>
  }
  groups: Group & MirroredRow
  personSplits: { projectId: number; toPersonId: string }
  journalProgress: { journal: string; sequence: number }
}

export const openPersons = openTables<Tables>({ json: ['properties', 'imported'] })

const personColumns = [
  'projectId',
  'id',
  'properties',
  'isIdentified',
  'createdAt',
  'nameId',
  'imported',
] as const
const groupColumns = ['projectId', 'type', 'key', 'properties', 'createdAt'] as const
const personsAtOnce = 5000
const unmirrored = { version: 1, mirrored: 0 }

export const persons = (source: TableSource) =>
  openPersons(source).selectFrom('persons').select(personColumns)
const claims = (source: TableSource) => openPersons(source).selectFrom('distinctIds').selectAll()
export const groups = (source: TableSource) => openPersons(source).selectFrom('groups').select(groupColumns)
export const overrides = (source: TableSource) =>
  openPersons(source)
    .selectFrom('personOverrides')
    .select(['projectId', 'fromPersonId as from', 'toPersonId as to', 'version'])

/** Returns some of the persons with properties that an import has set. */
export const personsSetByImport = async (
  source: TableSource,
  projectId: number,
  importId: string,
): Promise<Person[]> =>
  await persons(source)
    .where('projectId', '=', projectId)
    .where('mergedInto', 'is', null)
    .where(sql`imported`, 'like', `%"${importId}"%`)
    .limit(personsAtOnce)
    .execute()

export async function distinctIdClaims(
  source: TableSource,
  projectId: number,
  distinctIds: readonly string[],
): Promise<DistinctIdClaim[]> {
  const found: DistinctIdClaim[] = []
  for (const portion of inBatches(distinctIds))
    found.push(
      ...(await claims(source)
        .where('projectId', '=', projectId)
        .where('distinctId', 'in', portion)
        .execute()),
    )
  return found
}

const claimsAtOnce = 20_000

/** Returns the distinct ids that persons of a project have claimed, in portions. */
export async function* distinctIdsInOrder(
  source: TableSource,
  projectId: number,
): AsyncGenerator<DistinctIdClaim[]> {
  for (let after = ''; ;) {
    const portion = await claims(source)
      .where('projectId', '=', projectId)
      .where('distinctId', '>', after)
      .orderBy('distinctId')
      .limit(claimsAtOnce)
      .execute()
    const last = portion.at(-1)
    if (!last) return
    yield portion
    after = last.distinctId
  }
}

export async function distinctIdsOf(
  source: TableSource,
  projectId: number,
  personId: string,
): Promise<string[]> {
  const rows = await openPersons(source)
    .selectFrom('distinctIds')
    .select('distinctId')
    .where('projectId', '=', projectId)
    .where('personId', '=', personId)
    .execute()
  return rows.map((row) => row.distinctId)
}

export async function personsOf(
  source: TableSource,
  projectId: number,
  ids: readonly string[],
): Promise<Person[]> {
  const found: Person[] = []
  for (const portion of inBatches(ids))
    found.push(
      ...(await persons(source)
        .where('projectId', '=', projectId)
        .where('id', 'in', portion)
        .where('mergedInto', 'is', null)
        .execute()),
    )
  return found
}

export async function saveClaims(
  source: PersonsTransaction,
  changed: readonly DistinctIdClaim[],
): Promise<void> {
  for (const portion of inBatches(changed)) {
    await openPersons(source)
      .insertInto('distinctIds')
      .values(portion)
      .onConflict((conflict) =>
        conflict
          .columns(['projectId', 'distinctId'])
          .doUpdateSet((row) => ({ personId: row.ref('excluded.personId') })),
      )
      .execute()
  }
}

export async function savePersons(source: PersonsTransaction, changed: readonly Person[]): Promise<void> {
  for (const portion of inBatches(changed)) {
    await openPersons(source)
      .insertInto('persons')
      .values(
        portion.map((person) => ({
          ...rowOf(personColumns, person),
          ...unmirrored,
          imported: hasNames(person.imported) ? person.imported : null,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['projectId', 'id']).doUpdateSet((row) => ({
          properties: row.ref('excluded.properties'),
          isIdentified: row.ref('excluded.isIdentified'),
          createdAt: row.ref('excluded.createdAt'),
          nameId: row.ref('excluded.nameId'),
          imported: row.ref('excluded.imported'),
          version: row('persons.version', '+', 1),
          mirrored: 0,
        })),
      )
      .execute()
  }
}

const hasNames = (imported: Person['imported']): imported is Record<string, string> =>
  imported !== undefined && Object.keys(imported).length > 0

export async function saveOverrides(
  source: PersonsTransaction,
  changed: readonly PersonOverride[],
): Promise<void> {
  for (const portion of inBatches(changed)) {
    await openPersons(source)
      .insertInto('personOverrides')
      .values(
        portion.map(({ projectId, from, to }) => ({
          projectId,
          fromPersonId: from,
          toPersonId: to,
          ...unmirrored,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['projectId', 'fromPersonId']).doUpdateSet((row) => ({
          toPersonId: row.ref('excluded.toPersonId'),
          version: row('personOverrides.version', '+', 1),
          mirrored: 0,
          squashed: 0,
        })),
      )
      .execute()
    await markMerged(source, portion)
  }
}

/** The row stays, so that an old link to the person leads to the current one. */
async function markMerged(source: PersonsTransaction, merged: readonly PersonOverride[]): Promise<void> {
  for (const { projectId, from, to } of merged) {
    await openPersons(source)
      .updateTable('persons')
      .set((row) => ({ mergedInto: to, version: row('version', '+', 1), mirrored: 0 }))
      .where('projectId', '=', projectId)
      .where('id', '=', from)
      .execute()
  }
}

export async function groupsOf(
  source: TableSource,
  projectId: number,
  keys: readonly string[],
): Promise<Group[]> {
  const found: Group[] = []
  for (const portion of inBatches(keys))
    found.push(
      ...(await groups(source).where('projectId', '=', projectId).where('key', 'in', portion).execute()),
    )
  return found
}

export async function saveGroups(source: PersonsTransaction, changed: readonly Group[]): Promise<void> {
  for (const portion of inBatches(changed)) {
    await openPersons(source)
      .insertInto('groups')
      .values(portion.map((group) => ({ ...rowOf(groupColumns, group), ...unmirrored })))
      .onConflict((conflict) =>
        conflict.columns(['projectId', 'type', 'key']).doUpdateSet((row) => ({
          properties: row.ref('excluded.properties'),
          createdAt: row.ref('excluded.createdAt'),
          version: row('groups.version', '+', 1),
          mirrored: 0,
        })),
      )
      .execute()
  }
}

export async function journalProgress(source: TableSource, journal: string): Promise<number> {
  const row = await openPersons(source)
    .selectFrom('journalProgress')
    .select('sequence')
    .where('journal', '=', journal)
    .executeTakeFirst()
  return row?.sequence ?? 0
}

export async function saveJournalProgress(
  source: TableSource,
  journal: string,
  sequence: number,
): Promise<void> {
  await openPersons(source)
    .insertInto('journalProgress')
    .values({ journal, sequence })
    .onConflict((conflict) => conflict.column('journal').doUpdateSet({ sequence }))
    .execute()
}

/** A row of this name beside the progress of a journal says that its front may hold events that are not stored. */
const openJournalName = (journal: string): string => `front ${journal}`

export async function noteOpenJournal(source: TableSource, journal: string): Promise<void> {
  await openPersons(source)
    .insertInto('journalProgress')
    .values({ journal: openJournalName(journal), sequence: 0 })
    .onConflict((conflict) => conflict.column('journal').doNothing())
    .execute()
}

export async function forgetOpenJournal(source: TableSource, journal: string): Promise<void> {
  await openPersons(source)
    .deleteFrom('journalProgress')
    .where('journal', '=', openJournalName(journal))
    .execute()
}

/** Returns the journals of fronts that run, or have stopped before all their events were stored. */
export async function openJournals(source: TableSource): Promise<string[]> {
  const rows = await openPersons(source)
    .selectFrom('journalProgress')
    .select('journal')
    .where('journal', 'like', openJournalName('%'))
    .orderBy('journal')
    .execute()
  return rows.map(({ journal }) => journal.slice(openJournalName('').length))
}

export async function mergedInto(
  source: TableSource,
  projectId: number,
  personId: string,
): Promise<string | undefined> {
  const row = await openPersons(source)
    .selectFrom('personOverrides')
    .select('toPersonId')
    .where('projectId', '=', projectId)
    .where('fromPersonId', '=', personId)
    .executeTakeFirst()
  return row?.toPersonId
}

/** Returns the current person of each of these ids that was merged. */
export async function mergedPersons(
  source: TableSource,
  projectId: number,
  personIds: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const portion of inBatches(personIds)) {
    const ofProject = overrides(source).where('projectId', '=', projectId)
    const rows = await ofProject.where('fromPersonId', 'in', portion).execute()
    for (const { from, to } of rows) found.set(from, to)
  }
  return found
}

export async function idsMergedInto(
  source: TableSource,
  projectId: number,
  personId: string,
): Promise<string[]> {
  const rows = await openPersons(source)
    .selectFrom('personOverrides')
    .select('fromPersonId')
    .where('projectId', '=', projectId)
    .where('toPersonId', '=', personId)
    .execute()
  return rows.map((row) => row.fromPersonId)
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
    const ofProject = claims(source).where('projectId', '=', projectId)
    distinctIds.push(...(await ofProject.where('personId', 'in', portion).execute()))
    const intoThem = overrides(source).where('projectId', '=', projectId)
    merged.push(...(await intoThem.where('toPersonId', 'in', portion).execute()))
  }
  return { distinctIds, merged }
}

/** Deletes everything stored about persons with these ids, including that they were merged. */
export async function forgetPersons(
  source: PersonsTransaction,
  projectId: number,
  numbers: readonly string[],
): Promise<void> {
  const tables = openPersons(source)
  for (const portion of inBatches(numbers)) {
    await tables.deleteFrom('persons').where('projectId', '=', projectId).where('id', 'in', portion).execute()
    await tables
      .deleteFrom('distinctIds')
      .where('projectId', '=', projectId)
      .where('personId', 'in', portion)
      .execute()
    await tables
      .deleteFrom('personSplits')
      .where('projectId', '=', projectId)
      .where('toPersonId', 'in', portion)
      .execute()
    await tables
      .deleteFrom('personOverrides')
      .where('projectId', '=', projectId)
      .where((row) => row.or([row('toPersonId', 'in', portion), row('fromPersonId', 'in', portion)]))
      .execute()
  }
}
