import { join } from 'node:path'
import type { Engine } from '../engine/engine'
import { sql } from '../engine/sql'
import type { Properties } from '../events/event'
import { Askings } from '../flags/askings'
import type { CohortRule } from '../flags/cohort-rules'
import { Deciding, type Lookups } from '../flags/deciding'
import { Definitions, type Loaded } from '../flags/definitions'
import { Environments } from '../flags/environments'
import { type Asker, Flags } from '../flags/flags'
import type { Guards } from '../flags/guards'
import { Holdouts } from '../flags/holdouts'
import { Schedules } from '../flags/schedules'
import { Seal } from '../flags/sealed'
import { everyEnvironment, everyFlag, keepIds, keptIdsOf } from '../flags/store'
import type { Insights } from '../insights/ask'
import type { ExposuresAnswer } from '../insights/exposure'
import type { Goals } from '../insights/goals'
import type { People } from '../insights/people'
import type { Cohorts } from '../persons/cohorts'
import { knownAs } from '../persons/known-as'
import { personIdOf } from '../persons/person'
import { claimsOf, groupsOf, personsOf } from '../persons/store'
import { operator } from '../projects/access'
import type { Projects } from '../projects/projects'
import { allProjects } from '../projects/store'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import { FlagNumbers } from './flag-numbers'
import { openGuarding } from './guarding'
import type { Job } from './jobs'
import { TryingLinks } from './trying-links'

export interface FlaggingGround {
  store: Store
  world: World
  /** Where the key of secret values is, and the snapshot of definitions. */
  folder: string
  projects: Projects
  cohorts: Cohorts
  insights: Insights
  goals: Goals
  people: People
  /** Absent where nobody can be asked what happened. */
  engine: Pick<Engine, 'ready'> | undefined
  /** Whether this process keeps the snapshot and knows by itself who is in cohorts: the front. */
  isFront: boolean
  onTrouble: (problem: unknown) => void
}

/** Flags, what surrounds them, and what decides them. */
export interface Flagging {
  /** What the product offers of them. */
  parts: {
    flags: Flags
    environments: Environments
    holdouts: Holdouts
    schedules: Schedules
    guards: Guards
    definitions: Definitions
    deciding: Deciding
    tryingLinks: TryingLinks
    flagNumbers: FlagNumbers
  }
  /** Reads what is secret, for those who were found to be allowed. */
  seal: Seal
  /** Counts who asks without telling. */
  askings: Askings
  /** What is done for them by the clock. */
  jobs: readonly Job[]
  close(): Promise<void>
}

const second = 1000
const minute = 60 * second

export const snapshotFile = 'flags.json'

export async function openFlagging(ground: FlaggingGround): Promise<Flagging> {
  const environments = await Environments.open(ground)
  const seal = new Seal(ground)
  const definitions = definitionsIn(ground)
  await definitions.open()
  const around = { ...ground, definitions, seal }
  const deciding = new Deciding({ ...around, lookups: lookupsIn(ground), fail: ground.onTrouble })
  // the first time not by the clock: until then flags that ask for cohorts are undecided
  const refresh = () => void deciding.refreshCohorts().catch(ground.onTrouble)
  if (ground.isFront) void ground.engine?.ready().then(refresh, ground.onTrouble)
  // who was picked counts at once
  if (ground.isFront) ground.store.onChange((topic) => topic === 'cohorts' && refresh())
  const schedules = new Schedules(ground)
  const guarding = openGuarding(ground)
  const askings = new Askings(ground)
  const flags = new Flags({
    ...around,
    deciding: explainer(deciding, ground),
    whoAsks: (projectId, key) => whoAsks({ ...ground, askings }, projectId, key).catch(() => undefined),
  })
  return {
    parts: {
      flags,
      environments,
      holdouts: new Holdouts(ground),
      schedules,
      guards: guarding.guards,
      definitions,
      deciding,
      tryingLinks: new TryingLinks(around),
      flagNumbers: new FlagNumbers({ ...ground, flags, askings }),
    },
    seal,
    askings,
    jobs: [...jobsFor(schedules, deciding), keeping(askings), ...guarding.jobs],
    close: async () => {
      await askings.keep().catch(ground.onTrouble)
      await definitions.close()
    },
  }
}

const jobsFor = (schedules: Schedules, deciding: Deciding): Job[] => [
  { name: 'take steps of schedules', everyMs: 10 * second, isShared: true, run: () => schedules.run() },
  { name: 'read who is in cohorts', everyMs: 5 * minute, run: () => deciding.refreshCohorts() },
]

const keeping = (askings: Askings): Job => ({
  name: 'keep who asked for flags',
  everyMs: minute,
  run: () => askings.keep(),
})

const definitionsIn = (ground: FlaggingGround): Definitions =>
  new Definitions({
    load: () => loaded(ground),
    onChange: (listener) => ground.store.onChange(listener),
    snapshotFile: ground.isFront ? join(ground.folder, snapshotFile) : undefined,
    fail: ground.onTrouble,
  })

/** Only the front reads anew by the clock who is in cohorts; elsewhere it is done when somebody wants to know. */
function explainer(deciding: Deciding, { isFront, onTrouble }: FlaggingGround): Pick<Deciding, 'explain'> {
  let readAt = -Infinity
  return {
    async explain(...asked) {
      if (!isFront && performance.now() - readAt > minute) {
        await deciding.refreshCohorts().catch(onTrouble)
        readAt = performance.now()
      }
      return await deciding.explain(...asked)
    },
  }
}

async function loaded({ store, cohorts }: FlaggingGround): Promise<Loaded> {
  const flags = await everyFlag(store)
  // asked of the store, for what is in memory may not have heard of the same change yet
  const projects = await allProjects(store)
  const environments = await everyEnvironment(store)
  const rules = new Map<number, ReadonlyMap<string, CohortRule>>()
  for (const { id } of projects) rules.set(id, rulesIn(await cohorts.membership(id)))
  return { flags, cohorts: rules, projects, environments }
}

const reader = operator('flags')

const rulesIn = (membership: Awaited<ReturnType<Cohorts['membership']>>): Map<string, CohortRule> =>
  new Map(Array.from(membership, ([id, known]) => [id, isDefinition(known) ? known : undefined]))

function isDefinition(known: NonNullable<CohortRule> | readonly string[]): known is NonNullable<CohortRule> {
  return !Array.isArray(known)
}

function lookupsIn({ store, cohorts, insights }: FlaggingGround): Lookups {
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
      const { numbers } = await knownAs(store, projectId, id)
      return await keptIdsOf(store, projectId, [personIdOf(projectId, distinctId), ...numbers])
    },
    async keepIds(projectId, distinctId, ids) {
      await keepIds(store, projectId, personIdOf(projectId, distinctId), ids)
    },
  }
}

async function personOf(store: Store, projectId: number, distinctId: string): Promise<string> {
  const [claim] = await claimsOf(store, projectId, [distinctId])
  return claim?.personId ?? personIdOf(projectId, distinctId)
}

async function membersByDefinition(
  insights: Pick<Insights, 'scope'>,
  projectId: number,
  cohort: string,
): Promise<ReadonlySet<string>> {
  const scope = await insights.scope(projectId, reader)
  const members = scope.cohort(cohort)
  if (!members) return new Set()
  const rows = await scope.run<{ id: string }>(
    sql`select distinct toString(person_id) as id from (${members})`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** By what SDKs tell when code asks for a flag, and by who asks without telling; undefined while nobody can be asked. */
async function whoAsks(
  { insights, askings }: Pick<FlaggingGround, 'insights'> & { askings: Askings },
  projectId: number,
  key: string,
): Promise<readonly Asker[] | undefined> {
  const question = { kind: 'exposures', period: '7d', traffic: 'all', flags: [key] }
  const asked = await insights.ask(projectId, question, reader)
  if (!asked.done) return undefined
  const { flags } = asked.answer as ExposuresAnswer // an answer is of the kind of its question
  const silent = (await askings.lately(projectId, 7)).byKey.get(key) ?? []
  const telling = flags
    .flatMap(({ askedBy }) => askedBy)
    .filter(({ times }) => times > 0)
    .map(({ library, times }) => ({ client: library || 'something that does not say its name', times }))
  return [...telling, ...silent.map(({ client, times }) => ({ client, times }))]
}
