import { join } from 'node:path'
import type { Engine } from '../engine/engine'
import type { Envelope, IncomingEvent } from '../events/event'
import type { Sighting } from '../events/sighting'
import { Batches, type StoredEvent, type Whereabouts } from '../ingest/batches'
import { Counts, type ProjectCount, type StepCount } from '../ingest/counts'
import { Journal } from '../ingest/journal'
import { CityPlaces } from '../ingest/places'
import { type House, prepare } from '../ingest/prepare'
import { Quarantine } from '../ingest/quarantine'
import { saltFile, Salts } from '../ingest/salts'
import { SessionMemory } from '../ingest/sessions'
import { sessionsBefore } from '../ingest/sessions-before'
import { rulesByProject } from '../ingest/project-settings'
import { People } from '../persons/people'
import type { Projects } from '../projects/projects'
import type { Store } from '../store/store'
import type { Desk, Receipt } from '../wire/dialect'
import type { World } from '../world/world'
import type { DiskRoom } from './disk-room'
import type { Log } from './log'

export interface IntakeSettings {
  dataFolder: string
  store: Store
  engine: Engine
  projects: Projects
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
}

/** What became of every event since the start. */
export interface IntakeCounts {
  whereabouts: Whereabouts
  projects: ProjectCount[]
  steps: StepCount[]
}

/** Everything between a dialect and the engine: prepare, journal, batches. */
export interface Intake extends Desk {
  counts(): IntakeCounts
  /** Why events are refused or do not reach the engine; absent while all is well. */
  trouble(): string | undefined
  /** Stores what the journal holds, as far as there is time; the rest is there at the next start. */
  close(withinMs: number): Promise<void>
}

const rotateEveryMs = 5 * 60_000

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
  const salts = await Salts.open(world, saltFile(dataFolder), onTrouble)
  const rotation = setInterval(() => salts.rotate(), rotateEveryMs).unref()
  const places = new CityPlaces(onTrouble)
  const house: House = {
    world,
    places,
    salts,
    sessions: new SessionMemory(),
    counts,
    rulesOf: rulesByProject(settings.projects),
  }
  const batches = openBatches(settings, journal, onTrouble)
  const tell = settings.onSighting
  batches.onStored((events) => {
    for (const one of events) tell({ projectId: one.event.projectId, sighting: storedSighting(one) })
  })
  batches.start()
  void rememberSessions(settings.engine, house, onTrouble)

  return {
    projectNamed: (name) => settings.projects.named(name),
    projectAt: (host) => settings.projects.at(host),
    take: (events, envelope) => take(events, envelope, { house, journal, tell }),
    noteRefusal: ({ projectId, ...refusal }) =>
      tell({
        projectId,
        sighting: { kind: 'refused', at: world.now().toISOString(), named: undefined, ...refusal },
      }),
    counts: () => ({ whereabouts: batches.counts(), projects: counts.byProject(), steps: counts.byStep() }),
    trouble: () => journal.trouble ?? batches.trouble,
    close: async (withinMs) => {
      clearInterval(rotation)
      await journal.close()
      await batches.drain(withinMs)
      await batches.close()
      await salts.settled()
    },
  }
}

function openBatches(
  { store, engine, dataFolder, world, isAlone }: IntakeSettings,
  journal: Journal,
  onTrouble: (problem: unknown) => void,
): Batches {
  const people = new People({ store, engine, journal: journal.id })
  return new Batches({
    journal,
    engine,
    people: {
      readUpTo: () => people.readUpTo(),
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
  })
}

/** Events are taken meanwhile: whoever comes in these first moments may begin a session anew. */
async function rememberSessions(
  engine: Engine,
  { sessions }: House,
  onTrouble: (problem: unknown) => void,
): Promise<void> {
  try {
    await engine.ready()
    sessions.restore(await sessionsBefore(engine))
  } catch (problem) {
    onTrouble(problem)
  }
}

interface Door {
  house: House
  journal: Journal
  tell: (sighted: Sighted) => void
}

/** Only when the journal has them on disk does the sender hear that they were taken. */
async function take(
  events: readonly IncomingEvent[],
  envelope: Envelope,
  { house, journal, tell }: Door,
): Promise<Receipt> {
  await house.places.readyFor(envelope.address)
  const prepared = events.map((event) => prepare(event, envelope, house))
  const kept = prepared.flatMap((one) => (one.kept ? [one.event] : []))
  const appended = await journal.append(kept)
  if (appended !== 'written') return { taken: false, retryAfterSeconds: appended.retryAfterSeconds }
  const dropped = prepared.flatMap((one, index) => (one.kept ? [] : [{ index, ...one }]))
  const at = envelope.receivedAt.toISOString()
  for (const { name, reason } of dropped)
    tell({ projectId: envelope.projectId, sighting: { kind: 'dropped', at, name, reason } })
  return { taken: true, kept: kept.length, dropped: dropped.map(({ index, reason }) => ({ index, reason })) }
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
