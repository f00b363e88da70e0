import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { LongestFirst } from './test/longest-first'

const minute = 60_000

/** vitest gives up after a second otherwise, which a busy machine may need. */
const patientPoll = { poll: { timeout: minute / 3 } }
/** What processes and browsers do beside each other may take ten times as long. */
const morePatientPoll = { poll: { timeout: minute } }

/** `import text from './x.css' with { type: 'text' }` as the build understands it; vite would make it a style sheet. */
const cssAsText: Plugin = {
  name: 'css-as-text',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !/^[.#].*\.css$/.test(source)) return undefined
    const path = source.startsWith('#') ? resolve('src', source.slice(1)) : resolve(dirname(importer), source)
    return `\0text:${path.replace(/\.css$/, '')}`
  },
  load(id) {
    if (!id.startsWith('\0text:')) return undefined
    return `export default ${JSON.stringify(readFileSync(`${id.slice('\0text:'.length)}.css`, 'utf8'))}`
  },
}

export default defineConfig({
  test: {
    // two at a time, even on two cores
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [cssAsText],
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.{ts,tsx}',
            'test/*.test.ts',
            'tracker/**/*.test.ts',
            'packages/*/src/**/*.test.{ts,tsx}',
          ],
          exclude: ['**/*.contract.test.ts'],
          globalSetup: ['test/migrated-store.ts', 'test/engines-folder.ts'],
          // a third of the time of these files went into loading the same modules for each of them
          isolate: false,
          // three at a time on two cores, for those with an engine often wait for it
          maxWorkers: Math.max(3, availableParallelism()),
          expect: patientPoll,
          testTimeout: minute,
          hookTimeout: minute,
        },
      },
      {
        plugins: [cssAsText],
        test: {
          name: 'contract',
          include: ['**/*.contract.test.ts'],
          exclude: ['**/node_modules/**', 'dist/**', '.next/**'],
          // mostly they wait for an engine's merges and for Postgres
          maxWorkers: Math.max(4, availableParallelism()),
          expect: patientPoll,
          testTimeout: 2 * minute,
          hookTimeout: 2 * minute,
        },
      },
      {
        plugins: [cssAsText],
        test: {
          name: 'e2e',
          include: ['test/{start,pages,ui,site,studio,wire}/**/*.test.ts'],
          exclude: ['**/*.contract.test.ts'],
          // three at a time on two cores, for much of it waits: for a start, for a browser, for a silent process
          maxWorkers: Math.max(3, availableParallelism()),
          expect: morePatientPoll,
          testTimeout: 4 * minute,
          hookTimeout: 5 * minute,
        },
      },
    ],
  },
})
