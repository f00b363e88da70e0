import type { Store } from '../../store/store'

interface Tables {
  mail_contacts: { project_id: number; address: string; asked_at: string; confirmed_at: string | null }
  mail_refusals: { project_id: number; recipient: string; about: string; at: string }
  letter_keys: { id: number; key: string }
}

type Source = Pick<Store, 'tables'>

const open = (source: Source) => source.tables<Tables>()

/** Somebody outside who was asked whether they want letters of a project. */
export interface Contact {
  address: string
  askedAt: Date
  confirmedAt: Date | undefined
}

export async function contactsOf(source: Source, projectId: number): Promise<Contact[]> {
  const rows = await open(source)
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

export async function saveContact(source: Source, projectId: number, contact: Contact): Promise<void> {
  const said = {
    asked_at: contact.askedAt.toISOString(),
    confirmed_at: contact.confirmedAt?.toISOString() ?? null,
  }
  await open(source)
    .insertInto('mail_contacts')
    .values({ project_id: projectId, address: contact.address, ...said })
    .onConflict((conflict) => conflict.columns(['project_id', 'address']).doUpdateSet(said))
    .execute()
}

/** Somebody who wants no more letters about something. */
export interface Refusal {
  projectId: number
  /** As `recipientKey` has it. */
  recipient: string
  about: string
}

export async function saveRefusal(
  source: Source,
  { projectId, recipient, about }: Refusal,
  at: Date,
): Promise<void> {
  await open(source)
    .insertInto('mail_refusals')
    .values({ project_id: projectId, recipient, about, at: at.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function hasRefused(source: Source, { projectId, recipient, about }: Refusal): Promise<boolean> {
  const row = await open(source)
    .selectFrom('mail_refusals')
    .select('at')
    .where('project_id', '=', projectId)
    .where('recipient', '=', recipient)
    .where('about', '=', about)
    .executeTakeFirst()
  return row !== undefined
}

/** Who refused letters about something, by `recipientKey`. */
export async function refusalsAbout(source: Source, projectId: number, about: string): Promise<string[]> {
  const rows = await open(source)
    .selectFrom('mail_refusals')
    .select('recipient')
    .where('project_id', '=', projectId)
    .where('about', '=', about)
    .execute()
  return rows.map(({ recipient }) => recipient)
}

export async function forgetRefusals(
  source: Source,
  { projectId, recipient }: Pick<Refusal, 'projectId' | 'recipient'>,
): Promise<void> {
  await open(source)
    .deleteFrom('mail_refusals')
    .where('project_id', '=', projectId)
    .where('recipient', '=', recipient)
    .execute()
}

/** What links in letters are sealed with. The first that is written stays, whoever else comes with one. */
export async function letterKey(source: Source, made: () => string): Promise<string> {
  const find = () =>
    open(source).selectFrom('letter_keys').select('key').where('id', '=', 1).executeTakeFirst()
  const known = await find()
  if (known) return known.key
  await open(source)
    .insertInto('letter_keys')
    .values({ id: 1, key: made() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await find())?.key ?? letterKey(source, made)
}
