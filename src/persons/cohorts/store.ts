import { entryTable } from '#collection/entry-table'
import { inBatches } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, type RowsOf } from '#store/tables'
import { type Cohort, cohortSchema } from '../cohort'

interface Tables {
  cohorts: RowsOf<Cohort>
  cohortMembers: { projectId: number; cohortId: string; personId: string }
  personOverrides: { projectId: number; fromPersonId: string; toPersonId: string }
}

const open = openTables<Tables>()

export const {
  list: cohortsOf,
  find: findCohort,
  save: saveCohort,
} = entryTable('cohorts', cohortSchema, { orderBy: ['name'] })

export async function deleteCohort(source: TableSource, { projectId, id }: Cohort): Promise<void> {
  await open(source)
    .deleteFrom('cohortMembers')
    .where('projectId', '=', projectId)
    .where('cohortId', '=', id)
    .execute()
  await open(source).deleteFrom('cohorts').where('projectId', '=', projectId).where('id', '=', id).execute()
}

export async function addMembers(
  source: TableSource,
  { projectId, id }: Cohort,
  persons: readonly string[],
): Promise<void> {
  for (const portion of inBatches(persons)) {
    await open(source)
      .insertInto('cohortMembers')
      .values(portion.map((personId) => ({ projectId, cohortId: id, personId })))
      .onConflict((conflict) => conflict.columns(['projectId', 'cohortId', 'personId']).doNothing())
      .execute()
  }
}

/** Removes a person by the current id: a member picked before a merge is stored under another id. */
export async function removeMember(
  source: TableSource,
  { projectId, id }: Cohort,
  personId: string,
): Promise<void> {
  await open(source)
    .deleteFrom('cohortMembers')
    .where('projectId', '=', projectId)
    .where('cohortId', '=', id)
    .where((row) =>
      row.or([
        row('personId', '=', personId),
        row(
          'personId',
          'in',
          row
            .selectFrom('personOverrides')
            .select('fromPersonId')
            .where('projectId', '=', projectId)
            .where('toPersonId', '=', personId),
        ),
      ]),
    )
    .execute()
}

/** Returns the picked persons of each cohort, by their current ids. */
export async function membersOf(source: TableSource, projectId: number): Promise<Map<string, Set<string>>> {
  const rows = await open(source)
    .selectFrom('cohortMembers')
    .leftJoin('personOverrides', (join) =>
      join
        .onRef('personOverrides.projectId', '=', 'cohortMembers.projectId')
        .onRef('personOverrides.fromPersonId', '=', 'cohortMembers.personId'),
    )
    .select(['cohortId', 'personId', 'toPersonId'])
    .where('cohortMembers.projectId', '=', projectId)
    .execute()
  const members = new Map<string, Set<string>>()
  for (const { cohortId, personId, toPersonId } of rows)
    members.set(cohortId, (members.get(cohortId) ?? new Set()).add(toPersonId ?? personId))
  return members
}
