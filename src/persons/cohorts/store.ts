import type { Selectable } from 'kysely'
import { inBatches } from '#store/rows'
import type { Store } from '#store/store'
import type { Cohort, CohortDefinition } from '../cohort'

interface Tables {
  cohorts: {
    id: string
    project_id: number
    name: string
    about: string
    definition: string | null
    created_by: string
    created_at: string
    changed_at: string
  }
  cohort_members: { project_id: number; cohort_id: string; person_id: string }
  person_overrides: { project_id: number; from_person_id: string; to_person_id: string }
}

type TableSource = Pick<Store, 'tables'>

const open = (source: TableSource) => source.tables<Tables>()

const toCohort = (row: Selectable<Tables['cohorts']>): Cohort => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  about: row.about,
  // only `saveCohort` writes it, after parsing
  definition: row.definition === null ? undefined : (JSON.parse(row.definition) as CohortDefinition),
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  changedAt: new Date(row.changed_at),
})

export async function cohortsOf(source: TableSource, projectId: number): Promise<Cohort[]> {
  const rows = await open(source)
    .selectFrom('cohorts')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(toCohort)
}

export async function findCohort(
  source: TableSource,
  projectId: number,
  id: string,
): Promise<Cohort | undefined> {
  const row = await open(source)
    .selectFrom('cohorts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toCohort(row)
}

export async function saveCohort(source: TableSource, cohort: Cohort): Promise<void> {
  const columns = {
    name: cohort.name,
    about: cohort.about,
    definition: cohort.definition === undefined ? null : JSON.stringify(cohort.definition),
    changed_at: cohort.changedAt.toISOString(),
  }
  await open(source)
    .insertInto('cohorts')
    .values({
      id: cohort.id,
      project_id: cohort.projectId,
      created_by: cohort.createdBy,
      created_at: cohort.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function deleteCohort(source: TableSource, { projectId, id }: Cohort): Promise<void> {
  await open(source)
    .deleteFrom('cohort_members')
    .where('project_id', '=', projectId)
    .where('cohort_id', '=', id)
    .execute()
  await open(source).deleteFrom('cohorts').where('project_id', '=', projectId).where('id', '=', id).execute()
}

export async function addMembers(
  source: TableSource,
  { projectId, id }: Cohort,
  persons: readonly string[],
): Promise<void> {
  for (const portion of inBatches(persons)) {
    await open(source)
      .insertInto('cohort_members')
      .values(portion.map((person) => ({ project_id: projectId, cohort_id: id, person_id: person })))
      .onConflict((conflict) => conflict.columns(['project_id', 'cohort_id', 'person_id']).doNothing())
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
    .deleteFrom('cohort_members')
    .where('project_id', '=', projectId)
    .where('cohort_id', '=', id)
    .where((row) =>
      row.or([
        row('person_id', '=', personId),
        row(
          'person_id',
          'in',
          row
            .selectFrom('person_overrides')
            .select('from_person_id')
            .where('project_id', '=', projectId)
            .where('to_person_id', '=', personId),
        ),
      ]),
    )
    .execute()
}

/** Returns the picked persons of each cohort, by their current ids. */
export async function membersOf(source: TableSource, projectId: number): Promise<Map<string, Set<string>>> {
  const rows = await open(source)
    .selectFrom('cohort_members')
    .leftJoin('person_overrides', (join) =>
      join
        .onRef('person_overrides.project_id', '=', 'cohort_members.project_id')
        .onRef('person_overrides.from_person_id', '=', 'cohort_members.person_id'),
    )
    .select(['cohort_id', 'person_id', 'to_person_id'])
    .where('cohort_members.project_id', '=', projectId)
    .execute()
  const members = new Map<string, Set<string>>()
  for (const { cohort_id, person_id, to_person_id } of rows)
    members.set(cohort_id, (members.get(cohort_id) ?? new Set()).add(to_person_id ?? person_id))
  return members
}
