import { readFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { batchBytesOf, divideMemory, pagesWorkersFor } from '#engine/budget'
import type { Engine } from '#engine/engine'
import { pointsFolder } from '#backups/point'
import { hasUnfinishedRestore } from '#backups/restore'
import { openEngine } from '#engine/open'
import { agreeOnKey } from '#flags/key-agreement'
import { Seal } from '#flags/seal'
import { localOrigin, operator } from '#projects/access'
import { usualProject } from '#projects/demo-project'
import { passwordProblem } from '#projects/passwords'
import { openStore } from '#store/open'
import { type Store, StoreUnavailableError, StoreUnreachableError } from '#store/store'
import { createDialects } from '#wire/dialects'
import { realWorld } from '#world/world'
import {
  announceReadyAfterTroubles,
  announceStarted,
  announceStarting,
  announceWaiting,
} from './announcements'
import { waitForStore } from '#store/wait-for-store'
import { runBackupCommand } from './backup-command'
import { openBuiltFiles } from '#http/built-files'
import { type ClientPackages, openClientPackages } from '#http/client-packages'
import { type KitChanges, type KitFiles, openKitFiles } from '#http/kit-files'
import { type KitBuild, kitFingerprint } from '#site-kit/kit-manifest'
import { SiteKit } from '#site-kit/site-kit'
import { excerptAt } from '#site-kit/source-excerpt'
import { writeTypes } from '#site-kit/write-types'
import { startDemo } from './demo-child'
import {
  type Config,
  engineFolder,
  type EnvironmentVariables,
  outboundConfig,
  storeSettings,
} from '../../config'
import { isFull, keepReserve, releaseReserve } from './disk-reserve'
import { type DiskSpace, measureDiskSpace } from '../disk-space'
import type { StartedParts, Shutdown } from './shutdown'
import { type Front, openFront } from '../../internal/front'
import type { RunningServices } from '../../internal/ready'
import { ForeignEngineError } from '#ingest/installation'
import { type HeldFolder, lockHolderOf, lockFolder } from '../lock'
import { LiveFeed } from '#http/live-feed'
import type { Log } from '../../log'
import { type Installation, kitBuildOf, logForm, type StartOptions } from '../../main'
import { type PagesProcess, startPagesProcess } from '#site-serving/pages-process'
import { serveUncached } from '#site-serving/uncached-pages'
import { openProduct, type Product } from '../../product'
import { openSnapshotWireServices, type SnapshotWireServices } from '#visits/flag-requests/snapshot-requests'
import { StartError } from './start-error'
import { openSiteServing, type SiteServing } from '#site-serving/site-serving'

export interface StartContext {
  config: Config
  /** The environment from which `config` was read. */
  environment: EnvironmentVariables
  installation: Installation
  options: StartOptions
  log: Log
  started: StartedParts
  shutdown: Shutdown
  /** In the time of `performance.now()`. */
  beganAt: number
}

/**
 * Starts Tilth from its parsed settings. Each step opens a service, or refuses with a message. The front responds from
 * the second step on, with the services that it has by then; they are given to it here, and nowhere else.
 */
export async function runStartSteps(context: StartContext): Promise<void> {
  const { config, installation, options, started, log, shutdown, beganAt } = context
  const step = async <Result>(name: string, work: () => Promise<Result> | Result): Promise<Result> => {
    if (shutdown.hasBegun) return await neverResolves()
    log.debug({ step: name }, 'starting')
    return await work()
  }

  await step('look at the owner’s password', () => refuseWeakPassword(config))
  // not at the end, which may come without warning, and not later, when it would keep others waiting
  flushCompileCache()
  const front = await step('open the port', () => openPort(context))
  started.front = front
  announceStarting(front.address)
  started.folder = await step('take the data folder', () => claimDataFolder(config))
  const disk = memoizeFor(10_000, () => measureDiskSpace(config.dataFolder, config.diskBytes))
  front.use({ disk })
  const standIn = await step('look at the store', () =>
    waitForStoreOrStandIn(context, (wire, away) =>
      front.use({ wire, awaitedStore: { ping: () => Promise.reject(away) } }),
    ),
  )
  front.use({ awaitedStore: undefined })
  const engine = await step('start the engine', () => startEngine(context))
  started.engine = engine
  front.use({ engine })
  const live = new LiveFeed((problem) => log.error({ err: problem }, 'the live view is in trouble'))
  const product = await step('open the product', () => openProductOf(context, { engine, front, live, disk }))
  started.product = product
  const { intake } = product
  front.use({ product, live, intake, wire: intake })
  if (standIn) closeStandIn(standIn, front)
  await step('do what the environment asks', () => provision(product, config))
  const pages = await step('start the pages', () => openPages(context, { engine, front, product }))
  started.pages = pages
  front.use({
    builtFiles: openBuiltFiles(join(installation.root, '.next', 'static')),
    clientPackages: clientPackagesOf(context),
    pages: uncachedPagesOf(pages),
  })
  const { kit, kitFiles, kitChanges } = openSiteKit(context, { product, pages }) ?? {}
  started.kit = kit
  front.use({ kitFiles, kitChanges })
  const siteServing = await step('open the site', () => openSite(context, { product, pages, kit }))
  started.visiting = siteServing
  front.use({ site: siteServing?.site, staticPages: siteServing?.staticPages })
  const allReady = Promise.all([
    engineOrRefusal(engine).then(() => refuseForeignEngine(product)),
    pages.ready(),
  ])
  const troubles = await step('wait for everything to answer', () => waitForReady(allReady, [engine, pages]))
  const setupCode = await step('look for an owner', () => setupCodeIfNeeded(product))
  const seconds = (performance.now() - beganAt) / 1000
  announceStarted({ address: front.address, setupCode, troubles, seconds })
  // a stop before that is expected
  if (troubles.length > 0)
    void allReady.then(
      () => announceReadyAfterTroubles(front.address),
      () => {},
    )
  log.info(
    {
      address: front.address.origin,
      data: resolve(config.dataFolder),
      seconds: Number(seconds.toFixed(1)),
    },
    troubles.length === 0 ? 'ready' : 'started, but not everything is ready yet',
  )
  keepReserveFilled(context)
  if (options.demo)
    started.demo = startDemo({ root: installation.root, port: front.port, environment: context.environment })
}

const clientPackagesOf = ({ config, installation, log }: StartContext): ClientPackages =>
  openClientPackages(
    join(installation.programs, 'packages'),
    join(config.dataFolder, 'packages'),
    (problem) => log.warn({ err: problem }, 'the packages for apps could not be kept for later versions'),
  )

const reserveKeptEveryMs = 60_000

function keepReserveFilled({ config: { dataFolder }, log }: StartContext): void {
  const keep = (): void => {
    try {
      keepReserve(dataFolder)
    } catch (problem) {
      log.warn({ err: problem }, 'no room could be kept for a start on a full disk')
    }
  }
  keep()
  setInterval(keep, reserveKeptEveryMs).unref()
}

/** The process is about to end: nothing new may begin. */
const neverResolves = (): Promise<never> => new Promise(() => {})

/** Checks the password before anything is created, so that a second attempt starts cleanly. */
async function refuseWeakPassword({ owner, project }: Config): Promise<void> {
  if (!owner) return
  const problem = await passwordProblem(owner.password, [owner.email, project?.name ?? ''])
  if (problem) throw new StartError(`TILTH_OWNER_PASSWORD is not accepted. ${problem.message}`)
}

async function openPort({ config, installation, log }: StartContext): Promise<Front> {
  try {
    return await openFront({
      config,
      log,
      dialects: createDialects(join(installation.programs, 'tracker')),
    })
  } catch (problem) {
    const holder = problem instanceof StartError ? lockHolderOf(config.dataFolder) : undefined
    if (!holder) throw problem
    throw new StartError(
      `Tilth is already running on ${config.dataFolder} (${holder}) and has port ${config.port}: open it there, ` +
        'or stop that one first.',
    )
  }
}

function claimDataFolder(config: Config): HeldFolder {
  if (hasUnfinishedRestore(config.dataFolder))
    throw new StartError(
      `A restore or a move into ${config.dataFolder} was cut short, or is under way. Give the same command again.`,
    )
  releaseReserve(config.dataFolder)
  return lockFolder(config.dataFolder)
}

/** Measures at most once per `ms`, because measuring for every request is too expensive. */
function memoizeFor(ms: number, measure: () => Promise<DiskSpace>): () => Promise<DiskSpace> {
  let last: { measured: Promise<DiskSpace>; at: number } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at > ms) last = { measured: measure(), at: now }
    return last.measured
  }
}

/**
 * Waits for the store. Returns the stand-in that serves requests meanwhile; the caller closes it once the product is
 * open.
 */
async function waitForStoreOrStandIn(
  context: StartContext,
  onStandIn: (standIn: SnapshotWireServices, away: StoreUnreachableError) => void,
): Promise<SnapshotWireServices | undefined> {
  let standInServices: SnapshotWireServices | undefined
  await waitForStore({
    tryStore: () => tryOpenStore(context),
    async startStandIn(away) {
      standInServices = await openStandIn(away, context)
      if (standInServices) onStandIn(standInServices, away)
      return standInServices !== undefined
    },
  })
  return standInServices
}

/**
 * Opens and closes the store, to find a damaged or too new one, or one of another key, before the engine writes anything.
 */
async function tryOpenStore({ config, shutdown }: StartContext): Promise<void> {
  if (shutdown.hasBegun) return await neverResolves()
  const store = await openStore(storeSettings(config)).catch((problem: unknown) => {
    throw isForWantOfSpace(config) ? new StoreUnreachableError(fullDiskMessage(config.dataFolder)) : problem
  })
  try {
    await refuseOtherKey(store, config)
  } finally {
    await store.close()
  }
}

async function refuseOtherKey(store: Store, config: Config): Promise<void> {
  const { dataFolder } = config
  const agreement = await agreeOnKey(store, new Seal({ folder: dataFolder, world: realWorld })).catch(
    (problem: unknown) => {
      // lost after it answered
      if (!(problem instanceof StoreUnavailableError)) throw problem
      const reason = isForWantOfSpace(config) ? fullDiskMessage(dataFolder) : problem.message
      throw new StoreUnreachableError(reason, { cause: problem })
    },
  )
  if (!agreement.agrees) throw new StartError(`${agreement.trouble} ${agreement.remedy}`)
}

const isForWantOfSpace = ({ storeUrl, dataFolder }: Config): boolean =>
  storeUrl === undefined && isFull(dataFolder)

const fullDiskMessage = (folder: string): string =>
  `The disk of ${folder} is full, so that the store cannot be opened: free some space, and the start goes on.`

async function openStandIn(
  away: StoreUnreachableError,
  { config: { dataFolder }, log }: StartContext,
): Promise<SnapshotWireServices | undefined> {
  const onTrouble = (problem: unknown): void =>
    log.warn({ err: problem }, 'the snapshot of flags is in trouble')
  const standIn = await openSnapshotWireServices({ dataFolder, world: realWorld, away, onTrouble })
  if (!standIn) return undefined
  log.warn({ trouble: away.message }, 'waiting for the store; flags are decided by the last snapshot')
  announceWaiting(away.message)
  return standIn
}

/** Closes the stand-in and its streams: it receives no changes, so clients must reconnect to the product's intake. */
function closeStandIn(standIn: SnapshotWireServices, front: Front): void {
  standIn.close()
  front.closeStreams()
}

function startEngine({ config, installation, log }: StartContext): Engine {
  if (config.engineUrl) return openEngine({ form: 'remote', url: config.engineUrl, log })
  return openEngine({
    form: 'embedded',
    folder: engineFolder(config),
    upgradesFolder: pointsFolder(config.dataFolder),
    memoryBytes: config.memoryBytes,
    cores: availableParallelism(),
    childEntry: join(installation.programs, 'engine-child.js'),
    log,
  })
}

async function openProductOf(
  { config, installation, log }: StartContext,
  {
    engine,
    front,
    live,
    disk,
  }: { engine: Engine; front: Front; live: LiveFeed; disk: () => Promise<DiskSpace> },
): Promise<Product> {
  const product = await openProduct({
    store: storeSettings(config),
    engine,
    outbound: outboundConfig(config, front.addresses),
    siteFolder: config.siteFolder,
    exactUpTo: config.exactUpTo,
    uploads: config.uploads,
    alertSender: { origin: front.address.origin },
    intake: {
      dataFolder: config.dataFolder,
      // other fronts may write to the operator's server
      isAlone: config.engineUrl === undefined,
      uuidFilterBytes: divideMemory(config.memoryBytes).uuidFilterBytes,
      batchBytes: batchBytesOf(config.memoryBytes),
      diskSpace: disk,
      log,
      onLiveEvent: (liveEvent) => live.publish(liveEvent),
    },
    backups: {
      engineFolder: config.engineUrl === undefined ? engineFolder(config) : undefined,
      schedule: config.backup.place
        ? {
            place: config.backup.place,
            everyMs: config.backup.everyMs,
            run: () => runBackupCommand(installation.root, config),
          }
        : undefined,
    },
  })
  product.changes.onChange((topic) => live.onChange(topic))
  return product
}

async function provision(product: Product, { owner, project }: Config): Promise<void> {
  const { name, writeKey, secretKey } = project ?? {}
  const outcome = await product.signIn.setup.provision(
    { owner, project: name, writeKey, secretKey },
    localOrigin,
  )
  if (outcome.done) return
  throw new StartError(outcome.problems.map(({ message }) => message).join(' '))
}

function openPages(
  { config, installation, log }: StartContext,
  { engine, front, product }: { engine: Engine; front: Front; product: Product },
): PagesProcess {
  const pages = startPagesProcess({
    program: join(installation.programs, 'pages.js'),
    workers: pagesWorkersFor(config.memoryBytes, availableParallelism()),
    heapBytes: divideMemory(config.memoryBytes).pagesHeapBytes,
    folder: installation.root,
    dataFolder: config.dataFolder,
    store: storeSettings(config),
    reachingOut: outboundConfig(config, front.addresses),
    siteFolder: config.siteFolder,
    exactUpTo: config.exactUpTo,
    site: config.site,
    backupPlan: config.backup.place
      ? { place: config.backup.place, everyMs: config.backup.everyMs }
      : undefined,
    log: { level: config.logLevel, format: logForm() },
    changeCount: () => product.changes.count(),
    report: log,
  })
  forwardEngineAddress(engine, pages)
  forwardCollectionState(product, pages)
  return pages
}

const uncachedPagesOf = (pages: PagesProcess): RunningServices['pages'] => ({
  serve: (request, response, options) => serveUncached(request, response, pages, options),
  health: () => pages.health(),
})

/** The builds of the site folder, with its files, and its changes where a team is at work on it. */
interface OpenedSiteKit {
  kit: SiteKit
  kitFiles: KitFiles
  kitChanges: KitChanges | undefined
}

/** Builds what a team has written for its site. The pages learn of each build before the cache does. */
function openSiteKit(
  { config, installation, options, log }: StartContext,
  { product, pages }: { product: Product; pages: PagesProcess },
): OpenedSiteKit | undefined {
  if (config.siteFolder === undefined) return undefined
  const { isDev } = options
  const output = resolve(config.dataFolder, isDev ? 'site-kit/dev' : 'site-kit')
  const kit = SiteKit.open({
    ...kitBuildOf({ folder: config.siteFolder, output, isDev }, installation),
    onTrouble: (problem) => log.error({ err: problem }, 'the site folder could not be built'),
  })
  const announce = (): void => {
    pages.setKit(kit.state())
    for (const problem of kit.state().problems) log.warn(problem, 'a file of the site folder cannot be built')
  }
  announce()
  kit.onChange(announce)
  if (isDev) keepTypesCurrent(config.siteFolder, product, kit)
  return {
    kit,
    kitFiles: openKitFiles(join(output, 'assets')),
    kitChanges: isDev ? changesOf(kit, product, { folder: config.siteFolder, output }) : undefined,
  }
}

const changesOf = (
  kit: SiteKit,
  { posts }: Product,
  build: Pick<KitBuild, 'folder' | 'output'>,
): KitChanges => ({
  onChange: (listener) => allOf([kit.onChange(listener), posts.published.onChange(listener)]),
  fingerprint: () => kitFingerprint(kit.state()),
  excerptAt: (query) => excerptAt(build, query),
})

const allOf =
  (stops: readonly (() => void)[]): (() => void) =>
  () =>
    stops.forEach((stop) => stop())

/** Editors then know the flags and surveys of the project, and the collections of the folder. */
function keepTypesCurrent(folder: string, product: Product, kit: SiteKit): void {
  const { projects } = product
  const { published } = product.surveys
  const { definitions } = product.flags
  const write = (): void => {
    const project = usualProject(projects.list(siteViewer))
    const surveys = project ? published.surveysOf(project.id) : []
    writeTypes(
      folder,
      project ? definitions.flagsOf(project.id) : [],
      surveys.filter(({ archivedAt }) => !archivedAt),
    )
  }
  write()
  definitions.onChange(write)
  published.onChange(write)
  kit.onChange(write)
}

const siteViewer = operator('site')

async function openSite(
  { config, installation, options, log }: StartContext,
  { product, pages, kit }: { product: Product; pages: PagesProcess; kit: SiteKit | undefined },
): Promise<SiteServing | undefined> {
  const { intake } = product
  if (!intake) return undefined
  const build = await readFile(join(installation.root, '.next', 'BUILD_ID'), 'utf8')
  return await openSiteServing({
    product,
    intake,
    pages,
    maxBytes: divideMemory(config.memoryBytes).keptPagesBytes,
    // pages of `tilth dev` load what browsers of visitors never do
    disk: { folder: join(config.dataFolder, 'rendered'), build: options.isDev ? `${build}-dev` : build },
    kit,
    log,
  })
}

/** A restarted engine has another port and another password. */
function forwardEngineAddress(engine: Engine, pages: PagesProcess): void {
  let lastSent = ''
  setInterval(() => {
    const address = engine.address()
    const current = JSON.stringify(address)
    if (!address || current === lastSent) return
    lastSent = current
    pages.setEngineAddress(address)
  }, 250).unref()
}

/** Pages show what is wrong with figures and what is missing from them, which only the front knows. */
function forwardCollectionState({ intake }: Product, pages: PagesProcess): void {
  let lastSent = ''
  setInterval(() => {
    const state = intake?.state()
    const current = JSON.stringify(state)
    if (!state || current === lastSent) return
    lastSent = current
    pages.setCollectionState(state)
  }, 1000).unref()
}

/** A remote engine may be away for long, which does not delay the announcement of the address. */
const readyTimeoutMs = 20_000

async function waitForReady(
  everything: Promise<unknown>,
  parts: readonly Pick<Engine | PagesProcess, 'health'>[],
): Promise<string[]> {
  await Promise.race([everything, pause(readyTimeoutMs, undefined, { ref: false })])
  return parts.flatMap((part) => {
    const { status, trouble } = part.health()
    return status === 'ready'
      ? []
      : [trouble ?? 'Not everything has started yet; it goes on in the background.']
  })
}

/** Waits for a slow engine; an engine that cannot start ends the start. */
async function engineOrRefusal(engine: Engine): Promise<void> {
  try {
    await engine.ready()
  } catch (problem) {
    throw new StartError(engine.health().trouble ?? String(problem))
  }
}

/** The first project of a new store would own the events of another store. */
async function refuseForeignEngine({ intake }: Product): Promise<void> {
  await intake?.bind().catch((problem: unknown) => {
    if (problem instanceof ForeignEngineError) throw new StartError(problem.message)
    // any other failure is temporary, and is retried before anything is stored
  })
}

const setupCodeIfNeeded = async ({ signIn: { setup } }: Product): Promise<string | undefined> =>
  (await setup.isNeeded()) ? await setup.newCode() : undefined
