import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Members, their projects, sessions and keys, and the audit log of changes. */
export const members: StoreMigration = {
  name: '0001-members',
  async up(tables) {
    for (const create of steps) await create(tables)
  },
}

const steps: readonly ((tables: Kysely<unknown>) => Promise<void>)[] = [
  createChanges,
  createProjects,
  createMembers,
  createMemberships,
  createSessions,
  createInvitations,
  createSecretKeys,
  createAudit,
  createThrottles,
  createSetupCodes,
]

async function createChanges({ schema }: Kysely<unknown>) {
  await schema
    .createTable('changes')
    .addColumn('topic', 'text', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute()
}

async function createProjects({ schema }: Kysely<unknown>) {
  await schema
    .createTable('projects')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('slug', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('write_key', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('archived_at', 'text')
    .execute()
}

async function createMembers({ schema }: Kysely<unknown>) {
  await schema
    .createTable('members')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
}

async function createMemberships({ schema }: Kysely<unknown>) {
  await schema
    .createTable('memberships')
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('member_id', 'text', (column) => column.notNull().references('members.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('memberships_key', ['project_id', 'member_id'])
    .execute()
  await schema.createIndex('memberships_by_member').on('memberships').column('member_id').execute()
}

async function createSessions({ schema }: Kysely<unknown>) {
  await schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('member_id', 'text', (column) => column.notNull().references('members.id').onDelete('cascade'))
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'text', (column) => column.notNull())
    .addColumn('authenticated_at', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('sessions_by_member').on('sessions').column('member_id').execute()
}

async function createInvitations({ schema }: Kysely<unknown>) {
  await schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('email', 'text')
    .addColumn('invited_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'text', (column) => column.notNull())
    .addColumn('accepted_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute()
}

async function createSecretKeys({ schema }: Kysely<unknown>) {
  await schema
    .createTable('secret_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('last_four', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'text')
    .addColumn('used_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute()
  await schema.createIndex('secret_keys_by_project').on('secret_keys').column('project_id').execute()
}

async function createAudit({ schema }: Kysely<unknown>) {
  await schema
    .createTable('audit')
    .addColumn('sequence', 'integer', (column) => column.primaryKey())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('project_id', 'integer')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text', (column) => column.notNull())
    .addColumn('actor_name', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('previous_hash', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('audit_by_project').on('audit').columns(['project_id', 'sequence']).execute()
}

async function createThrottles({ schema }: Kysely<unknown>) {
  await schema
    .createTable('throttles')
    .addColumn('bucket', 'text', (column) => column.primaryKey())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failed_at', 'text', (column) => column.notNull())
    .execute()
}

async function createSetupCodes({ schema }: Kysely<unknown>) {
  await schema
    .createTable('setup_codes')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('ends_at', 'text', (column) => column.notNull())
    .execute()
}
