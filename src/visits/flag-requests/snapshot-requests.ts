import { join } from 'node:path'
import { FlagDecider, type VisitorDataSource } from '#flags/flag-decider'
import { FlagDefinitions } from '#flags/definitions'
import { finderAmong } from '#flags/environments'
import { Seal } from '#flags/seal'
import { type LoadedDefinitions, DefinitionsSnapshot } from '#flags/snapshot'
import { Counts } from '#ingest/counts'
import { CityDatabase } from '#ingest/places'
import type { IngestContext } from '#ingest/prepare'
import { rulesByProject } from '#ingest/project-settings'
import { EventQuota } from '#ingest/quota'
import { Salts } from '#ingest/salts'
import { SessionCache } from '#ingest/sessions'
import { ProjectDirectory } from '#projects/directory'
import { FairScheduler } from '#ingest/fair-scheduler'
import type { StoreUnreachableError } from '#store/store'
import { noWebExperiments } from '#experiments/web/web-experiment-list'
import type { WireServices, DeferredReceipt, SurveyAnswersService } from '#wire/dialect'
import type { World } from '#world/world'
import { type FlagWireServices, openFlagWireServices } from './flag-wire-services'
import { snapshotFile } from '#flags/open'
import { OverrideLinks } from '#flags/override-links'

interface Dependencies {
  dataFolder: string
  world: World
  /** Thrown if only the store has the answer; the client is asked to retry. */
  away: StoreUnreachableError
  onTrouble: (problem: unknown) => void
}

/** Answers only flag requests, from the last snapshot, while the store is away. */
export interface SnapshotWireServices extends WireServices {
  close(): void
}

/** Undefined if no snapshot can be read. */
export async function openSnapshotWireServices(
  dependencies: Dependencies,
): Promise<SnapshotWireServices | undefined> {
  const known = await readSnapshot(dependencies)
  return known ? await wireServicesOver(known, dependencies) : undefined
}

async function readSnapshot({ dataFolder, onTrouble }: Dependencies): Promise<LoadedDefinitions | undefined> {
  try {
    return await new DefinitionsSnapshot(join(dataFolder, snapshotFile)).read()
  } catch (problem) {
    onTrouble(problem)
    return undefined
  }
}

async function wireServicesOver(
  known: LoadedDefinitions,
  dependencies: Dependencies,
): Promise<SnapshotWireServices> {
  const projects = new ProjectDirectory(known.projects)
  const { services: flagServices, close } = await flagWireServicesOver(known, projects, dependencies)
  const foundOnly = <Found>(found: Found | undefined): Found => found ?? throwStoreAway(dependencies)
  return {
    ...flagServices,
    // a project that is not in the snapshot may have been created since, on another front
    findProject: (name) => foundOnly(flagServices.findProject(name)),
    findProjectByHost: (host) => foundOnly(projects.at(host)),
    // the salt for ids of visitors without one is in the store
    decide: (request) =>
      request.distinctId === undefined ? throwStoreAway(dependencies) : flagServices.decide(request),
    // the snapshot has no surveys, and an error would be asked about again every second
    posthogSurveys: () => ({ json: '{"surveys":[]}', isEmpty: true }),
    posthogWebExperiments: () => noWebExperiments,
    scheduler: new FairScheduler(),
    accept: async () => notTaken,
    acceptTogether: async () => notTaken,
    noteRefusal: () => {},
    surveyAnswers: surveysWithoutStore(dependencies),
    close,
  }
}

/** Surveys are unknown while the store is away; pages ask again with their next view. */
const surveysWithoutStore = (dependencies: Dependencies): SurveyAnswersService => ({
  find: () => throwStoreAway(dependencies),
  take: () => throwStoreAway(dependencies),
  publicSurvey: () => throwStoreAway(dependencies),
  flagsOf: () => [],
  isFor: () => false,
  runningSurveys: () => [],
  hasSurveysForPages: () => false,
})

const notTaken: DeferredReceipt = { taken: false, retryAfterSeconds: 1 }

function throwStoreAway({ away }: Pick<Dependencies, 'away'>): never {
  throw away
}

async function flagWireServicesOver(
  known: LoadedDefinitions,
  projects: ProjectDirectory,
  dependencies: Dependencies,
): Promise<FlagWireServices> {
  const { dataFolder, world, away, onTrouble } = dependencies
  const onChange = () => () => {}
  const definitions = new FlagDefinitions({
    load: async () => known,
    onChange,
    snapshotFile: undefined,
    fail: onTrouble,
  })
  await definitions.open()
  const seal = new Seal({ folder: dataFolder, world })
  const flags = {
    definitions,
    // failed look-ups are not reported, because the store's outage was
    deciding: new FlagDecider({ definitions, lookups: unavailableLookups(away), world, fail: () => {} }),
    environments: { environmentNamed: finderAmong(known.environments, projects) },
    seal,
    overrideLinks: new OverrideLinks({ seal, world, definitions }),
    requestCounts: { note: () => {} },
  }
  const keys = { viewer: () => Promise.reject(away) }
  const places = new CityDatabase(onTrouble)
  const context = await ingestContextOver(projects, places, dependencies)
  const opened = openFlagWireServices({ flags, projects, keys, store: { onChange } }, context)
  return {
    ...opened,
    close: () => {
      opened.close()
      places.close()
    },
  }
}

function unavailableLookups(away: StoreUnreachableError): VisitorDataSource {
  const reject = () => Promise.reject(away)
  return { person: reject, group: reject, members: reject, keptIds: reject, keepIds: reject }
}

/** The context with which a request is prepared in the same way as events. */
async function ingestContextOver(
  projects: ProjectDirectory,
  places: CityDatabase,
  { world, onTrouble }: Dependencies,
): Promise<IngestContext> {
  const noSaltStorage = { load: async () => undefined, save: async () => {} }
  return {
    world,
    places,
    salts: await Salts.open(world, noSaltStorage, onTrouble),
    sessions: new SessionCache(),
    counts: new Counts(),
    quota: new EventQuota(world),
    surveys: { objectionTo: () => undefined },
    rulesOf: rulesByProject(projects),
  }
}
