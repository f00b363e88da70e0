import { fdatasync, write } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'

/** The file operations of the journal. Tests use an implementation that loses, tears and reorders unsynced writes. */
export interface JournalFileSystem {
  makeFolder(folder: string): Promise<void>
  /** Returns the names in a folder, unordered; none if the folder does not exist. */
  namesIn(folder: string): Promise<string[]>
  /** Creates a file. Fails if it exists already. */
  create(path: string): Promise<WritableFile>
  sizeOf(path: string): Promise<number>
  /** Reads a range. Returns fewer bytes if the file ends before `to`. */
  read(path: string, from: number, to: number): Promise<Buffer>
  /** Returns undefined if the file does not exist. */
  readWhole(path: string): Promise<Buffer | undefined>
  /** Renames a file and replaces any file with the new name. */
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Syncs a file that is not open here: the writes of a killed process may not be on disk yet. */
  sync(path: string): Promise<void>
  /** Syncs a folder. Before that, a power failure may undo created, renamed and removed files in it. */
  syncFolder(folder: string): Promise<void>
}

export interface WritableFile {
  write(bytes: Uint8Array, at: number): Promise<void>
  /** Syncs the file. Before that, a power failure may undo any part of the writes. */
  sync(): Promise<void>
  truncate(length: number): Promise<void>
  close(): Promise<void>
}

export const diskFiles: JournalFileSystem = {
  async makeFolder(folder) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  },

  async namesIn(folder) {
    return await readdir(folder).catch(unlessMissing([]))
  },

  async create(path) {
    return writable(await open(path, 'wx', 0o600))
  },

  async sizeOf(path) {
    return (await stat(path)).size
  },

  async read(path, from, to) {
    const file = await open(path, 'r')
    try {
      return await readFully(file, from, to)
    } finally {
      await file.close()
    }
  },

  async readWhole(path) {
    return await readFile(path).catch(unlessMissing(undefined))
  },

  async rename(from, to) {
    await rename(from, to)
  },

  async remove(path) {
    await rm(path, { force: true })
  },

  async sync(path) {
    await syncAndClose(await open(path, 'r+'))
  },

  async syncFolder(folder) {
    await syncAndClose(await open(folder, 'r'))
  },
}

function writable(file: FileHandle): WritableFile {
  return {
    async write(bytes, at) {
      // a write may be partial without an error: because of a signal, or the last free block
      for (let written = 0; written < bytes.length;) {
        written += await writePart(file.fd, bytes, written, at + written)
      }
    },
    sync: () => syncData(file.fd),
    truncate: (length) => file.truncate(length),
    close: () => file.close(),
  }
}

// every group of events waits for these two calls; those of `node:fs/promises` take twice the processor time

const writePart = (fd: number, bytes: Uint8Array, from: number, at: number): Promise<number> =>
  new Promise((resolve, reject) => {
    write(fd, bytes, from, bytes.length - from, at, (problem, length) =>
      problem ? reject(problem) : resolve(length),
    )
  })

const syncData = (fd: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(fd, (problem) => (problem ? reject(problem) : resolve())))

async function syncAndClose(opened: FileHandle): Promise<void> {
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

async function readFully(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from))
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

function unlessMissing<Value>(instead: Value): (problem: NodeJS.ErrnoException) => Value {
  return (problem) => {
    if (problem.code === 'ENOENT') return instead
    throw problem
  }
}

const draftEnding = '.new'

export const draftOf = (path: string): string => `${path}${draftEnding}`

/** Whether a file is left over from a crash during `replaceFile`. */
export const isDraft = (name: string): boolean => name.endsWith(draftEnding)

/** Replaces a file atomically: afterwards it has either the old or the new content. */
export async function replaceFile(
  files: JournalFileSystem,
  path: string,
  content: Uint8Array,
): Promise<void> {
  const draft = draftOf(path)
  await files.remove(draft)
  const file = await files.create(draft)
  try {
    await file.write(content, 0)
    await file.sync()
  } finally {
    await file.close()
  }
  await files.rename(draft, path)
}
