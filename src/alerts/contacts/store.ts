import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'

interface ContactTables {
  mailContacts: RowsOf<MailContact & { projectId: number }>
  mailRefusals: LetterOptOut & { at: Date }
  letterKeys: { id: number; key: string }
}

const open = openTables<ContactTables>()

/** A mail address outside the project that was asked to confirm letters. */
export interface MailContact {
  address: string
  askedAt: Date
  confirmedAt: Date | undefined
}

export const contactsOf = async (store: TableSource, projectId: number): Promise<MailContact[]> =>
  await open(store)
    .selectFrom('mailContacts')
    .select(['address', 'askedAt', 'confirmedAt'])
    .where('projectId', '=', projectId)
    .orderBy('address')
    .execute()

export async function saveContact(
  store: TableSource,
  projectId: number,
  contact: MailContact,
): Promise<void> {
  const row = { projectId, ...rowOf(['address', 'askedAt', 'confirmedAt'], contact) }
  await open(store)
    .insertInto('mailContacts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['projectId', 'address']).doUpdateSet(row))
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
  store: TableSource,
  { projectId, recipient, about }: LetterOptOut,
  at: Date,
): Promise<void> {
  await open(store)
    .insertInto('mailRefusals')
    .values({ projectId, recipient, about, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function hasOptedOut(
  store: TableSource,
  { projectId, recipient, about }: LetterOptOut,
): Promise<boolean> {
  const row = await open(store)
    .selectFrom('mailRefusals')
    .select('at')
    .where('projectId', '=', projectId)
    .where('recipient', '=', recipient)
    .where('about', '=', about)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the `recipientKey`s that opted out of letters about a subject. */
export async function optOutsAbout(store: TableSource, projectId: number, about: string): Promise<string[]> {
  const rows = await open(store)
    .selectFrom('mailRefusals')
    .select('recipient')
    .where('projectId', '=', projectId)
    .where('about', '=', about)
    .execute()
  return rows.map(({ recipient }) => recipient)
}

export async function forgetOptOuts(
  store: TableSource,
  { projectId, recipient }: Pick<LetterOptOut, 'projectId' | 'recipient'>,
): Promise<void> {
  await open(store)
    .deleteFrom('mailRefusals')
    .where('projectId', '=', projectId)
    .where('recipient', '=', recipient)
    .execute()
}

/** Returns the signing key of links in letters, as stored. */
export async function letterKey(store: TableSource): Promise<string | undefined> {
  const row = await open(store).selectFrom('letterKeys').select('key').where('id', '=', 1).executeTakeFirst()
  return row?.key
}

/** Writes the key if there is none or if it is still `before`; another process may have written one first. */
export async function saveLetterKey(
  store: TableSource,
  key: string,
  before: string | undefined,
): Promise<void> {
  const keys = open(store)
  if (before !== undefined)
    return void (await keys
      .updateTable('letterKeys')
      .set({ key })
      .where('id', '=', 1)
      .where('key', '=', before)
      .execute())
  await keys
    .insertInto('letterKeys')
    .values({ id: 1, key })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
