import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Changes that assistants propose, until and after a member decides. */
export const proposals: StoreMigration = {
  name: '0060-proposals',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('proposals')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull())
      .addColumn('change', 'text', (column) => column.notNull())
      .addColumn('input', 'text', (column) => column.notNull())
      .addColumn('sentence', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('lines', 'text', (column) => column.notNull())
      // the path of the page of what it changes, below that of the project
      .addColumn('thing', 'text', (column) => column.notNull())
      .addColumn('version', 'text')
      .addColumn('proposer', 'text', (column) => column.notNull())
      .addColumn('proposed_by', 'text', (column) => column.notNull())
      .addColumn('proposed_at', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decided_at', 'text')
      .addColumn('refusal', 'text')
      .addColumn('result', 'text')
      .execute()
    await schema
      .createIndex('proposals_by_project')
      .on('proposals')
      .columns(['project_id', 'state', 'proposed_at'])
      .execute()
  },
}
