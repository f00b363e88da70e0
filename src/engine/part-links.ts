import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { engineLayout } from './internal/configuration'
import type { Engine } from './engine'
import { sql } from './sql'

/**
 * Links the active parts one by one. `ALTER TABLE … FREEZE` skips patch parts (chdb 3.4.0), which hold the changes of
 * UPDATE. An active part never changes, and `old_parts_lifetime` keeps it for minutes after a merge.
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

/** Links the parts of an engine that is not running: every part that its next start would read. */
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
 * Links all parts as they are before an upgrade. The links form the engine's previous folder. A repeated upgrade keeps
 * the links of its first attempt.
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

/** Returns the upgrades, the oldest first. */
async function upgradesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => name.startsWith('engine-')).toSorted()
}

/** Folders that the engine deletes at its start, or never reads. */
const isTemporaryFolder = (name: string): boolean =>
  /^(?:tmp|delete_tmp|detached|moving|deduplication_logs)/.test(name)

async function activeParts(engine: Pick<Engine, 'query'>, data: string): Promise<string[]> {
  const rows = await engine.query<{ path: string }>(
    sql`select path from system.parts where active and database = currentDatabase()`,
    { lane: 'ingest' },
  )
  return rows.map(({ path }) => relative(data, path))
}

/** Links databases and tables, as statements, and each table's format version and pending mutations. */
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

/** Links a file, which takes almost no space and time; across file systems it copies. */
export async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (problem) {
    const code = problem instanceof Error && 'code' in problem ? problem.code : undefined
    if (!['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'].includes(String(code))) throw problem
    await copyFile(from, to)
  }
}
