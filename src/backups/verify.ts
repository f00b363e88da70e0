import type { Engine } from '#engine/engine'
import type { Manifest } from './manifest'
import { checkParts } from './internal/part-check'
import { pointDifferences, unansweredQueries } from './internal/verification-queries'
import { compareSqlite } from './internal/store-copy'
import { compareExport, rehearseImport } from './store-import'

export interface Verification {
  /** The number of queries whose results were compared. */
  questions: number
  /** The number of parts of the engine that were read, with every column. */
  parts: number
  /** The way in which the store was compared, as the end of a sentence. */
  storeCheck: string
  /** Differences from the recorded state, one sentence each. */
  differences: string[]
  /** Data that could not be compared, and why, one sentence each. */
  notCompared: string[]
}

type EngineVerification = Omit<Verification, 'storeCheck'>

/**
 * Compares a restored folder with what the manifest recorded when the snapshot was taken, and reads all that the
 * restored engine has. A store of Postgres is loaded into the server at `storeUrl`, in a transaction that is rolled
 * back.
 */
export async function verifyRestored(
  folder: string,
  manifest: Manifest,
  engine: Pick<Engine, 'query' | 'health'> | undefined,
  storeUrl?: string,
): Promise<Verification> {
  const { storeCheck, differences } = await verifyStore(folder, manifest.store, storeUrl)
  const events = engine ? await verifyEngine(engine, manifest) : withoutEngine
  return {
    ...events,
    storeCheck,
    differences: [...(manifest.damage ?? []), ...differences, ...events.differences],
    notCompared: [...events.notCompared, ...(manifest.point.unchecked ?? [])],
  }
}

const withoutEngine: EngineVerification = {
  questions: 0,
  parts: 0,
  differences: [],
  notCompared: ['The events were not compared: they are not in the snapshot.'],
}

async function verifyEngine(
  engine: Pick<Engine, 'query' | 'health'>,
  { point: { projects, answers } }: Manifest,
): Promise<EngineVerification> {
  const { parts, damage, unchecked } = await checkParts(engine, { detached: () => engine.health().detached })
  const differences = [...damage, ...(await pointDifferences(engine, { projects, answers }))]
  const notCompared = [...unchecked]
  if (!projects)
    notCompared.push('The number of events was not compared: no engine ran when the snapshot was taken.')
  for (const query of unansweredQueries(answers))
    notCompared.push(`“${query}” was not compared: it was not answered when the snapshot was taken.`)
  if (parts === 0 && !projects && answers.length === 0)
    differences.push('Nothing of the events could be compared.')
  return { questions: answers.length, parts, differences, notCompared }
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
