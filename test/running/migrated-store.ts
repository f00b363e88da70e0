import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openStore } from '#store/open'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder with a store that has every migration and no rows; undefined where no such setup ran. */
    migratedStore: string
  }
}

/** Runs once for a whole test run: migrating takes ten times as long as copying the file that comes of it. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-migrated-store-'))
  const store = await openStore({ folder })
  await store.close()
  project.provide('migratedStore', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
