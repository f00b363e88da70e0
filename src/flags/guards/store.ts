import type { Selectable } from 'kysely'
import { dateOrUndefined } from '#store/rows'
import type { Store } from '#store/store'
import type { Guard, GuardLogEntry, TakenStep } from '../guard'

interface GuardTables {
  flag_guards: {
    id: string
    project_id: number
    flag_id: number
    environment: string
    plan: string
    progress: string
    state: string
    created_by: string
    created_at: string
    looked_at: string | null
    ended_at: string | null
  }
  flags: { id: number; key: string }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<GuardTables>()

type StoredGuardPlan = Pick<
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

/** The JSON representation. */
type StoredGuardProgress = Pick<Guard, 'why' | 'readings'> & {
  taken: (Omit<TakenStep, 'at'> & { at: string })[]
  /** These are missing from guards of before there were pauses. */
  log?: (Omit<GuardLogEntry, 'at'> & { at: string })[]
  pausedAt?: string | undefined
  resumedAt?: string | undefined
}

type GuardRow = Selectable<GuardTables['flag_guards']> & { flag_key: string }

function toGuard(row: GuardRow): Guard {
  // only `saveGuard` writes both
  const { variant, experiment, ...plan } = JSON.parse(row.plan) as StoredGuardPlan
  const {
    taken,
    log = [],
    pausedAt,
    resumedAt,
    ...progress
  } = JSON.parse(row.progress) as StoredGuardProgress
  return {
    ...plan,
    ...progress,
    variant,
    experiment,
    taken: taken.map(({ percentage, at }) => ({ percentage, at: new Date(at) })),
    log: log.map((entry) => ({ ...entry, at: new Date(entry.at) })),
    pausedAt: dateOrUndefined(pausedAt ?? null),
    resumedAt: dateOrUndefined(resumedAt ?? null),
    id: row.id,
    projectId: row.project_id,
    flagId: row.flag_id,
    flagKey: row.flag_key,
    environment: row.environment,
    // only `saveGuard` writes it
    state: row.state as Guard['state'],
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    lookedAt: dateOrUndefined(row.looked_at),
    endedAt: dateOrUndefined(row.ended_at),
  }
}

const guards = (store: StoreOrTransaction) =>
  open(store)
    .selectFrom('flag_guards')
    .innerJoin('flags', 'flags.id', 'flag_guards.flag_id')
    .selectAll('flag_guards')
    .select('flags.key as flag_key')

/** Returns guards, the newest first. */
export async function guardsOf(store: StoreOrTransaction, projectId: number): Promise<Guard[]> {
  const rows = await guards(store)
    .where('flag_guards.project_id', '=', projectId)
    .orderBy('flag_guards.created_at', 'desc')
    .orderBy('flag_guards.id')
    .execute()
  return rows.map(toGuard)
}

export async function guardNumbered(
  store: StoreOrTransaction,
  projectId: number,
  id: string,
): Promise<Guard | undefined> {
  const row = await guards(store)
    .where('flag_guards.project_id', '=', projectId)
    .where('flag_guards.id', '=', id)
    .executeTakeFirst()
  return row && toGuard(row)
}

/** Returns the running guards of all projects. */
export async function runningGuards(store: StoreOrTransaction): Promise<Guard[]> {
  const rows = await guards(store)
    .where('state', '=', 'running')
    .orderBy('flag_guards.created_at')
    .orderBy('flag_guards.id')
    .execute()
  return rows.map(toGuard)
}

/** Returns the latest guard of an experiment. */
export async function guardOfExperiment(
  store: StoreOrTransaction,
  projectId: number,
  experiment: string,
): Promise<Guard | undefined> {
  const all = await guardsOf(store, projectId)
  return all.find((guard) => guard.experiment === experiment)
}

export async function saveGuard(store: StoreOrTransaction, guard: Guard): Promise<void> {
  const { experiment, set, variant, steps, metrics, minimum, waitsForPeople, watchMinutes, before } = guard
  const plan: StoredGuardPlan = {
    experiment,
    set,
    variant,
    steps,
    metrics,
    minimum,
    waitsForPeople,
    watchMinutes,
    before,
  }
  const { why, readings, taken, log, pausedAt, resumedAt } = guard
  const columns = {
    plan: JSON.stringify(plan),
    progress: JSON.stringify({ why, readings, taken, log, pausedAt, resumedAt }),
    state: guard.state,
    looked_at: guard.lookedAt?.toISOString() ?? null,
    ended_at: guard.endedAt?.toISOString() ?? null,
  }
  await open(store)
    .insertInto('flag_guards')
    .values({
      id: guard.id,
      project_id: guard.projectId,
      flag_id: guard.flagId,
      environment: guard.environment,
      created_by: guard.createdBy,
      created_at: guard.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}
