import type { Selectable } from 'kysely'
import { inBatches } from '#store/rows'
import type { Store } from '#store/store'
import type { Erasure } from './erasures'

interface Tables {
  erasures: {
    id: string
    project_id: number
    person_ids: string
    asked_by: string
    asked_at: string
    events: number | null
    rows_on_disk: number | null
    unsearched_bytes: number | string | null // Postgres returns a bigint as text
    finished_at: string | null
  }
  erased_persons: { project_id: number; person_id: string; erased_at: string | null }
  cohort_members: { project_id: number; cohort_id: string; person_id: string }
}

type TableSource = Pick<Store, 'tables'>

const open = (source: TableSource) => source.tables<Tables>()

const toErasure = (row: Selectable<Tables['erasures']>): Erasure => ({
  id: row.id,
  projectId: row.project_id,
  numbers: JSON.parse(row.person_ids) as string[], // only `addErasure` writes it
  askedBy: row.asked_by,
  askedAt: new Date(row.asked_at),
  events: row.events ?? undefined,
  rowsOnDisk: row.rows_on_disk ?? 0,
  unsearchedBytes: row.unsearched_bytes === null ? undefined : Number(row.unsearched_bytes),
  finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
})

export async function addErasure(source: TableSource, erasure: Erasure): Promise<void> {
  await open(source)
    .insertInto('erasures')
    .values({
      id: erasure.id,
      project_id: erasure.projectId,
      person_ids: JSON.stringify(erasure.numbers),
      asked_by: erasure.askedBy,
      asked_at: erasure.askedAt.toISOString(),
      events: null,
      rows_on_disk: null,
      unsearched_bytes: null,
      finished_at: null,
    })
    .execute()
}

/** Returns erasures, the latest first. */
export async function erasuresOf(source: TableSource, projectId: number, most: number): Promise<Erasure[]> {
  const rows = await open(source)
    .selectFrom('erasures')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('asked_at', 'desc')
    .limit(most)
    .execute()
  return rows.map(toErasure)
}

export async function everyErasure(source: TableSource): Promise<Erasure[]> {
  const rows = await open(source).selectFrom('erasures').selectAll().orderBy('asked_at').execute()
  return rows.map(toErasure)
}

export async function unfinishedErasures(source: TableSource): Promise<Erasure[]> {
  const rows = await open(source)
    .selectFrom('erasures')
    .selectAll()
    .where('finished_at', 'is', null)
    .orderBy('asked_at')
    .execute()
  return rows.map(toErasure)
}

/** Saves the number of events, which is counted once, before any of them is deleted. */
export async function saveEventCount(source: TableSource, { id }: Erasure, events: number): Promise<void> {
  await open(source)
    .updateTable('erasures')
    .set({ events })
    .where('id', '=', id)
    .where('events', 'is', null)
    .execute()
}

/** Adds to the rows that other fronts and earlier runs removed from their files. */
export async function addRowsOnDisk(
  source: TableSource,
  { id }: Pick<Erasure, 'id'>,
  rows: number,
): Promise<void> {
  await open(source)
    .updateTable('erasures')
    .set(({ eb, fn }) => ({
      rows_on_disk: eb(fn.coalesce('rows_on_disk', eb.val(0)), '+', rows),
    }))
    .where('id', '=', id)
    .execute()
}

export async function saveUnsearchedBytes(
  source: TableSource,
  { id }: Erasure,
  bytes: number,
): Promise<void> {
  await open(source).updateTable('erasures').set({ unsearched_bytes: bytes }).where('id', '=', id).execute()
}

export async function markFinished(source: TableSource, { id }: Erasure, at: Date): Promise<void> {
  await open(source)
    .updateTable('erasures')
    .set({ finished_at: at.toISOString() })
    .where('id', '=', id)
    .execute()
}

/** Saves that a part is erased; without an instant it is still to be done. */
export async function saveErased(
  source: TableSource,
  { projectId, numbers }: Erasure,
  at?: Date,
): Promise<void> {
  const erased_at = at?.toISOString() ?? null
  for (const portion of inBatches(numbers)) {
    await open(source)
      .insertInto('erased_persons')
      .values(portion.map((person_id) => ({ project_id: projectId, person_id, erased_at })))
      .onConflict((conflict) => conflict.columns(['project_id', 'person_id']).doUpdateSet({ erased_at }))
      .execute()
  }
}

interface ErasedPerson {
  projectId: number
  number: string
  /** Undefined while it is in progress. */
  at: Date | undefined
}

export async function erasedPersons(source: TableSource): Promise<ErasedPerson[]> {
  const rows = await open(source).selectFrom('erased_persons').selectAll().execute()
  return rows.map((row) => ({
    projectId: row.project_id,
    number: row.person_id,
    at: row.erased_at === null ? undefined : new Date(row.erased_at),
  }))
}

export async function removeFromCohorts(source: TableSource, { projectId, numbers }: Erasure): Promise<void> {
  for (const portion of inBatches(numbers)) {
    await open(source)
      .deleteFrom('cohort_members')
      .where('project_id', '=', projectId)
      .where('person_id', 'in', portion)
      .execute()
  }
}
