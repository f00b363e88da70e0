import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDiskFull } from './disk-space'
import { StartError } from './internal/start-error'

/**
 * The data folder, locked by this process. The operating system releases the lock when the process ends. The lock
 * belongs to the process, not to the file handle: no code of this process may open and close `lock` again, which would
 * release it silently.
 */
export interface HeldFolder {
  /** Releases the lock. After a failed start it leaves the folder as it was before. */
  release(end: 'stopped' | 'never-started'): void
}

const lockFile = (folder: string): string => join(folder, 'lock')
const pidFile = (folder: string): string => join(folder, 'pid')

/** Creates the folder if needed and locks it, or refuses with a message. */
export function lockFolder(folder: string): HeldFolder {
  const made = makeFolder(folder)
  const hadLock = existsSync(lockFile(folder))
  const pidBefore = textOf(pidFile(folder))
  const handle = lock(folder)
  if (handle === 'held') throw new StartError(alreadyHeldMessage(folder))
  writePid(folder, handle)

  return {
    release(end) {
      if (end === 'stopped' || pidBefore === undefined) rmSync(pidFile(folder), { force: true })
      else restorePid(folder, pidBefore)
      if (end === 'never-started' && !hadLock) rmSync(lockFile(folder), { force: true })
      handle.close()
      if (end === 'never-started') removeEmpty(folder, made)
    },
  }
}

/** Names the process that holds the lock, with its process id if known. Changes nothing. */
export function lockHolderOf(folder: string): string | undefined {
  if (!existsSync(lockFile(folder))) return undefined
  const handle = lock(folder)
  if (handle !== 'held') {
    handle.close()
    return undefined
  }
  const pid = textOf(pidFile(folder))?.trim()
  return pid ? `process ${pid}` : 'another process'
}

const alreadyHeldMessage = (folder: string): string =>
  `Tilth is already running on ${folder} (${lockHolderOf(folder) ?? 'another process'}): stop that one first, ` +
  'or set TILTH_DATA to another folder.'

function lock(folder: string): DatabaseSync | 'held' {
  const handle = openLockFile(folder)
  try {
    // in memory, so that no journal file appears beside the lock
    handle.exec('pragma journal_mode = memory; begin exclusive')
    // another process may have deleted the file between opening and locking: then the lock protects nothing
    if (existsSync(lockFile(folder))) return handle
    handle.close()
    return lock(folder)
  } catch (problem) {
    handle.close()
    if (isBusy(problem)) return 'held'
    throw new StartError(unwritableMessage(folder, problem))
  }
}

function openLockFile(folder: string): DatabaseSync {
  try {
    return new DatabaseSync(lockFile(folder), { timeout: 0 })
  } catch (problem) {
    throw new StartError(unwritableMessage(folder, problem))
  }
}

/** The process id is for messages only: a full disk, where there may be no room for it, does not keep Tilth from starting. */
function writePid(folder: string, handle: DatabaseSync): void {
  try {
    writeFileSync(pidFile(folder), `${process.pid}\n`)
  } catch (problem) {
    if (isDiskFull(problem)) return
    handle.close()
    throw new StartError(unwritableMessage(folder, problem))
  }
}

function restorePid(folder: string, pidBefore: string): void {
  try {
    writeFileSync(pidFile(folder), pidBefore)
  } catch (problem) {
    if (!isDiskFull(problem)) throw problem
  }
}

/** Creates the folder. Returns the topmost folder that was created, if any. */
function makeFolder(folder: string): string | undefined {
  try {
    if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error('it is a file')
    const missing = missingFolders(folder)
    // one by one, because Node's recursive mode never returns if nothing can be created, as in /proc
    for (const path of missing) mkdirSync(path, { mode: 0o700 })
    return missing[0]
  } catch (problem) {
    throw new StartError(unwritableMessage(folder, problem))
  }
}

/** The folders that must be created, from the top. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder]
}

function removeEmpty(folder: string, upTo: string | undefined): void {
  if (!upTo) return
  for (let path = folder; path.startsWith(upTo); path = dirname(path)) {
    try {
      rmdirSync(path)
    } catch {
      return // the folder is not empty, so it stays
    }
  }
}

function unwritableMessage(folder: string, problem: unknown): string {
  const reason = problem instanceof Error ? problem.message : String(problem)
  return (
    `Tilth cannot write in ${folder} (${reason}): give the user it runs as write access to that folder, ` +
    'or set TILTH_DATA to another one.'
  )
}

const busy = 5 // SQLITE_BUSY: another process holds the lock

const isBusy = (problem: unknown): boolean =>
  problem instanceof Error && 'errcode' in problem && problem.errcode === busy

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
