import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'

interface JobTables {
  jobs: Omit<JobLease, 'now'>
}

const open = openTables<JobTables>()

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
  source: TableSource,
  lease: JobLease,
  isHurried: boolean,
): Promise<boolean> {
  const { name, now, ...held } = lease
  const taken = await open(source)
    .insertInto('jobs')
    .values({ name, ...held })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(held)
        .where('jobs.heldUntil', '<=', now)
        .where('jobs.dueAt', '<=', isHurried ? held.dueAt : now),
    )
    .returning('name')
    .executeTakeFirst()
  return taken !== undefined
}

/** Returns whether the lease was still held. */
export async function extendLease(
  source: TableSource,
  { name, holder, now, heldUntil }: Omit<JobLease, 'dueAt'>,
): Promise<boolean> {
  const extended = await open(source)
    .updateTable('jobs')
    .set({ heldUntil })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .where('heldUntil', '>', now)
    .returning('name')
    .executeTakeFirst()
  return extended !== undefined
}

/** Releases the lease of a finished job: any front may begin it when it is due again. */
export async function releaseLease(
  source: TableSource,
  { name, holder }: Pick<JobLease, 'name' | 'holder'>,
  now: Date,
) {
  await open(source)
    .updateTable('jobs')
    .set({ heldUntil: now })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute()
}
