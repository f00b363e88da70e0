import { type Kysely, sql } from 'kysely'
import type { StoreMigration } from './all'

/** The address that each delivery goes to, the addresses that do not answer, and how many deliveries were too many. */
export const deliveryLanes: StoreMigration = {
  name: '0045-delivery-lanes',
  async up(tables) {
    for (const table of ['outgoing', 'survey_deliveries']) await addAddress(tables, table)
    await addressOutgoing(tables)
    await tables.schema
      .createIndex('survey_deliveries_by_survey')
      .on('survey_deliveries')
      .columns(['project_id', 'survey_id', 'state'])
      .execute()
    await createBreakers(tables)
    await createOverflow(tables)
  },
}

/** Those of surveys get their address when they are due. */
async function addAddress({ schema }: Kysely<unknown>, table: string) {
  await schema
    .alterTable(table)
    .addColumn('address', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await schema
    .createIndex(`${table}_by_lane`)
    .on(table)
    .columns(['state', 'project_id', 'address', 'due_at'])
    .execute()
}

async function addressOutgoing(tables: Kysely<unknown>) {
  const { rows } = await sql<{ id: string; recipient: string }>`
    select id, recipient
    from outgoing
    where state = 'waiting'`.execute(tables)
  for (const { id, recipient } of rows)
    await sql`
      update outgoing
      set address = ${addressIn(recipient)}
      where id = ${id}`.execute(tables)
}

function addressIn(recipient: string): string {
  const { by, url = '' }: { by: string; url?: string } = JSON.parse(recipient)
  return by === 'webhook' ? (URL.parse(url)?.host ?? url) : 'mail server'
}

async function createBreakers({ schema }: Kysely<unknown>) {
  await schema
    .createTable('delivery_breakers')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failing_since', 'text', (column) => column.notNull())
    .addColumn('paused_until', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('delivery_breakers_key', ['project_id', 'address'])
    .execute()
}

async function createOverflow({ schema }: Kysely<unknown>) {
  await schema
    .createTable('delivery_overflow')
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('about', 'text', (column) => column.notNull())
    .addColumn('dropped', 'integer', (column) => column.notNull())
    .addColumn('first_at', 'text', (column) => column.notNull())
    .addColumn('last_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('delivery_overflow_key', ['project_id', 'about'])
    .execute()
}
