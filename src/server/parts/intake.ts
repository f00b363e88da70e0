import { join } from 'node:path'
import { pointsFolder } from '#backups/point'
import { type Engine, EngineError } from '#engine/engine'
import { removeUpgradeCopies } from '#engine/upgrade-copies'
import type {
  DropReason,
  Envelope,
  IncomingEvent,
  PreparationOutcome,
  PreparedEvent,
  TrafficKind,
} from '#events/event'
import type { LiveEvent } from '#events/live-event'
import { importedSince } from '#imports/store'
import { forgetKeptIds } from '#flags/kept-ids'
import { eraseSubscriptions } from '#letters/subscribers/store'
import { AppendLag } from '#ingest/append-lag'
import { Batches, type StoredEvent, type RecentEventFilterReach, type PipelineCounts } from '#ingest/batches'
import { SetAsideFileCounter, SetAsideRows } from '#ingest/set-aside-files'
import { collectionState, type CollectionState } from '#ingest/collection-state'
import { deleteAnnounced, EventTally } from '#ingest/event-tally'
import { Counts, type Outcomes, type ProjectCount, type StepCount, trafficOf } from '#ingest/counts'
import { Journal, type JournalFile } from '#ingest/journal'
import { waitForInFlightInserts } from '#ingest/in-flight-inserts'
import { JournalDraft } from '#ingest/journal-draft'
import { formatJournalLine } from '#ingest/journal-lines'
import { CityDatabase } from '#ingest/places'
import { type IngestContext, prepare } from '#ingest/prepare'
import { Quarantine } from '#ingest/quarantine'
import { EventQuota } from '#ingest/quota'
import { saltFileStorage, type SaltStorage, Salts } from '#ingest/salts'
import { sharedSaltStorage } from '#ingest/salts-in-store'
import { SharedSessions } from '#ingest/shared-sessions'
import { SessionCache, type VisitorSession } from '#ingest/sessions'
import { readOngoingSessions } from '#ingest/restore-sessions'
import { rulesByProject } from '#ingest/project-settings'
import { PublishedExperiments } from '#experiments/web/published-experiments'
import { FairScheduler } from '#ingest/fair-scheduler'
import { Eraser } from '#persons/eraser'
import { ErasedPersons } from '#persons/erased-persons'
import { ErasureLog } from '#persons/erasures/erasure-log'
import type { RowsOnDisk } from '#persons/rows-on-disk'
import { IdentityResolver } from '#persons/identity-resolver'
import { OverrideSquasher } from '#persons/override-squasher'
import { identitiesChanged, SplitApplier } from '#persons/splits/split-applier'
import type { Keys } from '#projects/keys'
import type { Projects } from '#projects/projects'
import type { Store } from '#store/store'
import { isAnswer } from '#surveys/survey-event-check'
import type {
  EventDelivery,
  WireServices,
  JointReceipt,
  Receipt,
  WireRefusal,
  AcceptedReceipt,
} from '#wire/dialect'
import type { World } from '#world/world'
import type { DiskSpace } from '../start/disk-space'
import { type FlagServicesParts, openFlagWireServices } from './flag-wire-services'
import type { Job } from '../jobs/jobs'
import { HistoryWriter } from './history-writer'
import type { SurveyServices } from './survey-services'
import { InstallationBinding } from '../start/installation'
import { maxPerSecond } from './live-feed'
import type { Log } from '../log'

export interface IntakeSettings {
  dataFolder: string
  store: Store
  engine: Engine
  projects: Projects
  keys: Keys
  flags: FlagServicesParts
  surveys: SurveyServices['intake']
  world: World
  /** True if no other front writes to this engine. */
  isAlone: boolean
  /** The memory limit of the uuid filter. */
  uuidFilterBytes?: number | undefined
  /** The size limit of one batch of events. */
  batchBytes?: number | undefined
  diskSpace: () => Promise<DiskSpace>
  log: Log
  /** Called with every incoming event, kept or dropped. */
  onSighting: (sighted: ProjectSighting) => void
}

/** An incoming event or request and its project; without a project when its key is unknown. */
export interface ProjectSighting {
  projectId: number | undefined
  sighting: LiveEvent
  /** How many events before this one were left out, because they came too fast to display. */
  omittedCount?: number
}

/** The outcomes of all events since the start. */
export interface IntakeCounts {
  pipeline: PipelineCounts
  projects: ProjectCount[]
  steps: StepCount[]
  uuidFilter: RecentEventFilterReach
}

/** Everything between a dialect and the engine: prepare, journal, batches. */
export interface Intake extends WireServices {
  /** The context in which events are prepared; visits use the same salts, places and rules. */
  readonly context: IngestContext
  counts(): IntakeCounts
  /** Writes events of imports. */
  readonly history: HistoryWriter
  /** Why events are refused or not stored; undefined if all is well. */
  trouble(): string | undefined
  /** How far storing lags, and everything that is wrong with it. */
  state(): CollectionState
  /** Throws `ForeignEngine` if the events in the engine belong to another store. */
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
    surveys: settings.surveys.eventCheck,
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
  const tally = new EventTally({ ...settings, journal: journal.id, hasOtherFronts: hasOtherFronts(settings) })
  const inside = { journal, quarantine, context, forgotten, sharedSessions, binding, tally, onTrouble }
  const batches = openBatches(settings, inside)
  const announce = settings.onSighting
  batches.onStored((events) => announceStored(events, announce))
  batches.start()
  void restoreSessions(settings.engine, context, onTrouble)
  const asideFiles = new SetAsideFileCounter(join(dataFolder, 'journal'), onTrouble)
  const { erase, split, stop: stopErasing } = openPersonChanges(settings, { ...inside, batches, rowsOnDisk })
  const stopListening = compareOnChange(settings, tally, onTrouble)
  const flags = openFlagWireServices(settings, context)
  const experiments = await PublishedExperiments.open({ store: settings.store, onTrouble })
  const acceptContext = acceptContextOf({ context, journal, announce })
  const services = { ...flags.services, ...settings.surveys.services, ...webExperimentsOf(experiments) }
  return {
    ...services,
    context,
    scheduler: acceptContext.shares,
    findProjectByHost: (host) => settings.projects.at(host),
    accept: (events, envelope) => acceptDelivery({ events, envelope }, acceptContext),
    acceptTogether: (deliveries) => acceptDeliveries(deliveries, acceptContext),
    history: new HistoryWriter({ ...acceptContext, journal, counts: () => batches.counts() }),
    noteRefusal: (refusal) => noteRefusal(refusal, acceptContext),
    counts: () => countsOf(batches, counts),
    trouble: () => journal.trouble ?? batches.trouble,
    bind: () => binding.bind(),
    state: () => stateOf(settings, { journal, batches, asideFiles, tally }),
    jobs: jobsOf(settings, { context, batches, sharedSessions, erase, split, tally }),
    journalId: journal.id,
    whileIngestIsPaused: (work) =>
      batches.betweenBatches(() => holdFronts(settings, () => work(journal.filesNow())), holdTimeoutMs),
    close: async (withinMs) => {
      stopErasing()
      stopListening()
      asideFiles.stop()
      flags.close()
      await experiments.close()
      await forgotten.close()
      await journal.close()
      await batches.drain(withinMs)
      await batches.close()
      await salts.saved()
    },
  }
}

async function openSetAsideRows({ dataFolder, world }: IntakeSettings) {
  const quarantine = new Quarantine(join(dataFolder, 'journal', 'quarantine'), () => world.now())
  const rowsOnDisk = new SetAsideRows(join(dataFolder, 'journal'), quarantine)
  await rowsOnDisk.removeDrafts()
  return { quarantine, rowsOnDisk }
}

const compareOnChange = (
  { store }: IntakeSettings,
  tally: EventTally,
  onTrouble: (problem: unknown) => void,
): (() => void) =>
  store.onChange((topic) => {
    if (topic === 'installation') void tally.compare().catch(onTrouble)
  })

const webExperimentsOf = (
  experiments: PublishedExperiments,
): Pick<WireServices, 'posthogWebExperiments'> => ({
  posthogWebExperiments: (projectId) => experiments.webExperiments(projectId),
})

const acceptContextOf = (parts: Pick<AcceptContext, 'context' | 'journal' | 'announce'>): AcceptContext => ({
  ...parts,
  shares: new FairScheduler(),
  lag: new AppendLag(),
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

/** Splits and erases persons on request, at each start, and whenever the jobs of these names run. */
function openPersonChanges(
  settings: IntakeSettings,
  {
    forgotten,
    journal,
    batches,
    rowsOnDisk,
    onTrouble,
  }: IntakeParts & { batches: Batches; rowsOnDisk: RowsOnDisk },
): { erase: () => Promise<number>; split: () => Promise<number>; stop: () => void } {
  const { store, engine, dataFolder } = settings
  const erasureLog = new ErasureLog(join(dataFolder, 'erasures.json'))
  const eraser = new Eraser({
    ...settings,
    erasedPersons: forgotten,
    pipelineCounts: () => batches.counts(),
    rowsOnDisk,
    forgetStored: () => journal.forgetStored(),
    deleteEvents: (deletion) => deleteAnnounced(settings, deletion),
    recordErasures: () => erasureLog.synchronize(settings),
    removeUpgradeCopies: async (madeBefore) => {
      await store.dropCopies({ madeBefore })
      await removeUpgradeCopies(engine, pointsFolder(dataFolder), { madeBefore })
    },
    forgetElsewhere: async (...erased) => {
      await forgetKeptIds(...erased)
      await eraseSubscriptions(...erased)
    },
  })
  const splits = new SplitApplier({ ...settings, pipelineCounts: () => batches.counts() })
  const split = () => splits.run()
  // an erasure would take the events of a distinct id that was split off and is not corrected yet
  const erase = async () => {
    await split()
    return await eraser.run()
  }
  const stop = store.onChange((topic) => {
    if (topic === 'erasures') void erase().catch(onTrouble)
    if (topic === 'person splits') void split().catch(onTrouble)
  })
  void engine.ready().then(erase).catch(onTrouble)
  return { erase, split, stop }
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
  }: { journal: Journal; batches: Batches; asideFiles: SetAsideFileCounter; tally: EventTally },
): CollectionState {
  const { events, isEstimate, oldestAt } = batches.backlog()
  return collectionState({
    now: world.now(),
    backlog: events,
    isEstimate,
    oldestAt,
    refusing: journal.trouble,
    notStoring: batches.notStoring,
    differences: tally.differences,
    detached: engine.health().detached ?? [],
    repairing: engine.health().repairing ?? [],
    ...asideFiles.counts,
  })
}

function jobsOf(
  { store, engine, world }: IntakeSettings,
  {
    context: { salts, quota },
    batches,
    sharedSessions,
    erase,
    split,
    tally,
  }: {
    context: IngestContext
    batches: Batches
    sharedSessions: SharedSessions | undefined
    erase: () => Promise<unknown>
    split: () => Promise<unknown>
    tally: EventTally
  },
): Job[] {
  const squash = new OverrideSquasher({ store, engine, pipelineCounts: () => batches.counts() })
  const chore = (name: string, run: Job['run']): Job => ({
    name,
    everyMs: maintenanceEveryMs,
    queue: 'collection',
    run,
  })
  return [
    chore('agree on salts', () => salts.synchronize()),
    chore(
      'recount quotas',
      () =>
        batches.counts().pending < maxPendingForCount &&
        quota.recount(engine, (month) => importedSince(store, month)),
    ),
    { ...chore('compare events', () => tally.compare()), everyMs: compareEveryMs },
    chore('squash persons', () => squash.run()),
    chore('split persons', split),
    chore('erase persons', erase),
    ...(sharedSessions ? [chore('forget shared sessions', () => sharedSessions.forget(world.now()))] : []),
  ]
}

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
const saltKeeperOf = ({ store, dataFolder }: IntakeSettings): SaltStorage =>
  store.form === 'postgres' ? sharedSaltStorage(store) : saltFileStorage(dataFolder)

const countsOf = (batches: Batches, counts: Counts): IntakeCounts => ({
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
  sharedSessions: SharedSessions | undefined
  binding: InstallationBinding
  tally: EventTally
  onTrouble: (problem: unknown) => void
}

/** Topics after which a distinct id may belong to another person. */
const changesIdentities: ReadonlySet<string> = new Set(['erasures', 'person splits', identitiesChanged])

function openBatches(
  { store, engine, world, isAlone, uuidFilterBytes, batchBytes }: IntakeSettings,
  { journal, quarantine, context, forgotten, sharedSessions, binding, tally, onTrouble }: IntakeParts,
): Batches {
  const people = new IdentityResolver({ store, engine, journal: journal.id, isOnlyWriter: isAlone })
  store.onChange((topic) => changesIdentities.has(topic) && people.clearCache())
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
    isOnlyWriter: isAlone,
    uuidFilterBytes,
    batchBytes,
    ...(sharedSessions && {
      frontCoordination: {
        exclusively: (work) => store.exclusively('store events', work),
        agreeOnSessions: (events) => sharedSessions.agree(events),
      },
    }),
    onTrouble,
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

/** The context of `acceptDeliveries`. */
export interface AcceptContext {
  context: IngestContext
  journal: Pick<Journal, 'appendDraft'>
  shares: FairScheduler
  lag: AppendLag
  announce: (sighted: ProjectSighting) => void
}

/** A delivery whose events may be made only when they are asked for. */
interface IncomingDelivery extends Pick<EventDelivery, 'envelope'> {
  events: Iterable<IncomingEvent>
}

export async function acceptDelivery(
  delivered: IncomingDelivery,
  acceptContext: AcceptContext,
): Promise<Receipt> {
  const joint = await acceptDeliveries([delivered], acceptContext)
  return joint.taken ? (joint.receipts[0] ?? { taken: true, kept: 0, dropped: [] }) : joint
}

/** Acknowledges and counts events only after the journal has them on disk. */
export async function acceptDeliveries(
  deliveries: readonly IncomingDelivery[],
  acceptContext: AcceptContext,
): Promise<JointReceipt> {
  const { context, journal, shares, lag } = acceptContext
  if (lag.isLong()) return { taken: false, retryAfterSeconds: 1 }
  for (const { envelope } of deliveries) {
    const places = context.places.whenReady(envelope.address)
    if (places) await places
  }
  const sender = `project ${deliveries[0]?.envelope.projectId}`
  const preparation = await shares.run(sender, prepareInSlices(deliveries, context))
  if (!preparation.done) return { taken: false, retryAfterSeconds: 1 }
  const { prepared, draft } = preparation.value
  const appended = await lag.during(journal.appendDraft(draft))
  if (appended === 'written') {
    await context.surveys.saved?.(prepared.flatMap(({ answers }) => answers))
    return { taken: true, receipts: prepared.map((delivery) => receiptFor(delivery, acceptContext)) }
  }
  for (const { envelope, kept } of prepared) context.quota.giveBack(envelope.projectId, kept.length)
  return { taken: false, retryAfterSeconds: appended.retryAfterSeconds }
}

/** What became of a delivery's events. The events themselves are not kept: there may be thousands. */
interface PreparedDelivery extends Outcomes {
  envelope: Envelope
  kept: TrafficKind[]
  dropped: { index: number; name: string; reason: DropReason }[]
  /** The kept events that answer a survey. */
  answers: PreparedEvent[]
}

/** About a fifth of a millisecond of work. */
const eventsPerSlice = 16

/** Prepares events and formats their journal lines; a large batch lets other work in between. */
function* prepareInSlices(
  deliveries: readonly IncomingDelivery[],
  context: IngestContext,
): Generator<void, { prepared: PreparedDelivery[]; draft: JournalDraft }> {
  const prepared: PreparedDelivery[] = []
  const draft = new JournalDraft()
  for (const { events, envelope } of deliveries) {
    const outcome: PreparedDelivery = { envelope, kept: [], dropped: [], answers: [] }
    let index = 0
    for (const event of events) {
      recordOutcome(prepare(event, envelope, context), index++, outcome, draft)
      if (index % eventsPerSlice === 0) yield
    }
    prepared.push(outcome)
  }
  return { prepared, draft }
}

function recordOutcome(
  one: PreparationOutcome,
  index: number,
  { kept, dropped, answers }: PreparedDelivery,
  draft: JournalDraft,
): void {
  if (!one.kept) return void dropped.push({ index, name: one.name, reason: one.reason })
  draft.add(formatJournalLine(one.event))
  kept.push(trafficOf(one.event))
  if (isAnswer(one.event)) answers.push(one.event)
}

function receiptFor(delivery: PreparedDelivery, { context, announce }: AcceptContext): AcceptedReceipt {
  const { envelope, kept, dropped } = delivery
  const { projectId, receivedAt } = envelope
  context.counts.recordOutcomes(projectId, delivery)
  const at = receivedAt.toISOString()
  for (const { name, reason } of dropped)
    announce({ projectId, sighting: { kind: 'dropped', at, name, reason } })
  return {
    taken: true,
    kept: kept.length,
    dropped: dropped.map(({ index, reason }) => ({ index, reason })),
  }
}

function announceStored(
  events: readonly StoredEvent[],
  announce: (projectSighting: ProjectSighting) => void,
): void {
  const live = events.filter(({ event }) => event.importId === undefined)
  for (const ofProject of Map.groupBy(live, ({ event }) => event.projectId).values())
    for (const projectSighting of storedSightings(ofProject)) announce(projectSighting)
}

/** Creates no more than a page can show: parsing an event's row costs as much as storing it. */
function storedSightings(events: readonly StoredEvent[]): ProjectSighting[] {
  const omittedCount = Math.max(0, events.length - maxPerSecond)
  return events.slice(omittedCount).map((one, i) => ({
    projectId: one.event.projectId,
    sighting: storedSighting(one),
    omittedCount: i === 0 ? omittedCount : 0,
  }))
}

/** Shows a refused request, and counts answers to surveys that a page or endpoint of ours refused. */
function noteRefusal(refusal: WireRefusal, { context, announce }: AcceptContext): void {
  const { reason, projectId } = refusal
  if (reason === 'survey-answers' && projectId !== undefined)
    context.counts.recordOutcomes(projectId, { kept: [], dropped: [{ reason: 'refused-answers' }] })
  announce(refusedSighting(refusal, context.world.now()))
}

const refusedSighting = ({ projectId, ...refusal }: WireRefusal, at: Date): ProjectSighting => ({
  projectId,
  sighting: { kind: 'refused', at: at.toISOString(), named: undefined, ...refusal },
})

const storedSighting = ({ event, personId }: StoredEvent): LiveEvent => ({
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
