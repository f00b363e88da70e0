import type { Store } from '../../store/store'

interface Tables {
  jobs: { name: string; holder: string; held_until: string; due_at: string }
}

type Source = Pick<Store, 'tables'>

const open = (source: Source) => source.tables<Tables>()

/** One front's hold on a job: nobody else begins it before then. */
export interface Lease {
  name: string
  holder: string
  now: Date
  heldUntil: Date
  /** When it is to be done next, by whoever comes first. */
  dueAt: Date
}

/** True for one front alone, whoever else asks in the same moment. In a hurry it is begun before it is due. */
export async function take(source: Source, lease: Lease, isHurried: boolean): Promise<boolean> {
  const { name, holder } = lease
  const now = lease.now.toISOString()
  const held = { holder, held_until: lease.heldUntil.toISOString(), due_at: lease.dueAt.toISOString() }
  const taken = await open(source)
    .insertInto('jobs')
    .values({ name, ...held })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(held)
        .where('jobs.held_until', '<=', now)
        .where('jobs.due_at', '<=', isHurried ? held.due_at : now),
    )
    .returning('name')
    .executeTakeFirst()
  return taken !== undefined
}

/** Done: whoever comes when it is due again may begin. */
export async function release(source: Source, { name, holder }: Pick<Lease, 'name' | 'holder'>, now: Date) {
  await open(source)
    .updateTable('jobs')
    .set({ held_until: now.toISOString() })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute()
}
