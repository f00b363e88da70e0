import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'

/** The pictures shared by fronts on several machines. A name always stands for the same content. */
export interface SharedPictures {
  has(file: string): Promise<boolean>
  save(file: string, bytes: Uint8Array): Promise<void>
  load(file: string): Promise<Uint8Array | undefined>
  remove(file: string): Promise<void>
}

/** A temporary failure: the bucket is unavailable or refuses. Nothing was stored, and the same call works later. */
export class PicturesUnavailableError extends Error {
  override readonly name = 'PicturesUnavailableError'
  constructor(reason: string) {
    super(`The bucket of pictures cannot be used: ${reason}`)
  }
}

const open = openTables<{ pictureFiles: { file: string; bytes: Uint8Array } }>()

/** Stores pictures in a table of the store: they are small, and each front soon has its own copy. */
export function storePictures(store: TableSource): SharedPictures {
  const tables = open(store)
  return {
    async has(file) {
      const found = await tables
        .selectFrom('pictureFiles')
        .select('file')
        .where('file', '=', file)
        .executeTakeFirst()
      return found !== undefined
    },
    async save(file, bytes) {
      await tables
        .insertInto('pictureFiles')
        .values({ file, bytes })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async load(file) {
      const found = await tables
        .selectFrom('pictureFiles')
        .select('bytes')
        .where('file', '=', file)
        .executeTakeFirst()
      return found?.bytes
    },
    async remove(file) {
      await tables.deleteFrom('pictureFiles').where('file', '=', file).execute()
    },
  }
}
