import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { openJournals } from '#persons/store'
import type { TableSource } from '#store/store'
import { BackupRefusedError } from './backup-refused'

/** A process that has just ended is connected for a moment longer. */
const attempts = 20
const pauseMs = 250

/** Throws a `BackupRefusedError` while another client is connected to a database, as every front that runs is. */
export async function requireNoOtherClients(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    for (let attempt = 1; ; attempt++) {
      const others = await otherClients(client)
      if (others === 0) return
      if (attempt === attempts)
        throw new BackupRefusedError(
          `${others} other connections to the Postgres database of the old form are open. Stop every front, and whatever else ` +
            'uses that database, and give the same command again.',
        )
      await pause(pauseMs)
    }
  } finally {
    await client.end()
  }
}

async function otherClients(client: Client): Promise<number> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::integer as others from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  return rows[0]?.others ?? 0
}

/**
 * Throws a `BackupRefusedError` if a front with another journal than this one has stopped before all its events were
 * stored: they are in its data folder, and nowhere else.
 */
export async function requireNoOpenJournals(
  source: TableSource,
  own: string,
  without: readonly string[],
): Promise<void> {
  const open = (await openJournals(source)).filter((journal) => journal !== own && !without.includes(journal))
  if (open.length === 0) return
  throw new BackupRefusedError(
    `Events that are not stored yet are in the journal of another front: ${open.join(', ')}. Its data folder has this id in ` +
      'journal/id. Start that front, wait until tilth doctor says that its events are stored, stop it, and give the same ' +
      'command again. If that folder is lost, leave its events behind with --without and this id.',
  )
}
