import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Flags and all they ever were, where they are set differently, and what changes them by the clock. */
export const flags: StoreMigration = {
  name: '0009-flags',
  async up(tables) {
    for (const create of steps) await create(tables)
  },
}

const steps: readonly ((tables: Kysely<unknown>) => Promise<void>)[] = [
  createFlags,
  createVersions,
  createEnvironments,
  createHoldouts,
  createSchedules,
  createKeptIds,
]

async function createFlags({ schema }: Kysely<unknown>) {
  await schema
    .createTable('flags')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addColumn('archived_at', 'text')
    .addUniqueConstraint('flags_by_key', ['project_id', 'key'])
    .execute()
}

async function createVersions({ schema }: Kysely<unknown>) {
  await schema
    .createTable('flag_versions')
    .addColumn('flag_id', 'integer', (column) => column.notNull().references('flags.id').onDelete('cascade'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('archived_at', 'text')
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .addPrimaryKeyConstraint('flag_versions_key', ['flag_id', 'version'])
    .execute()
}

/** The main one is not among them: its key is the project's own. */
async function createEnvironments({ schema }: Kysely<unknown>) {
  await schema
    .createTable('flag_environments')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('write_key', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('flag_environments_key', ['project_id', 'name'])
    .execute()
}

/** Numbered in each project: what a holdout is called in answers is made of its number. */
async function createHoldouts({ schema }: Kysely<unknown>) {
  await schema
    .createTable('flag_holdouts')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('percentage', 'double precision', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('flag_holdouts_key', ['project_id', 'id'])
    .execute()
}

async function createSchedules({ schema }: Kysely<unknown>) {
  await schema
    .createTable('flag_schedules')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('flag_id', 'integer', (column) => column.notNull().references('flags.id').onDelete('cascade'))
    .addColumn('environment', 'text', (column) => column.notNull())
    // in the order of their times, each with what became of it: JSON
    .addColumn('steps', 'text', (column) => column.notNull())
    // null once nothing is left to do
    .addColumn('next_at', 'text')
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('flag_schedules_by_flag').on('flag_schedules').column('flag_id').execute()
  await schema.createIndex('flag_schedules_by_next').on('flag_schedules').column('next_at').execute()
}

/** The id that decides flags for a person since before they signed in, by each number that the person has had. */
async function createKeptIds({ schema }: Kysely<unknown>) {
  await schema
    .createTable('flag_kept_ids')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('person_id', 'text', (column) => column.notNull())
    .addColumn('flag_key', 'text', (column) => column.notNull())
    .addColumn('kept_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('flag_kept_ids_key', ['project_id', 'person_id', 'flag_key'])
    .execute()
}
