import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/** The list of the files that were published; nothing else in the folder is ever removed. */
const manifestName = '.tilth-published.json'
const manifestShape = z.object({ files: z.array(z.string()) })

/** The outcome of a publication. */
export interface FolderChanges {
  written: number
  unchanged: number
  removed: number
}

/**
 * The folder of a published site. Files are first written aside and replace the old ones when all are there, each by one
 * rename, so that a server of the folder never sends half a file, and a publication that fails changes nothing.
 */
export class StaticFolder {
  private readonly files = new Set<string>()

  private constructor(
    private readonly folder: string,
    private readonly aside: string,
    private readonly before: readonly string[],
  ) {}

  /** Undefined if the folder holds files that were not published by Tilth. */
  static async open(folder: string): Promise<StaticFolder | undefined> {
    await mkdir(folder, { recursive: true })
    const before = await readManifest(folder)
    const names = await readdir(folder)
    const isForeign = names.some((name) => !name.startsWith('.'))
    if (!before && isForeign) return undefined
    const aside = join(folder, `.tilth-publishing-${process.pid}`)
    await rm(aside, { recursive: true, force: true })
    await mkdir(aside)
    return new StaticFolder(folder, aside, before ?? [])
  }

  has(file: string): boolean {
    return this.files.has(file)
  }

  async add(file: string, bytes: Uint8Array): Promise<void> {
    const parts = file.split('/')
    if (parts.some((part) => part === '' || part === '..' || part.includes('\0')))
      throw new Error(`${file} is not the name of a file.`)
    this.files.add(file)
    const path = join(this.aside, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }

  /**
   * Replaces the files: what pages need before the pages, and what is gone last. Of an incomplete publication, files of
   * the earlier one stay.
   */
  async publish({ isComplete }: { isComplete: boolean }): Promise<FolderChanges> {
    const pages = [...this.files].filter((file) => file.endsWith('.html'))
    const others = [...this.files].filter((file) => !file.endsWith('.html'))
    let written = 0
    for (const file of [...others, ...pages]) if (await this.replace(file)) written += 1
    const earlier = this.before.filter((file) => !this.files.has(file))
    const gone = isComplete ? earlier : []
    for (const file of gone) await this.remove(file)
    await this.writeManifest(isComplete ? [] : earlier)
    await this.discard()
    return { written, unchanged: this.files.size - written, removed: gone.length }
  }

  async discard(): Promise<void> {
    await rm(this.aside, { recursive: true, force: true })
  }

  private async replace(file: string): Promise<boolean> {
    const [from, to] = [join(this.aside, file), join(this.folder, file)]
    const known = await readFile(to).catch(() => undefined)
    if (known?.equals(await readFile(from))) return false
    await mkdir(dirname(to), { recursive: true })
    await rename(from, to)
    return true
  }

  private async remove(file: string): Promise<void> {
    await rm(join(this.folder, file), { force: true })
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
      try {
        await rmdir(join(this.folder, folder))
      } catch {
        return
      }
    }
  }

  private async writeManifest(kept: readonly string[]): Promise<void> {
    const draft = join(this.aside, manifestName)
    const files = [...this.files, ...kept].toSorted()
    await writeFile(draft, `${JSON.stringify({ files }, null, 1)}\n`)
    await rename(draft, join(this.folder, manifestName))
  }
}

/** Files that a damaged list names are left alone. */
async function readManifest(folder: string): Promise<readonly string[] | undefined> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { files } = manifestShape.parse(JSON.parse(text))
  return files.filter((file) => !file.startsWith('/') && !file.split('/').includes('..'))
}
