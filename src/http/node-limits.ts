import type { EnvironmentVariables } from '#server/config'

const MB = 1024 * 1024

/** Node keeps three such spaces for what is young. Its usual 16 MB would be a third of the least heap. */
const minSemiSpaceMB = 2
const maxSemiSpaceMB = 16

/** Options of Node that keep a process's heap within so many bytes. Beyond them it ends itself. */
export function heapFlags(heapBytes: number): string[] {
  const semiSpaceMB = Math.round(Math.min(maxSemiSpaceMB, Math.max(minSemiSpaceMB, heapBytes / MB / 64)))
  const oldSpaceMB = Math.floor(heapBytes / MB) - 3 * semiSpaceMB
  return [`--max-old-space-size=${oldSpaceMB}`, `--max-semi-space-size=${semiSpaceMB}`]
}

/** Of the C library's allocator: without it each of Node's threads may keep memory of its own. */
export const mallocSettings = { MALLOC_ARENA_MAX: '2' }

/** Set by bin/runtime.js where another process stands in for this one, and starts it again when it is asked to. */
const restartMarker = 'STAND_IN_STARTS_AGAIN'

/**
 * Node takes the size of its heap at its start and not later, so the front is executed anew with it: the same process, or
 * another one where an older Node stands in. Returns where that has been done, or cannot be.
 */
export async function limitHeap(heapBytes: number, environment: EnvironmentVariables): Promise<void> {
  if (isLimited(environment)) return
  const flags = heapFlags(heapBytes)
  if (environment[restartMarker] !== undefined && process.connected) return await restart(flags)
  if (process.channel || typeof process.execve !== 'function') return
  const settings: NodeJS.ProcessEnv = { NODE_ENV: 'production', ...environment, ...mallocSettings }
  const again = [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)]
  process.execve(process.execPath, again, settings)
}

/** Whether the heap limit is set already, by the operator or by an earlier restart. */
const isLimited = (environment: EnvironmentVariables): boolean =>
  [...process.execArgv, environment['NODE_OPTIONS'] ?? ''].some(
    (flag) => flag.includes('max-old-space-size') || flag.includes('max_old_space_size'),
  )

function restart(flags: string[]): Promise<never> {
  return new Promise(() => {
    process.send?.({ startAgainWith: flags }, () => process.exit(0))
  })
}
