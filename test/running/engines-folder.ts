import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Holds the engines that the workers share between their files. */
    enginesFolder: string
  }
}

/** An engine that a worker keeps for all its files ends with the worker; its folder goes at the end of the run. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-engines-'))
  // the engine runs as another user, who has to reach its folder
  chmodSync(folder, 0o755)
  project.provide('enginesFolder', folder)
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
