import { z } from 'zod'
import { dropReasons } from '#events/event'
import type { HistoryOrigin } from '#ingest/history-preparation'
import type { HistoryReceipt, HistoryWriter } from '#ingest/history-writer'
import { requireEvery, requireRight, type Right, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type DailyOverview, dailyOverview } from './daily/daily-overview'
import type { DailySum } from './daily/daily-sum'
import { addDailySums, type ImportedSpan, daysOfOtherImports, removeDailySums } from './daily/store'
import type { Import } from './import'
import { importPortion, type PortionHead } from './import-portion'
import { incomingEventOf } from './internal/imported-event'
import { profileOf } from './internal/imported-profile'
import type { PortionPreparer } from './preparing/portion-preparation'
import { addImport, findImport, importsOf, saveImport } from './store'

/** Writes events into the journal; only the front has one. */
type HistorySink = Pick<HistoryWriter, 'write' | 'writePrepared' | 'refusal' | 'restore'>

interface ImportsDependencies {
  store: Store
  world: World
  history?: HistorySink | undefined
  /** Prepares portions beside the event loop; absent in a process that collects no events. */
  preparer?: PortionPreparer | undefined
}

const needed: readonly Right[] = ['persons:write', 'events:read']

const word = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/, 'Use lower-case letters, digits and hyphens for the source, such as posthog.')

export const newImport = z.strictObject({
  source: word.meta({ description: 'The product the events come from, such as posthog' }),
  name: z.string().min(1).max(500).meta({ description: 'What members read, such as the names of the files' }),
  fingerprint: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'The same for the same files: an import of them that was interrupted continues' }),
  until: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .optional()
    .meta({ description: 'Events at this instant or later are left out' }),
})

/** Reasons are texts of the source, so their number is bounded. */
const mostReasons = 50

/** The result of one portion; `retryAfterSeconds` if it was not taken and has to be sent again. */
export type PortionResult = { import: Import; retryAfterSeconds?: number }

/** Histories from other products: begun, filled portion by portion, ended, and undone. */
export class Imports {
  constructor(private readonly dependencies: ImportsDependencies) {}

  async list(projectId: number, viewer: Viewer): Promise<Import[]> {
    requireEvery(needed, projectId, viewer)
    return await importsOf(this.dependencies.store, projectId)
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ import: Import }>> {
    requireEvery(needed, projectId, viewer)
    const found = await findImport(this.dependencies.store, projectId, id)
    return found ? { done: true, import: found } : unknownImport(id)
  }

  /** Begins an import, or returns the one of the same files that was interrupted. */
  async begin(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ import: Import }>> {
    requireEvery(needed, projectId, viewer)
    const parsed = parseInput(newImport, input)
    if (!parsed.done) return parsed
    const { source, name, fingerprint, until } = parsed.value
    const { store, world } = this.dependencies
    const now = world.now()
    return await store.transaction(async (transaction) => {
      const all = await importsOf(transaction, projectId)
      const same = all.find(
        (one) =>
          one.state === 'running' &&
          one.source === source &&
          one.fingerprint === fingerprint &&
          one.until?.getTime() === until?.getTime(),
      )
      if (same) return { done: true, import: same }
      const startedImport: Import = {
        id: newId(world),
        projectId,
        source,
        name,
        fingerprint,
        state: 'running',
        until,
        rows: 0,
        cursor: undefined,
        kept: 0,
        sums: 0,
        profiles: 0,
        dropped: {},
        stored: undefined,
        firstAt: undefined,
        lastAt: undefined,
        createdBy: viewer.name,
        createdAt: now,
        changedAt: now,
      }
      await addImport(transaction, startedImport)
      const entry = { action: 'import.begin', subject: name, projectId, after: { source } } as const
      await recordAudit(transaction, entry, viewer, now)
      return { done: true, import: startedImport }
    })
  }

  /** Writes the next events. Those of a portion that is sent twice are stored once, and counted once. */
  async add(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Outcome<PortionResult>> {
    requireEvery(needed, projectId, viewer)
    const parsed = parseInput(importPortion, input)
    if (!parsed.done) return parsed
    const before = await findImport(this.dependencies.store, projectId, id)
    if (!before) return unknownImport(id)
    if (before.state !== 'running') return failedOutcome(`This import is ${stateNames[before.state]}.`)
    const { events, ...portion } = parsed.value
    return await this.addTo(before, { ...portion, amount: events.length }, (history, origin) =>
      history.write(events.map(incomingEventOf), origin),
    )
  }

  /**
   * Does the same with the JSON of a portion, which is parsed and prepared beside the event loop. Returns undefined if
   * that is not possible, or the portion is refused; then `add` decides, and names the reason.
   */
  async addJson(
    projectId: number,
    id: string,
    json: Uint8Array,
    viewer: Viewer,
  ): Promise<Outcome<PortionResult> | undefined> {
    requireEvery(needed, projectId, viewer)
    const { store, world, history, preparer } = this.dependencies
    if (!history || !preparer) return undefined
    const before = await findImport(store, projectId, id)
    if (before?.state !== 'running') return undefined
    const refusal = history.refusal()
    if (refusal) return { done: true, import: before, retryAfterSeconds: refusal.retryAfterSeconds }
    const prepared = await preparer.prepare(json, originOf(before), world.now())
    return (
      prepared &&
      (await this.addTo(before, prepared.portion, (sink, origin) =>
        sink.writePrepared(prepared.history, origin),
      ))
    )
  }

  private async addTo(
    before: Import,
    portion: PortionHead,
    write: (history: HistorySink, origin: HistoryOrigin) => Promise<HistoryReceipt>,
  ): Promise<Outcome<PortionResult>> {
    const { store, world, history } = this.dependencies
    const { from, rows, dropped, amount, sums, profiles, cursor = before.cursor } = portion
    if (from !== before.rows)
      return failedOutcome(`The import has ${before.rows} rows. Continue behind them.`, 'from')
    if (!history) return failedOutcome('Events can be imported only by the Tilth that collects them.')
    const origin = originOf(before)
    const receipt = await write(history, origin)
    if (!receipt.taken) return { done: true, import: before, retryAfterSeconds: receipt.retryAfterSeconds }
    const erased = profiles.length > 0 ? await history.restore(profiles.map(profileOf), origin) : 0
    const ofEvents: Import = {
      ...before,
      rows: before.rows + rows,
      cursor,
      kept: before.kept + amount - receipt.dropped.length,
      profiles: before.profiles + profiles.length - erased,
      dropped: sumOf(
        before.dropped,
        dropped,
        countOf(receipt.dropped.map((reason) => dropReasons[reason])),
        erased > 0 ? { 'of an erased person': erased } : {},
      ),
      firstAt: earliest(before.firstAt, receipt.firstAt),
      lastAt: latest(before.lastAt, receipt.lastAt),
      changedAt: world.now(),
    }
    return await store.transaction(async (transaction) => {
      const fresh = await freshSums(transaction, before, sums)
      const after = withSums(ofEvents, fresh, sums.length - fresh.length)
      if (!(await saveImport(transaction, before, after)))
        return failedOutcome('Another process continues this import.')
      await addDailySums(transaction, before, fresh)
      return { done: true, import: after }
    })
  }

  /** Returns what other products counted on these days; undefined if there is nothing. */
  async dailySums(
    projectId: number,
    range: ImportedSpan,
    viewer: Viewer,
  ): Promise<DailyOverview | undefined> {
    requireRight('events:read', projectId, viewer)
    return await dailyOverview(this.dependencies.store, projectId, range)
  }

  /** Ends an import: nothing more is added, and the front says how many of its events are stored. */
  async end(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ import: Import }>> {
    return await this.moveOn(projectId, id, { from: ['running'], to: 'storing' }, viewer)
  }

  /** Deletes the events of an import, and persons who have no other event. The front does it, soon. */
  async undo(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ import: Import }>> {
    return await this.moveOn(projectId, id, { from: ['running', 'storing', 'done'], to: 'undoing' }, viewer)
  }

  private async moveOn(
    projectId: number,
    id: string,
    { from, to }: { from: readonly Import['state'][]; to: 'storing' | 'undoing' },
    viewer: Viewer,
  ): Promise<Outcome<{ import: Import }>> {
    requireEvery(needed, projectId, viewer)
    const { store, world } = this.dependencies
    return await store.transaction(async (transaction) => {
      const before = await findImport(transaction, projectId, id)
      if (!before) return unknownImport(id)
      if (!from.includes(before.state))
        return failedOutcome(`This import is ${stateNames[before.state]} already.`)
      const after: Import = { ...before, state: to, changedAt: world.now() }
      if (!(await saveImport(transaction, before, after)))
        return failedOutcome('Another process continues this import.')
      if (to === 'undoing') {
        await removeDailySums(transaction, id)
        const entry = { action: 'import.undo', subject: before.name, projectId } as const
        await recordAudit(transaction, entry, viewer, world.now())
      }
      await transaction.announce(importTopic)
      return { done: true, import: after }
    })
  }
}

const originOf = ({ id, projectId, source }: Import): HistoryOrigin => ({ projectId, importId: id, source })

/** Announced when an import waits for the front. */
export const importTopic = 'imports'

const stateNames: Readonly<Record<Import['state'], string>> = {
  running: 'running',
  storing: 'ended',
  done: 'ended',
  undoing: 'being undone',
  undone: 'undone',
}

/** Returns the sums of days that no other import has brought. The same day must not count twice. */
async function freshSums(
  transaction: StoreTransaction,
  one: Import,
  sums: readonly DailySum[],
): Promise<DailySum[]> {
  const taken = await daysOfOtherImports(transaction, one, [...new Set(sums.map(({ day }) => day))])
  return sums.filter(({ day, dimension }) => !taken.has(`${day} ${dimension}`))
}

/** Counts the sums that are kept, and those of days that another import brought. */
function withSums(one: Import, kept: readonly DailySum[], there: number): Import {
  const times = kept.map(({ day }) => new Date(day))
  return {
    ...one,
    sums: one.sums + kept.length,
    dropped:
      there > 0 ? sumOf(one.dropped, { 'daily totals that another import brought': there }) : one.dropped,
    firstAt: times.reduce(earliest, one.firstAt),
    lastAt: times.reduce(latest, one.lastAt),
  }
}

const unknownImport = (id: string) => failedOutcome(`There is no import ${id} in this project.`)

function countOf(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

function sumOf(...counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum = new Map<string, number>()
  for (const [reason, count] of counts.flatMap(Object.entries<number>)) {
    const name = sum.has(reason) || sum.size < mostReasons ? reason : 'other reasons'
    sum.set(name, (sum.get(name) ?? 0) + count)
  }
  return Object.fromEntries(sum)
}

const earliest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? (one < other ? one : other) : (one ?? other)

const latest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? (one > other ? one : other) : (one ?? other)
