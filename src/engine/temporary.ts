import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { budgetFrom } from './budget'
import { embeddedDatabase, layout, newUsers, writeConfiguration } from './configuration'
import type { EmbeddedSettings } from './embedded'
import type { Engine } from './engine'
import { openEngine } from './open'
import { startServer } from './server-process'

/** A real engine in a folder of its own, for tests. */
export interface TemporaryEngine {
  engine: Engine
  settings: EmbeddedSettings
  /** Sends the engine's own process a signal, as the world might. */
  readonly harm: (signal: NodeJS.Signals) => void
  /** Ends the engine and takes its folder away. */
  readonly remove: () => Promise<void>
}

/** Started, not awaited: `await engine.ready()` where that matters. */
export async function temporaryEngine(changes: Partial<EmbeddedSettings> = {}): Promise<TemporaryEngine> {
  const settings = { ...(await temporarySettings()), ...changes }
  const engine = openEngine(settings)
  const remove = async () => {
    await engine.close()
    await rm(settings.folder, { recursive: true, force: true })
  }
  const harm = (signal: NodeJS.Signals) => process.kill(pidIn(settings.folder), signal)
  return { engine, settings, harm, remove }
}

/** As the engine wrote it into its lock file. */
function pidIn(folder: string): number {
  const pid = /PID: (\d+)/.exec(readFileSync(path.join(layout(folder).data, 'status'), 'utf8'))?.[1]
  if (!pid) throw new Error(`No engine has run in ${folder}.`)
  return Number(pid)
}

export async function temporarySettings(): Promise<EmbeddedSettings> {
  return {
    form: 'embedded',
    folder: await mkdtemp(path.join(tmpdir(), 'tilth-engine-')),
    memoryBytes: 2 * 1024 ** 3,
    cores: availableParallelism(),
    childEntry: await childEntry(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
  }
}

/** A ClickHouse server somebody else keeps running, for the remote form: the same child, kept by the test. */
export interface TemporaryServer {
  /** As TILTH_ENGINE would name it. */
  url: string
  readonly start: () => Promise<void>
  readonly kill: () => Promise<void>
  readonly remove: () => Promise<void>
}

export async function temporaryServer(): Promise<TemporaryServer> {
  const { folder, childEntry: entry, memoryBytes, cores } = await temporarySettings()
  const users = newUsers()
  const { owner } = users
  writeConfiguration(folder, { users, budget: budgetFrom(memoryBytes, cores) })
  let port = 0
  let child = await listening()

  async function listening() {
    const { process } = startServer({ folder, childEntry: entry, port }, (report) => {
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
  const remove = async () => {
    if (child.signalCode === null) await kill()
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://${owner.username}:${owner.password}@127.0.0.1:${port}/${embeddedDatabase}`
  return { url, start, kill, remove }
}

async function answers(port: number): Promise<boolean> {
  if (port === 0) return false
  return fetch(`http://127.0.0.1:${port}/ping`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The child as one file that plain Node can run, beside the packages it needs. Written anew by every process. */
function childEntry(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

let bundled: Promise<string> | undefined

async function bundle(): Promise<string> {
  const entry = inProject('node_modules/.cache/tilth/engine-child.mjs')
  const outfile = entry.replace('.mjs', `-${process.pid}.mjs`)
  const entryPoints = [inProject('src/engine/child.ts')]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  // In one step, for others may be starting theirs from it just now.
  await rename(outfile, entry)
  return entry
}

function inProject(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url))
}
