import { z } from 'zod'
import type { Engine } from '#engine/engine'
import { distinctIdsInOrder } from '#persons/store'
import { requireEvery, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import {
  countStatement,
  type TableFormat,
  exportFormats,
  type ExportPeriod,
  exportStatement,
  type ExportTable,
  exportTables,
  formatNames,
  periodOfMonth,
  type UnusedId,
  usedIdsStatement,
} from './export-statement'
import { wholeFile } from './whole-file'

interface ExportsDependencies {
  engine: Pick<Engine, 'query' | 'queryFile'>
  store: Store
  world: World
}

/** A table's rows and months that can be exported. */
export interface ExportableTable {
  table: ExportTable
  rows: number
  /** Months in UTC with rows, such as 2026-11; absent where rows have no time. */
  months?: { month: string; rows: number }[]
}

export interface ExportedFile {
  name: string
  contentType: string
  parts: AsyncGenerator<Uint8Array>
}

const allTime: ExportPeriod = { from: new Date(0), until: new Date('2200-01-01') }

/** A year of many events takes minutes. */
const fileDeadlineMs = 60 * 60_000
const countDeadlineMs = 5 * 60_000

/** They are sent with the statement; docs/export.md says the limit. */
const mostUnusedIds = 100_000

const dayOrInstant = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: 'Use a day such as 2026-11-24, in UTC.' })
  .transform((text) => new Date(text))

/** Query parameters of an export. */
export const exportInput = z.strictObject({
  format: z
    .enum(formatNames, { error: `Choose one of ${formatNames.join(', ')}.` })
    .default('jsonl')
    .meta({ description: 'JSON lines if absent' }),
  from: dayOrInstant.optional().meta({ description: 'From this day or instant on, in UTC' }),
  until: dayOrInstant.optional().meta({ description: 'Before this day or instant, in UTC' }),
})

/** A project's data as files, for use elsewhere. */
export class Exports {
  private isBusy = false

  constructor(private readonly dependencies: ExportsDependencies) {}

  /** Counts the rows of each table that the viewer may export. */
  async tables(projectId: number, viewer: Viewer): Promise<ExportableTable[]> {
    requireEvery(['persons:write', 'events:read'], projectId, viewer)
    return await Promise.all(tableNames.map((table) => this.countOf(projectId, table)))
  }

  /** Opens a table as a file. An instance writes one file at a time. */
  async open(
    projectId: number,
    table: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ file: ExportedFile }>> {
    requireEvery(['persons:write', 'events:read'], projectId, viewer)
    if (!isExportTable(table)) return failedOutcome(`Choose one of ${tableNames.join(', ')}.`, 'table')
    const parsed = parseInput(exportInput, input)
    if (!parsed.done) return parsed
    const { format, from, until } = parsed.value
    if ((from ?? until) && !exportTables[table].timeColumn)
      return failedOutcome(`The ${table} of a project have no period. Leave it out.`, from ? 'from' : 'until')
    if (this.isBusy) return failedOutcome('Another export is being written. Try again once it has ended.')
    const { store, world } = this.dependencies
    await store.transaction((transaction) =>
      recordAudit(transaction, { action: 'data.export', subject: table, projectId }, viewer, world.now()),
    )
    const { contentType } = exportFormats[format]
    const period = { from: from ?? allTime.from, until: until ?? allTime.until }
    const parts = this.parts(projectId, table, { format, period })
    return { done: true, file: { name: `${table}.${format}`, contentType, parts } }
  }

  private async countOf(
    projectId: number,
    table: ExportTable,
    period?: ExportPeriod,
  ): Promise<ExportableTable> {
    const counted = await this.dependencies.engine.query<{ month?: string; rows: number }>(
      countStatement(projectId, table, period),
      { projectId, deadlineMs: countDeadlineMs },
    )
    const rows = counted.reduce((sum, one) => sum + one.rows, 0)
    const months = counted.flatMap(({ month, rows: ofMonth }) =>
      month === undefined ? [] : [{ month: month.slice(0, 7), rows: ofMonth }],
    )
    return { table, rows, ...(exportTables[table].timeColumn && { months }) }
  }

  private async *parts(
    projectId: number,
    table: ExportTable,
    { format, period }: { format: TableFormat; period: ExportPeriod },
  ): AsyncGenerator<Uint8Array> {
    const { first, next } = exportFormats[format]
    const { timeColumn } = exportTables[table]
    this.isBusy = true
    try {
      const unusedIds = table === 'persons' ? await this.unusedIds(projectId) : []
      const periods = next && timeColumn ? await this.monthsOf(projectId, table, period) : [period]
      for (const [i, part] of periods.entries()) {
        const statement = exportStatement(projectId, table, { format, period: part, unusedIds })
        const file = await this.dependencies.engine.queryFile(statement, i > 0 && next ? next : first, {
          deadlineMs: fileDeadlineMs,
          projectId,
        })
        yield* wholeFile(file, format, { withHeader: i === 0 })
      }
    } finally {
      this.isBusy = false
    }
  }

  /** Returns distinct ids that belong to a person and that no event has, such as an alias that was not used yet. */
  private async unusedIds(projectId: number): Promise<UnusedId[]> {
    const { store, engine } = this.dependencies
    const unused: UnusedId[] = []
    for await (const claims of distinctIdsInOrder(store, projectId)) {
      const rows = await engine.query<{ distinct_id: string }>(
        usedIdsStatement(
          projectId,
          claims.map(({ distinctId }) => distinctId),
        ),
        { projectId, deadlineMs: countDeadlineMs },
      )
      const used = new Set(rows.map((row) => row.distinct_id))
      unused.push(...claims.filter(({ distinctId }) => !used.has(distinctId)))
      if (unused.length >= mostUnusedIds) return unused.slice(0, mostUnusedIds)
    }
    return unused
  }

  private async monthsOf(
    projectId: number,
    table: ExportTable,
    period: ExportPeriod,
  ): Promise<ExportPeriod[]> {
    const { months = [] } = await this.countOf(projectId, table, period)
    return monthsWithin(
      period,
      months.map(({ month }) => month),
    )
  }
}

const tableNames = Object.keys(exportTables).filter(isExportTable)

function isExportTable(name: string): name is ExportTable {
  return Object.hasOwn(exportTables, name)
}

/** Divides a period into its months. One empty period is left of none, so that a file has its header. */
export function monthsWithin({ from, until }: ExportPeriod, months: readonly string[]): ExportPeriod[] {
  const periods = months
    .map((month) => {
      const whole = periodOfMonth(month)
      return {
        from: whole.from < from ? from : whole.from,
        until: whole.until < until ? whole.until : until,
      }
    })
    .filter((part) => part.from < part.until)
  return periods.length > 0 ? periods : [{ from, until: from }]
}
