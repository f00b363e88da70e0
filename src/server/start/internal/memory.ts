import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'

export interface Memory {
  bytes: number
  /** Tilth may use all of a container's limit; a whole machine is shared with other programs. */
  of: 'machine' | 'container'
}

/** Returns the available memory: the machine's, or the container's limit. */
export function memoryHere(system = '/'): Memory {
  const limit = Math.min(...containerLimits(system))
  const machine = totalmem()
  return limit < machine ? { bytes: limit, of: 'container' } : { bytes: machine, of: 'machine' }
}

/** The default share of memory for Tilth. */
export const usualMemoryShare = ({ bytes, of }: Memory): number =>
  Math.max(minMemoryBytes, Math.floor(bytes * (of === 'container' ? 0.8 : 0.5)))

/** With less memory neither the engine nor the pages work reliably. */
export const minMemoryBytes = 512 * 1024 ** 2

/** Any parent group may set a limit, and the lowest one applies, so all are read. */
function* containerLimits(system: string): Generator<number> {
  yield Number.POSITIVE_INFINITY
  for (const { folder, file } of groupsOf(system)) {
    for (let path = folder; ; path = dirname(path)) {
      const limit = limitIn(join(path, file))
      if (limit) yield limit
      if (path === '/' || !path.startsWith(join(system, 'sys/fs/cgroup/'))) break
    }
  }
}

/**
 * `0::/a/b` is version 2, `4:memory:/a/b` is version 1; inside a container the path may not exist, but its root does.
 */
function groupsOf(system: string): { folder: string; file: string }[] {
  const lines = textOf(join(system, 'proc/self/cgroup')).split('\n')
  return lines.flatMap((line) => {
    const [number, controllers, group] = line.split(':')
    if (!group) return []
    const root = join(system, 'sys/fs/cgroup')
    if (number === '0') return [{ folder: join(root, group), file: 'memory.max' }]
    if (!controllers?.split(',').includes('memory')) return []
    return [{ folder: join(root, 'memory', group), file: 'memory.limit_in_bytes' }]
  })
}

/** Version 2 writes "max" for no limit, version 1 a number above any machine's memory. */
function limitIn(file: string): number | undefined {
  const bytes = Number.parseInt(textOf(file), 10)
  return Number.isFinite(bytes) && bytes > 0 ? bytes : undefined
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
