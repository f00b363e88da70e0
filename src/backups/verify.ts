import type { Engine } from '#engine/engine'
import type { Manifest } from './manifest'
import { compareQueryResults, eventsByProject } from './verification-queries'
import { compareSqlite } from './store-copy'
import { compareExport, rehearseImport } from './store-import'

export interface Verification {
  /** How many questions were asked again; none where no engine was running when the snapshot was taken. */
  questions: number
  /** How the store was compared, as the end of a sentence. */
  storeCheck: string
  /** What is not as it was, one sentence each. */
  differences: string[]
}

/**
 * Compares a restored folder with what the manifest recorded when the snapshot was taken. A store of Postgres is loaded
 * into the server at `storeUrl`, in a transaction that is rolled back.
 */
export async function verifyRestored(
  folder: string,
  { point, store }: Manifest,
  engine: Pick<Engine, 'query'> | undefined,
  storeUrl?: string,
): Promise<Verification> {
  const { storeCheck, differences } = await verifyStore(folder, store, storeUrl)
  if (!engine || !point.projects) return { questions: 0, storeCheck, differences }
  const now = new Map((await eventsByProject(engine)).map(({ id, events }) => [id, events]))
  for (const { id, events } of point.projects) {
    const found = now.get(id) ?? 0
    if (found !== events) differences.push(`Project ${id} has ${found} events instead of ${events}.`)
  }
  for (const { question, recorded, now: answer } of await compareQueryResults(engine, point.answers)) {
    differences.push(
      `“${question}” is answered with ${JSON.stringify(answer)} instead of ${JSON.stringify(recorded)}.`,
    )
  }
  return { questions: point.answers.length, storeCheck, differences }
}

async function verifyStore(
  folder: string,
  store: Manifest['store'],
  url: string | undefined,
): Promise<Pick<Verification, 'storeCheck' | 'differences'>> {
  const tables = Object.keys(store.rows).length
  if (store.form === 'sqlite')
    return {
      storeCheck: `store.db is whole and has the recorded rows in ${tables} tables`,
      differences: compareSqlite(folder, store),
    }
  if (url === undefined)
    return {
      storeCheck: `the rows of ${tables} tables of the store are as recorded; they were loaded into no Postgres, for TILTH_STORE is not set`,
      differences: await compareExport(folder, store),
    }
  return {
    storeCheck: `${tables} tables of the store load into Postgres, in a transaction that was rolled back, and have the recorded rows`,
    differences: await rehearseImport(url, folder, store),
  }
}
