import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import type { ErasureRecord, FileGroup, Manifest } from './manifest'
import { BackupRefusedError } from './backup-refused'
import type { Repository } from './repository'

/** Files arrive in here first. While it is there, the folder is none that Tilth may run on. */
const stagingFolderName = '.restoring'

/** In the staging folder of a restore that has only its marks to take away: the name of its snapshot. */
const endedFileName = 'ended'

export const hasUnfinishedRestore = (folder: string): boolean => existsSync(join(folder, stagingFolderName))

export const stagingFolder = (folder: string): string => join(folder, stagingFolderName)

/** A file whose name begins so is a note of a move about itself. */
export const moveNotePrefix = 'move.'

export const hasEnded = (folder: string): boolean => existsSync(join(stagingFolder(folder), endedFileName))

function refuseUnfinishedMove(folder: string): void {
  if (!existsSync(join(stagingFolder(folder), `${moveNotePrefix}json`))) return
  throw new BackupRefusedError(
    `A move into ${folder} was begun. Give the same tilth move again, or restore into an empty folder.`,
  )
}

interface RestoreSettings {
  repository: Repository
  /** The name of a snapshot or the beginning of it; the newest where undefined. */
  snapshot: string | undefined
  folder: string
  /** Looks at the snapshot before anything is written; may throw a `BackupRefusedError`. */
  examine?: (manifest: Manifest) => Promise<void>
  /** Works on the restored files before they get their place. When it throws, the next restore begins anew. */
  prepare?: (arriving: string, manifest: Manifest) => Promise<void>
  /** Takes marks of the restore away elsewhere, once every file has its place. Runs again after a kill. */
  finish?: (manifest: Manifest) => Promise<void>
  progress: (writtenBytes: number, allBytes: number) => void
}

/**
 * Puts a snapshot into an empty folder. Every byte is verified before the folder gets its first file; a restore that was
 * cut short is begun anew by the next one.
 */
export async function restore({
  repository,
  snapshot,
  folder,
  examine,
  prepare,
  finish,
  progress,
}: RestoreSettings): Promise<Manifest> {
  const staging = stagingFolder(folder)
  refuseUnfinishedMove(folder)
  const ended = await readFile(join(staging, endedFileName), 'utf8').catch(() => undefined)
  const manifest = await repository.find(ended ?? snapshot)
  if (ended !== undefined) {
    await end(folder, async () => finish?.(manifest))
    return manifest
  }
  refuseOutsidePaths(manifest)
  await examine?.(manifest)
  await prepareEmptyFolder(folder)
  await mkdir(staging, { recursive: true, mode: 0o700 })
  let written = 0
  for (const group of manifest.groups) {
    await restoreGroup(repository, staging, group)
    written += group.files.reduce((sum, { bytes }) => sum + bytes, 0)
    progress(written, manifest.bytes)
  }
  await makeEngineFolders(staging)
  await prepare?.(staging, manifest)
  await placeFiles(folder, manifest.name)
  await end(folder, async () => finish?.(manifest))
  return manifest
}

/** Gives every file that arrived its place, and notes that nothing is left to do but to take marks away. */
export async function placeFiles(folder: string, name: string): Promise<void> {
  const staging = stagingFolder(folder)
  for (const file of await readdir(staging))
    if (!file.startsWith(moveNotePrefix)) await rename(join(staging, file), join(folder, file))
  await writeFile(join(staging, endedFileName), name)
  await syncFolder(staging)
  await syncFolder(folder)
}

/** Takes the marks away, that of the folder last. */
export async function end(folder: string, finish: () => Promise<void>): Promise<void> {
  await finish()
  const staging = stagingFolder(folder)
  // renamed first: what is left of a folder that is being removed says no more that it has ended
  await rename(staging, `${staging}.new`)
  await rm(`${staging}.new`, { recursive: true })
  await syncFolder(folder)
}

/** Persons who were erased after the snapshot, as far as the repository knows. They are to be erased once more. */
export async function erasuresSince(
  repository: Repository,
  { name, erasures }: Manifest,
): Promise<ErasureRecord[]> {
  const known = new Set(erasures.map(identityOf))
  const others = (await repository.snapshots()).filter((snapshot) => snapshot.name !== name)
  const since = new Map<string, ErasureRecord>()
  for (const snapshot of others)
    for (const erasure of (await repository.manifest(snapshot.name)).erasures)
      if (!known.has(identityOf(erasure))) since.set(identityOf(erasure), erasure)
  return [...since.values()]
}

const identityOf = ({ projectId, askedAt, numbers }: ErasureRecord): string =>
  JSON.stringify([projectId, new Date(askedAt).toISOString(), numbers.toSorted()])

function refuseOutsidePaths({ groups, name }: Manifest): void {
  for (const { path } of groups.flatMap(({ files }) => files)) {
    if (!isAbsolute(path) && normalize(path) === path && !path.startsWith('..') && !path.includes('\0'))
      continue
    throw new BackupRefusedError(
      `Snapshot ${name} names a file outside of the data folder. Nothing was restored.`,
    )
  }
}

async function prepareEmptyFolder(folder: string): Promise<void> {
  const names: string[] = await readdir(folder).catch(() => [])
  const isLeftOver = names.includes(stagingFolderName)
  if (names.length > 0 && !isLeftOver)
    throw new BackupRefusedError(
      `${folder} is not empty. Restore into an empty folder, and give it to Tilth with TILTH_DATA.`,
    )
  // an earlier restore began with an empty folder, so all of this is its own
  for (const name of names.filter((each) => each !== stagingFolderName))
    await rm(join(folder, name), { recursive: true, force: true })
  // the mark itself stays: it says that a filled database is the work of this restore
  for (const name of isLeftOver ? await readdir(join(folder, stagingFolderName)) : [])
    await rm(join(folder, stagingFolderName, name), { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Chunks are read in order and dealt out to the files that they were made of. */
async function restoreGroup(repository: Repository, to: string, { files, chunks }: FileGroup): Promise<void> {
  const expectedBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const availableBytes = chunks.reduce((sum, { bytes }) => sum + bytes, 0)
  if (expectedBytes !== availableBytes)
    throw new BackupRefusedError('The manifest contradicts itself. Restore another snapshot.')
  const upcoming = [...chunks]
  let rest: Buffer = Buffer.alloc(0)
  for (const { path, bytes, mode } of files) {
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
    const file = await open(join(to, path), 'wx', mode)
    try {
      for (let left = bytes; left > 0;) {
        const next = rest.length === 0 ? upcoming.shift() : undefined
        if (next) rest = await repository.fetch(next)
        const piece = rest.subarray(0, left)
        await file.writeFile(piece)
        rest = rest.subarray(piece.length)
        left -= piece.length
      }
      await file.datasync()
    } finally {
      await file.close()
    }
  }
}

/** The engine expects these beside the parts of every table, also where nothing was in them. */
async function makeEngineFolders(staging: string): Promise<void> {
  const store = join(staging, 'engine', 'data', 'store')
  if (!existsSync(store)) return
  for (const prefix of await readdir(store)) {
    for (const table of await readdir(join(store, prefix))) {
      const folder = join(store, prefix, table)
      if (existsSync(join(folder, 'format_version.txt')))
        await mkdir(join(folder, 'detached'), { recursive: true, mode: 0o750 })
    }
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
