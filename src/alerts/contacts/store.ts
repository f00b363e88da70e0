import type { Store } from '#store/store'

interface ContactTables {
  mail_contacts: { project_id: number; address: string; asked_at: string; confirmed_at: string | null }
  mail_refusals: { project_id: number; recipient: string; about: string; at: string }
  letter_keys: { id: number; key: string }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<ContactTables>()

/** A mail address outside the project that was asked to confirm letters. */
export interface MailContact {
  address: string
  askedAt: Date
  confirmedAt: Date | undefined
}

export async function contactsOf(store: StoreOrTransaction, projectId: number): Promise<MailContact[]> {
  const rows = await open(store)
    .selectFrom('mail_contacts')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('address')
    .execute()
  return rows.map(({ address, asked_at, confirmed_at }) => ({
    address,
    askedAt: new Date(asked_at),
    confirmedAt: confirmed_at === null ? undefined : new Date(confirmed_at),
  }))
}

export async function saveContact(
  store: StoreOrTransaction,
  projectId: number,
  contact: MailContact,
): Promise<void> {
  const columns = {
    asked_at: contact.askedAt.toISOString(),
    confirmed_at: contact.confirmedAt?.toISOString() ?? null,
  }
  await open(store)
    .insertInto('mail_contacts')
    .values({ project_id: projectId, address: contact.address, ...columns })
    .onConflict((conflict) => conflict.columns(['project_id', 'address']).doUpdateSet(columns))
    .execute()
}

/** A recipient's opt-out from letters about one alert or report. */
interface LetterOptOut {
  projectId: number
  /** The result of `recipientKey`. */
  recipient: string
  about: string
}

export async function saveOptOut(
  store: StoreOrTransaction,
  { projectId, recipient, about }: LetterOptOut,
  at: Date,
): Promise<void> {
  await open(store)
    .insertInto('mail_refusals')
    .values({ project_id: projectId, recipient, about, at: at.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function hasOptedOut(
  store: StoreOrTransaction,
  { projectId, recipient, about }: LetterOptOut,
): Promise<boolean> {
  const row = await open(store)
    .selectFrom('mail_refusals')
    .select('at')
    .where('project_id', '=', projectId)
    .where('recipient', '=', recipient)
    .where('about', '=', about)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the `recipientKey`s that opted out of letters about a subject. */
export async function optOutsAbout(
  store: StoreOrTransaction,
  projectId: number,
  about: string,
): Promise<string[]> {
  const rows = await open(store)
    .selectFrom('mail_refusals')
    .select('recipient')
    .where('project_id', '=', projectId)
    .where('about', '=', about)
    .execute()
  return rows.map(({ recipient }) => recipient)
}

export async function forgetOptOuts(
  store: StoreOrTransaction,
  { projectId, recipient }: Pick<LetterOptOut, 'projectId' | 'recipient'>,
): Promise<void> {
  await open(store)
    .deleteFrom('mail_refusals')
    .where('project_id', '=', projectId)
    .where('recipient', '=', recipient)
    .execute()
}

/** Returns the signing key of links in letters, as stored. */
export async function letterKey(store: StoreOrTransaction): Promise<string | undefined> {
  const row = await open(store).selectFrom('letter_keys').select('key').where('id', '=', 1).executeTakeFirst()
  return row?.key
}

/** Writes the key if there is none or if it is still `before`; another process may have written one first. */
export async function saveLetterKey(
  store: StoreOrTransaction,
  key: string,
  before: string | undefined,
): Promise<void> {
  const keys = open(store)
  if (before !== undefined)
    return void (await keys
      .updateTable('letter_keys')
      .set({ key })
      .where('id', '=', 1)
      .where('key', '=', before)
      .execute())
  await keys
    .insertInto('letter_keys')
    .values({ id: 1, key })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
