import type { Selectable } from 'kysely'
import { maybeDate } from '../../store/rows'
import type { Store } from '../../store/store'
import type { Report } from '../report'

interface Tables {
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

type Source = Pick<Store, 'tables'>

const open = (source: Source) => source.tables<Tables>()

// every text that is read here was written by saveReport, of what had been parsed
const toReport = (row: Selectable<Tables['reports']>): Report => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  about: JSON.parse(row.about) as Report['about'],
  every: row.every as Report['every'],
  hour: row.hour,
  recipients: JSON.parse(row.recipients) as Report['recipients'],
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  pausedAt: maybeDate(row.paused_at),
  nextAt: new Date(row.next_at),
  sentAt: maybeDate(row.sent_at),
  trouble: row.trouble ?? undefined,
})

export async function reportsOf(source: Source, projectId: number): Promise<Report[]> {
  const rows = await open(source)
    .selectFrom('reports')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toReport)
}

export async function reportNumbered(
  source: Source,
  projectId: number,
  id: string,
): Promise<Report | undefined> {
  return (await reportsOf(source, projectId)).find((report) => report.id === id)
}

export async function reportsDue(source: Source, now: Date): Promise<Report[]> {
  const rows = await open(source)
    .selectFrom('reports')
    .selectAll()
    .where('next_at', '<=', now.toISOString())
    .where('paused_at', 'is', null)
    .orderBy('next_at')
    .execute()
  return rows.map(toReport)
}

export async function saveReport(source: Source, report: Report): Promise<void> {
  const said = {
    name: report.name,
    about: JSON.stringify(report.about),
    every: report.every,
    hour: report.hour,
    recipients: JSON.stringify(report.recipients),
    paused_at: report.pausedAt?.toISOString() ?? null,
    ...progressOf(report),
  }
  await open(source)
    .insertInto('reports')
    .values({
      id: report.id,
      project_id: report.projectId,
      created_by: report.createdBy,
      created_at: report.createdAt.toISOString(),
      ...said,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(said))
    .execute()
}

const progressOf = ({ nextAt, sentAt, trouble }: Report) => ({
  next_at: nextAt.toISOString(),
  sent_at: sentAt?.toISOString() ?? null,
  trouble: trouble ?? null,
})

export async function saveReportProgress(source: Source, report: Report): Promise<void> {
  await open(source).updateTable('reports').set(progressOf(report)).where('id', '=', report.id).execute()
}

export async function forgetReport(source: Source, id: string): Promise<void> {
  await open(source).deleteFrom('reports').where('id', '=', id).execute()
}
