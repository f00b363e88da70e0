import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Known devices, second factors, password resets, identities of an OIDC provider, and the rules of signing in. */
export const signIn: StoreMigration = {
  name: '0015-sign-in',
  async up(tables) {
    await extendSessions(tables)
    await createKnownDevices(tables)
    await createFactors(tables)
    await createSteps(tables)
    await createIdentities(tables)
  },
}

async function extendSessions({ schema }: Kysely<unknown>) {
  await schema
    .alterTable('sessions')
    .addColumn('method', 'text', (column) => column.notNull().defaultTo('password'))
    .execute()
  await schema
    .alterTable('sessions')
    .addColumn('has_second_factor', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  // how the request reached this server, for the doctor's check of TILTH_TRUST_PROXY
  await schema
    .alterTable('sessions')
    .addColumn('via', 'text', (column) => column.notNull().defaultTo('direct'))
    .execute()
}

async function createKnownDevices({ schema }: Kysely<unknown>) {
  await schema
    .createTable('known_devices')
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .addColumn('member_id', 'text', (column) => column.notNull().references('members.id').onDelete('cascade'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('known_devices_key', ['token_hash', 'member_id'])
    .execute()
}

async function createFactors({ schema }: Kysely<unknown>) {
  await schema
    .createTable('totp_factors')
    .addColumn('member_id', 'text', (column) =>
      column.primaryKey().references('members.id').onDelete('cascade'),
    )
    // sealed with the key in the data folder
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('confirmed_at', 'text')
    .addColumn('last_step', 'integer', (column) => column.notNull())
    .execute()
  await schema
    .createTable('recovery_codes')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('member_id', 'text', (column) => column.notNull().references('members.id').onDelete('cascade'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('used_at', 'text')
    .execute()
  await schema.createIndex('recovery_codes_by_member').on('recovery_codes').column('member_id').execute()
  await schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('member_id', 'text', (column) => column.notNull().references('members.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    // an unsigned 32-bit number, which Postgres has no integer for
    .addColumn('counter', 'text', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('used_at', 'text')
    .execute()
  await schema.createIndex('passkeys_by_member').on('passkeys').column('member_id').execute()
}

async function createSteps({ schema }: Kysely<unknown>) {
  await schema
    .createTable('sign_in_steps')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('member_id', 'text')
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createTable('password_resets')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    // absent where no member has the address: the same row is written, and no letter is sent
    .addColumn('member_id', 'text')
    // what the letter needs, sealed; removed when the letter is sent
    .addColumn('letter', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'text', (column) => column.notNull())
    .execute()
}

async function createIdentities({ schema }: Kysely<unknown>) {
  await schema
    .createTable('identities')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('member_id', 'text', (column) => column.notNull().references('members.id').onDelete('cascade'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('identities_key', ['issuer', 'subject'])
    .execute()
  await schema.createIndex('identities_by_member').on('identities').column('member_id').execute()
  // memberships that a group of the provider gave, and may take away
  await schema
    .createTable('group_memberships')
    .addColumn('member_id', 'text', (column) => column.notNull().references('members.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addPrimaryKeyConstraint('group_memberships_key', ['member_id', 'project_id'])
    .execute()
  await schema
    .createTable('sign_in_rules')
    // "installation", or "project 7"
    .addColumn('scope', 'text', (column) => column.primaryKey())
    .addColumn('rules', 'text', (column) => column.notNull())
    .execute()
}
