import type { Stats } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import { failedOutcome, type Outcome } from '#projects/problems'
import { WatchedFolder } from '#world/watched-folder'
import { isLocalAddress, localPictures, replaceAddresses } from './local-pictures'
import { type PostFilePath, readPostPath } from './post-file-path'
import { coverFieldNames, readCover, postFromFile } from './post-from-file'
import { type FrontMatterFile, readFrontMatter } from '../front-matter'
import { imagePath, type ImageFile } from '../images'
import { withBodyOutsideHeap } from './memory'
import type { Post } from '../post'
import type { PostSource } from '../published/published'
import type { PostProblem } from '../published/internal/published-index'

interface Dependencies {
  /** An absolute path. */
  folder: string
  /** The project of a folder with this name; the main project without a name. */
  projectNamed(slug: string | undefined): { id: number; timeZone: string } | undefined
  keepImage(bytes: Uint8Array): Promise<Outcome<{ kept: ImageFile }>>
  onTrouble: (problem: unknown) => void
}

interface KnownFile {
  projectId: number
  /** The state of the file when it was read; it is read again when this changes. */
  stamp: string
  /** The last valid version; a later invalid file does not remove it. */
  post: Post | undefined
  problem: PostProblem | undefined
}

interface ProjectFiles {
  posts: readonly Post[]
  problems: readonly PostProblem[]
}

const debounceMs = 150
const pollEveryMs = 10_000
const maxFiles = 20_000

/** Posts and pages in files of the owner, in addition to those of the studio. The folder is only read. */
export class PostFolder implements PostSource {
  private known: ReadonlyMap<string, KnownFile> = new Map()
  private byProject: ReadonlyMap<number, ProjectFiles> = new Map()
  private readonly listeners = new Set<(projectId: number) => void>()
  private readonly closing = new AbortController()
  private scanning: Promise<void> = Promise.resolve()
  private readonly watched: WatchedFolder

  private constructor(private readonly dependencies: Dependencies) {
    const { folder, onTrouble } = dependencies
    const onChange = () => this.scan()
    this.watched = new WatchedFolder({ folder, onChange, onTrouble, debounceMs, pollEveryMs })
  }

  static async open(dependencies: Dependencies): Promise<PostFolder> {
    const folder = new PostFolder(dependencies)
    await folder.watched.start()
    await folder.scan()
    return folder
  }

  posts(projectId: number): readonly Post[] {
    return this.byProject.get(projectId)?.posts ?? []
  }

  problems(projectId: number): readonly PostProblem[] {
    return this.byProject.get(projectId)?.problems ?? []
  }

  /** Calls the listener with the id of a project whose files have changed. */
  onChange(listener: (projectId: number) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Reads changed files. A call during a scan waits for another scan. */
  async scan(): Promise<void> {
    if (this.closing.signal.aborted) return
    this.scanning = this.scanning
      .then(() => this.readAll())
      .catch((problem) => this.dependencies.onTrouble(problem))
    await this.scanning
  }

  async close(): Promise<void> {
    this.closing.abort()
    await this.watched.close()
    await this.scanning
  }

  private async readAll(): Promise<void> {
    const before = this.known
    const now = new Map<string, KnownFile>()
    for (const [path, stats] of await statsIn(this.dependencies.folder)) {
      const known = await this.read(path, stats, before.get(path))
      if (known) now.set(path, known)
    }
    this.known = now
    this.byProject = filesByProject([...now.values()])
    for (const projectId of changedProjects(before, now))
      for (const listener of this.listeners) listener(projectId)
  }

  private async read(
    path: string,
    { mtime, mtimeMs, size, ino }: Stats,
    before: KnownFile | undefined,
  ): Promise<KnownFile | undefined> {
    const place = readPostPath(path)
    const project = place && this.dependencies.projectNamed(place.project)
    if (!project) return undefined
    const stamp = `${mtimeMs} ${size} ${ino} ${project.id} ${project.timeZone}`
    if (before?.stamp === stamp) return before
    const outcome = await this.postFrom(path, place, project, mtime)
    const found = { projectId: project.id, stamp }
    if (outcome.done) return { ...found, post: withBodyOutsideHeap(outcome.post), problem: undefined }
    const message = outcome.problems
      .map((problem) => (problem.field ? `${problem.field}: ${problem.message}` : problem.message))
      .join(' ')
    return { ...found, post: before?.post, problem: { id: `file:${path}`, message } }
  }

  private async postFrom(
    path: string,
    place: PostFilePath,
    { id: projectId, timeZone }: { id: number; timeZone: string },
    changedAt: Date,
  ): Promise<Outcome<{ post: Post }>> {
    const read = await readPostFile(join(this.dependencies.folder, path))
    if (!read.done) return read
    const shown = await this.withPictures(read.file, path)
    if (!shown.done) return shown
    const made = postFromFile({ ...shown.file, path, changedAt }, place, { projectId, timeZone })
    const { picturesBeside } = shown
    return made.done && isMdx(path) ? { done: true, post: { ...made.post, picturesBeside } } : made
  }

  /** Serves pictures beside the file from the same address as uploaded ones. */
  private async withPictures(
    { fields, body }: FrontMatterFile,
    path: string,
  ): Promise<Outcome<{ file: FrontMatterFile; picturesBeside: Record<string, string> }>> {
    const placed = []
    for (const found of localPictures(body)) {
      const stored = await this.storedPicture(found.address, path)
      if (!stored.done) return stored
      const { address: served, size } = stored.picture
      const becomes = size ? `${served}#${size.width}x${size.height}` : served
      placed.push({ ...found, served, becomes })
    }
    const cover = await this.withCover(fields, path)
    if (!cover.done) return cover
    return {
      done: true,
      file: { fields: { ...fields, ...cover.fields }, body: replaceAddresses(body, placed) },
      picturesBeside: Object.fromEntries(placed.map(({ address, served }) => [address, served])),
    }
  }

  private async withCover(
    front: FrontMatterFile['fields'],
    path: string,
  ): Promise<Outcome<{ fields: FrontMatterFile['fields'] }>> {
    const name = coverFieldNames.find((one) => front[one])
    const frontMatter = name === undefined ? undefined : readCover(front[name])
    if (name === undefined || !frontMatter || !isLocalAddress(frontMatter.address))
      return { done: true, fields: {} }
    const stored = await this.storedPicture(frontMatter.address, path)
    if (!stored.done) return stored
    const { address, size } = stored.picture
    return { done: true, fields: { [name]: { ...frontMatter, address, ...size } } }
  }

  private async storedPicture(address: string, path: string): Promise<Outcome<{ picture: StoredPicture }>> {
    const file = posix.normalize(posix.join(dirname(path).split(sep).join('/'), decodeURI(address)))
    if (file.startsWith('..'))
      return { done: false, problems: [{ message: `${address} is outside the folder.` }] }
    const bytes = await readFile(join(this.dependencies.folder, file)).catch(() => undefined)
    // the picture may be added later; its alt text is shown until then
    if (!bytes) return { done: true, picture: { address } }
    const stored = await this.dependencies.keepImage(bytes)
    if (!stored.done) return stored
    const { file: name, width, height } = stored.kept
    return { done: true, picture: { address: imagePath(name), size: { width, height } } }
  }
}

interface StoredPicture {
  address: string
  /** Unknown for a picture that is not there yet. */
  size?: Pick<ImageFile, 'width' | 'height'>
}

const filesByProject = (known: readonly KnownFile[]): Map<number, ProjectFiles> =>
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

const changedProjects = (
  before: ReadonlyMap<string, KnownFile>,
  now: ReadonlyMap<string, KnownFile>,
): Set<number> =>
  new Set(
    [...new Set([...before.keys(), ...now.keys()])]
      .filter((path) => before.get(path) !== now.get(path))
      .flatMap((path) => [before.get(path)?.projectId ?? [], now.get(path)?.projectId ?? []])
      .flat(),
  )

const isMdx = (path: string): boolean => /\.mdx$/i.test(path)

/**
 * Reads a file. Of one in MDX the body is its Markdown without components, for feeds, searching and excerpts; its page is
 * rendered by the site folder.
 */
async function readPostFile(path: string): Promise<Outcome<{ file: FrontMatterFile }>> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  // it may be replaced at this moment, and is read again then
  if (text === undefined) return failedOutcome('The file cannot be read.')
  const read = readFrontMatter(text)
  if (!read.done || !isMdx(path)) return read
  const { markdownOfMdx, MdxError } = await import('../mdx')
  const { fields, body } = read.file
  try {
    return { done: true, file: { fields, body: markdownOfMdx(body) } }
  } catch (problem) {
    if (!(problem instanceof MdxError)) throw problem
    const linesBefore = text.slice(0, text.length - body.length).split('\n').length - 1
    return failedOutcome(`line ${linesBefore + (problem.line ?? 1)}: ${problem.message}`)
  }
}

/** Files whose states are asked for at once: one after the other, thousands take seconds on a busy machine. */
const filesAtOnce = 64

/** The files of posts and their states, without those that disappear meanwhile. */
async function statsIn(folder: string): Promise<[path: string, stats: Stats][]> {
  const paths = await filesIn(folder)
  const found: [string, Stats][] = []
  for (let from = 0; from < paths.length; from += filesAtOnce) {
    const portion = paths.slice(from, from + filesAtOnce).map(async (path): Promise<[string, Stats][]> => {
      const stats = await stat(join(folder, path)).catch(() => undefined)
      return stats ? [[path, stats]] : []
    })
    found.push(...(await Promise.all(portion)).flat())
  }
  return found
}

/** Does not follow symbolic links, which could lead anywhere on the machine. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(?:md|markdown|mdx)$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
    .toSorted()
    .slice(0, maxFiles)
}
