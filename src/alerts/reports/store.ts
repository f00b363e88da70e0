import type { Selectable } from 'kysely'
import { dateOrUndefined } from '#store/rows'
import type { Store } from '#store/store'
import type { Report } from '../report'

interface ReportTables {
  reports: {
    id: string
    project_id: number
    name: string
    about: string
    every: string
    hour: number
    recipients: string
    created_by: string
    created_at: string
    paused_at: string | null
    next_at: string
    sent_at: string | null
    trouble: string | null
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<ReportTables>()

// every text that is read here was written by saveReport, of what had been parsed
const toReport = (row: Selectable<ReportTables['reports']>): Report => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  about: JSON.parse(row.about) as Report['about'],
  every: row.every as Report['every'],
  hour: row.hour,
  recipients: JSON.parse(row.recipients) as Report['recipients'],
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  pausedAt: dateOrUndefined(row.paused_at),
  nextAt: new Date(row.next_at),
  sentAt: dateOrUndefined(row.sent_at),
  trouble: row.trouble ?? undefined,
})

export async function reportsOf(store: StoreOrTransaction, projectId: number): Promise<Report[]> {
  const rows = await open(store)
    .selectFrom('reports')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toReport)
}

export async function reportsDue(store: StoreOrTransaction, now: Date): Promise<Report[]> {
  const rows = await open(store)
    .selectFrom('reports')
    .selectAll()
    .where('next_at', '<=', now.toISOString())
    .where('paused_at', 'is', null)
    .orderBy('next_at')
    .execute()
  return rows.map(toReport)
}

export async function saveReport(store: StoreOrTransaction, report: Report): Promise<void> {
  const columns = {
    name: report.name,
    about: JSON.stringify(report.about),
    every: report.every,
    hour: report.hour,
    recipients: JSON.stringify(report.recipients),
    paused_at: report.pausedAt?.toISOString() ?? null,
    ...progressOf(report),
  }
  await open(store)
    .insertInto('reports')
    .values({
      id: report.id,
      project_id: report.projectId,
      created_by: report.createdBy,
      created_at: report.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

const progressOf = ({ nextAt, sentAt, trouble }: Report) => ({
  next_at: nextAt.toISOString(),
  sent_at: sentAt?.toISOString() ?? null,
  trouble: trouble ?? null,
})

export async function saveReportProgress(store: StoreOrTransaction, report: Report): Promise<void> {
  await open(store).updateTable('reports').set(progressOf(report)).where('id', '=', report.id).execute()
}

export async function forgetReport(store: StoreOrTransaction, id: string): Promise<void> {
  await open(store).deleteFrom('reports').where('id', '=', id).execute()
}
