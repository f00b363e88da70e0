import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type Diagram, diagramTrouble } from '../diagrams'
import type { Post } from '../post'
import type { Drawing } from './drawing'
import { measured } from './measure'

interface DrawingsDependencies {
  /** Receives drawings; they can be made anew at any time. */
  folder: string
  /** Undefined where it cannot be drawn now. */
  draw: (code: string, language: string) => Promise<Drawing | undefined>
  onTrouble: (problem: unknown) => void
  maxBytes?: number
}

interface DrawingOptions {
  /** Drafts change with every letter; their drawings are kept in memory only. */
  isDraft?: boolean
}

const usualMaxBytes = 64_000_000
const memoryLetters = 4_000_000

/**
 * The drawings of diagrams. Each is made once and kept on disk under the hash of its code, so that a restart does not
 * repeat it.
 */
export class Drawings {
  private readonly memory = new LRUCache<string, Drawing>({
    maxSize: memoryLetters,
    sizeCalculation: (drawing) => (drawing.done ? drawing.svg.length : 200),
  })
  private readonly pending = new Map<string, Promise<Drawing | undefined>>()
  private writtenSincePruning = 0

  private constructor(private readonly dependencies: DrawingsDependencies) {}

  static async open(dependencies: DrawingsDependencies): Promise<Drawings> {
    const drawings = new Drawings(dependencies)
    await drawings.prune().catch(dependencies.onTrouble)
    return drawings
  }

  /** Undefined where it cannot be drawn now. */
  async drawingOf(diagram: Diagram, { isDraft = false }: DrawingOptions = {}): Promise<Drawing | undefined> {
    const { address } = diagram
    const known = this.memory.get(address)
    if (known) return known
    const pending = this.pending.get(address)
    if (pending) return await pending
    const drawing = this.readOrDraw(diagram, isDraft).finally(() => this.pending.delete(address))
    this.pending.set(address, drawing)
    return await drawing
  }

  /** Draws what a site will need, one after the other. */
  async prepare(posts: readonly Post[], diagramsOf: (post: Post) => readonly Diagram[]): Promise<void> {
    for (const post of posts) for (const diagram of diagramsOf(post)) await this.drawingOf(diagram)
  }

  private async readOrDraw(diagram: Diagram, isDraft: boolean): Promise<Drawing | undefined> {
    const drawing = (await this.read(diagram)) ?? (await this.make(diagram, isDraft))
    if (drawing) this.memory.set(diagram.address, drawing)
    return drawing
  }

  private async read({ address }: Diagram): Promise<Drawing | undefined> {
    const svg = await readFile(this.fileOf(address), 'utf8').catch(() => undefined)
    const drawing = svg?.endsWith('</svg>') ? measured(svg) : undefined
    return drawing?.done ? drawing : undefined
  }

  private async make(diagram: Diagram, isDraft: boolean): Promise<Drawing | undefined> {
    const trouble = diagramTrouble(diagram)
    if (trouble !== undefined) return { done: false, message: trouble }
    const drawing = await this.dependencies.draw(diagram.code, diagram.language)
    if (drawing?.done && !isDraft)
      await this.write(diagram.address, drawing.svg).catch(this.dependencies.onTrouble)
    return drawing
  }

  private async write(address: string, svg: string): Promise<void> {
    const file = this.fileOf(address)
    const incoming = `${file}.${process.pid}.new`
    await mkdir(this.dependencies.folder, { recursive: true, mode: 0o700 })
    await writeFile(incoming, svg, { mode: 0o600 })
    await rename(incoming, file)
    this.writtenSincePruning += svg.length
    if (this.writtenSincePruning > this.maxBytes / 8) await this.prune()
  }

  /** Removes the oldest drawings where all together are too large, and files of processes that were killed. */
  private async prune(): Promise<void> {
    this.writtenSincePruning = 0
    const { folder } = this.dependencies
    const names = await readdir(folder).catch(() => [])
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name)
        const { size = 0, mtimeMs = 0 } = (await stat(path).catch(() => undefined)) ?? {}
        return { path, size, mtimeMs }
      }),
    )
    let bytes = 0
    for (const { path, size } of files.toSorted((one, other) => other.mtimeMs - one.mtimeMs)) {
      bytes += size
      if (bytes > this.maxBytes) await rm(path, { force: true })
    }
  }

  private get maxBytes(): number {
    return this.dependencies.maxBytes ?? usualMaxBytes
  }

  private fileOf(address: string): string {
    return join(this.dependencies.folder, address.slice(address.lastIndexOf('/') + 1))
  }
}
