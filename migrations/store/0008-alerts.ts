import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Alerts and reports, their deliveries, the uptime of collection, and the jobs of fronts. */
export const alerts: StoreMigration = {
  name: '0008-alerts',
  async up(tables) {
    for (const create of steps) await create(tables)
  },
}

const steps: readonly ((tables: Kysely<unknown>) => Promise<void>)[] = [
  createJobs,
  createPulse,
  createAlerts,
  createChanges,
  createReports,
  createOutgoing,
  createContacts,
  createLetterKeys,
]

async function createJobs({ schema }: Kysely<unknown>) {
  await schema
    .createTable('jobs')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('held_until', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .execute()
}

async function createPulse({ schema }: Kysely<unknown>) {
  await schema
    .createTable('collection_pulse')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('first_at', 'text', (column) => column.notNull())
    .addColumn('last_at', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createTable('collection_gaps')
    .addColumn('from_at', 'text', (column) => column.primaryKey())
    .addColumn('until_at', 'text', (column) => column.notNull())
    .execute()
}

async function createAlerts({ schema }: Kysely<unknown>) {
  await schema
    .createTable('alerts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('watched', 'text', (column) => column.notNull())
    .addColumn('condition', 'text', (column) => column.notNull())
    .addColumn('every', 'text', (column) => column.notNull())
    .addColumn('recipients', 'text', (column) => column.notNull())
    .addColumn('cool_down_minutes', 'integer', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('muted_until', 'text')
    .addColumn('verdict', 'text')
    .addColumn('since', 'text', (column) => column.notNull())
    .addColumn('checked_at', 'text')
    .addColumn('next_check_at', 'text', (column) => column.notNull())
    .addColumn('told', 'text', (column) => column.notNull())
    .addColumn('told_at', 'text')
    .execute()
  await schema.createIndex('alerts_by_project').on('alerts').column('project_id').execute()
  await schema.createIndex('alerts_by_next_check').on('alerts').column('next_check_at').execute()
}

async function createChanges({ schema }: Kysely<unknown>) {
  await schema
    .createTable('alert_changes')
    .addColumn('alert_id', 'text', (column) => column.notNull().references('alerts.id').onDelete('cascade'))
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_changes_key', ['alert_id', 'at'])
    .execute()
}

async function createReports({ schema }: Kysely<unknown>) {
  await schema
    .createTable('reports')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('about', 'text', (column) => column.notNull())
    .addColumn('every', 'text', (column) => column.notNull())
    .addColumn('hour', 'integer', (column) => column.notNull())
    .addColumn('recipients', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('paused_at', 'text')
    .addColumn('next_at', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'text')
    .addColumn('trouble', 'text')
    .execute()
  await schema.createIndex('reports_by_project').on('reports').column('project_id').execute()
  await schema.createIndex('reports_by_next').on('reports').column('next_at').execute()
}

async function createOutgoing({ schema }: Kysely<unknown>) {
  await schema
    .createTable('outgoing')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('about', 'text', (column) => column.notNull())
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .execute()
  await schema.createIndex('outgoing_by_due').on('outgoing').columns(['state', 'due_at']).execute()
  await schema.createIndex('outgoing_by_about').on('outgoing').columns(['about', 'created_at']).execute()
}

async function createContacts({ schema }: Kysely<unknown>) {
  await schema
    .createTable('mail_contacts')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('asked_at', 'text', (column) => column.notNull())
    .addColumn('confirmed_at', 'text')
    .addPrimaryKeyConstraint('mail_contacts_key', ['project_id', 'address'])
    .execute()
  await schema
    .createTable('mail_refusals')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('about', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('mail_refusals_key', ['project_id', 'recipient', 'about'])
    .execute()
}

async function createLetterKeys({ schema }: Kysely<unknown>) {
  await schema
    .createTable('letter_keys')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.notNull())
    .execute()
}
