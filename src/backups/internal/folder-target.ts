import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { BackupTarget, TargetObject } from './target'

/** Marks a file that is still being written. */
const draftMark = '.draft-'

/** Keeps objects as files. A file gets its name only after its content is on disk. */
export class FolderTarget implements BackupTarget {
  private readonly made = new Set<string>()

  constructor(readonly address: string) {}

  async put(name: string, content: Uint8Array): Promise<void> {
    const path = join(this.address, name)
    await this.makeFolder(dirname(path))
    const draft = `${path}${draftMark}${randomBytes(6).toString('hex')}`
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    await syncFolder(dirname(path))
  }

  async get(name: string): Promise<Buffer | undefined> {
    return await readFile(join(this.address, name)).catch(undefinedWhenMissing)
  }

  async list(prefix: string): Promise<TargetObject[]> {
    const entries = await readdir(join(this.address, prefix), { recursive: true, withFileTypes: true }).catch(
      undefinedWhenMissing,
    )
    const files = (entries ?? []).filter((entry) => entry.isFile() && !entry.name.includes(draftMark))
    return await Promise.all(files.map(async ({ parentPath, name }) => this.describe(join(parentPath, name))))
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.address, name), { force: true })
  }

  private async describe(path: string): Promise<TargetObject> {
    const { size, mtime } = await stat(path)
    return { name: relative(this.address, path), bytes: size, modifiedAt: mtime }
  }

  private async makeFolder(folder: string): Promise<void> {
    if (this.made.has(folder)) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await syncFolder(dirname(folder))
    this.made.add(folder)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function undefinedWhenMissing(problem: NodeJS.ErrnoException): undefined {
  if (problem.code !== 'ENOENT') throw problem
}
