import { openTables } from '#store/tables'
import type { Store } from '#store/store'

/** The fields that every entry has. */
interface Entry {
  id: string
  projectId: number
  createdBy: string
  createdAt: Date
}

interface EntryTableSettings<Of> {
  /** The storage format of each field of the entry's own. */
  fields: Record<Exclude<keyof Of, keyof Entry>, 'value' | 'json'>
  /** Ties are broken by id. */
  orderBy: readonly (keyof Of & string)[]
  latestFirst?: boolean
}

type StoreOrTransaction = Pick<Store, 'tables'>

/** A table whose rows are the entries of a collection, with a column for each field. */
export function entryTable<Of extends Entry>(
  name: string,
  { fields, orderBy, latestFirst = false }: EntryTableSettings<Of>,
) {
  const own = Object.entries<'value' | 'json'>(fields)
  const json = own.flatMap(([field, kind]) => (kind === 'json' ? [field] : []))
  const columns = ['id', 'projectId', 'createdBy', 'createdAt', ...own.map(([field]) => field)]
  const open = openTables<Record<string, Record<string, unknown>>>({ json })

  const entriesOf = (store: StoreOrTransaction, projectId: number) =>
    open(store).selectFrom(name).selectAll().where('projectId', '=', projectId)

  return {
    list: async (store: StoreOrTransaction, projectId: number): Promise<Of[]> => {
      const ordered = orderBy.reduce(
        (entries, field) => entries.orderBy(field, latestFirst ? 'desc' : 'asc'),
        entriesOf(store, projectId),
      )
      // only `save` writes the table
      return (await ordered.orderBy('id').execute()) as unknown[] as Of[]
    },

    find: async (store: StoreOrTransaction, projectId: number, id: string): Promise<Of | undefined> => {
      const found: unknown = await entriesOf(store, projectId).where('id', '=', id).executeTakeFirst()
      return found as Of | undefined
    },

    save: async (store: StoreOrTransaction, entry: Of): Promise<void> => {
      const values = new Map<string, unknown>(Object.entries(entry))
      const row = Object.fromEntries(columns.map((column) => [column, values.get(column) ?? null]))
      await open(store)
        .insertInto(name)
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute()
    },

    remove: async (store: StoreOrTransaction, { id }: Of): Promise<void> => {
      await open(store).deleteFrom(name).where('id', '=', id).execute()
    },
  }
}
