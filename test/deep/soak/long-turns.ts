import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A function that ran in a turn, and for how much of it. */
interface CalledFunction {
  name: string
  url: string
  line: number
  column: number
  ms: number
}

/** `at` is the machine's clock, in seconds. */
interface LongTurn {
  ms: number
  at: number
  path: readonly CalledFunction[]
}

/** A line that `turn-watch.mjs` writes. */
export type WatchLine = { turn: LongTurn } | { heapBytes: number; turns: number }

export function watchLines(file: string): WatchLine[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WatchLine) // as turn-watch.mjs writes them
}

export interface NamedTurn {
  /** Of the processor's time. */
  ms: number
  /** The functions that had most of it as the sources name them, each called by the one before it. */
  path: string
}

export const namedTurn = ({ ms, path }: LongTurn): NamedTurn => ({
  ms: Math.round(ms),
  path: path
    .map((called) => `${called.name || '(anonymous)'}${placeOf(called)} ${Math.round(called.ms)}`)
    .join(' › '),
})

const sourceMaps = new Map<string, SourceMap | undefined>()

function placeOf({ url, line, column }: CalledFunction): string {
  if (!url.startsWith('file:')) return url && ` ${url}`
  if (!sourceMaps.has(url)) {
    const file = `${fileURLToPath(url)}.map`
    sourceMaps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined)
  }
  const entry = sourceMaps.get(url)?.findEntry(line, column)
  const [source, at] =
    entry && 'originalSource' in entry ? [entry.originalSource, entry.originalLine] : [url, line]
  return ` ${source.split('/').slice(-3).join('/')}:${at + 1}`
}
