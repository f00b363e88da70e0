import { createHash } from 'node:crypto'
import { UnreadableFileError } from '#imports/files/limits'
import { atCutOver, type Portion, portionsOf } from '#imports/portions'
import { importSources } from '#imports/sources/sources'
import {
  begins,
  type HistoryCursor,
  type HistoryWay,
  type HistoryWindow,
  parseCursor,
  wayOf,
} from '#moves/history/history'
import { historyCounts } from '#moves/history/history-counts'
import { readHistory } from '#moves/history/read-history'
import { PosthogError, type PosthogClient } from '#moves/posthog-client'
import { ConnectionLostError } from '#outbound/local-server'
import { type Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import { callImports, type ImportAnswer } from './call-imports'
import type { LocalCall } from './call-running-tilth'
import { interruptedBy, send, settled } from './import-files'

export interface HistoryPull {
  client: PosthogClient
  until: Date | undefined
  /** Chosen by what PostHog has, if undefined. */
  way: HistoryWay | undefined
  pause: (ms: number) => Promise<void>
  say: (line: string) => void
}

/** The result of a pull; `missing` is the number of events that PostHog counts beyond those that it gave. */
type PulledHistory = { import: ImportAnswer; missing: number }

/** Reads events and persons of a project of PostHog's and sends them to the Tilth that runs. */
export async function pullHistory(
  call: LocalCall,
  project: Project,
  pull: HistoryPull,
): Promise<Outcome<PulledHistory>> {
  const progress: { import: ImportAnswer | undefined } = { import: undefined }
  try {
    const way = await checkedWay(pull)
    const result = await begin(call, project, pull)
    if (!result.done) return result
    progress.import = result.import
    const cursor = parseCursor(result.import.cursor) ?? begins(way, 'events')
    sayBeginning(pull, result.import, cursor)
    const sent = new SentPortions(call, project, progress)
    const request = { ...pull, begunAt: new Date(result.import.createdAt) }
    for await (const window of readHistory(request, cursor)) {
      const failed = await sendWindow(window, pull, sent)
      if (failed) return failed
      pull.say(`${window.label}: ${inFigures(sent.rows)} rows read`)
    }
    const isWhole = result.import.rows === 0 && cursor.way === 'files'
    const missing = isWhole ? await missingEvents(pull, request.begunAt, sent.events) : 0
    const ended = await callImports(call, project, `/${result.import.id}/end`, {})
    const outcome = ended.done ? await settled(call, project, ended.import, ['done']) : ended
    return outcome.done ? { ...outcome, missing } : outcome
  } catch (problem) {
    if (
      problem instanceof PosthogError ||
      problem instanceof UnreadableFileError ||
      problem instanceof ConnectionLostError
    )
      return interruptedBy(problem.message, progress.import)
    throw problem
  }
}

/** Reads something before an import begins: a key or an address that is wrong leaves none behind. */
async function checkedWay({ client, way }: HistoryPull): Promise<HistoryWay> {
  if (way === undefined) return await wayOf(client)
  if (way === 'sql') await client.query('select 1')
  else await client.read('')
  return way
}

async function begin(call: LocalCall, project: Project, { client, until }: HistoryPull) {
  const name = `project ${client.project} of ${client.origin}`
  return await callImports(call, project, '', {
    source: 'posthog',
    name,
    fingerprint: createHash('sha256').update(`pulled from ${name}`).digest('hex'),
    until: until?.toISOString(),
  })
}

function sayBeginning({ say }: HistoryPull, { id, rows }: ImportAnswer, { way }: HistoryCursor): void {
  if (rows > 0) say(`The import ${id} continues after ${inFigures(rows)} rows.`)
  say(
    way === 'files'
      ? 'PostHog exports files, one for each week.'
      : 'PostHog is read by SQL, in the order of time.',
  )
}

/** Sends portions and remembers how far the import got. */
class SentPortions {
  /** Rows of events, without those at the cut-over or later. */
  events = 0
  readonly names = new Set<string>()

  constructor(
    private readonly call: LocalCall,
    private readonly project: Project,
    private readonly progress: { import: ImportAnswer | undefined },
  ) {}

  get rows(): number {
    return this.progress.import?.rows ?? 0
  }

  async send(portion: Portion, cursor: HistoryCursor): Promise<Outcome<{ import: ImportAnswer }>> {
    const { import: current } = this.progress
    if (!current) throw new Error('Portions belong to an import.')
    const sent = { ...portion, cursor: JSON.stringify(cursor) }
    const added = await send(this.call, this.project, current, current.rows, sent)
    if (added.done) this.progress.import = added.import
    if (cursor.model === 'events') this.events += portion.rows - (portion.dropped[atCutOver] ?? 0)
    return added
  }
}

const nothing: Portion = { rows: 0, events: [], sums: [], profiles: [], dropped: {} }

async function sendWindow(
  { rows, next }: HistoryWindow,
  { until }: HistoryPull,
  sent: SentPortions,
): Promise<Outcome<never> | undefined> {
  let at = next
  const inOrder = async function* () {
    for await (const { one, cursor } of rows) {
      // a portion ends with the row that was read last
      at = cursor
      yield one
    }
  }
  const settings = { source: importSources.posthog, until, now: new Date(), names: sent.names }
  for await (const portion of portionsOf({ rows: inOrder() }, settings)) {
    const added = await sent.send(portion, at)
    if (!added.done) return added
  }
  const added = await sent.send(nothing, next)
  return added.done ? undefined : added
}

/**
 * PostHog's files leave out events that it got long after they happened; its count does not. Everything is imported by now:
 * a count that cannot be had, as with a key that may only export, is no failure.
 */
async function missingEvents({ client, until }: HistoryPull, begunAt: Date, read: number): Promise<number> {
  try {
    const { events } = await historyCounts(client, until && until < begunAt ? until : begunAt)
    return Math.max(0, events - read)
  } catch (problem) {
    if (problem instanceof PosthogError) return 0
    throw problem
  }
}

const inFigures = (amount: number): string => amount.toLocaleString('en')
