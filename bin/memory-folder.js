import { accessSync, chmodSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const GB = 1024 ** 3

/** Linux keeps what lies here in memory. */
const inMemory = '/dev/shm'
const prefix = 'tilth-tests-'

/** The tests fill some hundred megabytes at most; the rest is for what they start. */
const leastSpaceBytes = 2 * GB
const leastMemoryBytes = 6 * GB

/**
 * Makes a folder for the data folders of a test run, in memory: stores wait for the disk at each commit, which took half
 * of the time of tests with a store. Returns undefined where there is no such place, or little memory.
 */
export function makeMemoryFolder() {
  if (!hasSpace()) return undefined
  removeAbandoned()
  const folder = join(inMemory, `${prefix}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  // engines run as another user
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasSpace() {
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= leastSpaceBytes && process.availableMemory() >= leastMemoryBytes
  } catch {
    return false
  }
}

/** A run that was killed leaves its folder behind. */
function removeAbandoned() {
  for (const name of readdirSync(inMemory)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0
    if (pid > 0 && !isAlive(pid)) rmSync(join(inMemory, name), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (problem) {
    return problem.code === 'EPERM'
  }
}
