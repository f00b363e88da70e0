import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { DataDefinition, DefinedType } from './definitions'

interface DefinitionTables {
  definitions: {
    id: string
    project_id: number
    type: DefinedType
    name: string
    description: string
    is_hidden: number
    is_verified: number
    created_by: string
    created_at: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<DefinitionTables>()

const toDefinition = (row: Selectable<DefinitionTables['definitions']>): DataDefinition => ({
  id: row.id,
  projectId: row.project_id,
  type: row.type,
  name: row.name,
  description: row.description,
  isHidden: row.is_hidden === 1,
  isVerified: row.is_verified === 1,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

export async function definitionsOf(store: StoreOrTransaction, projectId: number): Promise<DataDefinition[]> {
  const rows = await open(store)
    .selectFrom('definitions')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('type')
    .orderBy('name')
    .execute()
  return rows.map(toDefinition)
}

export async function saveDefinition(store: StoreOrTransaction, definition: DataDefinition): Promise<void> {
  const columns = {
    description: definition.description,
    is_hidden: Number(definition.isHidden),
    is_verified: Number(definition.isVerified),
  }
  await open(store)
    .insertInto('definitions')
    .values({
      id: definition.id,
      project_id: definition.projectId,
      type: definition.type,
      name: definition.name,
      created_by: definition.createdBy,
      created_at: definition.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function forgetDefinition(store: StoreOrTransaction, { id }: DataDefinition): Promise<void> {
  await open(store).deleteFrom('definitions').where('id', '=', id).execute()
}
