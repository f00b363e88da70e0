import { join } from 'node:path'
import { Deciding, type Lookups } from '../flags/deciding'
import { Definitions } from '../flags/definitions'
import { finderAmong } from '../flags/environments'
import { Seal } from '../flags/sealed'
import { type Loaded, Snapshot } from '../flags/snapshot'
import { Counts } from '../ingest/counts'
import { CityPlaces } from '../ingest/places'
import type { House } from '../ingest/prepare'
import { rulesByProject } from '../ingest/project-settings'
import { Quota } from '../ingest/quota'
import { Salts } from '../ingest/salts'
import { SessionMemory } from '../ingest/sessions'
import { Directory } from '../projects/directory'
import type { StoreAway } from '../store/store'
import type { Desk, NotTaken } from '../wire/dialect'
import type { World } from '../world/world'
import { type FlagDesk, openFlagDesk } from './flag-desk'
import { snapshotFile } from './flagging'
import { TryingLinks } from './trying-links'

interface Ground {
  dataFolder: string
  world: World
  /** Thrown where only the store knows the answer: whoever asks is told to ask again. */
  away: StoreAway
  onTrouble: (problem: unknown) => void
}

/** Flags by what was known when the store answered last, for as long as it is away. Nothing else is answered. */
export interface SnapshotDesk extends Desk {
  close(): void
}

/** Undefined where no snapshot can be read. */
export async function openSnapshotDesk(ground: Ground): Promise<SnapshotDesk | undefined> {
  const known = await readSnapshot(ground)
  return known ? await deskOver(known, ground) : undefined
}

async function readSnapshot({ dataFolder, onTrouble }: Ground): Promise<Loaded | undefined> {
  try {
    return await new Snapshot(join(dataFolder, snapshotFile)).read()
  } catch (problem) {
    onTrouble(problem)
    return undefined
  }
}

async function deskOver(known: Loaded, ground: Ground): Promise<SnapshotDesk> {
  const projects = new Directory(known.projects)
  const { desk, close } = await flagDeskOver(known, projects, ground)
  const foundOnly = <Found>(found: Found | undefined): Found => found ?? giveUp(ground)
  return {
    ...desk,
    // what is not known here may have been made since by somebody else
    projectNamed: (name) => foundOnly(desk.projectNamed(name)),
    projectAt: (host) => foundOnly(projects.at(host)),
    // the salt that tells visitors without an id apart is in the store
    decide: (asking) => (asking.distinctId === undefined ? giveUp(ground) : desk.decide(asking)),
    take: async () => notTaken,
    takeTogether: async () => notTaken,
    noteRefusal: () => {},
    close,
  }
}

const notTaken: NotTaken = { taken: false, retryAfterSeconds: 1 }

function giveUp({ away }: Pick<Ground, 'away'>): never {
  throw away
}

async function flagDeskOver(known: Loaded, projects: Directory, ground: Ground): Promise<FlagDesk> {
  const { dataFolder, world, away, onTrouble } = ground
  const onChange = () => () => {}
  const definitions = new Definitions({
    load: async () => known,
    onChange,
    snapshotFile: undefined,
    fail: onTrouble,
  })
  await definitions.open()
  const seal = new Seal({ folder: dataFolder, world })
  const flags = {
    definitions,
    // that nobody can be looked up was said when the waiting began
    deciding: new Deciding({ definitions, lookups: nobodyFound(away), world, fail: () => {} }),
    environments: { environmentNamed: finderAmong(known.environments, projects) },
    seal,
    tryingLinks: new TryingLinks({ seal, world, definitions }),
    askings: { note: () => {} },
  }
  const keys = { viewer: () => Promise.reject(away) }
  return openFlagDesk({ flags, projects, keys, store: { onChange } }, await houseOver(projects, ground))
}

function nobodyFound(away: StoreAway): Lookups {
  const reject = () => Promise.reject(away)
  return { person: reject, group: reject, members: reject, keptIds: reject, keepIds: reject }
}

/** All that it takes to see a request with the eyes that events are seen with. */
async function houseOver(projects: Directory, { world, onTrouble }: Ground): Promise<House> {
  const keptNowhere = { load: async () => undefined, save: async () => {} }
  return {
    world,
    places: new CityPlaces(onTrouble),
    salts: await Salts.open(world, keptNowhere, onTrouble),
    sessions: new SessionMemory(),
    counts: new Counts(),
    quota: new Quota(world),
    rulesOf: rulesByProject(projects),
  }
}
