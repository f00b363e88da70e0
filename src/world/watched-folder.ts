import { type BigIntStats, type FSWatcher, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

interface WatchedFolderSettings {
  /** An absolute path. */
  folder: string
  /** Reads what has changed. It is called again for changes that come while it runs. */
  onChange: () => Promise<void>
  onTrouble: (problem: unknown) => void
  /** The pause after the last of several changes: an editor writes a file in steps, and a checkout writes many. */
  debounceMs: number
  /** Calls also without a change that was seen: network file systems in particular do not report them. */
  pollEveryMs: number
}

interface WatchedDirectory {
  watcher: FSWatcher
  /** Differs for another directory at the same path. */
  identity: string
}

/** Changes are passed on after this time even if they do not stop. */
const longestDebounceMs = 1000

/**
 * Tells of changes in a folder and all folders in it, with a watcher for each. Node's recursive watcher on Linux watches
 * single files and loses one that is replaced, as most editors and `git` do: nodejs/node, lib/internal/fs/recursive_watch.js
 */
export class WatchedFolder {
  private readonly directories = new Map<string, WatchedDirectory>()
  private poll: NodeJS.Timeout | undefined
  private debounce: NodeJS.Timeout | undefined
  private waitingSince: number | undefined
  private reading: Promise<void> = Promise.resolve()
  private isClosed = false

  constructor(private readonly settings: WatchedFolderSettings) {}

  /** Returns once the folders are watched; what changes from then on is told. */
  async start(): Promise<void> {
    this.poll = setInterval(() => this.read(), this.settings.pollEveryMs).unref()
    await this.watchAll()
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.poll)
    clearTimeout(this.debounce)
    for (const path of this.directories.keys()) this.unwatch(path)
    await this.reading
  }

  private noteChange(): void {
    this.waitingSince ??= performance.now()
    const leftMs = this.waitingSince + longestDebounceMs - performance.now()
    clearTimeout(this.debounce)
    this.debounce = setTimeout(
      () => {
        this.waitingSince = undefined
        this.read()
      },
      Math.max(0, Math.min(this.settings.debounceMs, leftMs)),
    ).unref()
  }

  /** Watches new folders before files are read, so that no change falls between the two. */
  private read(): void {
    this.reading = this.reading
      .then(() => this.watchAll())
      .then(() => (this.isClosed ? undefined : this.settings.onChange()))
      .catch(this.settings.onTrouble)
  }

  private async watchAll(): Promise<void> {
    const found = await directoriesIn(this.settings.folder)
    for (const [path, { identity }] of this.directories) if (found.get(path) !== identity) this.unwatch(path)
    if (this.isClosed) return
    for (const [path, identity] of found) if (!this.directories.has(path)) this.watch(path, identity)
  }

  private watch(path: string, identity: string): void {
    try {
      const watcher = watch(path, { persistent: false }, () => this.noteChange())
      // of a folder that is gone, or of too many; the next poll watches it again
      watcher.on('error', () => this.unwatch(path))
      this.directories.set(path, { watcher, identity })
    } catch {
      // the next poll tries again
    }
  }

  private unwatch(path: string): void {
    this.directories.get(path)?.watcher.close()
    this.directories.delete(path)
  }
}

/** The folder and those in it, each with its identity; without packages and hidden folders. */
async function directoriesIn(folder: string): Promise<Map<string, string>> {
  const found = await stat(folder, { bigint: true }).catch(() => undefined)
  if (!found?.isDirectory()) return new Map()
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const inside = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => directoriesIn(join(folder, name)))
  return new Map([[folder, identityOf(found)], ...(await Promise.all(inside)).flatMap((each) => [...each])])
}

const identityOf = ({ dev, ino, birthtimeNs }: BigIntStats): string => `${dev} ${ino} ${birthtimeNs}`
