import type { Selectable } from 'kysely'
import type { Filter } from '#filters/filter'
import type { Store } from '#store/store'
import type { Segment } from './segments'

interface SegmentTables {
  segments: {
    id: string
    project_id: number
    member_id: string | null
    name: string
    filter: string
    created_by: string
    created_at: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<SegmentTables>()

const toSegment = (row: Selectable<SegmentTables['segments']>): Segment => ({
  id: row.id,
  projectId: row.project_id,
  memberId: row.member_id ?? undefined,
  name: row.name,
  filter: JSON.parse(row.filter) as Filter, // only `saveSegment` writes it
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

/** Returns the segments of all members. */
export async function segmentsOf(store: StoreOrTransaction, projectId: number): Promise<Segment[]> {
  const rows = await open(store)
    .selectFrom('segments')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(toSegment)
}

export async function saveSegment(store: StoreOrTransaction, segment: Segment): Promise<void> {
  const columns = {
    name: segment.name,
    filter: JSON.stringify(segment.filter),
    member_id: segment.memberId ?? null,
  }
  await open(store)
    .insertInto('segments')
    .values({
      id: segment.id,
      project_id: segment.projectId,
      created_by: segment.createdBy,
      created_at: segment.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function forgetSegment(store: StoreOrTransaction, { id }: Segment): Promise<void> {
  await open(store).deleteFrom('segments').where('id', '=', id).execute()
}
