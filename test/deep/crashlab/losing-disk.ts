import { dirname } from 'node:path'
import type { JournalFileSystem, WritableFile } from '#ingest/internal/journal-files'

/** Thrown by the operation at which a process dies. */
class CrashedError extends Error {}

/** Thrown by every operation of a process that is dead already. */
class LateCrashError extends CrashedError {}

type Change = { at: number; bytes: Buffer } | { length: number }

/** The content of a file as a reader sees it, and the part that would survive a power cut. */
interface StoredFile {
  content: Buffer
  durable: Buffer
  /** Since the last sync, in order. */
  unsynced: Change[]
}

type NameChange = { set: Map<string, StoredFile>; gone: string[] }

interface Folder {
  names: Map<string, StoredFile>
  durable: Map<string, StoredFile>
  unsynced: NameChange[]
}

/** The operations that can be made to fail, and how. */
interface Fault {
  on: 'write' | 'sync' | 'create' | 'syncFolder' | 'rename'
  /** The number of the first operation to fail, counted from now and from 1; `times` is the number of failures. */
  from: number
  times: number
  code: 'EIO' | 'ENOSPC'
}

const sector = 512

/**
 * A disk in memory that keeps its promises and not one more: a power cut leaves of whatever was not synced some sectors,
 * in no order, and of names that were changed the first few. It can crash in the middle of any operation, and fail.
 */
export class LosingDisk {
  private folders = new Map<string, Folder>()
  private life = 0
  private operations = 0
  private crashAt = Infinity
  private faults: Fault[] = []
  private readonly counts = { write: 0, sync: 0, create: 0, syncFolder: 0, rename: 0 }

  constructor(
    /** Between 0 and 1; decides what survives. */
    private readonly chance: () => number = Math.random,
    private readonly onCrash: () => void = () => {},
  ) {}

  get operationCount(): number {
    return this.operations
  }

  get syncCount(): number {
    return this.counts.sync
  }

  /** In the middle of the n-th operation from now on. */
  crashIn(operations: number): void {
    this.crashAt = this.operations + operations
  }

  failOn(fault: Fault): void {
    this.faults.push({ ...fault, from: this.counts[fault.on] + fault.from })
  }

  heal(): void {
    this.faults = []
  }

  /** The process dies here and now; what it wrote stays, and so does the power. */
  kill(): void {
    this.life += 1
    this.crashAt = Infinity
    this.operations = 0
  }

  cutPower(): void {
    this.kill()
    for (const folder of this.folders.values()) this.loseNames(folder)
    const files = new Set([...this.folders.values()].flatMap(({ names }) => [...names.values()]))
    for (const file of files) this.loseContent(file)
  }

  /** As the process sees it that is alive now. Once that one is dead, nothing it does reaches the disk any more. */
  files(): JournalFileSystem & { step: () => Promise<void> } {
    const life = this.life
    return {
      makeFolder: (path) => this.makeFolder(path, life),
      namesIn: (path) => this.namesIn(path, life),
      create: (path) => this.create(path, life),
      sizeOf: (path) => this.sizeOf(path, life),
      read: (path, from, to) => this.read(path, from, to, life),
      readWhole: (path) => this.readWhole(path, life),
      rename: (from, to) => this.rename(from, to, life),
      remove: (path) => this.remove(path, life),
      sync: (path) => this.syncFile(path, life),
      syncFolder: (path) => this.syncFolder(path, life),
      step: () => this.operation(undefined, life),
    }
  }

  /** The content of a file, for tests. */
  content(path: string): Buffer {
    return this.file(path).content
  }

  private async makeFolder(path: string, life: number): Promise<void> {
    await this.operation(undefined, life)
    if (!this.folders.has(path))
      this.folders.set(path, { names: new Map(), durable: new Map(), unsynced: [] })
  }

  private async namesIn(path: string, life: number): Promise<string[]> {
    await this.operation(undefined, life)
    return [...(this.folders.get(path)?.names.keys() ?? [])].map((name) => name.slice(path.length + 1))
  }

  private async create(path: string, life: number): Promise<WritableFile> {
    await this.operation('create', life)
    const folder = this.folderOf(path)
    if (folder.names.has(path)) throw failure('EEXIST', path)
    const file: StoredFile = { content: Buffer.alloc(0), durable: Buffer.alloc(0), unsynced: [] }
    change(folder, { set: new Map([[path, file]]), gone: [] })
    return this.writable(file, life)
  }

  private async sizeOf(path: string, life: number): Promise<number> {
    await this.operation(undefined, life)
    return this.file(path).content.length
  }

  private async read(path: string, from: number, to: number, life: number): Promise<Buffer> {
    await this.operation(undefined, life)
    return Buffer.from(this.file(path).content.subarray(from, to))
  }

  private async readWhole(path: string, life: number): Promise<Buffer | undefined> {
    await this.operation(undefined, life)
    const file = this.folders.get(dirname(path))?.names.get(path)
    return file && Buffer.from(file.content)
  }

  private async rename(from: string, to: string, life: number): Promise<void> {
    await this.operation('rename', life)
    change(this.folderOf(from), { set: new Map([[to, this.file(from)]]), gone: [from] })
  }

  private async remove(path: string, life: number): Promise<void> {
    await this.operation(undefined, life)
    change(this.folderOf(path), { set: new Map(), gone: [path] })
  }

  private async syncFile(path: string, life: number): Promise<void> {
    await this.operation('sync', life)
    const file = this.file(path)
    file.durable = file.content
    file.unsynced = []
  }

  private async syncFolder(path: string, life: number): Promise<void> {
    await this.operation('syncFolder', life)
    const folder = this.folders.get(path)
    if (!folder) return
    folder.durable = new Map(folder.names)
    folder.unsynced = []
  }

  /** For tests that damage what is there. */
  damage(path: string, how: (content: Buffer) => Buffer): void {
    const file = this.file(path)
    file.content = how(Buffer.from(file.content))
    file.durable = file.content
    file.unsynced = []
  }

  paths(): string[] {
    return [...this.folders.values()].flatMap(({ names }) => [...names.keys()]).sort()
  }

  private writable(file: StoredFile, life: number): WritableFile {
    return {
      write: async (bytes, at) => {
        const whole = Buffer.from(bytes)
        try {
          await this.operation('write', life)
        } catch (problem) {
          // a write that fails or is cut short has still put down some of it
          if (!(problem instanceof LateCrashError))
            write(file, { at, bytes: whole.subarray(0, Math.floor(this.chance() * whole.length)) })
          throw problem
        }
        write(file, { at, bytes: whole })
      },
      sync: async () => {
        try {
          await this.operation('sync', life)
        } catch (problem) {
          // the part to be synced counts as clean from now on, and is not on disk
          if (!(problem instanceof CrashedError)) this.loseContent(file)
          throw problem
        }
        file.durable = file.content
        file.unsynced = []
      },
      truncate: async (length) => {
        await this.operation(undefined, life)
        write(file, { length })
      },
      close: async () => {},
    }
  }

  /** The beginning of every operation: it may be the last one, or fail. */
  private async operation(kind: Fault['on'] | undefined, life: number): Promise<void> {
    await Promise.resolve()
    if (life !== this.life) throw new LateCrashError('The process is dead.')
    this.operations += 1
    if (this.operations >= this.crashAt) {
      this.kill()
      this.onCrash()
      throw new CrashedError('The process died here.')
    }
    if (!kind) return
    const nth = (this.counts[kind] += 1)
    const fault = this.faults.find(({ on, from, times }) => on === kind && nth >= from && nth < from + times)
    if (fault) throw failure(fault.code, kind)
  }

  private folderOf(path: string): Folder {
    const folder = this.folders.get(dirname(path))
    if (!folder) throw failure('ENOENT', path)
    return folder
  }

  private file(path: string): StoredFile {
    const file = this.folderOf(path).names.get(path)
    if (!file) throw failure('ENOENT', path)
    return file
  }

  /** File systems write changes of names down in order, so some first ones survive. */
  private loseNames(folder: Folder): void {
    const survivors = folder.unsynced.slice(0, Math.floor(this.chance() * (folder.unsynced.length + 1)))
    for (const nameChange of survivors) apply(folder.durable, nameChange)
    folder.names = new Map(folder.durable)
    folder.unsynced = []
  }

  private loseContent(file: StoredFile): void {
    let content: Buffer = Buffer.from(file.durable)
    for (const lost of file.unsynced) content = 'length' in lost ? content : this.tear(content, lost)
    file.content = content
    file.durable = content
    file.unsynced = []
  }

  /** Each sector arrives or does not; one behind others that did not makes them zeros. */
  private tear(content: Buffer, { at, bytes }: { at: number; bytes: Buffer }): Buffer {
    let torn = content
    for (let from = 0; from < bytes.length; from += sector - ((at + from) % sector)) {
      if (this.chance() < 0.5) continue
      const to = Math.min(bytes.length, from + sector - ((at + from) % sector))
      torn = put(torn, at + from, bytes.subarray(from, to))
    }
    return torn
  }
}

function change(folder: Folder, nameChange: NameChange): void {
  apply(folder.names, nameChange)
  folder.unsynced.push(nameChange)
}

function apply(names: Map<string, StoredFile>, { set, gone }: NameChange): void {
  for (const path of gone) names.delete(path)
  for (const [path, file] of set) names.set(path, file)
}

function write(file: StoredFile, made: Change): void {
  file.content =
    'length' in made ? file.content.subarray(0, made.length) : put(file.content, made.at, made.bytes)
  file.unsynced.push(made)
}

function put(content: Buffer, at: number, bytes: Buffer): Buffer {
  const longer = Buffer.alloc(Math.max(content.length, at + bytes.length))
  content.copy(longer)
  bytes.copy(longer, at)
  return longer
}

function failure(code: string, what: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${what}`), { code })
}
