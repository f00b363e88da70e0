import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartRefused } from './start-refused'

/**
 * The data folder, ours alone for as long as this process lives. The operating system takes the lock back however the
 * process ends. It belongs to the process, not to the file handle: nobody in here may open and close `lock` again,
 * which would give it up without a word.
 */
export interface HeldFolder {
  /** Lets go, and leaves the folder as it was found when the start came to nothing. */
  release(end: 'stopped' | 'never-started'): void
}

const lockFile = (folder: string): string => join(folder, 'lock')
const pidFile = (folder: string): string => join(folder, 'pid')

/** Makes the folder where it is missing and takes it, or refuses with a sentence. */
export function takeFolder(folder: string): HeldFolder {
  const made = makeFolder(folder)
  const hadLock = existsSync(lockFile(folder))
  const pidBefore = textOf(pidFile(folder))
  const handle = lock(folder)
  if (handle === 'held') throw new StartRefused(heldBySomebody(folder))
  writePid(folder, handle)

  return {
    release(end) {
      if (end === 'stopped' || pidBefore === undefined) rmSync(pidFile(folder), { force: true })
      else writeFileSync(pidFile(folder), pidBefore)
      if (end === 'never-started' && !hadLock) rmSync(lockFile(folder), { force: true })
      handle.close()
      if (end === 'never-started') removeEmpty(folder, made)
    },
  }
}

/** Who runs on this folder now: a process number, or "somebody" where it cannot be told. Changes nothing. */
export function holderOf(folder: string): string | undefined {
  if (!existsSync(lockFile(folder))) return undefined
  const handle = lock(folder)
  if (handle !== 'held') {
    handle.close()
    return undefined
  }
  const pid = textOf(pidFile(folder))?.trim()
  return pid ? `process ${pid}` : 'another process'
}

const heldBySomebody = (folder: string): string =>
  `Tilth is already running on ${folder} (${holderOf(folder) ?? 'another process'}): stop that one first, ` +
  'or set TILTH_DATA to another folder.'

function lock(folder: string): DatabaseSync | 'held' {
  const handle = opened(folder)
  try {
    // kept in memory, or a journal file would appear beside the lock
    handle.exec('pragma journal_mode = memory; begin exclusive')
    // somebody may have removed the file between our opening and our locking it: then we hold a lock nobody sees
    if (existsSync(lockFile(folder))) return handle
    handle.close()
    return lock(folder)
  } catch (problem) {
    handle.close()
    if (isBusy(problem)) return 'held'
    throw new StartRefused(unwritable(folder, problem))
  }
}

function opened(folder: string): DatabaseSync {
  try {
    return new DatabaseSync(lockFile(folder), { timeout: 0 })
  } catch (problem) {
    throw new StartRefused(unwritable(folder, problem))
  }
}

function writePid(folder: string, handle: DatabaseSync): void {
  try {
    writeFileSync(pidFile(folder), `${process.pid}\n`)
  } catch (problem) {
    handle.close()
    throw new StartRefused(unwritable(folder, problem))
  }
}

/** The topmost folder that had to be made, if any. */
function makeFolder(folder: string): string | undefined {
  try {
    if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error('it is a file')
    const missing = missingOf(folder)
    // one by one, because Node's own way of making all of them never returns where nothing can be made, as in /proc
    for (const path of missing) mkdirSync(path, { mode: 0o700 })
    return missing[0]
  } catch (problem) {
    throw new StartRefused(unwritable(folder, problem))
  }
}

/** What has to be made for the folder to be there, from the top. */
function missingOf(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingOf(dirname(folder)), folder]
}

function removeEmpty(folder: string, upTo: string | undefined): void {
  if (!upTo) return
  for (let path = folder; path.startsWith(upTo); path = dirname(path)) {
    try {
      rmdirSync(path)
    } catch {
      return // something is in it, and that is not ours to remove
    }
  }
}

function unwritable(folder: string, problem: unknown): string {
  const reason = problem instanceof Error ? problem.message : String(problem)
  return (
    `Tilth cannot write in ${folder} (${reason}): give the user it runs as write access to that folder, ` +
    'or set TILTH_DATA to another one.'
  )
}

const busy = 5 // SQLite's number for "somebody else has it locked"

const isBusy = (problem: unknown): boolean =>
  problem instanceof Error && 'errcode' in problem && problem.errcode === busy

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
