import { z } from 'zod'
import type { FileRow } from '#imports/files/read-rows'
import { PosthogError, type PosthogClient } from '../posthog-client'

/** Events come first: what persons' rows say is later than what events said. */
const models = ['events', 'persons'] as const
type HistoryModel = (typeof models)[number]

/** The ways of reading events and persons: by PostHog's exports of files, a week each, or by pages of SQL. */
const historyWays = ['files', 'sql'] as const
export type HistoryWay = (typeof historyWays)[number]

/** The position from which a history is read on. */
const historyCursor = z.discriminatedUnion('way', [
  z.strictObject({
    way: z.literal('files'),
    model: z.enum(models),
    /** The number of the week, from the beginning of the project. */
    week: z.number().int().min(0),
    /** The export of a week that was begun, and the number of rows that were read of its files. */
    run: z.string().optional(),
    file: z.number().int().min(0).optional(),
    row: z.number().int().min(0).optional(),
  }),
  z.strictObject({
    way: z.literal('sql'),
    model: z.enum(models),
    /** The time and the id of the last event, or the last distinct id. */
    after: z.tuple([z.string(), z.string()]).optional(),
  }),
])
export type HistoryCursor = z.infer<typeof historyCursor>

export function parseCursor(text: string | undefined): HistoryCursor | undefined {
  return text === undefined ? undefined : historyCursor.parse(JSON.parse(text))
}

/** A row of PostHog's, and where reading goes on behind it. */
export interface HistoryRow {
  one: FileRow
  cursor: HistoryCursor
}

/** The rows of a week or of some days. */
export interface HistoryWindow {
  label: string
  rows: AsyncIterable<HistoryRow>
  /** The position behind all of them. */
  next: HistoryCursor
}

export interface HistoryRequest {
  client: PosthogClient
  pause: (ms: number) => Promise<void>
  /** Events at this instant or later are left out. */
  until: Date | undefined
  /** When the import began: what PostHog gets afterwards is not asked for. */
  begunAt: Date
  /** Rows of one answer of SQL. */
  rowsAtOnce?: number | undefined
}

export const begins = (way: HistoryWay, model: HistoryModel): HistoryCursor =>
  way === 'files' ? { way, model, week: 0 } : { way, model }

/** Says which way a PostHog has: its Cloud exports files, and those of one's own mostly do not. */
export async function wayOf(client: PosthogClient): Promise<HistoryWay> {
  try {
    await client.read('file_download_batch_exports/?limit=1')
    return 'files'
  } catch (problem) {
    const isAbsent = problem instanceof PosthogError && (problem.status === 403 || problem.status === 404)
    if (!isAbsent) throw problem
    return 'sql'
  }
}
