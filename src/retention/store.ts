import { addCounts, type DailyTotal } from '#insights/compile/daily-totals'
import type { Period } from '#insights/calendar/period'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { RetentionRun } from './retention'

interface Tables {
  dailyTotals: DailyTotal & { projectId: number }
  retentionRuns: RowsOf<Omit<RetentionRun, 'sessions' | 'totals'> & { plan: Plan }>
}

/** The days are texts, as they are in JSON. */
interface Plan {
  sessions: readonly string[]
  totals: readonly { began: string; counts: DailyTotal['counts'] }[]
}

const open = openTables<Tables>({ json: ['counts', 'plan'], instants: ['began', 'boundary'] })

export const dailyTotalsWithin = async (
  source: TableSource,
  projectId: number,
  { from, until }: Period,
): Promise<DailyTotal[]> =>
  await open(source)
    .selectFrom('dailyTotals')
    .select(['began', 'counts'])
    .where('projectId', '=', projectId)
    .where('began', '>=', from)
    .where('began', '<', until)
    .orderBy('began')
    .execute()

export async function firstDailyTotal(source: TableSource, projectId: number): Promise<Date | undefined> {
  const row = await open(source)
    .selectFrom('dailyTotals')
    .select('began')
    .where('projectId', '=', projectId)
    .orderBy('began')
    .limit(1)
    .executeTakeFirst()
  return row?.began
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
    const row = { projectId, began, counts: known ? addCounts(known.counts, counts) : counts }
    await open(source)
      .insertInto('dailyTotals')
      .values(row)
      .onConflict((conflict) => conflict.columns(['projectId', 'began']).doUpdateSet(row))
      .execute()
  }
}

export async function latestRun(source: TableSource, projectId: number): Promise<RetentionRun | undefined> {
  const row = await open(source)
    .selectFrom('retentionRuns')
    .selectAll()
    .where('projectId', '=', projectId)
    .executeTakeFirst()
  if (!row) return undefined
  const { plan, ...run } = row
  const totals = plan.totals.map(({ began, counts }) => ({ began: new Date(began), counts }))
  return { ...run, sessions: plan.sessions, totals }
}

export async function saveRun(source: TableSource, run: RetentionRun): Promise<void> {
  const { sessions, totals, finishedAt } = run
  const plan = {
    sessions,
    totals: totals.map(({ began, counts }) => ({ began: began.toISOString(), counts })),
  }
  const row = {
    ...rowOf(['projectId', 'boundary', 'events', 'finishedAt'], run),
    plan: finishedAt ? { sessions: [], totals: [] } : plan,
  }
  await open(source)
    .insertInto('retentionRuns')
    .values(row)
    .onConflict((conflict) => conflict.column('projectId').doUpdateSet(row))
    .execute()
}
