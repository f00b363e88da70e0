import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { engineLayout } from './configuration'
import type { Engine } from './engine'
import { sql } from './sql'

/**
 * `ALTER TABLE … FREEZE` leaves patch parts out (chdb 3.4.0), and with them what UPDATE has changed. So parts are linked
 * one by one. A part never changes once it is active, and `old_parts_lifetime` keeps it for minutes after a merge.
 */
export async function linkActiveParts(
  engine: Pick<Engine, 'query'>,
  engineFolder: string,
  to: string,
): Promise<void> {
  const { data } = engineLayout(engineFolder)
  const parts = await activeParts(engine, data)
  await linkDefinitions(data, engineLayout(to).data)
  for (const part of parts) await linkTree(join(data, part), join(engineLayout(to).data, part))
}

/** The same of an engine that is not running: every part that its next start would look at. */
export async function linkPartsAtRest(engineFolder: string, to: string): Promise<void> {
  const { data } = engineLayout(engineFolder)
  await linkDefinitions(data, engineLayout(to).data)
  for (const table of await tableFolders(data)) {
    for (const entry of await readdir(join(data, table), { withFileTypes: true })) {
      if (!entry.isDirectory() || isTemporaryFolder(entry.name)) continue
      await linkTree(join(data, table, entry.name), join(engineLayout(to).data, table, entry.name))
    }
  }
}

interface UpgradeLinks {
  engineFolder: string
  upgradesFolder: string
  /** The first step that changes the tables. */
  step: number
}

const mostUpgradesKept = 3

/**
 * Links all parts as they are before an upgrade. In place of the engine's folder they are the engine of before. An upgrade
 * that was cut short and is begun anew keeps what it kept at first.
 */
export async function linkBeforeUpgrade(
  engine: Pick<Engine, 'query'>,
  { engineFolder, upgradesFolder, step }: UpgradeLinks,
): Promise<void> {
  await mkdir(upgradesFolder, { recursive: true, mode: 0o700 })
  const before = await upgradesIn(upgradesFolder)
  if (before.some((name) => name.endsWith(`-before-step-${step}`))) return
  const at = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const name = `engine-${at}-before-step-${step}`
  const draft = join(upgradesFolder, `new-${name}`)
  await rm(draft, { recursive: true, force: true })
  await linkActiveParts(engine, engineFolder, draft)
  await rename(draft, join(upgradesFolder, name))
  for (const old of before.slice(0, Math.max(0, before.length + 1 - mostUpgradesKept)))
    await rm(join(upgradesFolder, old), { recursive: true, force: true })
}

/** Oldest first. */
async function upgradesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => name.startsWith('engine-')).toSorted()
}

/** What the engine removes at its start, or never looks at. */
const isTemporaryFolder = (name: string): boolean =>
  /^(?:tmp|delete_tmp|detached|moving|deduplication_logs)/.test(name)

async function activeParts(engine: Pick<Engine, 'query'>, data: string): Promise<string[]> {
  const rows = await engine.query<{ path: string }>(
    sql`select path from system.parts where active and database = currentDatabase()`,
    { lane: 'ingest' },
  )
  return rows.map(({ path }) => relative(data, path))
}

/** Databases and tables, as statements, and beside the parts of a table its format and what has yet to be changed. */
async function linkDefinitions(data: string, to: string): Promise<void> {
  await linkFiles(data, to, 'metadata')
  for (const folder of await tableFolders(data)) await linkFiles(data, to, folder)
}

async function tableFolders(data: string): Promise<string[]> {
  const prefixes = await foldersIn(join(data, 'store'))
  const folders = await Promise.all(
    prefixes.map(async (prefix) =>
      (await foldersIn(join(data, 'store', prefix))).map((table) => join('store', prefix, table)),
    ),
  )
  return folders.flat()
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

async function linkFiles(data: string, to: string, folder: string): Promise<void> {
  await mkdir(join(to, folder), { recursive: true, mode: 0o700 })
  const entries = await readdir(join(data, folder), { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
  await Promise.all(files.map(({ name }) => linkFile(join(data, folder, name), join(to, folder, name))))
}

async function linkTree(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(from, join(parentPath, name)))
  for (const folder of new Set(files.map((file) => dirname(join(to, file)))))
    await mkdir(folder, { recursive: true, mode: 0o700 })
  await Promise.all(files.map((file) => linkFile(join(from, file), join(to, file))))
}

/** Costs no room and hardly any time; a disk of another kind, or another disk, gets a copy. */
export async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (problem) {
    const code = problem instanceof Error && 'code' in problem ? problem.code : undefined
    if (!['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'].includes(String(code))) throw problem
    await copyFile(from, to)
  }
}
