import { createHash } from 'node:crypto'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { FileGroup, Manifest } from '../manifest'
import { type PointFolder, treeOf } from '../point'
import { type Chunk, type Repository, snapshotName } from '../repository'
import type { StoreCopy } from './store-copy'

export interface SnapshotSettings {
  tilth: string
  /** Whether files of keys are part of the snapshot. */
  withKeys: boolean
  progress: (readBytes: number, allBytes: number) => void
  /** Exports the events of a remote engine, given the groups of the last snapshot. */
  exportEngine?: ((before: readonly FileGroup[]) => Promise<FileGroup[]>) | undefined
}

/** Small enough to be held in memory several times, large enough that a bucket is not asked a million times. */
const chunkBytes = 8 * 1024 ** 2
const putsAtOnce = 4

interface FoundFile {
  path: string
  bytes: number
  mode: number
  mtimeMs: number
}

/** Writes what the target does not have yet, and the manifest last. */
export async function writeSnapshot(
  repository: Repository,
  { path, point }: PointFolder,
  { store, erasures, damage }: StoreCopy,
  settings: SnapshotSettings,
): Promise<Manifest> {
  const tree = treeOf(path)
  const found = await filesIn(tree)
  const files = withJournalCut(found, point.journal.segments)
  const wanted = files.filter(({ path: file }) => settings.withKeys || !isKeyFile(file))
  const known = await groupsOfLastSnapshot(repository)
  const all = wanted.reduce((sum, { bytes }) => sum + bytes, 0)
  const groups: FileGroup[] = []
  let read = 0
  for (const [name, members] of Map.groupBy(wanted, ({ path: file }) => groupOf(file))) {
    groups.push(await writeGroup(repository, tree, { name, members, before: known.get(name) }))
    read += members.reduce((sum, { bytes }) => sum + bytes, 0)
    settings.progress(read, all)
  }
  const exported = (await settings.exportEngine?.([...known.values()])) ?? []
  const damaged = [...damage, ...(point.damage ?? [])]
  const manifest: Manifest = {
    format: 1,
    name: snapshotName(new Date(point.at)),
    tilth: settings.tilth,
    point,
    store,
    erasures,
    groups: [...groups, ...exported],
    leftOut: describeOmissions(
      files.length === wanted.length ? [] : files.filter(({ path: file }) => isKeyFile(file)),
      {
        engine: point.engine,
      },
    ),
    ...(damaged.length > 0 && { damage: damaged }),
    bytes: all + exported.flatMap(({ files: slices }) => slices).reduce((sum, { bytes }) => sum + bytes, 0),
  }
  await repository.addSnapshot(manifest)
  return manifest
}

/** Keys stand at the top of the data folder. */
const isKeyFile = (path: string): boolean => /^[^/]+\.key$/.test(path)

function describeOmissions(keys: readonly FoundFile[], { engine }: Pick<Manifest['point'], 'engine'>) {
  const sentences = keys.map(
    ({ path }) => `${path} is left out, because the backup is not encrypted: keep a copy of it apart.`,
  )
  if (engine.form === 'remote' && engine.clone === undefined)
    sentences.push(
      `The events are left out, because the server of TILTH_ENGINE could not clone their tables (${engine.trouble ?? 'it was not asked'}): ` +
        'back that server up by its own means.',
    )
  return sentences
}

async function filesIn(tree: string): Promise<FoundFile[]> {
  const entries = await readdir(tree, { recursive: true, withFileTypes: true })
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        const { size, mode, mtimeMs } = await stat(path)
        return { path: relative(tree, path), bytes: size, mode: mode & 0o777, mtimeMs }
      }),
  )
  // an order that does not change makes the same chunks of the same files
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** The last file of the journal goes on growing; what came after the point is not part of it. */
function withJournalCut(
  files: readonly FoundFile[],
  segments: readonly { file: string; bytes: number }[],
): FoundFile[] {
  const cuts = new Map(segments.map(({ file, bytes }) => [`journal/${file}`, bytes]))
  return files.map((file) => ({ ...file, bytes: Math.min(file.bytes, cuts.get(file.path) ?? file.bytes) }))
}

const enginePart = /^(engine\/data\/store\/[^/]+\/[^/]+\/[^/]+)\//

/** The many small files of an engine's part go together, and so do those that describe the tables. */
function groupOf(path: string): string {
  const [, part] = enginePart.exec(path) ?? []
  return part ?? (path.startsWith('engine/') ? 'engine/definitions' : path)
}

async function groupsOfLastSnapshot(repository: Repository): Promise<Map<string, FileGroup>> {
  const last = (await repository.snapshots()).at(-1)
  // one that cannot be read is reported by `check`; everything is read once more then
  const manifest = last && (await repository.manifest(last.name).catch(() => undefined))
  return new Map(manifest?.groups.map((group) => [group.path, group]))
}

interface GroupToWrite {
  name: string
  members: readonly FoundFile[]
  before: FileGroup | undefined
}

async function writeGroup(
  repository: Repository,
  tree: string,
  { name, members, before }: GroupToWrite,
): Promise<FileGroup> {
  const mark = await markOf(tree, name, members)
  const files = members.map(({ path, bytes, mode }) => ({ path, bytes, mode }))
  const isUnchanged = mark !== undefined && before?.mark === mark
  if (isUnchanged && (await hasAll(repository, before.chunks)))
    return { path: name, mark, files, chunks: before.chunks }
  return { path: name, mark, files, chunks: await writeChunks(repository, tree, members) }
}

async function hasAll(repository: Repository, chunks: readonly Chunk[]): Promise<boolean> {
  for (const chunk of chunks) if (!(await repository.has(chunk))) return false
  return true
}

/** Only of what never changes once it is there under its name: parts of the engine, whose checksums say it all, and pictures. */
async function markOf(
  tree: string,
  name: string,
  members: readonly FoundFile[],
): Promise<string | undefined> {
  const sizes = members.map(({ path, bytes }) => `${path} ${bytes}\n`).join('')
  const sums = members.find(({ path }) => basename(path) === 'checksums.txt' && dirname(path) === name)
  if (sums && enginePart.test(sums.path)) {
    const content = await readFile(join(tree, sums.path))
    return createHash('sha256').update(content).update(sizes).digest('hex')
  }
  const [file] = members
  return file && name.startsWith('uploads/') ? `${file.bytes} ${file.mtimeMs}` : undefined
}

/** The files one after the other, cut where a chunk is full. */
async function writeChunks(
  repository: Repository,
  tree: string,
  files: readonly FoundFile[],
): Promise<Chunk[]> {
  const chunks: Promise<Chunk>[] = []
  for await (const content of contentOf(tree, files)) {
    const chunk = repository.storeContent(content)
    chunk.catch(() => {}) // awaited below, or together with the others
    chunks.push(chunk)
    await chunks.at(-putsAtOnce)
  }
  return await Promise.all(chunks)
}

async function* contentOf(tree: string, files: readonly FoundFile[]): AsyncGenerator<Buffer> {
  let chunk = Buffer.allocUnsafe(chunkBytes)
  let filled = 0
  for (const { path, bytes } of files) {
    const file = await open(join(tree, path), 'r')
    try {
      for (let at = 0; at < bytes;) {
        const wanted = Math.min(chunkBytes - filled, bytes - at)
        const { bytesRead } = await file.read(chunk, filled, wanted, at)
        if (bytesRead === 0) throw new Error(`${path} is shorter than it was.`)
        at += bytesRead
        filled += bytesRead
        if (filled < chunkBytes) continue
        yield chunk
        chunk = Buffer.allocUnsafe(chunkBytes)
        filled = 0
      }
    } finally {
      await file.close()
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}
