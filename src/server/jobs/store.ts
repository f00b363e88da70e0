import type { Store } from '#store/store'

interface JobTables {
  jobs: { name: string; holder: string; held_until: string; due_at: string }
}

type JobTableSource = Pick<Store, 'tables'>

const open = (source: JobTableSource) => source.tables<JobTables>()

/** A front's lease of a job: no other front begins it before `heldUntil`. */
interface JobLease {
  name: string
  holder: string
  now: Date
  heldUntil: Date
  /** When the job is due next, on any front. */
  dueAt: Date
}

/** Returns true for exactly one front. A hurried job is begun before it is due. */
export async function acquireLease(
  source: JobTableSource,
  lease: JobLease,
  isHurried: boolean,
): Promise<boolean> {
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

/** Releases the lease of a finished job: any front may begin it when it is due again. */
export async function releaseLease(
  source: JobTableSource,
  { name, holder }: Pick<JobLease, 'name' | 'holder'>,
  now: Date,
) {
  await open(source)
    .updateTable('jobs')
    .set({ held_until: now.toISOString() })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute()
}
