import type { EnvironmentVariables } from '#server/config'

const MB = 1024 * 1024

/**
 * Node has three such spaces for young objects. Its default of 16 MB would be a third of the smallest heap. In larger
 * ones, objects of requests that wait for the disk are gone before Node looks for them (decision 101).
 */
const minSemiSpaceMB = 2
const maxSemiSpaceMB = 32
const smallestHeapMB = 132

/** Node options that limit the heap to so many bytes. A process that exceeds it exits. */
export function heapFlags(heapBytes: number): string[] {
  const heapMB = Math.floor(heapBytes / MB)
  const partMB = minSemiSpaceMB + Math.floor((heapMB - smallestHeapMB) / 28)
  const semiSpaceMB = Math.min(maxSemiSpaceMB, Math.max(minSemiSpaceMB, partMB))
  const oldSpaceMB = heapMB - 3 * semiSpaceMB
  return [`--max-old-space-size=${oldSpaceMB}`, `--max-semi-space-size=${semiSpaceMB}`]
}

/**
 * The first error whose stack is written makes Node parse the source map of our programs and keep it: 28 MB. With the
 * smallest heap a front under load ended for it, as soon as its engine was away.
 */
export const mayKeepSourceMaps = (heapBytes: number): boolean => heapBytes >= 160 * MB

/** A setting of the C library's allocator: without it each of Node's threads may keep memory of its own. */
export const mallocSettings = { MALLOC_ARENA_MAX: '2' }

/** Set by bin/runtime.js if another process stands in for this one and restarts it on request. */
const restartMarker = 'STAND_IN_STARTS_AGAIN'

/**
 * Sets the heap limit. Node reads it at its start only, so the front is executed again: as the same process, or as
 * another one if an older Node stands in. Returns if the limit is set or cannot be set.
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
