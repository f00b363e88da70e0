import { csvOf } from '#insights/csv'
import { tableOf } from '#insights/kinds/sql/answer'
import { operator } from '#projects/access'
import { type Outcome, failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Config } from '#server/config'
import type { Product } from '#server/product'
import { callRunningTilth, type LocalCall, refusalIn } from './call-running-tilth'

const commandLineViewer = operator('command line')

/** Rows as the management API answers them. */
export interface QueryRows {
  columns: { name: string; type: string }[]
  rows: unknown[][]
  isCut: boolean
  rowsRead: number
  bytesRead: number
  tookMs: number
}

export interface QueryRequest {
  text: string
  /** The project's address part or number; not needed where there is only one. */
  project: string | undefined
  period: string | undefined
}

/** Asks the Tilth that runs, which alone has the engine, with a key that is revoked again at once. */
export async function queryRunningTilth(
  product: Product,
  config: Config,
  { text, project: named, period }: QueryRequest,
): Promise<Outcome<{ result: QueryRows }>> {
  const found = projectNamed(product, named)
  if (!found.done) return found
  const { project } = found
  const key = { name: 'tilth query', scopes: ['project:read', 'events:read', 'sql:read'] }
  return await callRunningTilth({ product, config, project, key }, (call) =>
    postQuery(call, project, { sql: text, ...(period && { period }) }),
  )
}

/** The project that was named, or the only one. */
export function projectNamed(
  { projects }: Product,
  named: string | undefined,
): Outcome<{ project: Project }> {
  if (named !== undefined) return { done: true, project: projects.find(named, commandLineViewer) }
  const all = projects.list(commandLineViewer).filter(({ archivedAt }) => !archivedAt)
  const [only, ...more] = all
  if (!only) return failedOutcome('There is no project yet. Create one with: tilth project create <name>')
  if (more.length === 0) return { done: true, project: only }
  return failedOutcome(`Choose a project with --project: ${all.map(({ slug }) => slug).join(', ')}.`)
}

async function postQuery(
  call: LocalCall,
  { id }: Project,
  requestBody: object,
): Promise<Outcome<{ result: QueryRows }>> {
  const answer = await call({
    method: 'POST',
    path: `/api/v1/projects/${id}/query?fresh`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(requestBody)),
  })
  if (answer.status !== 200) return refusalIn(answer)
  // the management API of this version answered
  return { done: true, result: JSON.parse(answer.body) as QueryRows }
}

/** Writes the cells of every other file of an answer, without the mark for spreadsheets: a pipe is no spreadsheet. */
export const csvOfRows = (result: QueryRows): string =>
  csvOf(tableOf({ ...result, read: { rows: result.rowsRead, bytes: result.bytesRead } }))
    .replace('\uFEFF', '')
    .trimEnd()

export const cellsOfRows = (result: QueryRows): string[][] =>
  tableOf({ ...result, read: { rows: result.rowsRead, bytes: result.bytesRead } }).rows.map((cells) =>
    cells.map((cell) => (cell === null ? '–' : String(cell))),
  )
