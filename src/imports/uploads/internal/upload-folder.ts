import { constants } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ImportUpload } from '../upload'

/** The folder within the data folder where uploaded files wait until they are imported. */
export class UploadFolder {
  private readonly folder: string

  constructor(dataFolder: string) {
    this.folder = join(dataFolder, 'imports')
  }

  folderOf({ id }: Pick<ImportUpload, 'id'>): string {
    return join(this.folder, id)
  }

  pathsOf(upload: Pick<ImportUpload, 'id' | 'files'>): string[] {
    return upload.files.map((_, index) => this.pathOf(upload, index))
  }

  /** Returns how much of each file has arrived. */
  async receivedBytes(upload: Pick<ImportUpload, 'id' | 'files'>): Promise<number[]> {
    return await Promise.all(this.pathsOf(upload).map(sizeOf))
  }

  async has(upload: Pick<ImportUpload, 'id' | 'files'>): Promise<boolean> {
    const received = await this.receivedBytes(upload)
    return upload.files.every(({ bytes }, index) => received[index] === bytes)
  }

  /** Writes the next bytes of a file and returns its size. Writes nothing behind a gap. */
  async write(
    upload: Pick<ImportUpload, 'id' | 'files'>,
    { index, at }: { index: number; at: number },
    bytes: Uint8Array,
  ): Promise<number> {
    const path = this.pathOf(upload, index)
    await mkdir(dirname(path), { recursive: true })
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      const { size } = await file.stat()
      if (at > size) return size
      await file.write(bytes, 0, bytes.length, at)
      return Math.max(size, at + bytes.length)
    } finally {
      await file.close()
    }
  }

  async remove(upload: Pick<ImportUpload, 'id'>): Promise<void> {
    await rm(this.folderOf(upload), { recursive: true, force: true })
  }

  /** Returns the ids of all uploads of which there are files. */
  async ids(): Promise<string[]> {
    return await readdir(this.folder).catch(() => [])
  }

  /** Each file has a folder of its own, because two may have the same name. */
  private pathOf({ id, files }: Pick<ImportUpload, 'id' | 'files'>, index: number): string {
    return join(this.folder, id, String(index), safeName(files[index]?.name ?? ''))
  }
}

const mostNameBytes = 200

function safeName(name: string): string {
  const kept = Buffer.from(name.replaceAll(/[/\\\p{Cc}]/gu, '_'))
    .subarray(-mostNameBytes)
    .toString('utf8')
    .replaceAll('\uFFFD', '_')
  return /^\.*$/.test(kept) ? '_' : kept
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? 0
}
