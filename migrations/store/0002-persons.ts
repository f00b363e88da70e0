import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The persons of visitors, and the position up to which the journal is read. */
export const persons: StoreMigration = {
  name: '0002-persons',
  async up(tables) {
    await createPersons(tables)
    await createDistinctIds(tables)
    await createOverrides(tables)
    await createGroups(tables)
    await createProgress(tables)
    await addSitesToProjects(tables)
  },
}

async function createPersons({ schema }: Kysely<unknown>) {
  await schema
    .createTable('persons')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('properties', 'text', (column) => column.notNull())
    .addColumn('is_identified', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    // counts up with every change; the engine keeps the row with the highest
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('merged_into', 'text')
    // 0 until the engine has this version
    .addColumn('mirrored', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('persons_key', ['project_id', 'id'])
    .execute()
  await schema
    .createIndex('persons_to_mirror')
    .on('persons')
    .column('mirrored')
    .where('mirrored', '=', 0)
    .execute()
}

async function createDistinctIds({ schema }: Kysely<unknown>) {
  await schema
    .createTable('distinct_ids')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('distinct_id', 'text', (column) => column.notNull())
    .addColumn('person_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('distinct_ids_key', ['project_id', 'distinct_id'])
    .execute()
  await schema
    .createIndex('distinct_ids_by_person')
    .on('distinct_ids')
    .columns(['project_id', 'person_id'])
    .execute()
}

async function createOverrides({ schema }: Kysely<unknown>) {
  await schema
    .createTable('person_overrides')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('from_person_id', 'text', (column) => column.notNull())
    .addColumn('to_person_id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('mirrored', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('person_overrides_key', ['project_id', 'from_person_id'])
    .execute()
  await schema
    .createIndex('person_overrides_to_mirror')
    .on('person_overrides')
    .column('mirrored')
    .where('mirrored', '=', 0)
    .execute()
}

async function createGroups({ schema }: Kysely<unknown>) {
  await schema
    .createTable('groups')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('properties', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('mirrored', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('groups_key', ['project_id', 'type', 'key'])
    .execute()
  await schema
    .createIndex('groups_to_mirror')
    .on('groups')
    .column('mirrored')
    .where('mirrored', '=', 0)
    .execute()
}

async function createProgress({ schema }: Kysely<unknown>) {
  await schema
    .createTable('journal_progress')
    .addColumn('journal', 'text', (column) => column.primaryKey())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .execute()
}

async function addSitesToProjects({ schema }: Kysely<unknown>) {
  // the sites that belong to the project, what vendors called it before, and what is kept out of it, and how its
  // questions are answered: JSON
  await schema
    .alterTable('projects')
    .addColumn('hosts', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
  await schema
    .alterTable('projects')
    .addColumn('aliases', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
  await schema
    .alterTable('projects')
    .addColumn('intake', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
  await schema
    .alterTable('projects')
    .addColumn('answers', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
}
