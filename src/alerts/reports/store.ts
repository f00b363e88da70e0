import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import { type Report, reportSchema } from '../report'

const open = openTables<{ reports: RowsOf<Report> }>({ json: ['about', 'recipients'] })
const columns = reportSchema.keyof().options

export const reportsOf = async (store: TableSource, projectId: number): Promise<Report[]> =>
  await open(store)
    .selectFrom('reports')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const reportsDue = async (store: TableSource, now: Date): Promise<Report[]> =>
  await open(store)
    .selectFrom('reports')
    .selectAll()
    .where('nextAt', '<=', now)
    .where('pausedAt', 'is', null)
    .orderBy('nextAt')
    .execute()

export async function saveReport(store: TableSource, report: Report): Promise<void> {
  const row = rowOf(columns, report)
  await open(store)
    .insertInto('reports')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export async function saveReportProgress(store: TableSource, report: Report): Promise<void> {
  const progress = rowOf(['nextAt', 'sentAt', 'trouble'], report)
  await open(store).updateTable('reports').set(progress).where('id', '=', report.id).execute()
}

export async function forgetReport(store: TableSource, id: string): Promise<void> {
  await open(store).deleteFrom('reports').where('id', '=', id).execute()
}
