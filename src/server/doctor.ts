import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { storeMigrations } from '../../migrations/store/all'
import type { Engine } from '../engine/engine'
import { type Config, type Environment, readConfig } from './config'
import { diskRoom, words } from './disk-room'
import { holderOf } from './lock'
import { openLog } from './log'
import { builtFiles, type Installation } from './main'
import { memoryHere } from './memory'
import { nativePackages, troubleWith } from './native-packages'
import { healthAt, localAddress } from './running'

/** What one check found. `remedy` says what to do about it, and is there exactly when something is wrong. */
export type Finding =
  | { verdict: 'ok'; found: string }
  | { verdict: 'wrong'; found: string; remedy: string }
  | { verdict: 'skipped'; found: string }

export interface Diagnosis {
  name: string
  finding: Finding
}

/** What the checks look at. Nothing in here is changed by looking. */
export interface Patient {
  config: Config
  installation: Installation
  /** Who runs on the data folder just now, if anybody. */
  holder: string | undefined
}

interface Check {
  name: string
  look: (patient: Patient) => Promise<Finding> | Finding
}

const ok = (found: string): Finding => ({ verdict: 'ok', found })
const wrong = (found: string, remedy: string): Finding => ({ verdict: 'wrong', found, remedy })
const skipped = (found: string): Finding => ({ verdict: 'skipped', found })

/** From what nothing works without to what only some will miss. */
export const checks: readonly Check[] = [
  { name: 'node', look: lookAtNode },
  { name: 'packages', look: lookAtPackages },
  { name: 'programs', look: lookAtPrograms },
  { name: 'memory', look: lookAtMemory },
  { name: 'clock', look: lookAtClock },
  { name: 'folder', look: lookAtFolder },
  { name: 'disk', look: lookAtDisk },
  { name: 'port', look: lookAtPort },
  { name: 'store', look: lookAtStore },
  { name: 'engine', look: lookAtEngine },
  { name: 'address', look: lookAtAddress },
]

/** Looks at everything and reports each finding as it comes. Settings that cannot be read are the only one then. */
export async function diagnose(
  environment: Environment,
  installation: Installation,
  report: (diagnosis: Diagnosis) => void,
): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = []
  const add = (name: string, finding: Finding): void => {
    diagnoses.push({ name, finding })
    report({ name, finding })
  }
  const reading = readConfig(environment)
  if (!reading.readable) {
    add(
      'settings',
      wrong(reading.problems.join(' '), 'Change these settings; docs/settings.md explains each.'),
    )
    return diagnoses
  }
  add('settings', ok('All settings can be read.'))
  const patient = { config: reading.config, installation, holder: whoRunsOn(reading.config.dataFolder) }
  for (const { name, look } of checks) add(name, await looked(look, patient))
  return diagnoses
}

/** A check that breaks down has found something, too. */
async function looked(look: Check['look'], patient: Patient): Promise<Finding> {
  try {
    return await look(patient)
  } catch (problem) {
    return wrong(reasonOf(problem), 'This was not expected. Please report it together with this output.')
  }
}

const reasonOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

/** A folder we cannot look into is the business of the folder's own check. */
function whoRunsOn(folder: string): string | undefined {
  try {
    return holderOf(folder)
  } catch {
    return undefined
  }
}

const leastNode = [22, 13] as const

function lookAtNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isEnough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])
  const found = `Node ${process.versions.node} on ${process.platform} ${process.arch}.`
  return isEnough ? ok(found) : wrong(found, 'Install Node 24, or start with npm start, which fetches it.')
}

async function lookAtPackages({ config }: Patient): Promise<Finding> {
  const needed = nativePackages.filter(({ isNeeded }) => isNeeded(config))
  const troubles = await Promise.all(needed.map(troubleWith))
  const trouble = troubles.filter((sentence) => sentence !== undefined).join(' ')
  if (trouble === '') return ok(`${needed.map(({ name }) => name).join(', ')} load.`)
  return wrong(trouble, 'Remove node_modules and install again on this very machine.')
}

function lookAtPrograms({ installation }: Patient): Finding {
  const missing = builtFiles(installation).filter((file) => !existsSync(file))
  if (missing.length === 0) return ok(`Built, in ${installation.root}.`)
  return wrong(
    `${missing.join(', ')} missing.`,
    'In a clone run npm start, which builds them; else install again.',
  )
}

function lookAtMemory({ config: { memoryBytes } }: Patient): Finding {
  const { bytes, of } = memoryHere()
  const found = `Tilth may take ${words(memoryBytes)} of the ${of}’s ${words(bytes)}.`
  return memoryBytes <= bytes ? ok(found) : wrong(found, `Set TILTH_MEMORY to less than ${words(bytes)}.`)
}

/** Events get their time from here, and a clock that stands far off dates all of them wrongly. */
function lookAtClock({ config, installation }: Patient): Finding {
  const now = Date.now()
  const written = [installation.programs, config.dataFolder].filter((path) => existsSync(path))
  const newest = Math.max(0, ...written.map((path) => statSync(path).mtimeMs))
  const found = `It is ${new Date(now).toISOString()}.`
  if (now > newest - 60_000) return ok(found)
  return wrong(`${found} Files here were written after that.`, 'Set the machine’s clock, best by NTP.')
}

function lookAtFolder({ config: { dataFolder } }: Patient): Finding {
  const remedy = `Give the user Tilth runs as write access to ${dataFolder}, or set TILTH_DATA to another folder.`
  const place = existsSync(dataFolder) ? dataFolder : nearestFolder(dataFolder)
  if (!statSync(place).isDirectory()) return wrong(`${place} is a file.`, remedy)
  if (!isWritable(place)) return wrong(`${place} cannot be written in.`, remedy)
  if (place !== dataFolder) return ok(`${dataFolder} will be made at the first start.`)
  const isOpenToOthers = (statSync(dataFolder).mode & 0o077) !== 0
  return isOpenToOthers
    ? wrong(`Others on this machine may look into ${dataFolder}.`, `Run: chmod 700 ${dataFolder}`)
    : ok(`${dataFolder} is ours and writable.`)
}

function nearestFolder(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) || parent === path ? parent : nearestFolder(parent)
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function lookAtDisk({ config: { dataFolder, diskBytes } }: Patient): Promise<Finding> {
  const place = existsSync(dataFolder) ? dataFolder : nearestFolder(dataFolder)
  const { freeBytes, usedBytes, trouble } = await diskRoom(place, diskBytes)
  if (trouble) return wrong(trouble, 'Free some room, move the data folder to a larger disk, or keep less.')
  return ok(`${words(freeBytes)} free${usedBytes === undefined ? '' : `, ${words(usedBytes)} used`}.`)
}

async function lookAtPort({ config, holder }: Patient): Promise<Finding> {
  const { port } = config
  const answer = await healthAt(localAddress(config))
  const isOurs = holder !== undefined
  if (answer === 'nobody' && !isOurs) return ok(`Port ${port} is free.`)
  if (answer === 'alive' && isOurs) return ok(`Tilth answers on port ${port}.`)
  if (answer === 'nobody')
    return wrong(`Tilth runs (${holder}), but not on port ${port}.`, 'Set PORT as it was set for it.')
  const who = answer === 'alive' ? 'A Tilth with another data folder' : 'Another program'
  return wrong(`${who} answers on port ${port}.`, 'Stop that one, or set PORT to another number.')
}

async function lookAtStore({ config }: Patient): Promise<Finding> {
  if (config.storeUrl) return await lookAtPostgres(config.storeUrl)
  const file = join(config.dataFolder, 'store.db')
  if (!existsSync(file)) return ok('No store yet; the first start makes it.')
  const { DatabaseSync } = await import('node:sqlite')
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    const verdict = String(database.prepare('pragma integrity_check(1)').get()?.['integrity_check'])
    const steps = database
      .prepare('select name from migrations')
      .all()
      .map(({ name }) => String(name))
    database.close()
    if (verdict !== 'ok') return wrong(`${file} is damaged: ${verdict}`, restore)
    return versionFinding(steps)
  } catch (problem) {
    return wrong(`${file} cannot be read: ${reasonOf(problem)}.`, restore)
  }
}

const restore = 'Put the newest file of the data folder’s backups in its place.'

function versionFinding(done: readonly string[]): Finding {
  const known = new Set(storeMigrations.map(({ name }) => name))
  const unknown = done.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    return wrong(
      `The store was written by a newer Tilth (${unknown.join(', ')}).`,
      'Install that version, or a later one.',
    )
  }
  const due = known.size - done.length
  return ok(
    `The store is sound, at ${done.at(-1) ?? 'its beginning'}${due > 0 ? `; the next start brings it ${due} further` : ''}.`,
  )
}

async function lookAtPostgres(url: string): Promise<Finding> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    await client.query('select 1')
    return ok('The Postgres server answers.')
  } catch (problem) {
    return wrong(
      `The Postgres server does not answer: ${reasonOf(problem)}.`,
      'Mend TILTH_STORE, or start that server.',
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/** While Tilth runs its engine is asked about; otherwise one is started for a moment, on a folder of its own. */
async function lookAtEngine({ config, installation, holder }: Patient): Promise<Finding> {
  if (holder && !config.engineUrl) return await lookAtRunningEngine(config)
  const folder = mkdtempSync(join(tmpdir(), 'tilth-doctor-'))
  const engine = await engineToTry(config, installation, folder)
  try {
    const isReady = await Promise.race([
      engine.ready().then(() => true),
      pause(30_000, false, { ref: false }),
    ])
    const { version, trouble } = engine.health()
    if (isReady) return ok(`The engine answers${version ? ` (ClickHouse ${version})` : ''}.`)
    return wrong(trouble ?? 'The engine did not answer within 30 s.', remedyFor(config))
  } finally {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function engineToTry(config: Config, { programs }: Installation, folder: string): Promise<Engine> {
  const { openEngine } = await import('../engine/open')
  const log = openLog({ level: 'silent', form: 'json' })
  if (config.engineUrl) return openEngine({ form: 'remote', url: config.engineUrl, log })
  return openEngine({
    form: 'embedded',
    folder,
    memoryBytes: config.memoryBytes,
    cores: availableParallelism(),
    childEntry: join(programs, 'engine-child.js'),
    log,
  })
}

const remedyFor = ({ engineUrl }: Config): string =>
  engineUrl
    ? 'Mend TILTH_ENGINE, or start that server.'
    : 'Look at the engine’s log in the data folder; more memory (TILTH_MEMORY) may be what it needs.'

async function lookAtRunningEngine(config: Config): Promise<Finding> {
  const headers = config.metricsToken ? { authorization: `Bearer ${config.metricsToken}` } : undefined
  try {
    const answer = await fetch(`${localAddress(config)}/_tilth/ready`, {
      headers,
      signal: AbortSignal.timeout(5000),
    })
    const { parts }: { parts?: { engine?: { ok: boolean; status: string; trouble?: string } } } = JSON.parse(
      await answer.text(),
    )
    if (parts?.engine?.ok) return ok('The engine of the running Tilth answers.')
    return wrong(
      parts?.engine?.trouble ?? `The engine is ${parts?.engine?.status ?? 'unknown'}.`,
      remedyFor(config),
    )
  } catch {
    return skipped('Tilth runs on this folder, but could not be asked about its engine.')
  }
}

async function lookAtAddress({ config, holder }: Patient): Promise<Finding> {
  if (!config.addressesAreGiven)
    return ok('TILTH_URL is not set: only this machine itself may open the pages.')
  if (!holder) return skipped('Tilth is not running, so nobody can answer at its address.')
  const answers = await Promise.all(
    config.addresses.map(async ({ origin }) => ({ origin, is: await healthAt(origin) })),
  )
  const silent = answers.filter(({ is }) => is !== 'alive').map(({ origin }) => origin)
  if (silent.length === 0)
    return ok(`${answers.map(({ origin }) => origin).join(', ')} can be reached from here.`)
  return wrong(
    `${silent.join(', ')} cannot be reached from here.`,
    'Look at the name’s DNS entry, the proxy in front, and the firewall; or mend TILTH_URL.',
  )
}
