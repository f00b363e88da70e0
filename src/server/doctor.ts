import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { storeMigrations } from '#migrations/store/all'
import { describeConfinement, engineAccount } from '#engine/confinement'
import { checkBackups } from '#backups/backup-check'
import { recordedDetached } from '#engine/broken-parts'
import { divideMemory } from '#engine/budget'
import type { Engine } from '#engine/engine'
import { compareKey, fingerprintStatement } from '#flags/key-agreement'
import { Seal } from '#flags/seal'
import { countSetAsideFiles } from '#ingest/set-aside-files'
import { collectionState, describeTrouble } from '#ingest/collection-state'
import { filterBytesFor } from '#ingest/recent-event-filter'
import { type Config, type EnvironmentVariables, readConfig } from './config'
import { measureDiskSpace, sizeInWords } from './start/disk-space'
import { lockHolderOf } from './start/lock'
import { openLog } from './log'
import { builtFiles, type Installation, kitBuildOf } from './main'
import { problemText } from '#site-kit/kit-manifest'
import { runBuild } from '#site-kit/site-kit'
import { memoryHere } from './start/internal/memory'
import { nativePackages, troubleWith } from './start/internal/native-packages'
import type { ReadinessPart } from '#http/health'
import { checkProxy } from '#http/proxy-check'
import { healthAt, localAddress } from '#outbound/local-server'
import { readStore } from '#store/read-only'
import { realWorld } from '#world/world'

/** The finding of one check. `remedy` says what to do, and is present exactly if something is wrong. */
export type DoctorFinding =
  | { verdict: 'ok'; found: string }
  | { verdict: 'wrong'; found: string; remedy: string }
  | { verdict: 'skipped'; found: string }

export interface Diagnosis {
  name: string
  finding: DoctorFinding
}

/** The input of the checks. Checks change nothing. */
interface DoctorContext {
  config: Config
  installation: Installation
  /** The process that runs on the data folder, if any. */
  runningHolder: string | undefined
}

interface DoctorCheck {
  name: string
  run: (patient: DoctorContext) => Promise<DoctorFinding> | DoctorFinding
}

const ok = (found: string): DoctorFinding => ({ verdict: 'ok', found })
const wrong = (found: string, remedy: string): DoctorFinding => ({ verdict: 'wrong', found, remedy })
const skipped = (found: string): DoctorFinding => ({ verdict: 'skipped', found })

/** The checks, from the most to the least essential. */
const checks: readonly DoctorCheck[] = [
  { name: 'node', run: checkNode },
  { name: 'packages', run: checkPackages },
  { name: 'programs', run: checkPrograms },
  { name: 'memory', run: checkMemory },
  { name: 'clock', run: checkClock },
  { name: 'folder', run: checkFolder },
  { name: 'disk', run: checkDisk },
  { name: 'port', run: checkPort },
  { name: 'store', run: checkStore },
  { name: 'key', run: checkKey },
  { name: 'engine', run: checkEngine },
  { name: 'collection', run: checkCollection },
  { name: 'deliveries', run: checkDeliveries },
  { name: 'address', run: checkAddress },
  { name: 'site', run: checkSiteFolder },
  { name: 'backup', run: ({ config }) => checkBackups(config) },
  { name: 'proxy', run: ({ config }) => checkProxy(config) },
]

/** Builds the site folder aside, as a start would. */
async function checkSiteFolder({
  config: { siteFolder },
  installation,
}: DoctorContext): Promise<DoctorFinding> {
  if (siteFolder === undefined) return skipped('TILTH_SITE is not set: the site has what the studio has.')
  if (!existsSync(siteFolder))
    return wrong(`${siteFolder} does not exist.`, 'Create it, or correct TILTH_SITE.')
  const output = mkdtempSync(join(tmpdir(), 'tilth-site-'))
  try {
    const outcome = await runBuild(kitBuildOf({ folder: siteFolder, output, isDev: false }, installation))
    if (outcome.done) return ok(`${siteFolder} can be built.`)
    return wrong(
      outcome.problems.map(problemText).join('\n'),
      'Correct the file; until then the last good build is used.',
    )
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

/** Runs all checks and reports each finding as it is made. Invalid settings are the only finding, if there are any. */
export async function diagnose(
  environment: EnvironmentVariables,
  installation: Installation,
  report: (diagnosis: Diagnosis) => void,
): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = []
  const add = (name: string, finding: DoctorFinding): void => {
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
  const context = {
    config: reading.config,
    installation,
    runningHolder: folderHolder(reading.config.dataFolder),
  }
  for (const { name, run } of checks) add(name, await runCheck(run, context))
  return diagnoses
}

/** A check that throws is a finding too. */
async function runCheck(run: DoctorCheck['run'], context: DoctorContext): Promise<DoctorFinding> {
  try {
    return await run(context)
  } catch (problem) {
    return wrong(reasonOf(problem), 'This is unexpected. Please report it with this output.')
  }
}

const reasonOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

/** Ignores an unreadable folder, which has a check of its own. */
function folderHolder(folder: string): string | undefined {
  try {
    return lockHolderOf(folder)
  } catch {
    return undefined
  }
}

const minNodeVersion = [22, 13] as const

function checkNode(): DoctorFinding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isEnough = major > minNodeVersion[0] || (major === minNodeVersion[0] && minor >= minNodeVersion[1])
  const found = `Node ${process.versions.node} on ${process.platform} ${process.arch}.`
  return isEnough ? ok(found) : wrong(found, 'Install Node 24, or start with npm start, which fetches it.')
}

async function checkPackages({ config }: DoctorContext): Promise<DoctorFinding> {
  const needed = nativePackages.filter(({ isNeeded }) => isNeeded(config))
  const troubles = await Promise.all(needed.map(troubleWith))
  const trouble = troubles.filter((sentence) => sentence !== undefined).join(' ')
  if (trouble === '') return ok(`${needed.map(({ name }) => name).join(', ')} load.`)
  return wrong(trouble, 'Remove node_modules and install again on this very machine.')
}

function checkPrograms({ installation }: DoctorContext): DoctorFinding {
  const missing = builtFiles(installation).filter((file) => !existsSync(file))
  if (missing.length === 0) return ok(`Built, in ${installation.root}.`)
  return wrong(
    `${missing.join(', ')} missing.`,
    'In a clone run npm start, which builds them; else install again.',
  )
}

function checkMemory({ config: { memoryBytes } }: DoctorContext): DoctorFinding {
  const { bytes, of } = memoryHere()
  const { uuidFilterBytes } = divideMemory(memoryBytes)
  const events = Math.floor(uuidFilterBytes / filterBytesFor(1_000_000))
  const found = `Tilth may take ${sizeInWords(memoryBytes)} of the ${of}’s ${sizeInWords(bytes)}; ${sizeInWords(uuidFilterBytes)} of it recognise ${events} million events of 30 days by their uuids.`
  return memoryBytes <= bytes
    ? ok(found)
    : wrong(found, `Set TILTH_MEMORY to less than ${sizeInWords(bytes)}.`)
}

/** Events are dated by this clock, so a wrong one dates all of them wrongly. */
function checkClock({ config, installation }: DoctorContext): DoctorFinding {
  const now = Date.now()
  const written = [installation.programs, config.dataFolder].filter((path) => existsSync(path))
  const newest = Math.max(0, ...written.map((path) => statSync(path).mtimeMs))
  const found = `It is ${new Date(now).toISOString()}.`
  if (now > newest - 60_000) return ok(found)
  return wrong(`${found} Files here were written after that.`, 'Set the machine’s clock, best by NTP.')
}

function checkFolder({ config: { dataFolder } }: DoctorContext): DoctorFinding {
  const remedy = `Give the user Tilth runs as write access to ${dataFolder}, or set TILTH_DATA to another folder.`
  const place = existsSync(dataFolder) ? dataFolder : nearestFolder(dataFolder)
  if (!statSync(place).isDirectory()) return wrong(`${place} is a file.`, remedy)
  if (!isWritable(place)) return wrong(`${place} cannot be written in.`, remedy)
  if (place !== dataFolder) return ok(`${dataFolder} will be made at the first start.`)
  const { mode, gid } = statSync(dataFolder)
  // the engine's own group may pass through it, without any other access
  const isOpenToOthers = (mode & (gid === engineAccount.group ? 0o067 : 0o077)) !== 0
  return isOpenToOthers
    ? wrong(`Other users of this machine can read ${dataFolder}.`, `Run: chmod 700 ${dataFolder}`)
    : ok(`${dataFolder} is private and writable.`)
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

async function checkDisk({ config: { dataFolder, diskBytes } }: DoctorContext): Promise<DoctorFinding> {
  const place = existsSync(dataFolder) ? dataFolder : nearestFolder(dataFolder)
  const { freeBytes, usedBytes, trouble } = await measureDiskSpace(place, diskBytes)
  if (trouble)
    return wrong(trouble, 'Free space, move the data folder to a larger disk, or shorten the retention.')
  return ok(
    `${sizeInWords(freeBytes)} free${usedBytes === undefined ? '' : `, ${sizeInWords(usedBytes)} used`}.`,
  )
}

async function checkPort({ config, runningHolder }: DoctorContext): Promise<DoctorFinding> {
  const { port } = config
  const answer = await healthAt(localAddress(config))
  const isOurs = runningHolder !== undefined
  if (answer === 'nobody' && !isOurs) return ok(`Port ${port} is free.`)
  if (answer === 'alive' && isOurs) return ok(`Tilth answers on port ${port}.`)
  if (answer === 'nobody')
    return wrong(`Tilth runs (${runningHolder}), but not on port ${port}.`, 'Set PORT as it was set for it.')
  const owner = answer === 'alive' ? 'A Tilth with another data folder' : 'Another program'
  return wrong(`${owner} answers on port ${port}.`, 'Stop that one, or set PORT to another number.')
}

async function checkStore({ config }: DoctorContext): Promise<DoctorFinding> {
  if (config.storeUrl) return await checkPostgres(config.storeUrl)
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

const restore =
  'Restore the newest backup with tilth restore (docs/backups.md). Without a backup, move it away with its -wal and -shm ' +
  'files and put the newest store file of the data folder’s backups in its place, which is from before an upgrade; persons ' +
  'who were erased since are erased once more at the next start.'

/** The key is compared with that of other fronts by what the store knows of it. */
async function checkKey({ config }: DoctorContext): Promise<DoctorFinding> {
  const seal = new Seal({ folder: config.dataFolder, world: realWorld })
  // a store of an earlier Tilth has no such table, and one that does not answer is a finding of its own
  const rows = await readStore(config, fingerprintStatement).catch(() => undefined)
  if (rows === undefined) return skipped('The store says nothing of its key yet, which the start compares.')
  const fingerprint = rows[0]?.['fingerprint']
  if (typeof fingerprint !== 'string')
    return ok(`The first start takes ${seal.path} for its key, and makes it if it is not there.`)
  const agreement = compareKey(fingerprint, seal)
  return agreement.agrees
    ? ok(`${seal.path} is the key to what is encrypted in the store.`)
    : wrong(agreement.trouble, agreement.remedy)
}

function versionFinding(done: readonly string[]): DoctorFinding {
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

async function checkPostgres(url: string): Promise<DoctorFinding> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    await client.query('select 1')
    return ok('The Postgres server answers.')
  } catch (problem) {
    return wrong(
      `The Postgres server does not answer: ${reasonOf(problem)}.`,
      'Correct TILTH_STORE, or start that server.',
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/** Looks at a server without changing anything on it: a start prepares it, once its operator wants that. */
async function checkServer(url: string, knownRefusals: readonly string[]): Promise<DoctorFinding> {
  const { inspectServer } = await import('#engine/inspect-server')
  const found = await inspectServer(url)
  if (!found.usable) return wrong(found.trouble, remedyFor({ engineUrl: url }))
  const { version, dueSteps, warning, doneWithout = [] } = found
  const answers = [
    `The engine answers${version ? ` (ClickHouse ${version})` : ''}.`,
    ...new Set([...doneWithout, ...knownRefusals]),
  ].join(' ')
  if (warning)
    return wrong(
      `${answers} ${warning}`,
      'Run these grants, or give the account of TILTH_ENGINE a server of its own.',
    )
  if (dueSteps === undefined) return ok(`${answers} It is not prepared yet; the first start does that.`)
  return ok(dueSteps === 0 ? answers : `${answers} The next start brings its tables ${dueSteps} further.`)
}

/** Asks the running Tilth about its engine; otherwise it starts one briefly on a temporary folder. */
async function checkEngine({ config, installation, runningHolder }: DoctorContext): Promise<DoctorFinding> {
  if (config.engineUrl)
    return await checkServer(config.engineUrl, runningHolder ? await refusalsOfRunning(config) : [])
  if (runningHolder) return await checkRunningEngine(config)
  const folder = mkdtempSync(join(tmpdir(), 'tilth-doctor-'))
  const engine = await trialEngine(config, installation, folder)
  try {
    const isReady = await Promise.race([
      engine.ready().then(() => true),
      pause(30_000, false, { ref: false }),
    ])
    const { version, trouble, confinement } = engine.health()
    if (isReady) {
      const walls = confinement && describeConfinement(confinement)
      return ok(
        [`The engine answers${version ? ` (ClickHouse ${version})` : ''}.`, walls].filter(Boolean).join(' '),
      )
    }
    return wrong(trouble ?? 'The engine did not answer within 30 s.', remedyFor(config))
  } finally {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function trialEngine(config: Config, { programs }: Installation, folder: string): Promise<Engine> {
  const { openEngine } = await import('#engine/open')
  const log = openLog({ level: 'silent', format: 'json' })
  return openEngine({
    form: 'embedded',
    folder,
    memoryBytes: config.memoryBytes,
    cores: availableParallelism(),
    childEntry: join(programs, 'engine-child.js'),
    log,
  })
}

const remedyFor = ({ engineUrl }: Pick<Config, 'engineUrl'>): string =>
  engineUrl
    ? 'Correct TILTH_ENGINE, or start that server.'
    : 'Look at the engine’s log in the data folder; more memory (TILTH_MEMORY) may be what it needs.'

interface ReadinessReport {
  parts?: Partial<Record<'engine' | 'collection' | 'deliveries', ReadinessPart>>
}

/** Reads a part of the readiness of the running Tilth; throws if that does not answer. */
async function runningPart(
  name: keyof NonNullable<ReadinessReport['parts']>,
  config: Config,
): Promise<ReadinessPart | undefined> {
  const headers = config.metricsToken ? { authorization: `Bearer ${config.metricsToken}` } : undefined
  const answer = await fetch(`${localAddress(config)}/_tilth/ready`, {
    headers,
    signal: AbortSignal.timeout(5000),
  })
  const { parts }: ReadinessReport = JSON.parse(await answer.text())
  return parts?.[name]
}

/** Returns what the server has refused the running Tilth, beyond what its tables show. */
async function refusalsOfRunning(config: Config): Promise<readonly string[]> {
  const engine = await runningPart('engine', config).catch(() => undefined)
  return engine?.doneWithout ?? []
}

async function checkRunningEngine(config: Config): Promise<DoctorFinding> {
  try {
    const engine = await runningPart('engine', config)
    if (engine?.ok)
      return ok(['The engine of the running Tilth answers.', engine.confinement].filter(Boolean).join(' '))
    return wrong(engine?.trouble ?? `The engine is ${engine?.status ?? 'unknown'}.`, remedyFor(config))
  } catch {
    return skipped('Tilth runs on this folder, but could not be asked about its engine.')
  }
}

/** Reports missing and waiting events: the running Tilth knows them; otherwise the data folder shows some of them. */
async function checkCollection({ config, runningHolder }: DoctorContext): Promise<DoctorFinding> {
  if (!runningHolder) return await checkAsideFiles(config)
  try {
    const collection = await runningPart('collection', config)
    if (!collection) return skipped('Tilth runs on this folder and does not collect events yet.')
    const { status, trouble, backlog = 0 } = collection
    if (status === 'ready') return ok(`Events are stored; ${backlog} wait at the moment.`)
    return wrong(trouble ?? `Collection is ${status}.`, 'See docs/operations.md for how to fix it.')
  } catch {
    return skipped('Tilth runs on this folder, but could not be asked about its events.')
  }
}

/** Reports receivers that have not answered for long, and responses that were not queued. */
async function checkDeliveries({ config, runningHolder }: DoctorContext): Promise<DoctorFinding> {
  if (!runningHolder) return skipped('Tilth is not running, so webhooks and e-mails wait.')
  try {
    const deliveries = await runningPart('deliveries', config)
    if (!deliveries) return skipped('Tilth runs on this folder and does not send anything yet.')
    const { status, trouble } = deliveries
    if (status === 'ready') return ok('Receivers of webhooks and e-mails answer.')
    const found = trouble ?? `Deliveries are ${status}; TILTH_METRICS_TOKEN shows the details.`
    return wrong(found, 'See docs/operations.md for how to fix it.')
  } catch {
    return skipped('Tilth runs on this folder, but could not be asked about its deliveries.')
  }
}

async function checkAsideFiles({ dataFolder, engineUrl }: Config): Promise<DoctorFinding> {
  const state = collectionState({
    now: new Date(),
    backlog: 0,
    backlogByProject: {},
    isEstimate: false,
    oldestAt: undefined,
    refusing: undefined,
    lostRequests: [],
    notStoring: undefined,
    differences: [],
    repairing: [],
    detached: engineUrl ? [] : await recordedDetached(join(dataFolder, 'engine', 'detached.json')),
    ...(await countSetAsideFiles(join(dataFolder, 'journal'))),
  })
  const troubles = state.troubles.map(describeTrouble)
  if (troubles.length === 0) return ok('Nothing is missing as far as the data folder shows.')
  return wrong(
    troubles.map(({ title }) => `${title}.`).join(' '),
    troubles.map(({ remedy }) => remedy).join(' '),
  )
}

async function checkAddress({ config, runningHolder }: DoctorContext): Promise<DoctorFinding> {
  if (!config.addressesAreGiven)
    return ok('TILTH_URL is not set: only this machine itself may open the pages.')
  if (!runningHolder) return skipped('Tilth is not running, so its address does not answer.')
  const answers = await Promise.all(
    config.addresses.map(async ({ origin }) => ({ origin, is: await healthAt(origin) })),
  )
  const silent = answers.filter(({ is }) => is !== 'alive').map(({ origin }) => origin)
  if (silent.length === 0)
    return ok(`${answers.map(({ origin }) => origin).join(', ')} can be reached from here.`)
  return wrong(
    `${silent.join(', ')} cannot be reached from here.`,
    'Check DNS, the proxy and the firewall, or correct TILTH_URL.',
  )
}
