import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CallGraph } from './call-graph'
import { codeIn, isTest } from './source-files'

const root = join(import.meta.dirname, '../..')

interface ActionFile {
  /** Below `src`. */
  path: string
  /** The exported functions of a file of actions. */
  names: string[]
  /** An action within a function, which no test can call. */
  hasInline: boolean
}

/** The server actions that a browser can call by a form or a `Next-Action`, read from the source. */
export function serverActionFiles(): ActionFile[] {
  const texts = Object.fromEntries(
    codeIn(root, 'src')
      .filter((path) => /^src\/(?:app|studio)\/.*\.tsx?$/.test(path) && !isTest(path))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
  const calls = new CallGraph(texts)
  return calls.paths
    .map((path) => ({
      path: path.replace('src/', ''),
      names: calls.isServerActions(path) ? calls.exportsOf(path).map((name) => name.replace(/.*#/, '')) : [],
      hasInline: /[{>]\s*(['"])use server\1/.test(texts[path] ?? ''),
    }))
    .filter(({ names, hasInline }) => names.length > 0 || hasInline)
}
