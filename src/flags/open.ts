import { join } from 'node:path'
import type { Engine } from '#engine/engine'
import { sql } from '#engine/sql'
import type { Properties } from '#events/event'
import { FlagRequestCounts } from './request-counts/request-counts'
import type { CohortRule } from './internal/cohort-rules'
import { FlagDecider, type VisitorDataSource } from './flag-decider'
import { FlagDefinitions, type LoadedDefinitions } from './definitions'
import { Environments } from './environments'
import { type FlagClient, Flags } from './flags'
import type { GuardEngine } from './guards/guard-engine'
import type { Guards } from './guards/internal/guards'
import { Holdouts } from './holdouts'
import { Layers } from './layers/layers'
import { FlagMatches } from './matches/flag-matches'
import { Schedules } from './schedules'
import { Seal } from './seal'
import { keepIds, keptIdsOf } from './kept-ids'
import { everyEnvironment, everyFlag } from './store'
import type { Insights } from '#insights/ask'
import type { InsightServices } from '#insights/open'
import type { PeopleServices } from '#insights/people/open-people'
import type { Cohorts } from '#persons/cohorts/cohorts'
import { findPersonAliases } from '#persons/person-aliases'
import { personIdOf } from '#persons/person'
import { distinctIdClaims, groupsOf, personsOf } from '#persons/store'
import { operator } from '#projects/access'
import type { Projects } from '#projects/projects'
import { allProjects } from '#projects/store'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { FlagNumbers } from './numbers'
import { type GuardingDependencies, openGuards } from './internal/guard-runs'
import type { FlagWriterDependencies } from './internal/flag-writer'
import type { Job, OpenedModule } from '#jobs/jobs'
import { storedVisitors } from './matches/internal/stored-visitors'
import { OverrideLinks } from './override-links'

interface FlagServicesDependencies
  extends Pick<GuardingDependencies, 'notify'>, Pick<FlagWriterDependencies, 'runningExperiments'> {
  store: Store
  world: World
  /** The folder with the key of secret values and the snapshot of definitions. */
  folder: string
  projects: Projects
  insights: InsightServices
  people: PeopleServices
  /** Absent if events cannot be queried. */
  engine: Pick<Engine, 'ready'> | undefined
  /** Whether this process writes the snapshot and refreshes cohorts: true for the front. */
  isFront: boolean
  onTrouble: (problem: unknown) => void
}

/** The parts that are opened before the services. */
interface OpenedFlagParts {
  environments: Environments
  definitions: FlagDefinitions
  deciding: FlagDecider
  schedules: Schedules
  guards: Guards
  requestCounts: FlagRequestCounts
  seal: Seal
  refreshCohorts: () => Promise<void>
}

/** Flags, and the services that decide, explain and change them. */
export class FlagServices extends Flags {
  readonly environments: Environments
  readonly holdouts: Holdouts
  readonly layers: Layers
  readonly schedules: Schedules
  readonly guards: Guards
  /** All flags in memory, in every process. */
  readonly definitions: FlagDefinitions
  readonly deciding: FlagDecider
  /** Links that force flag values in one browser. */
  readonly overrideLinks: OverrideLinks
  readonly numbers: FlagNumbers
  /** The persons who get each value of a flag now. */
  readonly matches: FlagMatches

  constructor(
    { store, world, insights, people, runningExperiments }: FlagServicesDependencies,
    {
      environments,
      definitions,
      deciding,
      schedules,
      guards,
      requestCounts,
      seal,
      refreshCohorts,
    }: OpenedFlagParts,
  ) {
    super({
      store,
      world,
      cohorts: people.cohorts,
      definitions,
      seal,
      runningExperiments,
      decider: {
        explain: async (...request) => {
          await refreshCohorts()
          return await deciding.explain(...request)
        },
      },
      recentClientsOf: (projectId, key) =>
        requestersOf({ insights, requestCounts }, projectId, key).catch(() => undefined),
    })
    this.environments = environments
    this.holdouts = new Holdouts({ store, world })
    this.layers = new Layers({ store, world })
    this.schedules = schedules
    this.guards = guards
    this.definitions = definitions
    this.deciding = deciding
    this.overrideLinks = new OverrideLinks({ seal, world, definitions })
    this.numbers = new FlagNumbers({ world, insights, people, flags: this, requestCounts })
    this.matches = new FlagMatches({
      world,
      insights,
      definitions,
      flags: this,
      decider: deciding,
      refreshCohorts,
      source: storedVisitors(store),
    })
  }
}

interface OpenedFlags extends OpenedModule<FlagServices> {
  /** Takes the steps of guarded rollouts, those of experiments too. */
  guardEngine: GuardEngine
  /** Decrypts secret values; callers have checked access. */
  seal: Seal
  /** Counts the requests of clients that send no event about their decisions. */
  requestCounts: FlagRequestCounts
}

const second = 1000
const minute = 60 * second

export const snapshotFile = 'flags.json'

export async function openFlags(dependencies: FlagServicesDependencies): Promise<OpenedFlags> {
  const { store, world, folder, projects, insights, people, engine, isFront, onTrouble, notify } =
    dependencies
  const { goals } = insights
  const environments = await Environments.open({ store, world, projects, onTrouble })
  const seal = new Seal({ folder, world })
  const definitions = definitionsIn(dependencies)
  await definitions.open()
  const deciding = new FlagDecider({
    world,
    definitions,
    lookups: openLookups(store, people.cohorts, insights),
    fail: onTrouble,
  })
  // the first refresh does not wait for the schedule: until then flags that use cohorts are undecided
  const refresh = () => void deciding.refreshCohorts().catch(onTrouble)
  if (isFront) void engine?.ready().then(refresh, onTrouble)
  // newly picked persons count at once
  if (isFront) store.onChange((topic) => topic === 'cohorts' && refresh())
  const schedules = new Schedules({ store, world, projects })
  const guarding = openGuards({ store, world, insights, goals, notify })
  const requestCounts = new FlagRequestCounts({ store, world })
  return {
    services: new FlagServices(dependencies, {
      environments,
      definitions,
      deciding,
      schedules,
      guards: guarding.guards,
      requestCounts,
      seal,
      refreshCohorts: cohortRefresher(deciding, isFront, onTrouble),
    }),
    guardEngine: guarding.guardEngine,
    seal,
    requestCounts,
    staleMs: () => ({ environments: environments.staleMs, flags: definitions.staleMs }),
    jobs: [...jobsFor(schedules, deciding), saveRequestCountsJob(requestCounts), ...guarding.jobs],
    close: async () => {
      await requestCounts.keep().catch(onTrouble)
      await definitions.close()
      await environments.close()
    },
  }
}

const jobsFor = (schedules: Schedules, deciding: FlagDecider): Job[] => [
  { name: 'take steps of schedules', everyMs: 10 * second, isShared: true, run: () => schedules.run() },
  { name: 'read who is in cohorts', everyMs: 5 * minute, run: () => deciding.refreshCohorts() },
]

const saveRequestCountsJob = (requestCounts: FlagRequestCounts): Job => ({
  name: 'keep who asked for flags',
  everyMs: minute,
  run: () => requestCounts.keep(),
})

const definitionsIn = ({
  store,
  people,
  folder,
  isFront,
  onTrouble,
}: FlagServicesDependencies): FlagDefinitions =>
  new FlagDefinitions({
    load: () => loadFlags(store, people.cohorts),
    onChange: (listener) => store.onChange(listener),
    snapshotFile: isFront ? join(folder, snapshotFile) : undefined,
    fail: onTrouble,
  })

/** Refreshes cohorts on demand: only the front does so on a schedule. */
function cohortRefresher(
  deciding: FlagDecider,
  isFront: boolean,
  onTrouble: (problem: unknown) => void,
): () => Promise<void> {
  let readAt = -Infinity
  return async () => {
    if (isFront || performance.now() - readAt <= minute) return
    await deciding.refreshCohorts().catch(onTrouble)
    readAt = performance.now()
  }
}

async function loadFlags(store: Store, cohorts: Cohorts): Promise<LoadedDefinitions> {
  const flags = await everyFlag(store)
  // read from the store, because the cache may not have seen the same change yet
  const projects = await allProjects(store)
  const environments = await everyEnvironment(store)
  const rules = new Map<number, ReadonlyMap<string, CohortRule>>()
  for (const { id } of projects) rules.set(id, rulesIn(await cohorts.membership(id)))
  return { flags, cohorts: rules, projects, environments }
}

const flagsViewer = operator('flags')

const rulesIn = (membership: Awaited<ReturnType<Cohorts['membership']>>): Map<string, CohortRule> =>
  new Map(Array.from(membership, ([id, known]) => [id, isDefinition(known) ? known : undefined]))

function isDefinition(known: NonNullable<CohortRule> | readonly string[]): known is NonNullable<CohortRule> {
  return !Array.isArray(known)
}

function openLookups(store: Store, cohorts: Cohorts, insights: Pick<Insights, 'scope'>): VisitorDataSource {
  return {
    async person(projectId, distinctId) {
      const id = await personOf(store, projectId, distinctId)
      const [person] = await personsOf(store, projectId, [id])
      return { id, properties: person?.properties ?? {} }
    },
    async group(projectId, type, key): Promise<Properties> {
      const named = await groupsOf(store, projectId, [key])
      return named.find((group) => group.type === type)?.properties ?? {}
    },
    async members(projectId, cohort) {
      const known = (await cohorts.membership(projectId)).get(cohort)
      if (!known) return new Set()
      if (!isDefinition(known)) return new Set(known)
      return await membersByDefinition(insights, projectId, cohort)
    },
    async keptIds(projectId, distinctId) {
      const id = await personOf(store, projectId, distinctId)
      const { numbers } = await findPersonAliases(store, projectId, id)
      return await keptIdsOf(store, projectId, [personIdOf(projectId, distinctId), ...numbers])
    },
    async keepIds(projectId, distinctId, ids) {
      await keepIds(store, projectId, personIdOf(projectId, distinctId), ids)
    },
  }
}

async function personOf(store: Store, projectId: number, distinctId: string): Promise<string> {
  const [claim] = await distinctIdClaims(store, projectId, [distinctId])
  return claim?.personId ?? personIdOf(projectId, distinctId)
}

async function membersByDefinition(
  insights: Pick<Insights, 'scope'>,
  projectId: number,
  cohort: string,
): Promise<ReadonlySet<string>> {
  const scope = await insights.scope(projectId, flagsViewer)
  const members = scope.cohort(cohort)
  if (!members) return new Set()
  const rows = await scope.run<{ id: string }>(
    sql`select distinct toString(person_id) as id from (${members})`,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Returns the clients that request a flag: those that send events about it, and those that are counted because they
 * send none. Undefined while the engine does not respond.
 */
async function requestersOf(
  { insights, requestCounts }: { insights: Pick<Insights, 'ask'>; requestCounts: FlagRequestCounts },
  projectId: number,
  key: string,
): Promise<readonly FlagClient[] | undefined> {
  const query = { kind: 'exposures' as const, period: '7d', traffic: 'all', flags: [key] }
  const outcome = await insights.ask(projectId, query, flagsViewer)
  if (!outcome.done) return undefined
  const { flags } = outcome.answer
  const silent = (await requestCounts.lately(projectId, 7)).byKey.get(key) ?? []
  const telling = flags
    .flatMap(({ askedBy }) => askedBy)
    .filter(({ times }) => times > 0)
    .map(({ library, times }) => ({ client: library || 'an unnamed client', times }))
  return [...telling, ...silent.map(({ client, times }) => ({ client, times }))]
}
