import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { PersonList, PersonListQuestion } from './person-lists'

interface PersonListTables {
  person_lists: {
    id: string
    project_id: number
    member_id: string | null
    name: string
    question: string
    created_by: string
    created_at: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<PersonListTables>()

const toPersonList = (row: Selectable<PersonListTables['person_lists']>): PersonList => ({
  id: row.id,
  projectId: row.project_id,
  memberId: row.member_id ?? undefined,
  name: row.name,
  question: JSON.parse(row.question) as PersonListQuestion, // only `savePersonList` writes it
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

/** Returns the lists of all members. */
export async function personListsOf(store: StoreOrTransaction, projectId: number): Promise<PersonList[]> {
  const rows = await open(store)
    .selectFrom('person_lists')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(toPersonList)
}

export async function savePersonList(store: StoreOrTransaction, list: PersonList): Promise<void> {
  const columns = {
    name: list.name,
    question: JSON.stringify(list.question),
    member_id: list.memberId ?? null,
  }
  await open(store)
    .insertInto('person_lists')
    .values({
      id: list.id,
      project_id: list.projectId,
      created_by: list.createdBy,
      created_at: list.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function forgetPersonList(store: StoreOrTransaction, { id }: PersonList): Promise<void> {
  await open(store).deleteFrom('person_lists').where('id', '=', id).execute()
}
