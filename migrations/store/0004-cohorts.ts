import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Several persons under one name, and persons who are to be forgotten. */
export const cohorts: StoreMigration = {
  name: '0004-cohorts',
  async up(tables) {
    await createCohorts(tables)
    await createMembers(tables)
    await createErasures(tables)
    await createErasedPersons(tables)
  },
}

async function createCohorts({ schema }: Kysely<unknown>) {
  await schema
    .createTable('cohorts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('about', 'text', (column) => column.notNull())
    // null where persons were picked
    .addColumn('definition', 'text')
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('cohorts_by_project').on('cohorts').column('project_id').execute()
}

async function createMembers({ schema }: Kysely<unknown>) {
  await schema
    .createTable('cohort_members')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('cohort_id', 'text', (column) => column.notNull())
    .addColumn('person_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('cohort_members_key', ['project_id', 'cohort_id', 'person_id'])
    .execute()
  await schema
    .createIndex('cohort_members_by_person')
    .on('cohort_members')
    .columns(['project_id', 'person_id'])
    .execute()
}

/** One row for each erased person, kept after the work is done: the request, its member, and the time of its end. */
async function createErasures({ schema }: Kysely<unknown>) {
  await schema
    .createTable('erasures')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    // every number under which the person was ever known: JSON
    .addColumn('person_ids', 'text', (column) => column.notNull())
    .addColumn('asked_by', 'text', (column) => column.notNull())
    .addColumn('asked_at', 'text', (column) => column.notNull())
    .addColumn('events', 'integer')
    .addColumn('finished_at', 'text')
    .execute()
  await schema.createIndex('erasures_by_project').on('erasures').column('project_id').execute()
}

/** The numbers of erased persons: late events of these persons are recognized by them. */
async function createErasedPersons({ schema }: Kysely<unknown>) {
  await schema
    .createTable('erased_persons')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('person_id', 'text', (column) => column.notNull())
    // null while it is being done: until then nothing of theirs is taken
    .addColumn('erased_at', 'text')
    .addPrimaryKeyConstraint('erased_persons_key', ['project_id', 'person_id'])
    .execute()
}
