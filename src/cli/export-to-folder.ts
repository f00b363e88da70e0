import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { periodOfMonth, type TableFormat } from '#exports/export-statement'
import type { ExportableTable } from '#exports/exports'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Config } from '#server/config'
import type { Product } from '#server/product'
import { callRunningTilth, type LocalCall, refusalIn } from './call-running-tilth'
import { projectNamed } from './run-query'

interface ExportContext {
  product: Product
  config: Config
  /** Shows progress. */
  say: (line: string) => void
}

interface ExportOptions {
  project?: string
  format: TableFormat
  table?: readonly string[]
  from?: string
  until?: string
  again?: boolean
}

/** A file of the export, below its folder. */
interface FileToWrite {
  table: string
  name: string
  rows: number
  month?: string
}

interface FileInFolder {
  name: string
  bytes: number
  /** False if it was there already. */
  isNew: boolean
}

const monthPattern = /^\d{4}-(?:0[1-9]|1[0-2])$/

/** Writes one file a month and table. A file of a past month that is there already is kept, so that an export goes on where it ended. */
export async function exportToFolder(
  { product, config, say }: ExportContext,
  folder: string,
  { project: named, ...options }: ExportOptions,
): Promise<Outcome<{ files: FileInFolder[] }>> {
  for (const month of [options.from, options.until])
    if (month !== undefined && !monthPattern.test(month))
      return failedOutcome(`"${month}" is not a month: write it as 2026-11.`)
  const found = projectNamed(product, named)
  if (!found.done) return found
  const { project } = found
  const key = { name: 'tilth export', scopes: ['project:read', 'events:read', 'persons:write'] }
  return await callRunningTilth({ product, config, project, key }, async (call) => {
    const counted = await countedTables(call, project)
    if (!counted.done) return counted
    const unknown = options.table?.find((name) => !counted.tables.some(({ table }) => table === name))
    if (unknown !== undefined)
      return failedOutcome(
        `There is no table "${unknown}": choose of ${counted.tables.map(({ table }) => table).join(', ')}.`,
      )
    const files: FileInFolder[] = []
    await mkdir(folder, { recursive: true })
    for (const file of filesOf(counted.tables, options)) {
      const outcome = await writeFile(call, project, { folder, file, options })
      if (!outcome.done) return outcome
      files.push(outcome.file)
      say(lineOf(file, outcome.file))
    }
    return { done: true, files }
  })
}

const lineOf = ({ rows }: FileToWrite, { name, bytes, isNew }: FileInFolder): string =>
  isNew
    ? `${name}: ${rows.toLocaleString('en')} rows, ${bytes.toLocaleString('en')} bytes`
    : `${name}: there already`

async function countedTables(
  call: LocalCall,
  project: Project,
): Promise<Outcome<{ tables: ExportableTable[] }>> {
  const answer = await call({ method: 'GET', path: `/api/v1/projects/${project.id}/export` })
  if (answer.status !== 200) return refusalIn(answer)
  // the management API of this version answered
  const { tables } = JSON.parse(answer.body) as { tables: ExportableTable[] }
  return { done: true, tables }
}

function filesOf(
  tables: readonly ExportableTable[],
  { table: wanted, format, from = '', until = '9999' }: ExportOptions,
): FileToWrite[] {
  return tables
    .filter(({ table }) => !wanted || wanted.includes(table))
    .flatMap(({ table, rows, months }) =>
      months
        ? months
            .filter(({ month }) => month >= from && month <= until)
            .map((one) => ({ table, name: `${table}-${one.month}.${format}`, ...one }))
        : [{ table, name: `${table}.${format}`, rows }],
    )
}

/** Writes beside the file first: what has its name is whole. */
async function writeFile(
  call: LocalCall,
  project: Project,
  { folder, file, options }: { folder: string; file: FileToWrite; options: ExportOptions },
): Promise<Outcome<{ file: FileInFolder }>> {
  const { table, name, month } = file
  const path = join(folder, name)
  const isOver = month !== undefined && month < new Date().toISOString().slice(0, 7)
  if (isOver && !options.again && existsSync(path))
    return { done: true, file: { name, bytes: (await stat(path)).size, isNew: false } }
  const unfinished = `${path}.part`
  const output = createWriteStream(unfinished)
  try {
    const answer = await call({
      method: 'GET',
      path: `/api/v1/projects/${project.id}/export/${table}?${parametersOf(options.format, month)}`,
      output,
    })
    output.end()
    await finished(output)
    if (answer.status !== 200) return refusalIn(answer)
    await rename(unfinished, path)
  } finally {
    output.destroy()
    await rm(unfinished, { force: true })
  }
  return { done: true, file: { name, bytes: (await stat(path)).size, isNew: true } }
}

function parametersOf(format: string, month: string | undefined): URLSearchParams {
  if (month === undefined) return new URLSearchParams({ format })
  const { from, until } = periodOfMonth(month)
  return new URLSearchParams({ format, from: from.toISOString(), until: until.toISOString() })
}
