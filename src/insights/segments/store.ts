import type { Selectable } from 'kysely'
import type { Filter } from '../../filters/filter'
import type { Store } from '../../store/store'
import type { Segment } from '../segments'

interface Tables {
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

type Source = Pick<Store, 'tables'>

const open = (source: Source) => source.tables<Tables>()

const toSegment = (row: Selectable<Tables['segments']>): Segment => ({
  id: row.id,
  projectId: row.project_id,
  memberId: row.member_id ?? undefined,
  name: row.name,
  filter: JSON.parse(row.filter) as Filter, // written by saveSegment alone
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

/** Everybody's. */
export async function segmentsOf(source: Source, projectId: number): Promise<Segment[]> {
  const rows = await open(source)
    .selectFrom('segments')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(toSegment)
}

export async function saveSegment(source: Source, segment: Segment): Promise<void> {
  const told = {
    name: segment.name,
    filter: JSON.stringify(segment.filter),
    member_id: segment.memberId ?? null,
  }
  await open(source)
    .insertInto('segments')
    .values({
      id: segment.id,
      project_id: segment.projectId,
      created_by: segment.createdBy,
      created_at: segment.createdAt.toISOString(),
      ...told,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(told))
    .execute()
}

export async function forgetSegment(source: Source, { id }: Segment): Promise<void> {
  await open(source).deleteFrom('segments').where('id', '=', id).execute()
}
