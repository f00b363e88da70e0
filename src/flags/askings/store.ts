import type { Store } from '../../store/store'
import type { AskingCount } from '../askings'

interface Tables {
  flag_askings: {
    project_id: number
    environment: string
    flag_key: string
    client: string
    day: string
    times: number
    last_at: string
  }
}

type Source = Pick<Store, 'tables'>

const open = (source: Source) => source.tables<Tables>()

/** On top of what is there: fronts that share a store each count what they were asked. */
export async function addAskings(source: Source, counts: readonly AskingCount[]): Promise<void> {
  for (const { projectId, environment, key = '', client, day, times, lastAt } of counts)
    await open(source)
      .insertInto('flag_askings')
      .values({
        project_id: projectId,
        environment,
        flag_key: key,
        client,
        day,
        times,
        last_at: lastAt.toISOString(),
      })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'environment', 'flag_key', 'client', 'day']).doUpdateSet((row) => ({
          times: row('flag_askings.times', '+', times),
          last_at: row.ref('excluded.last_at'),
        })),
      )
      .execute()
}

export async function askingsOf(source: Source, projectId: number, since: string): Promise<AskingCount[]> {
  const rows = await open(source)
    .selectFrom('flag_askings')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('day', '>=', since)
    .execute()
  return rows.map((row) => ({
    projectId: row.project_id,
    environment: row.environment,
    key: row.flag_key === '' ? undefined : row.flag_key,
    client: row.client,
    day: row.day,
    times: row.times,
    lastAt: new Date(row.last_at),
  }))
}

export async function forgetAskingsBefore(source: Source, day: string): Promise<void> {
  await open(source).deleteFrom('flag_askings').where('day', '<', day).execute()
}
