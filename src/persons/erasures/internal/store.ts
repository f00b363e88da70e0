import type { Selectable } from 'kysely'
import { inBatches } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { Erasure } from '../erasures'

interface Tables {
  erasures: RowsOf<
    Omit<Erasure, 'numbers' | 'rowsOnDisk'> & { personIds: string[]; rowsOnDisk: number | undefined }
  >
  erasedPersons: RowsOf<{ projectId: number; personId: string; erasedAt: Date | undefined }>
  cohortMembers: { projectId: number; cohortId: string; personId: string }
}

const open = openTables<Tables>({ json: ['personIds'] })

export async function addErasure(source: TableSource, erasure: Erasure): Promise<void> {
  await open(source)
    .insertInto('erasures')
    .values({
      ...rowOf(['id', 'projectId', 'askedBy', 'askedAt'], erasure),
      personIds: erasure.numbers,
      events: null,
      rowsOnDisk: null,
      unsearchedBytes: null,
      finishedAt: null,
    })
    .execute()
}

const toErasure = ({ personIds, rowsOnDisk = 0, ...row }: Selectable<Tables['erasures']>): Erasure => ({
  ...row,
  numbers: personIds,
  rowsOnDisk,
})

/** Returns erasures, the latest first. */
export async function erasuresOf(source: TableSource, projectId: number, most: number): Promise<Erasure[]> {
  const rows = await open(source)
    .selectFrom('erasures')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('askedAt', 'desc')
    .limit(most)
    .execute()
  return rows.map(toErasure)
}

export async function everyErasure(source: TableSource): Promise<Erasure[]> {
  const rows = await open(source).selectFrom('erasures').selectAll().orderBy('askedAt').execute()
  return rows.map(toErasure)
}

export async function unfinishedErasures(source: TableSource): Promise<Erasure[]> {
  const rows = await open(source)
    .selectFrom('erasures')
    .selectAll()
    .where('finishedAt', 'is', null)
    .orderBy('askedAt')
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
      rowsOnDisk: eb(fn.coalesce('rowsOnDisk', eb.val(0)), '+', rows),
    }))
    .where('id', '=', id)
    .execute()
}

export async function saveUnsearchedBytes(
  source: TableSource,
  { id }: Erasure,
  bytes: number,
): Promise<void> {
  await open(source).updateTable('erasures').set({ unsearchedBytes: bytes }).where('id', '=', id).execute()
}

export async function markFinished(source: TableSource, { id }: Erasure, at: Date): Promise<void> {
  await open(source).updateTable('erasures').set({ finishedAt: at }).where('id', '=', id).execute()
}

/** Saves that a part is erased; without an instant it is still to be done. */
export async function saveErased(
  source: TableSource,
  { projectId, numbers }: Erasure,
  at?: Date,
): Promise<void> {
  const erasedAt = at ?? null
  for (const portion of inBatches(numbers)) {
    await open(source)
      .insertInto('erasedPersons')
      .values(portion.map((personId) => ({ projectId, personId, erasedAt })))
      .onConflict((conflict) => conflict.columns(['projectId', 'personId']).doUpdateSet({ erasedAt }))
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
  const rows = await open(source).selectFrom('erasedPersons').selectAll().execute()
  return rows.map(({ projectId, personId, erasedAt }) => ({ projectId, number: personId, at: erasedAt }))
}

export async function removeFromCohorts(source: TableSource, { projectId, numbers }: Erasure): Promise<void> {
  for (const portion of inBatches(numbers)) {
    await open(source)
      .deleteFrom('cohortMembers')
      .where('projectId', '=', projectId)
      .where('personId', 'in', portion)
      .execute()
  }
}
