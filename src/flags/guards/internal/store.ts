import type { ColumnType } from 'kysely'
import { dateOrUndefined } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { Guard, GuardLogEntry, TakenStep } from '../../guard'

const columns = [
  'id',
  'projectId',
  'flagId',
  'environment',
  'state',
  'createdBy',
  'createdAt',
  'lookedAt',
  'endedAt',
] as const

interface GuardTables {
  flagGuards: RowsOf<Pick<Guard, (typeof columns)[number]>> & {
    plan: GuardPlan
    progress: ColumnType<StoredGuardProgress, GuardProgress, GuardProgress>
  }
  flags: { id: number; key: string }
}

const open = openTables<GuardTables>({ json: ['plan', 'progress'] })

type GuardPlan = Pick<
  Guard,
  | 'experiment'
  | 'set'
  | 'variant'
  | 'steps'
  | 'metrics'
  | 'minimum'
  | 'waitsForPeople'
  | 'watchMinutes'
  | 'before'
>

type GuardProgress = Pick<Guard, 'why' | 'readings' | 'taken' | 'log' | 'pausedAt' | 'resumedAt'>

/** The JSON representation. */
type StoredGuardProgress = Pick<Guard, 'why' | 'readings'> & {
  taken: (Omit<TakenStep, 'at'> & { at: string })[]
  /** Guards from before there were pauses lack these fields. */
  log?: (Omit<GuardLogEntry, 'at'> & { at: string })[]
  pausedAt?: string
  resumedAt?: string
}

const progressIn = (stored: StoredGuardProgress): GuardProgress => ({
  ...stored,
  taken: stored.taken.map(({ percentage, at }) => ({ percentage, at: new Date(at) })),
  log: (stored.log ?? []).map((entry) => ({ ...entry, at: new Date(entry.at) })),
  pausedAt: dateOrUndefined(stored.pausedAt),
  resumedAt: dateOrUndefined(stored.resumedAt),
})

type GuardRow = Pick<Guard, (typeof columns)[number] | 'flagKey'> & {
  plan: GuardPlan
  progress: StoredGuardProgress
}

const toGuard = ({ plan, progress, ...row }: GuardRow): Guard => ({
  ...plan,
  ...progressIn(progress),
  ...row,
})

const guards = (store: TableSource) =>
  open(store)
    .selectFrom('flagGuards')
    .innerJoin('flags', 'flags.id', 'flagGuards.flagId')
    .selectAll('flagGuards')
    .select('flags.key as flagKey')

/** Returns guards, the newest first. */
export async function guardsOf(store: TableSource, projectId: number): Promise<Guard[]> {
  const rows = await guards(store)
    .where('flagGuards.projectId', '=', projectId)
    .orderBy('flagGuards.createdAt', 'desc')
    .orderBy('flagGuards.id')
    .execute()
  return rows.map(toGuard)
}

export async function guardNumbered(
  store: TableSource,
  projectId: number,
  id: string,
): Promise<Guard | undefined> {
  const row = await guards(store)
    .where('flagGuards.projectId', '=', projectId)
    .where('flagGuards.id', '=', id)
    .executeTakeFirst()
  return row && toGuard(row)
}

/** Returns the running guards of all projects. */
export async function runningGuards(store: TableSource): Promise<Guard[]> {
  const rows = await guards(store)
    .where('state', '=', 'running')
    .orderBy('flagGuards.createdAt')
    .orderBy('flagGuards.id')
    .execute()
  return rows.map(toGuard)
}

/** Returns the latest guard of an experiment. */
export async function guardOfExperiment(
  store: TableSource,
  projectId: number,
  experiment: string,
): Promise<Guard | undefined> {
  const all = await guardsOf(store, projectId)
  return all.find((guard) => guard.experiment === experiment)
}

export async function saveGuard(store: TableSource, guard: Guard): Promise<void> {
  const { experiment, set, variant, steps, metrics, minimum, waitsForPeople, watchMinutes, before } = guard
  const { why, readings, taken, log, pausedAt, resumedAt } = guard
  const row = {
    ...rowOf(columns, guard),
    plan: { experiment, set, variant, steps, metrics, minimum, waitsForPeople, watchMinutes, before },
    progress: { why, readings, taken, log, pausedAt, resumedAt },
  }
  await open(store)
    .insertInto('flagGuards')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}
