import type { Store } from '#store/store'
import type { Recipient } from './recipient'
import { type SecretSealing, withSealedSecrets } from './webhook-secret'

interface SealedSecretTables {
  alerts: { id: string; recipients: string }
  outgoing: { id: string; recipient: string }
}

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
    const tables = transaction.tables<SealedSecretTables>()
    const alerts = await tables
      .selectFrom('alerts')
      .select(['id', 'recipients'])
      .where('recipients', 'like', plain)
      .execute()
    for (const { id, recipients } of alerts) {
      const stored = JSON.parse(recipients) as Recipient[] // written by saveAlert alone
      const changed = { recipients: JSON.stringify(sealed(stored)) }
      await tables.updateTable('alerts').set(changed).where('id', '=', id).execute()
    }
    const sendings = await tables
      .selectFrom('outgoing')
      .select(['id', 'recipient'])
      .where('recipient', 'like', plain)
      .execute()
    for (const { id, recipient } of sendings) {
      const stored = JSON.parse(recipient) as Recipient // written by addSending alone
      const changed = { recipient: JSON.stringify(sealed([stored])[0]) }
      await tables.updateTable('outgoing').set(changed).where('id', '=', id).execute()
    }
  })
}
