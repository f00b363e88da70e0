import type { Period } from '../../insights/period'
import type { Store } from '../../store/store'

interface Tables {
  collection_pulse: { id: number; first_at: string; last_at: string }
  collection_gaps: { from_at: string; until_at: string }
}

type Source = Pick<Store, 'tables'>

const open = (source: Source) => source.tables<Tables>()

export interface Beat {
  firstAt: Date
  lastAt: Date
}

/** There is one for all fronts. */
const only = 1

export async function beatOf(source: Source): Promise<Beat | undefined> {
  const row = await open(source)
    .selectFrom('collection_pulse')
    .selectAll()
    .where('id', '=', only)
    .executeTakeFirst()
  return row && { firstAt: new Date(row.first_at), lastAt: new Date(row.last_at) }
}

export async function saveBeat(source: Source, { firstAt, lastAt }: Beat): Promise<void> {
  const last = { last_at: lastAt.toISOString() }
  await open(source)
    .insertInto('collection_pulse')
    .values({ id: only, first_at: firstAt.toISOString(), ...last })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(last))
    .execute()
}

export async function saveGap(source: Source, { from, until }: Period): Promise<void> {
  await open(source)
    .insertInto('collection_gaps')
    .values({ from_at: from.toISOString(), until_at: until.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function gapsIn(source: Source, { from, until }: Period): Promise<Period[]> {
  const rows = await open(source)
    .selectFrom('collection_gaps')
    .selectAll()
    .where('until_at', '>', from.toISOString())
    .where('from_at', '<', until.toISOString())
    .execute()
  return rows.map(({ from_at, until_at }) => ({ from: new Date(from_at), until: new Date(until_at) }))
}

export async function forgetGapsBefore(source: Source, at: Date): Promise<void> {
  await open(source).deleteFrom('collection_gaps').where('until_at', '<', at.toISOString()).execute()
}
