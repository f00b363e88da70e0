import type { ColumnType } from 'kysely'
import { dateOrUndefined } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { Schedule, ScheduleStep } from '../schedules'

interface ScheduleTables {
  flagSchedules: RowsOf<Omit<Schedule, 'flagKey' | 'steps'>> & {
    steps: ColumnType<StoredScheduleStep[], Schedule['steps'], Schedule['steps']>
  }
  flags: { id: number; key: string }
}

const open = openTables<ScheduleTables>({ json: ['steps'] })
const columns = [
  'id',
  'projectId',
  'flagId',
  'environment',
  'steps',
  'nextAt',
  'createdBy',
  'createdAt',
] as const

/** The JSON representation. */
type StoredScheduleStep = Omit<ScheduleStep, 'at' | 'doneAt'> & { at: string; doneAt?: string }

const toSchedule = ({
  steps,
  ...row
}: Omit<Schedule, 'steps'> & { steps: StoredScheduleStep[] }): Schedule => ({
  ...row,
  steps: steps.map(({ at, doneAt, ...step }) => ({
    ...step,
    at: new Date(at),
    doneAt: dateOrUndefined(doneAt),
  })),
})

const schedules = (store: TableSource) =>
  open(store)
    .selectFrom('flagSchedules')
    .innerJoin('flags', 'flags.id', 'flagSchedules.flagId')
    .selectAll('flagSchedules')
    .select('flags.key as flagKey')

/** Returns pending schedules first, then completed ones, the latest first. */
export async function schedulesOf(
  store: TableSource,
  projectId: number,
  flagId?: number,
): Promise<Schedule[]> {
  const all = schedules(store).where('flagSchedules.projectId', '=', projectId)
  const rows = await (flagId === undefined ? all : all.where('flagId', '=', flagId))
    .orderBy('flagSchedules.createdAt', 'desc')
    .orderBy('flagSchedules.id')
    .execute()
  const found = rows.map(toSchedule)
  const ahead = found.filter(({ nextAt }) => nextAt)
  const over = found.filter(({ nextAt }) => !nextAt)
  return [...ahead.toSorted((one, other) => timeOf(one) - timeOf(other)), ...over]
}

const timeOf = ({ nextAt }: Schedule): number => nextAt?.getTime() ?? Infinity

export async function schedulesDue(store: TableSource, now: Date): Promise<Schedule[]> {
  const rows = await schedules(store)
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .orderBy('flagSchedules.id')
    .execute()
  return rows.map(toSchedule)
}

export async function saveSchedule(store: TableSource, schedule: Schedule): Promise<void> {
  const row = rowOf(columns, schedule)
  await open(store)
    .insertInto('flagSchedules')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export async function forgetSchedule(store: TableSource, id: string): Promise<void> {
  await open(store).deleteFrom('flagSchedules').where('id', '=', id).execute()
}
