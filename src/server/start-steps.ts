import { flushCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '../engine/engine'
import { openEngine } from '../engine/open'
import { nowhere } from '../projects/access'
import { weakness } from '../projects/passwords'
import { openStore } from '../store/open'
import type { StoreAway } from '../store/store'
import { dialectsWith } from '../wire/dialects'
import { realWorld } from '../world/world'
import { announceReady, announceStarting, announceWaiting } from './announcements'
import { untilStoreAnswers } from './awaited-store'
import { openBuiltFiles } from './built-files'
import { startDemo } from './demo-child'
import { type Config, engineFolder, reachingOut, storeSettings } from './config'
import { type DiskRoom, diskRoom } from './disk-room'
import type { Begun, Ending } from './ending'
import { type Front, openFront } from './front'
import type { House } from './front-door'
import { type HeldFolder, holderOf, takeFolder } from './lock'
import { Live } from './live'
import type { Log } from './log'
import { type Installation, logForm } from './main'
import { type Pages, startPages } from './pages-child'
import { servePersonally } from './personal-pages'
import { openProduct, type Product } from './product'
import { openSnapshotDesk, type SnapshotDesk } from './snapshot-desk'
import { StartRefused } from './start-refused'
import { openVisiting, type Visiting } from './visiting'

export interface Beginning {
  config: Config
  installation: Installation
  wishes: { demo: boolean }
  log: Log
  begun: Begun
  ending: Ending
  /** On the clock of `performance.now()`. */
  beganAt: number
}

/**
 * From settings that can be read to a Tilth that answers. Each step refuses with a sentence or adds to the house, and
 * the front answers from the second one on with whatever stands by then.
 */
export async function begin(beginning: Beginning): Promise<void> {
  const { config, installation, wishes, begun, log, ending, beganAt } = beginning
  const house: House = {}
  const step = async <Result>(name: string, work: () => Promise<Result> | Result): Promise<Result> => {
    if (ending.hasBegun) return await never()
    log.debug({ step: name }, 'starting')
    return await work()
  }

  await step('look at the owner’s password', () => refuseWeakPassword(config))
  const front = await step('open the port', () => openPort(beginning, house))
  begun.front = front
  announceStarting(front.address)
  begun.folder = await step('take the data folder', () => settleIn(config, house))
  const standIn = await step('look at the store', () => awaitStore(beginning, house))
  const engine = await step('start the engine', () => startEngine(beginning))
  begun.engine = house.engine = engine
  const product = await step('open the product', () =>
    openProductOf(beginning, house, { engine, origin: front.address.origin }),
  )
  begun.product = house.product = product
  house.desk = product.intake
  if (standIn) handOver(standIn, front)
  await step('do what the environment asks', () => provision(product, config))
  const pages = await step('start the pages', () => openPages(beginning, house, engine))
  begun.pages = pages
  begun.visiting = openVisits(beginning, house, { product, pages })
  const troubles = await step('wait for everything to answer', () => troublesAfterAWhile(engine, pages))
  const setupCode = await step('look for an owner', () => setupCodeIfNeeded(product))
  const seconds = (performance.now() - beganAt) / 1000
  log.info({ address: front.address.origin, seconds: Number(seconds.toFixed(1)) }, 'ready')
  announceReady({ address: front.address, setupCode, troubles, seconds })
  // written now and not at the end, which may come without warning
  flushCompileCache()
  if (wishes.demo) begun.demo = startDemo({ root: installation.root, port: front.port })
}

/** The process is about to end: nothing new may begin in it. */
const never = (): Promise<never> => new Promise(() => {})

/** Looked at before there is anything to own, so that a second attempt begins as cleanly as the first. */
async function refuseWeakPassword({ owner, project }: Config): Promise<void> {
  if (!owner) return
  const weak = await weakness(owner.password, [owner.email, project?.name ?? ''])
  if (weak) throw new StartRefused(`TILTH_OWNER_PASSWORD will not do. ${weak.message}`)
}

async function openPort({ config, installation, log }: Beginning, house: House): Promise<Front> {
  try {
    return await openFront({
      config,
      house,
      log,
      dialects: dialectsWith(join(installation.programs, 'tracker')),
    })
  } catch (problem) {
    const holder = problem instanceof StartRefused ? holderOf(config.dataFolder) : undefined
    if (!holder) throw problem
    throw new StartRefused(
      `Tilth is already running on ${config.dataFolder} (${holder}) and has port ${config.port}: open it there, ` +
        'or stop that one first.',
    )
  }
}

function settleIn(config: Config, house: House): HeldFolder {
  const folder = takeFolder(config.dataFolder)
  house.disk = rememberedFor(10_000, () => diskRoom(config.dataFolder, config.diskBytes))
  return folder
}

/** Measuring is cheap, but not so cheap that everybody who asks should cause it. */
function rememberedFor(ms: number, measure: () => Promise<DiskRoom>): () => Promise<DiskRoom> {
  let last: { measured: Promise<DiskRoom>; at: number } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at > ms) last = { measured: measure(), at: now }
    return last.measured
  }
}

/** Gives back what answered meanwhile, where the store was away: until the product is open there is nothing better. */
async function awaitStore(beginning: Beginning, house: House): Promise<SnapshotDesk | undefined> {
  let desk: SnapshotDesk | undefined
  await untilStoreAnswers({
    look: () => lookAtStore(beginning),
    async standIn(away) {
      desk = await decideWithout(away, beginning)
      house.desk = desk
      if (desk) house.store = { ping: () => Promise.reject(away) }
      return desk !== undefined
    },
  })
  delete house.store
  return desk
}

/** Opened and closed again: a damaged or too new store is to be found before the engine writes anything. */
async function lookAtStore({ config, ending }: Beginning): Promise<void> {
  if (ending.hasBegun) return await never()
  const store = await openStore(storeSettings(config))
  await store.close()
}

async function decideWithout(
  away: StoreAway,
  { config: { dataFolder }, log }: Beginning,
): Promise<SnapshotDesk | undefined> {
  const onTrouble = (problem: unknown): void =>
    log.warn({ err: problem }, 'the snapshot of flags is in trouble')
  const desk = await openSnapshotDesk({ dataFolder, world: realWorld, away, onTrouble })
  if (!desk) return undefined
  log.warn({ trouble: away.message }, 'waiting for the store; flags are decided as they were known before')
  announceWaiting(away.message)
  return desk
}

/** Who listens for changes listens to a desk that will hear of none, and comes back to the one that does. */
function handOver(standIn: SnapshotDesk, front: Front): void {
  standIn.close()
  front.hangUp()
}

function startEngine({ config, installation, log }: Beginning): Engine {
  if (config.engineUrl) return openEngine({ form: 'remote', url: config.engineUrl, log })
  return openEngine({
    form: 'embedded',
    folder: engineFolder(config),
    memoryBytes: config.memoryBytes,
    cores: availableParallelism(),
    childEntry: join(installation.programs, 'engine-child.js'),
    log,
  })
}

function openProductOf(
  { config, log }: Beginning,
  house: House,
  { engine, origin }: { engine: Engine; origin: string },
): Promise<Product> {
  const live = (house.live = new Live())
  return openProduct({
    store: storeSettings(config),
    engine,
    reachingOut: reachingOut(config),
    siteFolder: config.siteFolder,
    sending: { origin, mail: config.mail },
    intake: {
      dataFolder: config.dataFolder,
      // a server of somebody else's may have other fronts that write to it
      isAlone: config.engineUrl === undefined,
      room: () => house.disk?.() ?? diskRoom(config.dataFolder, config.diskBytes),
      log,
      onSighting: (sighted) => live.see(sighted),
    },
  })
}

async function provision(product: Product, { owner, project }: Config): Promise<void> {
  const { name, writeKey, secretKey } = project ?? {}
  const outcome = await product.setup.provision({ owner, project: name, writeKey, secretKey }, nowhere)
  if (outcome.done) return
  throw new StartRefused(outcome.problems.map(({ message }) => message).join(' '))
}

const keptPagesBytes = 64 * 1024 ** 2

function openPages({ config, installation, log }: Beginning, house: House, engine: Engine): Pages {
  const pages = startPages({
    program: join(installation.programs, 'pages.js'),
    folder: installation.root,
    dataFolder: config.dataFolder,
    store: storeSettings(config),
    reachingOut: reachingOut(config),
    siteFolder: config.siteFolder,
    log: { level: config.logLevel, form: logForm() },
    report: log,
  })
  house.builtFiles = openBuiltFiles(join(installation.root, '.next', 'static'))
  tellOfMoves(engine, pages)
  house.pages = {
    serve: (request, response, personally) => servePersonally(request, response, pages, personally),
    health: () => pages.health(),
  }
  return pages
}

function openVisits(
  { log }: Beginning,
  house: House,
  { product, pages }: { product: Product; pages: Pages },
): Visiting | undefined {
  const { intake } = product
  if (!intake) return undefined
  const visiting = openVisiting({ product, intake, pages, maxBytes: keptPagesBytes, log })
  house.site = visiting.site
  return visiting
}

/** The engine comes back on another port with another password when it had to be started again. */
function tellOfMoves(engine: Engine, pages: Pages): void {
  let told = ''
  setInterval(() => {
    const address = engine.address()
    const now = JSON.stringify(address)
    if (!address || now === told) return
    told = now
    pages.engineMoved(address)
  }, 250).unref()
}

/** A remote engine may be away for long, and that is no reason not to say where we are. */
const patienceMs = 20_000

async function troublesAfterAWhile(engine: Engine, pages: Pages): Promise<string[]> {
  const everything = Promise.all([engineOrRefusal(engine), pages.ready()])
  await Promise.race([everything, pause(patienceMs, undefined, { ref: false })])
  return [engine.health(), pages.health()].flatMap(({ status, trouble }) =>
    status === 'ready' ? [] : [trouble ?? 'Not everything has started yet; it goes on in the background.'],
  )
}

/** An engine that is late is waited for; one that says there is no use in it ends the start. */
async function engineOrRefusal(engine: Engine): Promise<void> {
  try {
    await engine.ready()
  } catch (problem) {
    throw new StartRefused(engine.health().trouble ?? String(problem))
  }
}

const setupCodeIfNeeded = async ({ setup }: Product): Promise<string | undefined> =>
  (await setup.isNeeded()) ? await setup.newCode() : undefined
