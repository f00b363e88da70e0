import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const fileShape = z.record(z.string(), z.string())

/**
 * Keeps the openings of posts by the hash of the body in a file, so that a restart need not read every post again. The file belongs to
 * one build, because another may summarize differently. Several processes write the same: the last one counts.
 */
export class SummaryFile {
  private readonly name: string
  private written = ''

  constructor(
    private readonly folder: string,
    build: string,
  ) {
    this.name = `summaries-${hash('sha256', build, 'hex').slice(0, 16)}.json`
  }

  /** Returns nothing if there is no file, or if it is damaged. */
  async read(): Promise<Map<string, string>> {
    try {
      const text = await readFile(join(this.folder, this.name), 'utf8')
      return new Map(Object.entries(fileShape.parse(JSON.parse(text))))
    } catch {
      return new Map()
    }
  }

  async write(summaries: ReadonlyMap<string, string>): Promise<void> {
    const text = JSON.stringify(Object.fromEntries(summaries))
    const digest = hash('sha256', text, 'hex')
    if (digest === this.written) return
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const draft = join(this.folder, `${this.name}.${process.pid}`)
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, join(this.folder, this.name))
    this.written = digest
    await this.removeOthers()
  }

  private async removeOthers(): Promise<void> {
    for (const other of await readdir(this.folder))
      if (!other.startsWith(this.name)) await rm(join(this.folder, other), { force: true })
  }
}
