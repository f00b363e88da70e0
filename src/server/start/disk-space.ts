import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

export interface DiskSpace {
  freeBytes: number
  /** The size of the data folder; only measured if there is a limit. */
  usedBytes: number | undefined
  /** Why writing has stopped; undefined while there is room. */
  trouble: string | undefined
}

const gigabyte = 1024 ** 3

/** Whether a write failed for want of room: on the disk, by a quota, or by a limit of the process. */
export const isDiskFull = (problem: unknown): boolean =>
  problem instanceof Error &&
  'code' in problem &&
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(problem.code))

/**
 * Measures whether the data folder may grow. Writing stops before the disk is full, because a full disk fails
 * unpredictably.
 */
export async function measureDiskSpace(folder: string, mostBytes: number | undefined): Promise<DiskSpace> {
  const { bsize, bavail, blocks } = await statfs(folder)
  const freeBytes = bsize * bavail
  const reserve = Math.min(gigabyte, bsize * blocks * 0.05)
  const usedBytes = mostBytes === undefined ? undefined : await sizeOf(folder)
  return {
    freeBytes,
    usedBytes,
    trouble: diskSpaceTrouble({ folder, freeBytes, reserve, usedBytes, mostBytes }),
  }
}

function diskSpaceTrouble(freeSpace: {
  folder: string
  freeBytes: number
  reserve: number
  usedBytes: number | undefined
  mostBytes: number | undefined
}): string | undefined {
  const { folder, freeBytes, reserve, usedBytes = 0, mostBytes = Number.POSITIVE_INFINITY } = freeSpace
  if (freeBytes < reserve) {
    return `The disk of ${folder} has ${sizeInWords(freeBytes)} left, less than the reserve of ${sizeInWords(reserve)}: free some.`
  }
  if (usedBytes < mostBytes) return undefined
  return `${folder} has grown to ${sizeInWords(usedBytes)}, past TILTH_DISK: raise it, or keep less.`
}

/** Files change while the engine works; a file that is gone counts as empty. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  let bytes = 0
  // a backup in progress links existing files
  const linked = new Set<number>()
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const file = await stat(join(entry.parentPath, entry.name)).catch(() => undefined)
    if (!file || linked.has(file.ino)) continue
    if (file.nlink > 1) linked.add(file.ino)
    bytes += file.size
  }
  return bytes
}

export function sizeInWords(bytes: number): string {
  const mega = bytes / 1024 ** 2
  return mega >= 1024 ? `${(mega / 1024).toFixed(1)} GB` : `${Math.round(mega)} MB`
}
