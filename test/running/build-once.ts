import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Lets the first of several test files make what all of them need, while the others wait. `stamp` then names the state
 * of the sources that it was made from, and stands outside of it.
 */
export async function buildOnce(stamp: string, wanted: string, make: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(stamp), { recursive: true })
  const lock = new DatabaseSync(`${stamp}.lock`)
  try {
    while (!isTaken(lock)) await pause(100)
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
    rmSync(stamp, { force: true })
    await make()
    writeFileSync(stamp, wanted)
  } finally {
    lock.close()
  }
}

/** A lock ends with the process that holds it, however that ends. */
function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('pragma busy_timeout = 0; begin exclusive')
    return true
  } catch {
    return false
  }
}
