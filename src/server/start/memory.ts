import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'

export interface Memory {
  bytes: number
  /** A container's limit is ours to fill; a whole machine has others living on it. */
  of: 'machine' | 'container'
}

/** How much memory there is for us: the machine's, or what the container we are in was given. */
export function memoryHere(system = '/'): Memory {
  const limit = Math.min(...containerLimits(system))
  const machine = totalmem()
  return limit < machine ? { bytes: limit, of: 'container' } : { bytes: machine, of: 'machine' }
}

/** The default share of memory for Tilth. */
export const usualMemoryShare = ({ bytes, of }: Memory): number =>
  Math.max(minMemoryBytes, Math.floor(bytes * (of === 'container' ? 0.8 : 0.5)))

/** Less than this and neither the engine nor the pages can be expected to answer. */
export const minMemoryBytes = 512 * 1024 ** 2

/** Any group on the way up may set a limit, and the tightest one holds; so every one of them is read. */
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

/** `0::/a/b` is version 2, `4:memory:/a/b` is version 1; inside a container the path may lead nowhere, its root does. */
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

/** Version 2 says "max" for no limit, version 1 a number larger than any machine. */
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
