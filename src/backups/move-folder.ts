import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { World } from '#world/world'
import { BackupRefusedError } from './backup-refused'
import type { HourSum, KnownSums } from './internal/part-sums'
import { removePoint } from './point'
import { moveNotePrefix, stagingFolder } from './restore'

/** The new data folder of a move, with its notes about itself. */
export interface MoveFolder {
  /** Hexadecimal. Marks what the move fills elsewhere. */
  id: string
  folder: string
}

/** The forms that a move leads from and to, without passwords. */
const forms = z.object({ from: z.string(), engine: z.string(), store: z.string() })
export type MovedForms = z.output<typeof forms>

const noteSchema = z.object({ id: z.string(), forms })

const noteFile = (folder: string): string => join(stagingFolder(folder), `${moveNotePrefix}json`)
const pointNote = (folder: string): string => join(stagingFolder(folder), `${moveNotePrefix}point`)

const sumsNote = (folder: string): string => join(stagingFolder(folder), `${moveNotePrefix}sums`)

/** The lock of the command itself. */
const ownNames = new Set(['lock', 'pid'])

/**
 * Names a move into an empty folder, or the one that was begun there; nothing is written before `noteMove`. Throws a `BackupRefusedError` if the
 * folder has something else.
 */
export async function openMoveFolder(folder: string, wanted: MovedForms, world: World): Promise<MoveFolder> {
  const begun = await readNote(folder)
  if (begun) {
    if (JSON.stringify(begun.forms) !== JSON.stringify(wanted))
      throw new BackupRefusedError(
        `A move into ${folder} was begun from ${begun.forms.from} to ${begun.forms.engine} and ${begun.forms.store}. ` +
          'Give that command again, or name another folder with --folder.',
      )
    return { id: begun.id, folder }
  }
  const names = (await readdir(folder)).filter((name) => !ownNames.has(name))
  const [found] = names
  // a move that was killed before its first note leaves an empty mark
  const isOwn =
    names.length === 1 &&
    existsSync(stagingFolder(folder)) &&
    (await readdir(stagingFolder(folder))).every((name) => name.startsWith(moveNotePrefix))
  if (found !== undefined && !isOwn)
    throw new BackupRefusedError(
      `${folder} is not empty. Name an empty folder with --folder. Nothing was written.`,
    )
  const id = Buffer.from(world.random(9)).toString('hex')
  return { id, folder }
}

export async function noteMove({ id, folder }: MoveFolder, wanted: MovedForms): Promise<void> {
  await mkdir(stagingFolder(folder), { recursive: true, mode: 0o700 })
  await writeWhole(noteFile(folder), JSON.stringify({ id, forms: wanted }))
}

async function readNote(folder: string): Promise<z.output<typeof noteSchema> | undefined> {
  const text = await readFile(noteFile(folder), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : noteSchema.parse(JSON.parse(text))
}

async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

/** Notes where the last point is, so that a killed move leaves none behind. */
export async function notePoint({ folder }: MoveFolder, path: string): Promise<void> {
  await writeWhole(pointNote(folder), path)
}

export async function removeLastPoint({ folder }: MoveFolder): Promise<void> {
  const path = await readFile(pointNote(folder), 'utf8').catch(() => undefined)
  if (path !== undefined) await removePoint(path)
  await rm(pointNote(folder), { force: true })
}

const sumsSchema = z.record(z.string(), z.array(z.tuple([z.number(), z.number(), z.string()])))

/** The sums of parts that earlier rounds read; none where their note is not whole. */
export async function knownSumsOf({ folder }: MoveFolder): Promise<KnownSums> {
  const sums = await readFile(sumsNote(folder), 'utf8')
    .then((text) => new Map<string, readonly HourSum[]>(Object.entries(sumsSchema.parse(JSON.parse(text)))))
    .catch(() => new Map<string, readonly HourSum[]>())
  return { sums, save: () => writeWhole(sumsNote(folder), JSON.stringify(Object.fromEntries(sums))) }
}

/** Takes away what an attempt brought but the events, which are compared and kept. */
export async function clearArrivedFiles({ folder }: MoveFolder): Promise<void> {
  const staging = stagingFolder(folder)
  const isPlaced = existsSync(join(folder, 'engine'))
  if (isPlaced) await rename(join(folder, 'engine'), join(staging, 'engine'))
  for (const name of await readdir(folder))
    if (!ownNames.has(name) && join(folder, name) !== staging)
      await rm(join(folder, name), { recursive: true })
  for (const name of await readdir(staging))
    if (name !== 'engine' && !name.startsWith(moveNotePrefix))
      await rm(join(staging, name), { recursive: true })
}
