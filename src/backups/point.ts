import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { linkFile, linkPartsAtRest } from '#engine/part-links'
import { type BackupPoint, pointSchema } from './manifest'

/**
 * A point in time of a data folder, as a folder of its own: links to files that do not change any more, at no cost. What
 * writes a snapshot from it may take its time.
 */
export interface PointFolder {
  path: string
  point: BackupPoint
}

/** The tree looks as the data folder will when it is restored. */
export const treeOf = (path: string): string => join(path, 'tree')

const descriptionOf = (path: string): string => join(path, 'point.json')

export const pointsFolder = (dataFolder: string): string => join(dataFolder, 'backups')
const pointPrefix = 'point-'
export const pointFolder = (dataFolder: string, id: string): string =>
  join(pointsFolder(dataFolder), `${pointPrefix}${id}`)

export async function beginPoint(dataFolder: string, id: string): Promise<string> {
  const path = pointFolder(dataFolder, id)
  await mkdir(treeOf(path), { recursive: true, mode: 0o700 })
  return path
}

export async function finishPoint(path: string, point: BackupPoint): Promise<PointFolder> {
  await writeFile(descriptionOf(path), JSON.stringify(point), { mode: 0o600 })
  return { path, point }
}

export async function readPoint(path: string): Promise<PointFolder> {
  return { path, point: pointSchema.parse(JSON.parse(await readFile(descriptionOf(path), 'utf8'))) }
}

export async function removePoint(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

/** The numbers of the points that are there, wanted or left behind. */
export async function pointsIn(dataFolder: string): Promise<string[]> {
  const names = await readdir(pointsFolder(dataFolder)).catch(() => [])
  return names.filter((name) => name.startsWith(pointPrefix)).map((name) => name.slice(pointPrefix.length))
}

/** The part of a journal file that belongs to a point. */
export interface JournalPart {
  path: string
  /** The length of that part; the whole file where undefined. */
  bytes: number | undefined
}

const journalExtras = ['id', 'checkpoint']
const journalFolders = ['quarantine', 'damaged']

/** Links the journal's files while nothing can be forgotten in it. */
export async function linkJournal(
  dataFolder: string,
  path: string,
  files: readonly JournalPart[],
): Promise<BackupPoint['journal']> {
  const from = join(dataFolder, 'journal')
  const to = join(treeOf(path), 'journal')
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of journalExtras) await linkIfExists(join(from, name), join(to, name))
  const segments: BackupPoint['journal']['segments'] = []
  for (const { path: file, bytes } of files) {
    await linkFile(file, join(to, basename(file)))
    segments.push({ file: basename(file), bytes: bytes ?? (await stat(file)).size })
  }
  for (const folder of journalFolders) await linkFolder(join(from, folder), join(to, folder))
  const id = await readFile(join(to, 'id'), 'utf8').catch(() => '')
  const checkpoint = await readFile(join(to, 'checkpoint'), 'utf8').catch(() => '')
  return { id, storedUpTo: Number(/\d+/.exec(checkpoint)?.[0] ?? 0), segments }
}

export async function journalIdOf(dataFolder: string): Promise<string> {
  return await readFile(join(dataFolder, 'journal', 'id'), 'utf8').catch(() => '')
}

/** Is copied in a way of its own, is made anew at every start, or must not be kept: salts are to be gone for good. */
const excludedNames = new Set([
  'salts',
  'lock',
  'pid',
  'backups',
  'engine',
  'journal',
  'rendered',
  // drawings that earlier versions made
  'diagrams',
  'store.db',
  '.restoring',
])
/** The folder beside the others of a data folder in which the engine of a move reads links to parts. */
export const asideFolder = (dataFolder: string, moveId: string): string =>
  join(dataFolder, `${asidePrefix}${moveId}`)
const asidePrefix = 'moving-'

const isExcluded = (name: string): boolean =>
  excludedNames.has(name) || name.startsWith(asidePrefix) || /^store\.db-|^salts|\.sock$|\.new$/.test(name)

/** Links everything else, uploads and keys among it. To be called after the store was copied, which may name them. */
export async function linkOtherFiles(dataFolder: string, path: string): Promise<void> {
  for (const entry of await readdir(dataFolder, { withFileTypes: true })) {
    if (isExcluded(entry.name)) continue
    const [from, to] = [join(dataFolder, entry.name), join(treeOf(path), entry.name)]
    if (entry.isDirectory()) await linkFolder(from, to)
    else if (entry.isFile()) await linkIfExists(from, to)
  }
}

/** Links the same files in a data folder that no Tilth runs on. The caller holds its lock, and has copied the store. */
export async function linkAtRest(dataFolder: string, path: string): Promise<void> {
  const names = await readdir(join(dataFolder, 'journal')).catch(() => [])
  const files = names
    .filter((name) => name.endsWith('.journal'))
    .map((name) => ({ path: join(dataFolder, 'journal', name), bytes: undefined }))
  const journal = await linkJournal(dataFolder, path, files)
  const engine = join(dataFolder, 'engine')
  const hasEngine = await stat(join(engine, 'data', 'store')).catch(() => undefined)
  if (hasEngine) await linkPartsAtRest(engine, join(treeOf(path), 'engine'))
  await linkOtherFiles(dataFolder, path)
  const at = new Date().toISOString()
  await finishPoint(path, {
    at,
    journal,
    engine: { form: hasEngine ? 'at-rest' : 'remote' },
    answers: [],
  })
}

async function linkFolder(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => [])
  if (entries.length > 0) await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of entries) {
    if (entry.isDirectory()) await linkFolder(join(from, entry.name), join(to, entry.name))
    else if (entry.isFile()) await linkIfExists(join(from, entry.name), join(to, entry.name))
  }
}

/** Files come and go; one that went meanwhile is not needed by anything that was copied before. */
async function linkIfExists(from: string, to: string): Promise<void> {
  try {
    await linkFile(from, to)
  } catch (problem) {
    if (!(problem instanceof Error && 'code' in problem && problem.code === 'ENOENT')) throw problem
  }
}
