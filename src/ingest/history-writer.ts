import type { DropReason, Envelope, IncomingEvent } from '#events/event'
import type { ErasedPersons } from '#persons/erased-persons'
import type { IdentityResolver } from '#persons/identity-resolver'
import type { ExportedGroup, ExportedPerson } from '#persons/profile'
import { realWorld, type World } from '#world/world'
import type { PipelineCounts } from './internal/batches'
import { Counts } from './counts'
import type { FairScheduler } from './fair-scheduler'
import type { Journal } from './internal/journal'
import { JournalDraft } from './internal/journal-draft'
import { type IngestContext, prepare } from './prepare'
import { CityDatabase } from './places'
import { EventQuota } from './quota'
import { Salts } from './salts'
import { SessionCache } from './sessions'
import { compileIngestRules, type ProjectIngestSettings } from './settings'

interface HistoryWriterDependencies {
  context: IngestContext
  journal: Pick<Journal, 'appendDraft'>
  shares: Pick<FairScheduler, 'runInBackground'>
  counts: () => PipelineCounts
  people: Pick<IdentityResolver, 'restore'>
  forgotten: Pick<ErasedPersons, 'includes'>
}

/** The import that events belong to. */
interface HistoryOrigin {
  projectId: number
  importId: string
  source: string
}

/** The outcome of a portion of an import. `dropped` has the reason of each event that was not kept. */
type HistoryReceipt =
  | { taken: true; dropped: DropReason[]; firstAt: Date | undefined; lastAt: Date | undefined }
  | { taken: false; retryAfterSeconds: number }

/** Events of clients wait behind those in the journal, so an import pauses while there are many. */
const mostPending = 30_000
const eventsPerSlice = 16
const busySeconds = 1

/**
 * Writes events of imports by the same steps as those of clients, and nothing follows from them: no webhooks, no quota,
 * no sessions of visitors who are here now.
 */
export class HistoryWriter {
  private readonly contexts = new Map<string, IngestContext>()

  constructor(private readonly dependencies: HistoryWriterDependencies) {}

  async write(events: readonly IncomingEvent[], origin: HistoryOrigin): Promise<HistoryReceipt> {
    const { journal, shares, counts } = this.dependencies
    if (counts().pending > mostPending) return { taken: false, retryAfterSeconds: busySeconds }
    const { draft, dropped, times } = await shares.runInBackground(
      prepareHistory(events, origin, this.contextOf(origin)),
    )
    const appended = draft.events > 0 ? await journal.appendDraft(draft) : 'written'
    if (appended !== 'written') return { taken: false, retryAfterSeconds: appended.retryAfterSeconds }
    return { taken: true, dropped, ...spanOf(times) }
  }

  /** Restores persons and groups of an export. Returns how many were not, because they were erased. */
  async restore(
    profiles: readonly (ExportedPerson | ExportedGroup)[],
    origin: HistoryOrigin,
  ): Promise<number> {
    const { people, context, forgotten } = this.dependencies
    const receivedAt = context.world.now()
    const isErased = ({ distinctIds, createdAt: at }: ExportedPerson): boolean =>
      distinctIds.some((distinctId) => forgotten.includes({ ...origin, distinctId, at, receivedAt }))
    const persons = profiles.filter((one) => one.kind === 'person')
    const kept = persons.filter((person) => !isErased(person))
    const groups = profiles.filter((one) => one.kind === 'group')
    await people.restore({ persons: kept, groups }, origin)
    return persons.length - kept.length
  }

  /** Waits until everything that was taken until now is stored. Returns whether it is. */
  async settle(withinMs: number): Promise<boolean> {
    const { accepted } = this.dependencies.counts()
    const endsAt = performance.now() + withinMs
    for (;;) {
      const { accepted: now, pending } = this.dependencies.counts()
      if (now - pending >= accepted) return true
      if (performance.now() >= endsAt) return false
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  /** Forgets the sessions of an import that ended. */
  forget(importId: string): void {
    this.contexts.delete(importId)
  }

  private contextOf({ importId }: HistoryOrigin): IngestContext {
    const known = this.contexts.get(importId)
    if (known) return known
    const created = historyContext(this.dependencies.context)
    this.contexts.set(importId, created)
    return created
  }
}

/** The context of one import: visitors, counts and quotas of those who are here now are not its own. */
const historyContext = (
  context: Pick<IngestContext, 'world' | 'places' | 'salts' | 'rulesOf'>,
): IngestContext => ({
  world: context.world,
  places: context.places,
  salts: context.salts,
  sessions: new SessionCache(mostVisitors),
  counts: new Counts(),
  quota: new EventQuota(context.world),
  surveys: { objectionTo: () => undefined },
  rulesOf: (projectId) => ({
    ...context.rulesOf(projectId),
    captures: () => true,
    monthlyEvents: undefined,
  }),
})

const pollMs = 50
/** An export names visitors of months. Those who come back after this many others begin a new session. */
const mostVisitors = 20_000

function* prepareHistory(
  events: readonly IncomingEvent[],
  { projectId, importId, source }: HistoryOrigin,
  context: IngestContext,
): Generator<void, { draft: JournalDraft; dropped: DropReason[]; times: number[] }> {
  const draft = new JournalDraft()
  const dropped: DropReason[] = []
  const times: number[] = []
  const envelope = envelopeOf({ projectId, importId, source }, context)
  let done = 0
  for (const event of events) {
    const prepared = prepare(event, envelope, context)
    if (prepared.kept) {
      draft.add(prepared.event)
      times.push(prepared.event.at.getTime())
    } else dropped.push(prepared.reason)
    if (++done % eventsPerSlice === 0) yield
  }
  return { draft, dropped, times }
}

const envelopeOf = (
  { projectId, importId, source }: HistoryOrigin,
  { world }: Pick<IngestContext, 'world'>,
): Envelope => ({
  projectId,
  importId,
  dialect: source,
  receivedAt: world.now(),
  sentAt: undefined,
  address: '',
  userAgent: '',
  language: undefined,
  optedOut: false,
  fromServer: true,
  isHistorical: true,
})

/** Returns why an import would drop an event; undefined if it would keep it. */
export type HistoryCheck = (event: IncomingEvent) => DropReason | undefined

/** Checks events of a preview by the steps that an import runs, in a process that collects none. */
export async function openHistoryCheck(
  source: string,
  settings: ProjectIngestSettings,
  now: Date,
): Promise<HistoryCheck> {
  const world: World = { ...realWorld, now: () => now }
  const ignore = (): void => {}
  const rules = compileIngestRules(settings)
  const context = historyContext({
    world,
    places: new CityDatabase(ignore),
    salts: await Salts.open(world, { load: async () => undefined, save: async () => {} }, ignore),
    rulesOf: () => rules,
  })
  const envelope = envelopeOf({ projectId: 0, importId: 'preview', source }, context)
  return (event) => {
    const prepared = prepare(event, envelope, context)
    return prepared.kept ? undefined : prepared.reason
  }
}

function spanOf(times: readonly number[]): { firstAt: Date | undefined; lastAt: Date | undefined } {
  if (times.length === 0) return { firstAt: undefined, lastAt: undefined }
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
  return { firstAt: new Date(first), lastAt: new Date(last) }
}
