import type { Selectable } from 'kysely'
import { addCounts, type DailyTotal } from '#insights/compile/daily-totals'
import type { Period } from '#insights/calendar/period'
import type { Store } from '#store/store'
import type { RetentionRun } from './retention'

interface Tables {
  daily_totals: { project_id: number; began: string; counts: string }
  retention_runs: {
    project_id: number
    boundary: string
    plan: string
    events: number
    finished_at: string | null
  }
}

type TableSource = Pick<Store, 'tables'>

const open = (source: TableSource) => source.tables<Tables>()

const toTotal = ({ began, counts }: Pick<Tables['daily_totals'], 'began' | 'counts'>): DailyTotal => ({
  began: new Date(began),
  counts: JSON.parse(counts) as DailyTotal['counts'], // written by addDailyTotals alone
})

export async function dailyTotalsWithin(
  source: TableSource,
  projectId: number,
  { from, until }: Period,
): Promise<DailyTotal[]> {
  const rows = await open(source)
    .selectFrom('daily_totals')
    .select(['began', 'counts'])
    .where('project_id', '=', projectId)
    .where('began', '>=', from.toISOString())
    .where('began', '<', until.toISOString())
    .orderBy('began')
    .execute()
  return rows.map(toTotal)
}

export async function firstDailyTotal(source: TableSource, projectId: number): Promise<Date | undefined> {
  const row = await open(source)
    .selectFrom('daily_totals')
    .select('began')
    .where('project_id', '=', projectId)
    .orderBy('began')
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.began)
}

/** Adds to what is there: events that arrive after their day was deleted belong to the same day. */
export async function addDailyTotals(
  source: TableSource,
  projectId: number,
  totals: readonly DailyTotal[],
): Promise<void> {
  for (const { began, counts } of totals) {
    const day = { from: began, until: new Date(began.getTime() + 1) }
    const [known] = await dailyTotalsWithin(source, projectId, day)
    const sum = JSON.stringify(known ? addCounts(known.counts, counts) : counts)
    await open(source)
      .insertInto('daily_totals')
      .values({ project_id: projectId, began: began.toISOString(), counts: sum })
      .onConflict((conflict) => conflict.columns(['project_id', 'began']).doUpdateSet({ counts: sum }))
      .execute()
  }
}

const toRun = (row: Selectable<Tables['retention_runs']>): RetentionRun => {
  // written by saveRun alone
  const plan = JSON.parse(row.plan) as {
    sessions: string[]
    totals: { began: string; counts: DailyTotal['counts'] }[]
  }
  return {
    projectId: row.project_id,
    boundary: new Date(row.boundary),
    sessions: plan.sessions,
    totals: plan.totals.map(({ began, counts }) => ({ began: new Date(began), counts })),
    events: row.events,
    finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
  }
}

export async function latestRun(source: TableSource, projectId: number): Promise<RetentionRun | undefined> {
  const row = await open(source)
    .selectFrom('retention_runs')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row && toRun(row)
}

export async function saveRun(source: TableSource, run: RetentionRun): Promise<void> {
  const { projectId, boundary, sessions, totals, events, finishedAt } = run
  const stored = {
    boundary: boundary.toISOString(),
    plan: JSON.stringify(finishedAt ? { sessions: [], totals: [] } : { sessions, totals }),
    events,
    finished_at: finishedAt?.toISOString() ?? null,
  }
  await open(source)
    .insertInto('retention_runs')
    .values({ project_id: projectId, ...stored })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(stored))
    .execute()
}
