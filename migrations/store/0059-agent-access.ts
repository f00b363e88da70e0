import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Assistants that members let act for them: their programs, what was consented to, and the hashes of their tokens. */
export const agentAccess: StoreMigration = {
  name: '0059-agent-access',
  async up({ schema }: Kysely<unknown>) {
    // programs that registered themselves
    await schema
      .createTable('agent_clients')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      // a list as JSON
      .addColumn('redirect_uris', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute()
    await schema
      .createTable('agent_connections')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('member_id', 'text', (column) => column.notNull().references('members.id'))
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('client_name', 'text', (column) => column.notNull())
      // "read", "propose" or "change"
      .addColumn('level', 'text', (column) => column.notNull())
      .addColumn('has_second_factor', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      // when its first token was handed out
      .addColumn('connected_at', 'text')
      .addColumn('used_at', 'text')
      .addColumn('network', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await schema
      .createIndex('agent_connections_of_project')
      .on('agent_connections')
      .columns(['project_id'])
      .execute()
    await schema
      .createTable('agent_tokens')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      // "code", "access" or "refresh"
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('connection_id', 'text', (column) => column.notNull().references('agent_connections.id'))
      // of a code, as JSON: redirect URI, resource and challenge
      .addColumn('bound_to', 'text')
      .addColumn('ends_at', 'text', (column) => column.notNull())
      .addColumn('spent_at', 'text')
      .execute()
    await schema
      .createIndex('agent_tokens_of_connection')
      .on('agent_tokens')
      .columns(['connection_id'])
      .execute()
    await schema.createIndex('agent_tokens_by_end').on('agent_tokens').columns(['ends_at']).execute()
    // projects in which assistants may not act
    await schema
      .createTable('agent_closures')
      .addColumn('project_id', 'integer', (column) => column.primaryKey().references('projects.id'))
      .execute()
  },
}
