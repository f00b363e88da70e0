import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Engine, EngineError } from '#engine/engine'
import { SparingLook } from '#engine/sparing-look'
import type { PreparedEvent } from '#events/event'
import type { Job } from '#jobs/jobs'
import { ErasedPersons } from '#persons/erased-persons'
import { IdentityResolver } from '#persons/identity-resolver'
import { OverrideSquasher } from '#persons/override-squasher'
import { openPersonChanges, type PersonChangesDependencies } from '#persons/person-changes'
import { identitiesChanged } from '#persons/splits/split-applier'
import type { Projects } from '#projects/projects'
import type { Store } from '#store/store'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'
import { type AcceptContext, acceptDeliveries, acceptDelivery, noteRefusal } from './internal/accept'
import { Batches, type PipelineCounts, type RecentEventFilterReach } from './internal/batches'
import { type CollectionState, collectionState } from './collection-state'
import { Counts, type ProjectCount, type StepCount } from './counts'
import { deleteAnnounced, EventTally } from './event-tally'
import { FairScheduler } from './fair-scheduler'
import { HistoryWriter } from './history-writer'
import { waitForInFlightInserts } from './internal/in-flight-inserts'
import { InstallationBinding } from './installation'
import { Journal, type JournalFile } from './internal/journal'
import { CityDatabase } from './places'
import type { IngestContext } from './prepare'
import { rulesByProject } from './project-settings'
import { Quarantine } from './internal/quarantine'
import { EventQuota } from './quota'
import { type RefusedRequestCount, RefusedRequests } from './internal/refused-requests'
import { readOngoingSessions } from './internal/restore-sessions'
import { saltFileStorage, Salts, type SaltStorage } from './salts'
import { sharedSaltStorage } from './internal/salts-in-store'
import { SessionCache, type VisitorSession } from './sessions'
import { SetAsideFileCounter, SetAsideRows } from './set-aside-files'
import { SharedSessions } from './internal/shared-sessions'
import { UuidAnnouncements } from './internal/uuid-announcements'
import { announceStored, type ProjectLiveEvent } from './live-events'

export interface IntakeSettings extends Pick<
  PersonChangesDependencies,
  'removeUpgradeCopies' | 'forgetElsewhere'
> {
  dataFolder: string
  store: Store
  engine: Engine
  projects: Projects
  /** Judges events about surveys. */
  surveys: IngestContext['surveys']
  /** The imported events of a month by project, which no quota counts. */
  importedSince: (month: Date) => ReturnType<NonNullable<Parameters<EventQuota['recount']>[1]>>
  world: World
  /** True if nothing else can write to this engine, because it runs in this front's data folder. */
  isAlone: boolean
  /** The memory limit of the uuid filter. */
  uuidFilterBytes?: number | undefined
  /** The size limit of one batch of events. */
  batchBytes?: number | undefined
  /** Why the disk takes no more events, if it does not. */
  diskSpace: () => Promise<{ trouble: string | undefined }>
  log: Pick<Logger, 'debug' | 'warn' | 'error'>
  /** Called with every incoming event, kept or dropped. */
  onLiveEvent: (event: ProjectLiveEvent) => void
}

/** The outcomes of all events since the start. */
export interface IntakeCounts {
  pipeline: PipelineCounts
  projects: ProjectCount[]
  steps: StepCount[]
  uuidFilter: RecentEventFilterReach
  refusedRequests: RefusedRequestCount[]
}

/** Everything between a dialect and the engine: prepare, journal, batches. */
export interface Intake extends Pick<
  WireServices,
  'findProjectByHost' | 'accept' | 'acceptTogether' | 'scheduler' | 'noteRefusal'
> {
  /** The context in which events are prepared; visits use the same salts, places and rules. */
  readonly context: IngestContext
  counts(): IntakeCounts
  /** Writes events of imports. */
  readonly history: HistoryWriter
  /** Why events are refused or not stored; undefined if all is well. */
  trouble(): string | undefined
  /** The lag of storing, and everything that is wrong with it. */
  state(): CollectionState
  /** Throws `ForeignEngineError` if the events in the engine belong to another store. */
  bind(): Promise<void>
  /** The scheduled jobs of the intake. */
  readonly jobs: readonly Job[]
  readonly journalId: string
  /** Does the work while nothing moves from the journal into store and engine; events are accepted meanwhile. */
  whileIngestIsPaused<Result>(work: (journal: readonly JournalFile[]) => Promise<Result>): Promise<Result>
  /** Stores events from the journal, as far as time permits; the rest follows at the next start. */
  close(withinMs: number): Promise<void>
}

/** If the engine is away for longer than this, the batch in progress prevents the backup. */
const holdTimeoutMs = 45_000

const maintenanceEveryMs = 5 * 60_000
const compareEveryMs = 60_000
/** With more pending events than this, a count of stored events is too inexact. */
const maxPendingForCount = 10_000

export async function openIntake(settings: IntakeSettings): Promise<Intake> {
  const { dataFolder, world, log } = settings
  const counts = new Counts()
  const onTrouble = (problem: unknown): void => {
    if (isStillStarting(settings.engine, problem)) log.debug('waiting for the engine to start')
    else log.warn({ err: problem }, 'collection is in trouble')
  }
  const journal = await openJournal(settings, onTrouble)
  const salts = await Salts.open(world, saltKeeperOf(settings), onTrouble)
  const places = new CityDatabase(onTrouble)
  const context: IngestContext = {
    world,
    surveys: settings.surveys,
    places,
    salts,
    sessions: new SessionCache(),
    counts,
    quota: new EventQuota(world),
    rulesOf: rulesByProject(settings.projects),
  }
  const forgotten = await ErasedPersons.open(settings.store, onTrouble)
  const sharedSessions = sharedSessionsOf(settings, context)
  const binding = new InstallationBinding(settings)
  await binding.initialize()
  const { quarantine, rowsOnDisk } = await openSetAsideRows(settings)
  const announcements = hasOtherFronts(settings) ? new UuidAnnouncements(settings) : undefined
  const tally = new EventTally({ ...settings, journal: journal.id, hasOtherFronts: hasOtherFronts(settings) })
  const people = identityResolverOf(settings, journal)
  await people.noteJournal()
  const own = { journal, quarantine, context, binding, tally, announcements, onTrouble }
  const inside = { ...own, forgotten, people, sharedSessions }
  const batches = openBatches(settings, inside)
  const announce = settings.onLiveEvent
  batches.onStored((events) => announceStored(events, announce))
  batches.start()
  void restoreSessions(settings.engine, context, onTrouble)
  const asideFiles = new SetAsideFileCounter(join(dataFolder, 'journal'), onTrouble)
  const changes = personChangesOf(settings, { ...inside, batches, rowsOnDisk })
  const stopListening = compareOnChange(settings, tally, onTrouble)
  const refusedRequests = new RefusedRequests()
  const acceptContext = acceptContextOf({ context, journal, refusedRequests, announce })
  return {
    context,
    scheduler: acceptContext.shares,
    findProjectByHost: (host) => settings.projects.at(host),
    accept: (events, envelope) => acceptDelivery({ events, envelope }, acceptContext),
    acceptTogether: (deliveries) => acceptDeliveries(deliveries, acceptContext),
    history: new HistoryWriter({ ...acceptContext, ...inside, counts: () => batches.counts() }),
    noteRefusal: (refusal) => noteRefusal(refusal, acceptContext),
    counts: () => ({ ...countsOf(batches, counts), refusedRequests: refusedRequests.all() }),
    trouble: () => journal.trouble ?? batches.trouble,
    bind: () => binding.bind(),
    state: () => stateOf(settings, { journal, batches, asideFiles, tally, refusedRequests }),
    jobs: jobsOf(settings, { context, batches, sharedSessions, changes, tally, announcements }),
    journalId: journal.id,
    whileIngestIsPaused: (work) =>
      batches.betweenBatches(() => holdFronts(settings, () => work(journal.filesNow())), holdTimeoutMs),
    close: async (withinMs) => {
      changes.close()
      stopListening()
      asideFiles.stop()
      await closeParts({ ...inside, batches, salts, places }, withinMs)
      // what is not stored follows at the next start, and so does this
      if (batches.counts().pending === 0) await people.forgetJournal().catch(onTrouble)
    },
  }
}

async function closeParts(
  {
    forgotten,
    journal,
    batches,
    salts,
    places,
  }: Pick<IntakeParts, 'forgotten' | 'journal'> & { batches: Batches; salts: Salts; places: CityDatabase },
  withinMs: number,
): Promise<void> {
  await forgotten.close()
  await journal.close()
  await batches.drain(withinMs)
  await batches.close()
  await salts.saved()
  places.close()
}

async function openSetAsideRows({ dataFolder, world }: IntakeSettings) {
  const quarantine = new Quarantine(join(dataFolder, 'journal', 'quarantine'), () => world.now())
  const rowsOnDisk = new SetAsideRows(join(dataFolder, 'journal'), quarantine)
  await rowsOnDisk.removeDrafts()
  return { quarantine, rowsOnDisk }
}

const personChangesOf = (
  settings: IntakeSettings,
  {
    forgotten,
    journal,
    batches,
    ...parts
  }: Pick<IntakeParts, 'forgotten' | 'journal' | 'onTrouble'> &
    Pick<PersonChangesDependencies, 'rowsOnDisk'> & { batches: Batches },
) =>
  openPersonChanges({
    ...settings,
    ...parts,
    erasedPersons: forgotten,
    pipelineCounts: () => batches.counts(),
    forgetStored: () => journal.forgetStored(),
    deleteEvents: (deletion) => deleteAnnounced(settings, deletion),
    erasureLogFile: join(settings.dataFolder, 'erasures.json'),
  })

const compareOnChange = (
  { store }: IntakeSettings,
  tally: EventTally,
  onTrouble: (problem: unknown) => void,
): (() => void) =>
  store.onChange((topic) => {
    if (topic === 'installation') void tally.compare().catch(onTrouble)
  })

const acceptContextOf = (parts: Omit<AcceptContext, 'shares'>): AcceptContext => ({
  ...parts,
  shares: new FairScheduler(),
})

/** The first start of an engine takes a moment, during which events stay in the journal. */
function isStillStarting(engine: Engine, problem: unknown): boolean {
  const { status, restarts } = engine.health()
  return (
    problem instanceof EngineError &&
    problem.failure === 'unavailable' &&
    status === 'starting' &&
    restarts === 0
  )
}

function openJournal(
  { dataFolder, diskSpace, world, log }: IntakeSettings,
  onTrouble: (problem: unknown) => void,
): Promise<Journal> {
  return Journal.open({
    folder: join(dataFolder, 'journal'),
    measureFreeSpace: async () => ({ trouble: (await diskSpace()).trouble }),
    now: () => world.now(),
    onMissingSegments: (segments) =>
      log.error(
        { segments },
        'files of the journal are gone; the events in them that were not stored are lost unless a backup has them',
      ),
    onDamage: (damage) => log.error({ damage }, 'a part of the journal was damaged, and is kept aside'),
    onTrouble,
  })
}

function stateOf(
  { engine, world }: Pick<IntakeSettings, 'engine' | 'world'>,
  {
    journal,
    batches,
    asideFiles,
    tally,
    refusedRequests,
  }: {
    journal: Journal
    batches: Batches
    asideFiles: SetAsideFileCounter
    tally: EventTally
    refusedRequests: RefusedRequests
  },
): CollectionState {
  const { events, byProject, isEstimate, oldestAt } = batches.backlog()
  const now = world.now()
  return collectionState({
    now,
    backlog: events,
    backlogByProject: byProject,
    isEstimate,
    oldestAt,
    refusing: journal.trouble,
    lostRequests: refusedRequests.lostLately(now),
    notStoring: batches.notStoring,
    differences: tally.differences,
    detached: engine.health().detached ?? [],
    repairing: engine.health().repairing ?? [],
    ...asideFiles.counts,
  })
}

function jobsOf(
  { store, engine, world, importedSince }: IntakeSettings,
  {
    context: { salts, quota },
    batches,
    sharedSessions,
    changes,
    tally,
    announcements,
  }: Pick<IntakeParts, 'announcements'> & {
    context: IngestContext
    batches: Batches
    sharedSessions: SharedSessions | undefined
    changes: ReturnType<typeof openPersonChanges>
    tally: EventTally
  },
): Job[] {
  const squash = new OverrideSquasher({ store, engine, world, pipelineCounts: () => batches.counts() })
  const [comparison, recount] = [new SparingLook(engine, world), new SparingLook(engine, world)]
  const chore = (name: string, run: Job['run']): Job => ({
    name,
    everyMs: maintenanceEveryMs,
    queue: 'collection',
    run,
  })
  return [
    chore('agree on salts', () => salts.synchronize()),
    chore('recount quotas', async () => {
      if (batches.counts().pending < maxPendingForCount)
        await recount.take(await tally.state(), () => quota.recount(engine, importedSince))
    }),
    {
      ...chore('compare events', async () => comparison.take(await tally.state(), () => tally.compare())),
      everyMs: compareEveryMs,
    },
    chore('squash persons', () => squash.run()),
    chore('split persons', changes.split),
    chore('erase persons', changes.erase),
    ...(sharedSessions ? [chore('forget shared sessions', () => sharedSessions.forget(world.now()))] : []),
    ...(announcements ? uuidJobs(store, batches, announcements) : []),
  ]
}

const catchUpEveryMs = 60_000

/** Keep a front without events ready to take over, and the announcements few. */
const uuidJobs = (store: Store, batches: Batches, announcements: UuidAnnouncements): Job[] => [
  {
    name: 'learn uuids of other fronts',
    everyMs: catchUpEveryMs,
    run: () => batches.catchUpWithFronts(store),
  },
  {
    name: 'forget announced uuids',
    everyMs: maintenanceEveryMs,
    isShared: true,
    run: () => announcements.prune(),
  },
]

/** Whether other fronts may exist: if store and engine are both on servers. */
const hasOtherFronts = ({ store, isAlone }: Pick<IntakeSettings, 'store' | 'isAlone'>): boolean =>
  !isAlone && store.form === 'postgres'

/** Does the work while no other front stores events either, and none tells the engine of changed persons. */
async function holdFronts<Result>(settings: IntakeSettings, work: () => Promise<Result>): Promise<Result> {
  const { store, engine } = settings
  if (!hasOtherFronts(settings)) return await store.exclusively('mirror persons', work, { isLong: true })
  return await store.exclusively(
    ['store events', 'mirror persons'],
    async (isHeld) => {
      await waitForInFlightInserts(engine)
      const result = await work()
      if (!isHeld()) throw new Error('Another front may have stored events meanwhile.')
      return result
    },
    { isLong: true },
  )
}

function sharedSessionsOf(settings: IntakeSettings, { sessions }: IngestContext): SharedSessions | undefined {
  return hasOtherFronts(settings) ? new SharedSessions(settings.store, sessions) : undefined
}

/** Fronts that share a store share its salts; otherwise each would count a visitor separately. */
export const saltKeeperOf = ({
  store,
  dataFolder,
}: Pick<IntakeSettings, 'store' | 'dataFolder'>): SaltStorage =>
  store.form === 'postgres' ? sharedSaltStorage(store) : saltFileStorage(dataFolder)

const countsOf = (batches: Batches, counts: Counts): Omit<IntakeCounts, 'refusedRequests'> => ({
  pipeline: batches.counts(),
  projects: counts.byProject(),
  steps: counts.byStep(),
  uuidFilter: batches.recentEventFilterReach(),
})

interface IntakeParts {
  journal: Journal
  quarantine: Quarantine
  context: IngestContext
  forgotten: ErasedPersons
  people: IdentityResolver
  sharedSessions: SharedSessions | undefined
  binding: InstallationBinding
  tally: EventTally
  announcements: UuidAnnouncements | undefined
  onTrouble: (problem: unknown) => void
}

/** Topics after which a distinct id may belong to another person. */
const changesIdentities: ReadonlySet<string> = new Set(['erasures', 'person splits', identitiesChanged])

function identityResolverOf({ store, engine, isAlone }: IntakeSettings, journal: Journal): IdentityResolver {
  const people = new IdentityResolver({ store, engine, journal: journal.id, isOnlyWriter: isAlone })
  store.onChange((topic) => changesIdentities.has(topic) && people.clearCache())
  return people
}

function openBatches(
  { store, engine, world, isAlone, uuidFilterBytes, batchBytes }: IntakeSettings,
  parts: IntakeParts,
): Batches {
  const { journal, quarantine, context, forgotten, people, sharedSessions, binding, tally, announcements } =
    parts
  return new Batches({
    journal,
    engine,
    personResolver: {
      // an engine that belongs to another store receives nothing
      processedUpTo: async () => {
        await binding.bind()
        await waitForInFlightInserts(engine)
        await tally.begin()
        return await people.processedUpTo()
      },
      isErased: (event) => forgotten.includes(event),
      resolve: async (events, upTo) => {
        const persons = await people.resolve(events, upTo)
        // before the events: a merge must apply to the very event that caused it
        await people.mirror()
        return persons
      },
    },
    quarantine,
    tally,
    now: () => world.now(),
    trustsFilter: isAlone ? undefined : () => !tally.hasForeignEvents,
    uuidFilterBytes,
    batchBytes,
    ...(sharedSessions && {
      frontCoordination: {
        exclusively: (work) => store.exclusively('store events', work),
        besideOthers: (work) => store.exclusively('store events', work, { isShared: true }),
        announcements,
        agreeOnSessions: (events) => sharedSessions.agree(events),
      },
    }),
    onTrouble: parts.onTrouble,
    onReplayed: (events) => context.sessions.restore(events.map(sessionOf)),
  })
}

/** The session of an event that was still in the journal at the last stop; the engine does not have it. */
const sessionOf = ({ projectId, distinctId, sessionId, at }: PreparedEvent): VisitorSession => ({
  projectId,
  distinctId,
  id: sessionId,
  start: at.getTime(),
  end: at.getTime(),
})

/** Events are accepted meanwhile: a visitor in these first moments may begin a new session. */
async function restoreSessions(
  engine: Engine,
  { sessions, quota }: IngestContext,
  onTrouble: (problem: unknown) => void,
): Promise<void> {
  try {
    await engine.ready()
    sessions.restore(await readOngoingSessions(engine))
    await quota.recount(engine)
  } catch (problem) {
    onTrouble(problem)
  }
}
