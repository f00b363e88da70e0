import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { Annotation, AnnotationScope } from './annotations'

interface AnnotationTables {
  annotations: {
    id: string
    project_id: number
    at: string
    text: string
    scope: string
    subject_id: string | null
    created_by: string
    created_at: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<AnnotationTables>()

const toAnnotation = (row: Selectable<AnnotationTables['annotations']>): Annotation => ({
  id: row.id,
  projectId: row.project_id,
  at: new Date(row.at),
  text: row.text,
  scope: row.scope as AnnotationScope, // only `saveAnnotation` writes it
  subjectId: row.subject_id ?? undefined,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

/** Returns annotations, the latest first. */
export async function annotationsOf(store: StoreOrTransaction, projectId: number): Promise<Annotation[]> {
  const rows = await open(store)
    .selectFrom('annotations')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toAnnotation)
}

export async function saveAnnotation(store: StoreOrTransaction, annotation: Annotation): Promise<void> {
  const columns = {
    at: annotation.at.toISOString(),
    text: annotation.text,
    scope: annotation.scope,
    subject_id: annotation.subjectId ?? null,
  }
  await open(store)
    .insertInto('annotations')
    .values({
      id: annotation.id,
      project_id: annotation.projectId,
      created_by: annotation.createdBy,
      created_at: annotation.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function forgetAnnotation(store: StoreOrTransaction, { id }: Annotation): Promise<void> {
  await open(store).deleteFrom('annotations').where('id', '=', id).execute()
}
