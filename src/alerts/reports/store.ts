import type { Store } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import { type Report, reportSchema } from '../report'

type StoreOrTransaction = Pick<Store, 'tables'>

const open = openTables<{ reports: RowsOf<Report> }>({ json: ['about', 'recipients'] })
const columns = reportSchema.keyof().options

export const reportsOf = async (store: StoreOrTransaction, projectId: number): Promise<Report[]> =>
  await open(store)
    .selectFrom('reports')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const reportsDue = async (store: StoreOrTransaction, now: Date): Promise<Report[]> =>
  await open(store)
    .selectFrom('reports')
    .selectAll()
    .where('nextAt', '<=', now)
    .where('pausedAt', 'is', null)
    .orderBy('nextAt')
    .execute()

export async function saveReport(store: StoreOrTransaction, report: Report): Promise<void> {
  const row = rowOf(columns, report)
  await open(store)
    .insertInto('reports')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export async function saveReportProgress(store: StoreOrTransaction, report: Report): Promise<void> {
  const progress = rowOf(['nextAt', 'sentAt', 'trouble'], report)
  await open(store).updateTable('reports').set(progress).where('id', '=', report.id).execute()
}

export async function forgetReport(store: StoreOrTransaction, id: string): Promise<void> {
  await open(store).deleteFrom('reports').where('id', '=', id).execute()
}
