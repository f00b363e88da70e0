import { join } from 'node:path'
import type { Engine } from '../engine/engine'
import type { Prepared, PreparedEvent } from '../events/event'
import type { Sighting } from '../events/sighting'
import { forgetKeptIds } from '../flags/store'
import { Batches, type StoredEvent, type Whereabouts } from '../ingest/batches'
import { Counts, type ProjectCount, type StepCount } from '../ingest/counts'
import { Journal } from '../ingest/journal'
import { CityPlaces } from '../ingest/places'
import { type House, prepare } from '../ingest/prepare'
import { Quarantine } from '../ingest/quarantine'
import { Quota } from '../ingest/quota'
import { saltFile, type SaltKeeper, Salts } from '../ingest/salts'
import { saltsInStore } from '../ingest/salts-in-store'
import { SessionMemory, type VisitorSession } from '../ingest/sessions'
import { sessionsBefore } from '../ingest/sessions-before'
import { rulesByProject } from '../ingest/project-settings'
import { Eraser } from '../persons/eraser'
import { Forgotten } from '../persons/forgotten'
import { People } from '../persons/people'
import { Squash } from '../persons/squash'
import type { Keys } from '../projects/keys'
import type { Projects } from '../projects/projects'
import type { Store } from '../store/store'
import type { Delivered, Desk, JointReceipt, Receipt, Taken } from '../wire/dialect'
import type { World } from '../world/world'
import type { DiskRoom } from './disk-room'
import { type FlagParts, openFlagDesk } from './flag-desk'
import type { Job } from './jobs'
import { mostPerSecond } from './live'
import type { Log } from './log'

export interface IntakeSettings {
  dataFolder: string
  store: Store
  engine: Engine
  projects: Projects
  keys: Keys
  flags: FlagParts
  world: World
  /** Nobody else writes to this engine. */
  isAlone: boolean
  room: () => Promise<DiskRoom>
  log: Log
  /** Hears of everything that came in, kept or not. */
  onSighting: (sighted: Sighted) => void
}

/** Something that came in, and whose it is; nobody's when it named no project of ours. */
export interface Sighted {
  projectId: number | undefined
  sighting: Sighting
  /** So many more came just before it, in such numbers that nobody could have read them. */
  unsaid?: number
}

/** What became of every event since the start. */
export interface IntakeCounts {
  whereabouts: Whereabouts
  projects: ProjectCount[]
  steps: StepCount[]
}

/** Everything between a dialect and the engine: prepare, journal, batches. */
export interface Intake extends Desk {
  /** By which events are prepared; visits are begun with the same salts, places and rules. */
  readonly house: House
  counts(): IntakeCounts
  /** Why events are refused or do not reach the engine; absent while all is well. */
  trouble(): string | undefined
  /** What has to be done now and then beside taking events in. */
  readonly jobs: readonly Job[]
  /** Stores what the journal holds, as far as there is time; the rest is there at the next start. */
  close(withinMs: number): Promise<void>
}

const choresEveryMs = 5 * 60_000
/** With more than these on their way, a count of what is stored would say too little. */
const hardlyAny = 10_000

export async function openIntake(settings: IntakeSettings): Promise<Intake> {
  const { dataFolder, world, log } = settings
  const counts = new Counts()
  const onTrouble = (problem: unknown): void => log.warn({ err: problem }, 'collection is in trouble')
  const journal = await Journal.open({
    folder: join(dataFolder, 'journal'),
    room: async () => ({ trouble: (await settings.room()).trouble }),
    now: () => world.now(),
    onDamage: (damage) => log.error({ damage }, 'a part of the journal was damaged, and is kept aside'),
    onTrouble,
  })
  const salts = await Salts.open(world, saltKeeperOf(settings), onTrouble)
  const places = new CityPlaces(onTrouble)
  const house: House = {
    world,
    places,
    salts,
    sessions: new SessionMemory(),
    counts,
    quota: new Quota(world),
    rulesOf: rulesByProject(settings.projects),
  }
  const forgotten = new Forgotten(settings.store)
  await forgotten.begin()
  const batches = openBatches(settings, { journal, house, forgotten, onTrouble })
  const tell = settings.onSighting
  batches.onStored((events) => {
    for (const ofProject of Map.groupBy(events, ({ event }) => event.projectId).values())
      for (const sighted of sightingsOf(ofProject)) tell(sighted)
  })
  batches.start()
  void remember(settings.engine, house, onTrouble)
  const eraser = new Eraser({
    ...settings,
    forgotten,
    whereabouts: () => batches.counts(),
    alsoForget: forgetKeptIds,
  })
  const erase = () => eraser.run()
  const deafToErasures = settings.store.onChange((topic) => {
    if (topic === 'erasures') void erase().catch(onTrouble)
  })
  void settings.engine.ready().then(erase).catch(onTrouble)
  const flags = openFlagDesk(settings, house)

  return {
    ...flags.desk,
    house,
    projectAt: (host) => settings.projects.at(host),
    take: (events, envelope) => take({ events, envelope }, { house, journal, tell }),
    takeTogether: (deliveries) => takeTogether(deliveries, { house, journal, tell }),
    noteRefusal: ({ projectId, ...refusal }) =>
      tell({
        projectId,
        sighting: { kind: 'refused', at: world.now().toISOString(), named: undefined, ...refusal },
      }),
    counts: () => ({ whereabouts: batches.counts(), projects: counts.byProject(), steps: counts.byStep() }),
    trouble: () => journal.trouble ?? batches.trouble,
    jobs: jobsOf(settings, { house, batches, erase }),
    close: async (withinMs) => {
      deafToErasures()
      flags.close()
      await journal.close()
      await batches.drain(withinMs)
      await batches.close()
      await salts.settled()
    },
  }
}

function jobsOf(
  { store, engine }: IntakeSettings,
  {
    house: { salts, quota },
    batches,
    erase,
  }: { house: House; batches: Batches; erase: () => Promise<unknown> },
): Job[] {
  const squash = new Squash({ store, engine, whereabouts: () => batches.counts() })
  const chore = (name: string, run: Job['run']): Job => ({
    name,
    everyMs: choresEveryMs,
    queue: 'collection',
    run,
  })
  return [
    chore('agree on salts', () => salts.agree()),
    chore('recount quotas', () => batches.counts().pending < hardlyAny && quota.recount(engine)),
    chore('squash persons', () => squash.run()),
    chore('erase persons', erase),
  ]
}

/** Fronts that share a store share its salts, or they would count one visitor once each. */
const saltKeeperOf = ({ store, dataFolder }: IntakeSettings): SaltKeeper =>
  store.form === 'postgres' ? saltsInStore(store) : saltFile(dataFolder)

interface Inside {
  journal: Journal
  house: House
  forgotten: Forgotten
  onTrouble: (problem: unknown) => void
}

function openBatches(
  { store, engine, dataFolder, world, isAlone }: IntakeSettings,
  { journal, house, forgotten, onTrouble }: Inside,
): Batches {
  const people = new People({ store, engine, journal: journal.id, isAlone })
  store.onChange((topic) => topic === 'erasures' && people.forget())
  return new Batches({
    journal,
    engine,
    people: {
      readUpTo: () => people.readUpTo(),
      hasForgotten: (event) => forgotten.includes(event),
      resolve: async (events, upTo) => {
        const persons = await people.resolve(events, upTo)
        // before the events: a person's merge must count for the very event that caused it
        await people.mirror()
        return persons
      },
    },
    quarantine: new Quarantine(join(dataFolder, 'journal', 'quarantine'), () => world.now()),
    now: () => world.now(),
    isAlone,
    onTrouble,
    onReplayed: (events) => house.sessions.restore(events.map(sessionOf)),
  })
}

/** What the journal had not stored when we ended is not among the sessions that the engine knows of. */
const sessionOf = ({ projectId, distinctId, sessionId, at }: PreparedEvent): VisitorSession => ({
  projectId,
  distinctId,
  id: sessionId,
  start: at.getTime(),
  end: at.getTime(),
})

/** Events are taken meanwhile: whoever comes in these first moments may begin a session anew. */
async function remember(
  engine: Engine,
  { sessions, quota }: House,
  onTrouble: (problem: unknown) => void,
): Promise<void> {
  try {
    await engine.ready()
    sessions.restore(await sessionsBefore(engine))
    await quota.recount(engine)
  } catch (problem) {
    onTrouble(problem)
  }
}

/** What stands between a delivery and its receipt. */
export interface Door {
  house: House
  journal: Pick<Journal, 'append'>
  tell: (sighted: Sighted) => void
}

export async function take(delivered: Delivered, door: Door): Promise<Receipt> {
  const joint = await takeTogether([delivered], door)
  return joint.taken ? (joint.receipts[0] ?? { taken: true, kept: 0, dropped: [] }) : joint
}

/** Only when the journal has them on disk does the sender hear that they were taken, and only then are they counted. */
export async function takeTogether(deliveries: readonly Delivered[], door: Door): Promise<JointReceipt> {
  const { house, journal } = door
  const parcels: Parcel[] = []
  for (const delivered of deliveries) {
    await house.places.readyFor(delivered.envelope.address)
    parcels.push({ ...delivered, prepared: preparedIn(delivered, house) })
  }
  const appended = await journal.append(parcels.flatMap(({ prepared }) => keptOf(prepared)))
  if (appended === 'written')
    return { taken: true, receipts: parcels.map((parcel) => receiptFor(parcel, door)) }
  for (const { envelope, prepared } of parcels)
    house.quota.giveBack(envelope.projectId, keptOf(prepared).length)
  return { taken: false, retryAfterSeconds: appended.retryAfterSeconds }
}

interface Parcel extends Delivered {
  prepared: readonly Prepared[]
}

const preparedIn = ({ events, envelope }: Delivered, house: House): Prepared[] =>
  events.map((event) => prepare(event, envelope, house))

const keptOf = (prepared: readonly Prepared[]): PreparedEvent[] =>
  prepared.flatMap((one) => (one.kept ? [one.event] : []))

function receiptFor({ prepared, envelope }: Parcel, { house, tell }: Door): Taken {
  const { projectId, receivedAt } = envelope
  house.counts.told(projectId, prepared)
  const dropped = prepared.flatMap((one, index) => (one.kept ? [] : [{ index, ...one }]))
  const at = receivedAt.toISOString()
  for (const { name, reason } of dropped) tell({ projectId, sighting: { kind: 'dropped', at, name, reason } })
  return {
    taken: true,
    kept: prepared.length - dropped.length,
    dropped: dropped.map(({ index, reason }) => ({ index, reason })),
  }
}

/** More are not made at once than a page can show: taking an event's row apart costs as much as storing it. */
function sightingsOf(events: readonly StoredEvent[]): Sighted[] {
  const unsaid = Math.max(0, events.length - mostPerSecond)
  return events.slice(unsaid).map((one, i) => ({
    projectId: one.event.projectId,
    sighting: storedSighting(one),
    unsaid: i === 0 ? unsaid : 0,
  }))
}

const storedSighting = ({ event, personId }: StoredEvent): Sighting => ({
  kind: 'stored',
  at: event.at.toISOString(),
  receivedAt: event.receivedAt.toISOString(),
  uuid: event.uuid,
  name: event.name,
  distinctId: event.distinctId,
  personId,
  sessionId: event.sessionId,
  isCookieless: event.isCookieless,
  columns: event.columns,
  groups: event.groups,
  properties: event.properties,
})
