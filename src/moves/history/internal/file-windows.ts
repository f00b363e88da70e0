import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { readRows } from '#imports/files/read-rows'
import { PosthogError, readAs } from '../../posthog-client'
import {
  begins,
  type HistoryCursor,
  type HistoryRequest,
  type HistoryRow,
  type HistoryWindow,
} from '../history'

type FileCursor = Extract<HistoryCursor, { way: 'files' }>

const weekMs = 7 * 24 * 3_600_000
/** An export may not end in the future of PostHog's clock. */
const clockSkewMs = 60_000
const pollMs = 5000
const mostPolls = 5000
/** PostHog splits an export into files of about this size. */
const fileMegabytes = 256

const project = z.looseObject({ created_at: z.string() })
const started = z.looseObject({ id: z.string() })
const run = z.looseObject({
  status: z.string(),
  files: z.array(z.string()).nullish(),
  error: z.string().nullish(),
})

/**
 * Reads a history by file download exports (https://posthog.com/docs/cdp/file-download-exports): one export for each week,
 * by the time at which PostHog received events and changed persons.
 */
export async function* fileWindows(
  request: HistoryRequest,
  cursor: FileCursor,
): AsyncGenerator<HistoryWindow> {
  const weeks = weeksOf(
    new Date(readAs(project, await request.client.read('')).created_at),
    new Date(request.begunAt.getTime() - clockSkewMs),
  )
  for (let at: FileCursor = cursor; ;) {
    const week = weeks[at.week]
    if (!week) {
      if (at.model === 'persons') return
      at = { way: 'files', model: 'persons', week: 0 }
      continue
    }
    const next: FileCursor = { way: 'files', model: at.model, week: at.week + 1 }
    const isLast = at.week + 1 >= weeks.length && at.model === 'events'
    yield {
      label: `${at.model}, week of ${week.from.slice(0, 10)}`,
      rows: rowsOfWeek(request, at, week),
      next: isLast ? begins('files', 'persons') : next,
    }
    at = next
  }
}

interface Week {
  from: string
  until: string
}

/** Weeks from the day on which the project was made. */
export function weeksOf(createdAt: Date, until: Date): Week[] {
  if (Number.isNaN(createdAt.getTime()))
    throw new PosthogError('PostHog does not say when the project was made.')
  const weeks: Week[] = []
  const first = Math.floor(createdAt.getTime() / 86_400_000) * 86_400_000
  for (let from = first; from < until.getTime(); from += weekMs)
    weeks.push({
      from: new Date(from).toISOString(),
      until: new Date(Math.min(from + weekMs, until.getTime())).toISOString(),
    })
  return weeks
}

async function* rowsOfWeek(
  request: HistoryRequest,
  cursor: FileCursor,
  week: Week,
): AsyncGenerator<HistoryRow> {
  const { id, files, isBegun } = await exportOf(request, cursor, week)
  const first = isBegun ? (cursor.file ?? 0) : 0
  const folder = await mkdtemp(join(tmpdir(), 'tilth-pull-'))
  try {
    for (let file = first; file < files.length; file++) {
      const skip = isBegun && file === first ? (cursor.row ?? 0) : 0
      const path = join(folder, `${cursor.model} of ${week.from.slice(0, 10)}`)
      await request.client.download(`file_download_batch_exports/${id}/download/${files[file]}/`, path)
      let row = 0
      for await (const one of readRows([path]))
        if (row++ >= skip)
          yield { one, cursor: { way: 'files', model: cursor.model, week: cursor.week, run: id, file, row } }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface FinishedExport {
  id: string
  files: readonly string[]
  /** True if its rows were read in part; they are in the same order again. */
  isBegun: boolean
}

/** Returns the export of a week that was begun, as long as PostHog keeps its files, or a new one. */
async function exportOf(request: HistoryRequest, cursor: FileCursor, week: Week): Promise<FinishedExport> {
  if (cursor.run !== undefined) {
    const files = await keptFilesOf(request, cursor.run)
    if (files) return { id: cursor.run, files, isBegun: true }
  }
  const { id } = readAs(
    started,
    await request.client.post('file_download_batch_exports/', {
      model: cursor.model,
      file: { format: 'JSONLines', compression: 'gzip', max_size_mb: fileMegabytes },
      data_interval_start: week.from,
      data_interval_end: week.until,
    }),
  )
  return { id, files: await finishedFiles(request, id), isBegun: false }
}

async function keptFilesOf(request: HistoryRequest, id: string): Promise<readonly string[] | undefined> {
  try {
    return await finishedFiles(request, id)
  } catch (problem) {
    if (problem instanceof PosthogError && problem.status === 404) return undefined
    throw problem
  }
}

async function finishedFiles({ client, pause }: HistoryRequest, id: string): Promise<readonly string[]> {
  for (let polls = 0; polls < mostPolls; polls++) {
    const { status, files, error } = readAs(run, await client.read(`file_download_batch_exports/${id}/`))
    if (status === 'Completed') return files ?? []
    if (status !== 'Starting' && status !== 'Running')
      throw new PosthogError(
        `PostHog’s export of a week ended as ${status}${error ? `: ${error}` : ''}. --by sql does without its exports.`,
      )
    await pause(pollMs)
  }
  throw new PosthogError('PostHog’s export of a week does not end.')
}
