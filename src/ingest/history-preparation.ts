import type { DropReason, Envelope, IncomingEvent } from '#events/event'
import { realWorld, type World } from '#world/world'
import { Counts } from './counts'
import { JournalDraft } from './internal/journal-draft'
import { CityDatabase } from './places'
import { type IngestContext, prepare } from './prepare'
import { EventQuota } from './quota'
import { Salts } from './salts'
import { SessionCache } from './sessions'
import { compileIngestRules, type IngestRules, type ProjectIngestSettings } from './settings'

/** The import that events belong to. */
export interface HistoryOrigin {
  projectId: number
  importId: string
  source: string
}

/** Events of an import as records of the journal. `dropped` has the reason of each event that was not kept. */
export interface PreparedHistory {
  records: readonly Buffer[]
  events: number
  dropped: DropReason[]
  firstAt: Date | undefined
  lastAt: Date | undefined
}

const eventsPerSlice = 16

/** The context of one import: visitors, counts and quotas of those who are here now are not its own. */
export const historyContext = (
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

/** An export names visitors of months. Those who come back after this many others begin a new session. */
const mostVisitors = 20_000

/** Prepares events of an import in slices, as lines of the journal. */
export function* prepareHistory(
  events: readonly IncomingEvent[],
  { projectId, importId, source }: HistoryOrigin,
  context: IngestContext,
  receivedAt: Date,
): Generator<void, PreparedHistory> {
  const draft = new JournalDraft()
  const dropped: DropReason[] = []
  const times: number[] = []
  const envelope = envelopeOf({ projectId, importId, source }, receivedAt)
  let done = 0
  for (const event of events) {
    const prepared = prepare(event, envelope, context)
    if (prepared.kept) {
      draft.add(prepared.event)
      times.push(prepared.event.at.getTime())
    } else dropped.push(prepared.reason)
    if (++done % eventsPerSlice === 0) yield
  }
  draft.finish()
  return { records: draft.records, events: draft.events, dropped, ...spanOf(times) }
}

const envelopeOf = ({ projectId, importId, source }: HistoryOrigin, receivedAt: Date): Envelope => ({
  projectId,
  importId,
  dialect: source,
  receivedAt,
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
  const rules = compileIngestRules(settings)
  const context = await separateContext({ ...realWorld, now: () => now }, () => rules)
  const envelope = envelopeOf({ projectId: 0, importId: 'preview', source }, now)
  return (event) => {
    const prepared = prepare(event, envelope, context)
    return prepared.kept ? undefined : prepared.reason
  }
}

/** The context in a process or thread that collects no events. */
async function separateContext(world: World, rulesOf: IngestContext['rulesOf']): Promise<IngestContext> {
  const ignore = (): void => {}
  const noSalts = { load: async () => undefined, save: async () => {} }
  const salts = await Salts.open(world, noSalts, ignore)
  return historyContext({ world, places: new CityDatabase(ignore), salts, rulesOf })
}

interface SeparateImport {
  context: IngestContext
  /** The JSON of the settings that the rules were made of. */
  settings: string
  rules: IngestRules
}

/** More imports than this hardly run at once. One that is forgotten begins new sessions. */
const mostImports = 8

/** Prepares events of imports in a thread that collects none. */
export class HistoryPreparation {
  private readonly imports = new Map<string, SeparateImport>()

  async prepare(
    events: readonly IncomingEvent[],
    origin: HistoryOrigin,
    { settings, receivedAt }: { settings: ProjectIngestSettings; receivedAt: Date },
  ): Promise<PreparedHistory> {
    const { context } = await this.importOf(origin.importId, settings)
    const work = prepareHistory(events, origin, context, receivedAt)
    for (;;) {
      const step = work.next()
      if (step.done) return step.value
    }
  }

  private async importOf(importId: string, settings: ProjectIngestSettings): Promise<SeparateImport> {
    const text = JSON.stringify(settings)
    const found = this.imports.get(importId) ?? (await this.begin(importId, settings, text))
    if (found.settings !== text) Object.assign(found, { settings: text, rules: compileIngestRules(settings) })
    return found
  }

  private async begin(
    importId: string,
    settings: ProjectIngestSettings,
    text: string,
  ): Promise<SeparateImport> {
    const rules = compileIngestRules(settings)
    const context = await separateContext(realWorld, () => begun.rules)
    const begun: SeparateImport = { context, settings: text, rules }
    const [oldest] = this.imports.keys()
    if (oldest !== undefined && this.imports.size >= mostImports) this.imports.delete(oldest)
    this.imports.set(importId, begun)
    return begun
  }
}

function spanOf(times: readonly number[]): { firstAt: Date | undefined; lastAt: Date | undefined } {
  if (times.length === 0) return { firstAt: undefined, lastAt: undefined }
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
  return { firstAt: new Date(first), lastAt: new Date(last) }
}
