import type { Selectable } from 'kysely'
import type { Store } from '#store/store'
import type { Alert, AlertChange } from './alert'
import type { CheckRhythm } from './alert-words'

interface AlertTables {
  alerts: {
    id: string
    project_id: number
    name: string
    watched: string
    condition: string
    every: string
    recipients: string
    cool_down_minutes: number
    created_by: string
    created_at: string
    muted_until: string | null
    verdict: string | null
    since: string
    checked_at: string | null
    next_check_at: string
    told: string
    told_at: string | null
  }
  alert_changes: { alert_id: string; at: string; verdict: string }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<AlertTables>()
const maybeDate = (text: string | null): Date | undefined => (text === null ? undefined : new Date(text))
const maybeText = (at: Date | undefined): string | null => at?.toISOString() ?? null

// every text that is read here was written by fromAlert, of what had been parsed
const toAlert = (row: Selectable<AlertTables['alerts']>): Alert => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  watched: JSON.parse(row.watched) as Alert['watched'],
  condition: JSON.parse(row.condition) as Alert['condition'],
  every: row.every as CheckRhythm,
  recipients: JSON.parse(row.recipients) as Alert['recipients'],
  coolDownMinutes: row.cool_down_minutes,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  mutedUntil: maybeDate(row.muted_until),
  verdict: row.verdict === null ? undefined : (JSON.parse(row.verdict) as Alert['verdict']),
  since: new Date(row.since),
  checkedAt: maybeDate(row.checked_at),
  nextCheckAt: new Date(row.next_check_at),
  told: row.told === 'firing' ? 'firing' : 'ok',
  toldAt: maybeDate(row.told_at),
})

const definitionOf = (alert: Alert) => ({
  name: alert.name,
  watched: JSON.stringify(alert.watched),
  condition: JSON.stringify(alert.condition),
  every: alert.every,
  recipients: JSON.stringify(alert.recipients),
  cool_down_minutes: alert.coolDownMinutes,
  muted_until: maybeText(alert.mutedUntil),
})

const stateOf = (alert: Alert) => ({
  verdict: alert.verdict ? JSON.stringify(alert.verdict) : null,
  since: alert.since.toISOString(),
  checked_at: maybeText(alert.checkedAt),
  next_check_at: alert.nextCheckAt.toISOString(),
  told: alert.told,
  told_at: maybeText(alert.toldAt),
})

export async function alertsOf(store: StoreOrTransaction, projectId: number): Promise<Alert[]> {
  const rows = await open(store)
    .selectFrom('alerts')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toAlert)
}

export async function alertNumbered(
  store: StoreOrTransaction,
  projectId: number,
  id: string,
): Promise<Alert | undefined> {
  const row = await open(store)
    .selectFrom('alerts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toAlert(row)
}

/** Returns the alerts that are due, the most overdue first. */
export async function alertsDue(store: StoreOrTransaction, now: Date): Promise<Alert[]> {
  const rows = await open(store)
    .selectFrom('alerts')
    .selectAll()
    .where('next_check_at', '<=', now.toISOString())
    .orderBy('next_check_at')
    .execute()
  return rows.map(toAlert)
}

export async function saveAlert(store: StoreOrTransaction, alert: Alert): Promise<void> {
  const columns = { ...definitionOf(alert), ...stateOf(alert) }
  await open(store)
    .insertInto('alerts')
    .values({
      id: alert.id,
      project_id: alert.projectId,
      created_by: alert.createdBy,
      created_at: alert.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

/** Saves the state and returns true, unless the alert was changed meanwhile. */
export async function saveState(store: StoreOrTransaction, alert: Alert, expected: Alert): Promise<boolean> {
  const saved = await open(store)
    .updateTable('alerts')
    .set(stateOf(alert))
    .where('id', '=', alert.id)
    .where('watched', '=', JSON.stringify(expected.watched))
    .where('condition', '=', JSON.stringify(expected.condition))
    .returning('id')
    .executeTakeFirst()
  return saved !== undefined
}

export async function forgetAlert(store: StoreOrTransaction, id: string): Promise<void> {
  await open(store).deleteFrom('alerts').where('id', '=', id).execute()
}

export async function addChange(
  store: StoreOrTransaction,
  alertId: string,
  { at, verdict }: AlertChange,
): Promise<void> {
  await open(store)
    .insertInto('alert_changes')
    .values({ alert_id: alertId, at: at.toISOString(), verdict: JSON.stringify(verdict) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function changesOf(
  store: StoreOrTransaction,
  alertId: string,
  limit: number,
): Promise<AlertChange[]> {
  const rows = await open(store)
    .selectFrom('alert_changes')
    .selectAll()
    .where('alert_id', '=', alertId)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ at, verdict }) => ({
    at: new Date(at),
    verdict: JSON.parse(verdict) as AlertChange['verdict'], // written by addChange alone
  }))
}

export async function forgetChangesBefore(store: StoreOrTransaction, at: Date): Promise<void> {
  await open(store).deleteFrom('alert_changes').where('at', '<', at.toISOString()).execute()
}
