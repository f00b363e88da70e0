import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packPage, type StoredPage, unpackPage } from './stored-page'

interface PageFilesSettings {
  /** The folder of all builds; it belongs to this class alone. */
  folder: string
  /** Names the program that renders the pages: those of another build are removed. */
  build: string
  maxBytes: number
  onTrouble: (problem: unknown) => void
}

/** A disk that is full fails at every page, which is reported once in this time. */
const troubleEveryMs = 60_000

/** Pages wait in memory to be written. More of them are not written: they are rendered again after a restart. */
const maxWaiting = 200

/**
 * Keeps rendered pages on disk, so that they can be served after a restart. Every file names its cache key and has a
 * checksum: one that is damaged counts as absent and is removed. The caller compares what a page shows with what is
 * published before it serves it.
 */
export class PageFiles {
  /** The sizes of files, the least recently used first. */
  private readonly sizes = new Map<string, number>()
  private readonly waiting = new Map<string, StoredPage>()
  private bytes = 0
  private writing: Promise<void> | undefined
  private isClosed = false
  private reportedAt = Number.NEGATIVE_INFINITY

  private constructor(
    private readonly folder: string,
    private readonly settings: PageFilesSettings,
  ) {}

  static async open(settings: PageFilesSettings): Promise<PageFiles> {
    const name = `2-${hash('sha256', settings.build, 'hex').slice(0, 16)}`
    const files = new PageFiles(join(settings.folder, name), settings)
    await files.list(name).catch(settings.onTrouble)
    return files
  }

  /** Returns the page of a cache key, or undefined if there is none or its file is damaged. */
  async read(key: string): Promise<StoredPage | undefined> {
    const waiting = this.waiting.get(key)
    if (waiting) return waiting
    const file = fileOf(key)
    if (!this.sizes.has(file)) return undefined
    this.touch(file)
    try {
      return await unpackPage(await readFile(join(this.folder, file)), key)
    } catch {
      await this.removeFile(file)
      return undefined
    }
  }

  /** Writes a page in the background. */
  write(key: string, page: StoredPage): void {
    if (this.isClosed || (this.waiting.size >= maxWaiting && !this.waiting.has(key))) return
    this.waiting.set(key, page)
    this.writing ??= this.writeWaiting().finally(() => (this.writing = undefined))
  }

  remove(key: string): void {
    this.waiting.delete(key)
    const file = fileOf(key)
    if (this.sizes.has(file)) void this.removeFile(file)
  }

  /** Removes the pages of all other projects. */
  async keepProjects(projectIds: readonly number[]): Promise<void> {
    const kept = new Set(projectIds.map(String))
    const others = new Set([...this.sizes.keys()].map(projectOf).filter((projectId) => !kept.has(projectId)))
    for (const key of this.waiting.keys()) if (!kept.has(projectOfKey(key))) this.waiting.delete(key)
    for (const file of this.sizes.keys()) if (others.has(projectOf(file))) this.forget(file)
    for (const projectId of others)
      await rm(join(this.folder, projectId), { recursive: true, force: true }).catch(this.settings.onTrouble)
  }

  /** Resolves once everything is written. */
  async settled(): Promise<void> {
    await this.writing
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.writing
  }

  private async writeWaiting(): Promise<void> {
    for (const [key, page] of this.waiting) {
      await this.writeFile(key, page).catch((problem: unknown) => this.report(problem))
      if (this.waiting.get(key) === page) this.waiting.delete(key)
    }
  }

  private report(problem: unknown): void {
    const now = performance.now()
    if (now - this.reportedAt < troubleEveryMs) return
    this.reportedAt = now
    this.settings.onTrouble(problem)
  }

  private async writeFile(key: string, page: StoredPage): Promise<void> {
    const packed = packPage(page, key)
    const file = fileOf(key)
    const path = join(this.folder, file)
    await mkdir(join(this.folder, projectOf(file)), { recursive: true, mode: 0o700 })
    await writeFile(`${path}.new`, packed, { mode: 0o600 })
    // removed while it was written
    if (this.waiting.get(key) !== page) return await rm(`${path}.new`, { force: true })
    await rename(`${path}.new`, path)
    this.forget(file)
    this.sizes.set(file, packed.length)
    this.bytes += packed.length
    await this.makeSpace()
  }

  private async makeSpace(): Promise<void> {
    for (const file of this.sizes.keys()) {
      if (this.bytes <= this.settings.maxBytes) return
      await this.removeFile(file)
    }
  }

  private async list(name: string): Promise<void> {
    const { folder } = this.settings
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    for (const other of await readdir(folder))
      if (other !== name) await rm(join(folder, other), { recursive: true, force: true })
    const found: { file: string; size: number; at: number }[] = []
    for (const entry of await readdir(this.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      if (entry.name.endsWith('.new')) {
        await rm(path, { force: true })
        continue
      }
      const { size, mtimeMs } = await stat(path)
      found.push({ file: path.slice(this.folder.length + 1), size, at: mtimeMs })
    }
    for (const { file, size } of found.toSorted((one, other) => one.at - other.at)) {
      this.sizes.set(file, size)
      this.bytes += size
    }
    await this.makeSpace()
  }

  private touch(file: string): void {
    const size = this.sizes.get(file) ?? 0
    this.sizes.delete(file)
    this.sizes.set(file, size)
  }

  private forget(file: string): void {
    this.bytes -= this.sizes.get(file) ?? 0
    this.sizes.delete(file)
  }

  private async removeFile(file: string): Promise<void> {
    this.forget(file)
    await rm(join(this.folder, file), { force: true }).catch(this.settings.onTrouble)
  }
}

/** Cache keys begin with the project's id. */
const projectOfKey = (key: string): string => key.slice(0, key.indexOf(' '))

const fileOf = (key: string): string => `${projectOfKey(key)}/${hash('sha256', key, 'hex').slice(0, 40)}`

const projectOf = (file: string): string => file.slice(0, file.indexOf('/'))
