import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import { type Alert, type AlertChange, alertSchema } from '../alert'

interface AlertTables {
  alerts: RowsOf<Alert>
  alertChanges: RowsOf<AlertChange & { alertId: string }>
}

const open = openTables<AlertTables>({ json: ['watched', 'condition', 'recipients', 'verdict'] })
const columns = alertSchema.keyof().options
const stateColumns = ['verdict', 'since', 'checkedAt', 'nextCheckAt', 'told', 'toldAt'] as const

export const alertsOf = async (store: TableSource, projectId: number): Promise<Alert[]> =>
  await open(store)
    .selectFrom('alerts')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const alertNumbered = async (
  store: TableSource,
  projectId: number,
  id: string,
): Promise<Alert | undefined> =>
  await open(store)
    .selectFrom('alerts')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Returns the alerts that are due, the most overdue first. */
export const alertsDue = async (store: TableSource, now: Date): Promise<Alert[]> =>
  await open(store)
    .selectFrom('alerts')
    .selectAll()
    .where('nextCheckAt', '<=', now)
    .orderBy('nextCheckAt')
    .execute()

export async function saveAlert(store: TableSource, alert: Alert): Promise<void> {
  const row = rowOf(columns, alert)
  await open(store)
    .insertInto('alerts')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Saves the state and returns true, unless the alert was changed meanwhile. */
export async function saveState(store: TableSource, alert: Alert, expected: Alert): Promise<boolean> {
  const saved = await open(store)
    .updateTable('alerts')
    .set(rowOf(stateColumns, alert))
    .where('id', '=', alert.id)
    .where('watched', '=', expected.watched)
    .where('condition', '=', expected.condition)
    .returning('id')
    .executeTakeFirst()
  return saved !== undefined
}

export async function forgetAlert(store: TableSource, id: string): Promise<void> {
  await open(store).deleteFrom('alerts').where('id', '=', id).execute()
}

export async function addChange(store: TableSource, alertId: string, change: AlertChange): Promise<void> {
  await open(store)
    .insertInto('alertChanges')
    .values({ alertId, ...change })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const changesOf = async (store: TableSource, alertId: string, limit: number): Promise<AlertChange[]> =>
  await open(store)
    .selectFrom('alertChanges')
    .select(['at', 'verdict'])
    .where('alertId', '=', alertId)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()

export async function forgetChangesBefore(store: TableSource, at: Date): Promise<void> {
  await open(store).deleteFrom('alertChanges').where('at', '<', at).execute()
}
