import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'esbuild'
import { engineBudgetFor } from '../budget'
import { embeddedDatabase, engineLayout, createEngineUsers, writeConfiguration } from './configuration'
import type { EmbeddedSettings } from './embedded'
import type { Engine } from '../engine'
import { openEngine } from '../open'
import { render } from '../sql'
import { ownerRights } from './owner-rights'
import { startServer } from './server-process'
import { sqlUserOf } from './sql-user'

/** A real engine in a folder of its own, for tests. */
export interface TemporaryEngine {
  engine: Engine
  settings: EmbeddedSettings
  /** Sends a signal to the engine's own process. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** Stops the engine and deletes its folder. */
  readonly remove: () => Promise<void>
}

/** Starts an engine without waiting: call `await engine.ready()` if needed. */
export async function temporaryEngine(changes: Partial<EmbeddedSettings> = {}): Promise<TemporaryEngine> {
  const settings = { ...(await temporarySettings(changes.folder)), ...changes }
  const engine = openEngine(settings)
  const remove = async () => {
    await engine.close()
    await rm(settings.folder, { recursive: true, force: true })
  }
  const harm = (signal: NodeJS.Signals) => process.kill(pidIn(settings.folder), signal)
  return { engine, settings, signal: harm, remove }
}

/** Reads the process id from the engine's lock file. */
function pidIn(folder: string): number {
  const pid = /PID: (\d+)/.exec(readFileSync(path.join(engineLayout(folder).data, 'status'), 'utf8'))?.[1]
  if (!pid) throw new Error(`No engine has run in ${folder}.`)
  return Number(pid)
}

export async function temporarySettings(folder?: string): Promise<EmbeddedSettings> {
  return {
    form: 'embedded',
    folder: folder ?? (await mkdtemp(path.join(tmpdir(), 'tilth-engine-'))),
    memoryBytes: 2 * 1024 ** 3,
    cores: availableParallelism(),
    childEntry: await childEntry(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
  }
}

/** A ClickHouse server for tests of the remote form: the same child, run by the test. */
export interface TemporaryServer {
  /** The address for TILTH_ENGINE. */
  url: string
  readonly start: () => Promise<void>
  /** Gives the account of `url` these rights and no other, with a restart. */
  readonly grant: (rights: readonly string[]) => Promise<void>
  /** The process id of the server. */
  readonly pid: () => number
  readonly kill: () => Promise<void>
  readonly remove: () => Promise<void>
}

interface TemporaryServerOptions {
  /** The operator has created the user for users' SQL, as `sql-user.ts` would on a server that allows it. */
  hasSqlUser?: boolean
  /** The rights of the account of TILTH_ENGINE; those that Tilth asks for, and no other. */
  rights?: readonly string[]
}

export async function temporaryServer(
  folderBeside?: string,
  { hasSqlUser = false, rights = rightsAskedFor() }: TemporaryServerOptions = {},
): Promise<TemporaryServer> {
  const { folder: ownFolder, childEntry: entry, memoryBytes, cores } = await temporarySettings()
  const folder = folderBeside ?? ownFolder
  const users = createEngineUsers()
  const { owner } = users
  const address = { url: '', ...owner, database: embeddedDatabase }
  const sqlUser = hasSqlUser ? sqlUserOf(address) : users.sqlUser
  const budget = engineBudgetFor(memoryBytes, cores)
  const configure = (given: readonly string[]) =>
    writeConfiguration(folder, { users: { ...users, sqlUser }, budget, rights: given })
  configure(rights)
  let port = 0
  let child = await listening()

  async function listening() {
    const { process } = startServer({ folder, childEntry: entry, budget, port }, (report) => {
      if ('listensOn' in report) port = report.listensOn
    })
    while (!(await answers(port))) await pause(10)
    return process
  }

  const start = async () => {
    child = await listening()
  }
  const kill = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const grant = async (given: readonly string[]) => {
    await kill()
    configure(given)
    await start()
  }
  const remove = async () => {
    if (child.signalCode === null) await kill()
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://${owner.username}:${owner.password}@127.0.0.1:${port}/${embeddedDatabase}`
  return { url, start, grant, pid: () => child.pid ?? 0, kill, remove }
}

/** The rights that Tilth asks for, as grants. */
export const rightsAskedFor = (): string[] => ownerRights(embeddedDatabase).map((right) => render(right).text)

async function answers(port: number): Promise<boolean> {
  if (port === 0) return false
  return fetch(`http://127.0.0.1:${port}/ping`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Bundles the child into one file that plain Node can run, beside its packages. Every process writes it again. */
function childEntry(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

let bundled: Promise<string> | undefined

async function bundle(): Promise<string> {
  // from the working directory, which is the project's: a bench is compiled into another folder than this file is in
  const entry = path.resolve('node_modules/.cache/tilth/engine-child.mjs')
  const outfile = entry.replace('.mjs', `-${process.pid}.mjs`)
  const entryPoints = [path.resolve('src/engine/internal/child.ts')]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  // renamed atomically, because another process may be starting from it
  await rename(outfile, entry)
  return entry
}
