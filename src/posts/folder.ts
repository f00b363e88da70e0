import { type FSWatcher, watch } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import type { Outcome } from '../projects/problems'
import { isBeside, picturesBeside, withAddresses } from './folder/pictures-in'
import { type Place, placeOf } from './folder/place'
import { coverNames, coverSaid, postIn } from './folder/post-in'
import { type Fronted, readFrontMatter } from './front-matter'
import { imageAddress, type KeptFile } from './images'
import type { Post } from './post'
import type { PostSource } from './published'
import type { PostProblem } from './published/shelf'

interface Ground {
  /** An absolute path. */
  folder: string
  /** Whose the files of a folder of this name are; of no name, the main project's. */
  projectNamed(slug: string | undefined): { id: number; timeZone: string } | undefined
  keepImage(bytes: Uint8Array): Promise<Outcome<{ kept: KeptFile }>>
  onTrouble(problem: unknown): void
}

interface Known {
  projectId: number
  /** What the file was when it was read: it is read again once that is another. */
  stamp: string
  /** The last that could be published; a file that was spoiled since does not take it away. */
  post: Post | undefined
  problem: PostProblem | undefined
}

interface Contents {
  posts: readonly Post[]
  problems: readonly PostProblem[]
}

const settleMs = 150
/** Some file systems, of other machines above all, do not tell of changes. */
const lookEveryMs = 10_000
const mostFiles = 20_000

/** Posts and pages in files of their owner's own, beside those of the studio. Nothing is ever written there. */
export class PostFolder implements PostSource {
  private known: ReadonlyMap<string, Known> = new Map()
  private byProject: ReadonlyMap<number, Contents> = new Map()
  private readonly listeners = new Set<(projectId: number) => void>()
  private readonly closing = new AbortController()
  private looking: Promise<void> = Promise.resolve()
  private watcher: FSWatcher | undefined
  private settling: NodeJS.Timeout | undefined
  private timer: NodeJS.Timeout | undefined

  private constructor(private readonly ground: Ground) {}

  static async open(ground: Ground): Promise<PostFolder> {
    const folder = new PostFolder(ground)
    await folder.look()
    folder.watch()
    return folder
  }

  posts(projectId: number): readonly Post[] {
    return this.byProject.get(projectId)?.posts ?? []
  }

  problems(projectId: number): readonly PostProblem[] {
    return this.byProject.get(projectId)?.problems ?? []
  }

  /** Hears the project whose files are others now. */
  onChange(listener: (projectId: number) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Reads what has changed since; who asks meanwhile waits for a look of their own. */
  async look(): Promise<void> {
    this.looking = this.looking.then(() => this.readAll()).catch((problem) => this.ground.onTrouble(problem))
    await this.looking
  }

  async close(): Promise<void> {
    this.closing.abort()
    this.watcher?.close()
    clearTimeout(this.settling)
    clearInterval(this.timer)
    await this.looking
  }

  private watch(): void {
    this.timer = setInterval(() => void this.look(), lookEveryMs).unref()
    try {
      const { signal } = this.closing
      this.watcher = watch(this.ground.folder, { recursive: true, persistent: false, signal }, () =>
        this.soon(),
      )
      this.watcher.on('error', () => {})
    } catch {
      // then it is noticed at the next look by the clock
    }
  }

  /** An editor writes a file in several steps, and a checkout many files. */
  private soon(): void {
    clearTimeout(this.settling)
    this.settling = setTimeout(() => void this.look(), settleMs).unref()
  }

  private async readAll(): Promise<void> {
    const before = this.known
    const now = new Map<string, Known>()
    for (const path of await filesIn(this.ground.folder)) {
      const known = await this.read(path, before.get(path))
      if (known) now.set(path, known)
    }
    this.known = now
    this.byProject = contentsIn([...now.values()])
    for (const projectId of projectsOfChanges(before, now))
      for (const listener of this.listeners) listener(projectId)
  }

  private async read(path: string, before: Known | undefined): Promise<Known | undefined> {
    const place = placeOf(path)
    const project = place && this.ground.projectNamed(place.project)
    if (!project) return undefined
    const { mtime, size } = await stat(join(this.ground.folder, path))
    const stamp = `${mtime.getTime()} ${size} ${project.id} ${project.timeZone}`
    if (before?.stamp === stamp) return before
    const outcome = await this.postFrom(path, place, project, mtime)
    const found = { projectId: project.id, stamp }
    if (outcome.done) return { ...found, post: outcome.post, problem: undefined }
    const message = outcome.problems
      .map(({ field, message: said }) => (field ? `${field}: ${said}` : said))
      .join(' ')
    return { ...found, post: before?.post, problem: { id: `file:${path}`, message } }
  }

  private async postFrom(
    path: string,
    place: Place,
    { id: projectId, timeZone }: { id: number; timeZone: string },
    changedAt: Date,
  ): Promise<Outcome<{ post: Post }>> {
    const read = readFrontMatter(await readFile(join(this.ground.folder, path), 'utf8'))
    if (!read.done) return read
    const shown = await this.withPictures(read.file, path)
    if (!shown.done) return shown
    return postIn({ ...shown.file, path, changedAt }, place, { projectId, timeZone })
  }

  /** Pictures beside the file are served from where uploaded ones are. */
  private async withPictures({ front, body }: Fronted, path: string): Promise<Outcome<{ file: Fronted }>> {
    const placed = []
    for (const found of picturesBeside(body)) {
      const becomes = await this.addressFor(found.address, path)
      if (!becomes.done) return becomes
      placed.push({ ...found, becomes: becomes.address })
    }
    const cover = await this.coverIn(front, path)
    if (!cover.done) return cover
    return { done: true, file: { front: { ...front, ...cover.said }, body: withAddresses(body, placed) } }
  }

  private async coverIn(front: Fronted['front'], path: string): Promise<Outcome<{ said: Fronted['front'] }>> {
    const name = coverNames.find((one) => front[one])
    const said = name === undefined ? undefined : coverSaid(front[name])
    if (name === undefined || !said || !isBeside(said.address)) return { done: true, said: {} }
    const kept = await this.addressFor(said.address, path)
    return kept.done ? { done: true, said: { [name]: { ...said, address: kept.address } } } : kept
  }

  private async addressFor(address: string, path: string): Promise<Outcome<{ address: string }>> {
    const file = posix.normalize(posix.join(dirname(path).split(sep).join('/'), decodeURI(address)))
    if (file.startsWith('..'))
      return { done: false, problems: [{ message: `${address} is outside the folder.` }] }
    const bytes = await readFile(join(this.ground.folder, file)).catch(() => undefined)
    // it may come later: what it shows is said in its place until then
    if (!bytes) return { done: true, address }
    const kept = await this.ground.keepImage(bytes)
    return kept.done ? { done: true, address: imageAddress(kept.kept.file) } : kept
  }
}

const contentsIn = (known: readonly Known[]): Map<number, Contents> =>
  new Map(
    Array.from(
      Map.groupBy(known, ({ projectId }) => projectId),
      ([projectId, own]) => [
        projectId,
        {
          posts: own.flatMap(({ post }) => post ?? []),
          problems: own.flatMap(({ problem }) => problem ?? []),
        },
      ],
    ),
  )

const projectsOfChanges = (
  before: ReadonlyMap<string, Known>,
  now: ReadonlyMap<string, Known>,
): Set<number> =>
  new Set(
    [...new Set([...before.keys(), ...now.keys()])]
      .filter((path) => before.get(path) !== now.get(path))
      .flatMap((path) => [before.get(path)?.projectId ?? [], now.get(path)?.projectId ?? []])
      .flat(),
  )

/** Symbolic links are not followed: they could lead anywhere on the machine. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
    .toSorted()
    .slice(0, mostFiles)
}
