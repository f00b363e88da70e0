import { sql } from 'kysely'
import type { Store } from '#store/store'
import { openTables } from '#store/tables'
import type { Recipient } from '../recipient'
import { type SecretSealing, withSealedSecrets } from './webhook-secret'

const open = openTables<{
  alerts: { id: string; recipients: Recipient[] }
  outgoing: { id: string; recipient: Recipient }
}>({ json: ['recipients', 'recipient'] })

const plain = '%"secret":"whsec%'

/** Encrypts the secrets that earlier versions stored in plain text. Later runs change nothing. */
export async function sealPlainSecrets({
  store,
  seal,
}: {
  store: Store
  seal: SecretSealing
}): Promise<void> {
  const sealed = (recipients: Recipient[]) => withSealedSecrets(recipients, seal)
  await store.transaction(async (transaction) => {
    const tables = open(transaction)
    const alerts = await tables
      .selectFrom('alerts')
      .select(['id', 'recipients'])
      .where(sql`recipients`, 'like', plain)
      .execute()
    for (const { id, recipients } of alerts)
      await tables
        .updateTable('alerts')
        .set({ recipients: sealed(recipients) })
        .where('id', '=', id)
        .execute()
    const sendings = await tables
      .selectFrom('outgoing')
      .select(['id', 'recipient'])
      .where(sql`recipient`, 'like', plain)
      .execute()
    for (const { id, recipient } of sendings) {
      const [changed = recipient] = sealed([recipient])
      await tables.updateTable('outgoing').set({ recipient: changed }).where('id', '=', id).execute()
    }
  })
}
