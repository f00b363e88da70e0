import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Lists of subscribers, posts that are sent to them, and one delivery for each recipient. */
export const letters: StoreMigration = {
  name: '0034-letters',
  async up(tables) {
    for (const create of [createLists, createSubscribers, createLetters, createDeliveries])
      await create(tables)
  },
}

async function createLists({ schema }: Kysely<unknown>) {
  await schema
    .createTable('letter_lists')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('is_open', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('letter_lists_key', ['project_id', 'key'])
    .execute()
  await schema
    .createTable('letter_settings')
    .addColumn('project_id', 'integer', (column) => column.primaryKey().references('projects.id'))
    .addColumn('settings', 'text', (column) => column.notNull())
    .execute()
}

/** An address that left keeps a row without the address: its keyed hash stops an import from subscribing it again. */
async function createSubscribers({ schema }: Kysely<unknown>) {
  await schema
    .createTable('letter_subscribers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('list_key', 'text', (column) => column.notNull())
    .addColumn('address_hash', 'text', (column) => column.notNull())
    .addColumn('address', 'text')
    .addColumn('distinct_id', 'text')
    .addColumn('person_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('language', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('consent', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addColumn('confirmed_at', 'text')
    .addColumn('asked_at', 'text')
    .addColumn('token_hash', 'text')
    .addColumn('mail_due_at', 'text')
    .addColumn('mail_attempts', 'integer', (column) => column.notNull())
    .addUniqueConstraint('letter_subscribers_once', ['project_id', 'list_key', 'address_hash'])
    .execute()
  for (const [name, columns] of [
    ['letter_subscribers_by_state', ['project_id', 'list_key', 'state']],
    ['letter_subscribers_by_person', ['project_id', 'person_id']],
    ['letter_subscribers_by_token', ['token_hash']],
    ['letter_subscribers_by_mail', ['mail_due_at']],
  ] as const)
    await schema
      .createIndex(name)
      .on('letter_subscribers')
      .columns([...columns])
      .execute()
}

async function createLetters({ schema }: Kysely<unknown>) {
  await schema
    .createTable('letters')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('post_id', 'text', (column) => column.notNull())
    .addColumn('list_key', 'text', (column) => column.notNull())
    .addColumn('cohort', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('trial', 'text')
    .addColumn('problem', 'text')
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('scheduled_at', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text')
    .addColumn('finished_at', 'text')
    .execute()
  await schema.createIndex('letters_by_state').on('letters').columns(['state', 'scheduled_at']).execute()
}

async function createDeliveries({ schema }: Kysely<unknown>) {
  await schema
    .createTable('letter_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('letter_id', 'text', (column) => column.notNull().references('letters.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('subscriber_id', 'text', (column) => column.notNull())
    .addColumn('variant', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('sent_at', 'text')
    .addColumn('outcome', 'text')
    .addColumn('clicked_at', 'text')
    .addColumn('unsubscribed_at', 'text')
    .addUniqueConstraint('letter_deliveries_once', ['letter_id', 'subscriber_id'])
    .execute()
  await schema
    .createIndex('letter_deliveries_by_due')
    .on('letter_deliveries')
    .columns(['state', 'due_at'])
    .execute()
}
