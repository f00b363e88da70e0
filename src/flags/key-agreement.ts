import type { Store, TableSource } from '#store/store'
import { type Seal, sealFile } from './seal'

interface SealingKeyTables {
  sealing_key: { scope: 'installation'; fingerprint: string }
}

/** Whether the key file fits the store. `remedy` says what to do if it does not. */
export type KeyAgreement = { agrees: true } | { agrees: false; trouble: string; remedy: string }

/** For readers that do not open the store. */
export const fingerprintStatement = 'select fingerprint from sealing_key'

/**
 * Compares the key file of this data folder with the fingerprint in the store. A store without a fingerprint adopts the
 * key of the first process that asks, and a key is made only then: of several first starts one makes it.
 */
export async function agreeOnKey(store: Store, seal: Seal): Promise<KeyAgreement> {
  const known = await fingerprintIn(store)
  // read first, because a full disk must not end a start
  const fingerprint =
    known ??
    (await store.transaction(async (transaction) => {
      const saved = await fingerprintIn(transaction)
      return saved ?? (await saveFingerprint(transaction, seal.makeFingerprint()))
    }))
  return compareKey(fingerprint, seal)
}

/** Makes the key of this data folder that of the installation. Texts sealed with another one cannot be opened any more. */
export async function acceptKey(store: Store, seal: Seal): Promise<void> {
  await store.transaction((transaction) => saveFingerprint(transaction, seal.makeFingerprint()))
}

export function compareKey(fingerprint: string, seal: Seal): KeyAgreement {
  const found = seal.fingerprint()
  if (found === fingerprint) return { agrees: true }
  return {
    agrees: false,
    trouble:
      found === undefined
        ? `${seal.path} is missing. It is the key to what is encrypted in the store.`
        : `${seal.path} is another key than the one that encrypts secrets in the store.`,
    remedy:
      `Put the right key there: copy ${sealFile} from the data folder of another front, or restore it from a backup. ` +
      'If that key is gone for good, run tilth doctor --accept-key, and enter again what it encrypted.',
  }
}

async function fingerprintIn(store: TableSource): Promise<string | undefined> {
  const [row] = await store
    .tables<SealingKeyTables>()
    .selectFrom('sealing_key')
    .select('fingerprint')
    .execute()
  return row?.fingerprint
}

async function saveFingerprint(store: TableSource, fingerprint: string): Promise<string> {
  await store
    .tables<SealingKeyTables>()
    .insertInto('sealing_key')
    .values({ scope: 'installation', fingerprint })
    .onConflict((conflict) => conflict.column('scope').doUpdateSet({ fingerprint }))
    .execute()
  return fingerprint
}
