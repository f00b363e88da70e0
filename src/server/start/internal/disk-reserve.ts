import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDiskFull } from '../disk-space'

/** SQLite needs 32 kB beside an intact store, the engine some files of its settings, for each of their starts. */
const reserveBytes = 4 * 1024 ** 2

const reserveFile = (folder: string): string => join(folder, 'reserve')

/** Whether there is less room than a start needs. */
export function isFull(folder: string): boolean {
  const { bsize, bavail } = statfsSync(folder)
  return bsize * bavail < reserveBytes
}

/** Gives the room that was kept for it to a start that finds the disk full. */
export function releaseReserve(folder: string): void {
  if (existsSync(folder) && isFull(folder)) rmSync(reserveFile(folder), { force: true })
}

/** Keeps room for a start on a full disk, as a file, once there is plenty. */
export function keepReserve(folder: string): void {
  if (isKept(folder)) return
  const { bsize, bavail } = statfsSync(folder)
  if (bsize * bavail < 4 * reserveBytes) return
  const incoming = `${reserveFile(folder)}.new`
  try {
    // random bytes, because file systems that compress keep no room for zeros
    writeFileSync(incoming, randomBytes(reserveBytes), { mode: 0o600 })
    renameSync(incoming, reserveFile(folder))
  } catch (problem) {
    rmSync(incoming, { force: true })
    if (!isDiskFull(problem)) throw problem
  }
}

const isKept = (folder: string): boolean =>
  existsSync(reserveFile(folder)) && statSync(reserveFile(folder)).size === reserveBytes
