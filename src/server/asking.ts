import { csvOf } from '../insights/csv'
import { tableOf } from '../insights/sql-answer'
import { operator } from '../projects/access'
import { type Outcome, undone } from '../projects/problems'
import type { Project } from '../projects/project'
import type { Config } from './config'
import type { Product } from './product'
import { healthAt, localAddress, type Running, running } from './running'

const you = operator('command line')

/** Rows as the management API answers them. */
export interface ToldRows {
  columns: { name: string; type: string }[]
  rows: unknown[][]
  isCut: boolean
  rowsRead: number
  bytesRead: number
  tookMs: number
}

export interface QueryWishes {
  text: string
  /** Its address part or number; not needed where there is only one. */
  project: string | undefined
  period: string | undefined
}

/** Asks the Tilth that runs, which alone has the engine, with a key that is revoked again at once. */
export async function askRunning(
  product: Product,
  config: Config,
  { text, project: named, period }: QueryWishes,
): Promise<Outcome<{ told: ToldRows }>> {
  if ((await healthAt(localAddress(config))) !== 'alive') return undone(nobodyRuns(config))
  const found = projectNamed(product, named)
  if (!found.done) return found
  const tilth = running(config)
  try {
    return await withKey(product, found.project, (key) =>
      ask(tilth, key, found.project, { sql: text, ...(period && { period }) }),
    )
  } finally {
    tilth.close()
  }
}

const nobodyRuns = (config: Config): string =>
  `No Tilth answers at ${localAddress(config)}: start it, or set PORT as it was set for the one that runs.`

function projectNamed({ projects }: Product, named: string | undefined): Outcome<{ project: Project }> {
  if (named !== undefined) return { done: true, project: projects.find(named, you) }
  const all = projects.list(you).filter(({ archivedAt }) => !archivedAt)
  const [only, ...more] = all
  if (!only) return undone('There is no project yet. Make one with: tilth project create <name>')
  if (more.length === 0) return { done: true, project: only }
  return undone(`Say which project with --project: ${all.map(({ slug }) => slug).join(', ')}.`)
}

async function withKey<Done>(
  { keys }: Product,
  { id }: Project,
  work: (key: string) => Promise<Outcome<Done>>,
): Promise<Outcome<Done>> {
  const scopes = ['project:read', 'events:read', 'sql:read']
  const created = await keys.create(id, { name: 'tilth query', scopes, days: 1 }, you)
  if (!created.done) return created
  try {
    return await work(created.text)
  } finally {
    await keys.revoke(id, created.key.id, you)
  }
}

async function ask(
  tilth: Running,
  key: string,
  { id }: Project,
  asked: object,
): Promise<Outcome<{ told: ToldRows }>> {
  const { status, body } = await tilth.ask({
    method: 'POST',
    path: `/api/v1/projects/${id}/query?fresh`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(asked)),
  })
  // the management API of this version answered
  const answer = JSON.parse(body) as ToldRows & { error?: { message: string } }
  return status === 200
    ? { done: true, told: answer }
    : undone(answer.error?.message ?? `It answered ${status}.`)
}

/** The same cells as in every other file of an answer, without the mark for spreadsheets: a pipe is no spreadsheet. */
export const csvOfRows = (told: ToldRows): string =>
  csvOf(tableOf({ ...told, read: { rows: told.rowsRead, bytes: told.bytesRead } }))
    .replace('\uFEFF', '')
    .trimEnd()

export const cellsOfRows = (told: ToldRows): string[][] =>
  tableOf({ ...told, read: { rows: told.rowsRead, bytes: told.bytesRead } }).rows.map((cells) =>
    cells.map((cell) => (cell === null ? '–' : String(cell))),
  )
