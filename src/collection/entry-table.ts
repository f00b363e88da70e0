import { z } from 'zod'
import { openTables } from '#store/tables'
import type { TableSource } from '#store/store'

interface EntryTableSettings<Of> {
  /** Ties are broken by id. */
  orderBy: readonly (keyof Of & string)[]
  latestFirst?: boolean
}

/** A table whose rows are the entries of a collection, with a column for each field of their schema. */
export function entryTable<Of extends { id: string }>(
  name: string,
  { shape }: z.ZodObject & z.ZodType<Of>,
  { orderBy, latestFirst = false }: EntryTableSettings<Of>,
) {
  const columns = Object.keys(shape)
  const json = Object.entries(shape).flatMap(([field, schema]) => (isPlain(schema) ? [] : [field]))
  const open = openTables<Record<string, Record<string, unknown>>>({ json })

  const entriesOf = (store: TableSource, projectId: number) =>
    open(store).selectFrom(name).selectAll().where('projectId', '=', projectId)

  return {
    list: async (store: TableSource, projectId: number): Promise<Of[]> => {
      const ordered = orderBy.reduce(
        (entries, field) => entries.orderBy(field, latestFirst ? 'desc' : 'asc'),
        entriesOf(store, projectId),
      )
      // only `save` writes the table
      return (await ordered.orderBy('id').execute()) as unknown[] as Of[]
    },

    find: async (store: TableSource, projectId: number, id: string): Promise<Of | undefined> => {
      const found: unknown = await entriesOf(store, projectId).where('id', '=', id).executeTakeFirst()
      return found as Of | undefined
    },

    save: async (store: TableSource, entry: Of): Promise<void> => {
      const values = new Map<string, unknown>(Object.entries(entry))
      const row = Object.fromEntries(columns.map((column) => [column, values.get(column) ?? null]))
      await open(store)
        .insertInto(name)
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute()
    },

    remove: async (store: TableSource, { id }: Of): Promise<void> => {
      await open(store).deleteFrom(name).where('id', '=', id).execute()
    },
  }
}

const plainTypes = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodDate, z.ZodEnum]

/** Tells whether a column holds the value itself; any other value is stored as JSON. */
const isPlain = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
    ? isPlain(schema.unwrap())
    : plainTypes.some((type) => schema instanceof type)
