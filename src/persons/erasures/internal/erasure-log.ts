import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { type ErasureToRepeat, reapplyErasures } from '../erasures'
import { everyErasure } from './store'

const schema = z.array(
  z.object({ projectId: z.int(), numbers: z.array(z.uuid()), askedAt: z.iso.datetime() }),
)

/**
 * A file beside the store that lists every erasure, by the numbers of persons and nothing else of them. A store that is
 * put back from an earlier copy learns from it who was erased since.
 */
export class ErasureLog {
  private written: string | undefined

  constructor(private readonly file: string) {}

  /** Requests erasures again that the store has lost, and adds those of the store to the file. */
  async synchronize(dependencies: { store: Store; world: World }): Promise<void> {
    const lost = this.written === undefined ? await this.read() : []
    if (lost.length > 0) await reapplyErasures(dependencies, lost)
    const erasures = await everyErasure(dependencies.store)
    await this.write(erasures.map(({ projectId, numbers, askedAt }) => ({ projectId, numbers, askedAt })))
  }

  private async write(erasures: readonly ErasureToRepeat[]): Promise<void> {
    const text = JSON.stringify(erasures)
    if (text === this.written || (erasures.length === 0 && this.written === undefined)) return
    const draft = `${this.file}.new`
    await writeFile(draft, text, { mode: 0o600, flush: true })
    await rename(draft, this.file)
    this.written = text
  }

  /** The store has all erasures that a damaged file had, unless it was put back meanwhile as well. */
  private async read(): Promise<ErasureToRepeat[]> {
    const text = await readFile(this.file, 'utf8').catch(() => '[]')
    try {
      return schema.parse(JSON.parse(text)).map((entry) => ({ ...entry, askedAt: new Date(entry.askedAt) }))
    } catch {
      return []
    }
  }
}
