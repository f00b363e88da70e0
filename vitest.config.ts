import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './test/running/longest-first.ts'
import { patienceMs } from './test/running/patience.ts'
import { testSets } from './test/running/sets.ts'

/**
 * Limits only keep what hangs from hanging forever, and follow the speed of the machine: vitest gives up after a second
 * otherwise. What a test is about is never how long it takes.
 */
const limits = {
  expect: { poll: { timeout: patienceMs } },
  testTimeout: 5 * patienceMs,
  hookTimeout: 5 * patienceMs,
}

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

/** A set as a project of vitest's. */
function projectOf(name: keyof typeof testSets, more: TestProjectInlineConfiguration['test']) {
  const { include, exclude } = testSets[name]
  const setupFiles = ['test/random/chance.ts']
  return { plugins: [cssAsText], test: { name, include, exclude, setupFiles, ...limits, ...more } }
}

/** Three at a time on two cores, for much of it waits: for an engine, a start, a browser or a silent process. */
const three = Math.max(3, availableParallelism())

/** The files of a worker share its modules, which took a third of their time, its engine and a migrated store. */
const sharedByFiles = {
  globalSetup: ['test/running/migrated-store.ts', 'test/running/engines-folder.ts'],
  isolate: false,
}

export default defineConfig({
  test: {
    // two at a time, even on two cores
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      projectOf('unit', { ...sharedByFiles, maxWorkers: three }),
      projectOf('contract', { ...sharedByFiles, maxWorkers: three }),
      projectOf('journeys', { maxWorkers: three }),
      projectOf('browser', { maxWorkers: three }),
    ],
  },
})
