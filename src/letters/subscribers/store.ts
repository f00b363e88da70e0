import type { Selectable } from 'kysely'
import { personIdOf } from '#persons/person'
import { dateOrUndefined, inBatches, isoOrNull } from '#store/rows'
import type { Store } from '#store/store'
import {
  defaultList,
  statesWithoutAddress,
  type LetterList,
  type Subscriber,
  type SubscriberState,
} from './subscriber'

interface SubscriberTables {
  letter_lists: { project_id: number; key: string; name: string; is_open: number; created_at: string }
  letter_settings: { project_id: number; settings: string }
  letter_subscribers: {
    id: string
    project_id: number
    list_key: string
    address_hash: string
    address: string | null
    distinct_id: string | null
    person_id: string | null
    state: string
    language: string | null
    source: string
    consent: string | null
    created_at: string
    changed_at: string
    confirmed_at: string | null
    asked_at: string | null
    token_hash: string | null
    mail_due_at: string | null
    mail_attempts: number
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<SubscriberTables>()

/** The change feed's topic of letters and subscribers. */
export const letterTopic = 'letters'

const toSubscriber = (row: Selectable<SubscriberTables['letter_subscribers']>): Subscriber => ({
  id: row.id,
  projectId: row.project_id,
  list: row.list_key,
  addressHash: row.address_hash,
  address: row.address ?? undefined,
  distinctId: row.distinct_id ?? undefined,
  state: row.state as SubscriberState, // written by this file alone
  language: row.language ?? undefined,
  source: row.source === 'import' ? 'import' : 'form',
  consent: row.consent ?? undefined,
  createdAt: new Date(row.created_at),
  changedAt: new Date(row.changed_at),
  confirmedAt: dateOrUndefined(row.confirmed_at),
  askedAt: dateOrUndefined(row.asked_at),
  mailDueAt: dateOrUndefined(row.mail_due_at),
  mailAttempts: row.mail_attempts,
})

/** The list that every project has comes first. */
export async function listsOf(store: StoreOrTransaction, projectId: number): Promise<LetterList[]> {
  const rows = await open(store)
    .selectFrom('letter_lists')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('key')
    .execute()
  const stored = rows.map(({ key, name, is_open }) => ({ key, name, isOpen: is_open === 1 }))
  return stored.some(({ key }) => key === defaultList.key) ? stored : [defaultList, ...stored]
}

export async function saveList(
  store: StoreOrTransaction,
  projectId: number,
  { key, name, isOpen }: LetterList,
  now: Date,
): Promise<void> {
  const columns = { name, is_open: isOpen ? 1 : 0 }
  await open(store)
    .insertInto('letter_lists')
    .values({ project_id: projectId, key, created_at: now.toISOString(), ...columns })
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doUpdateSet(columns))
    .execute()
}

/** Returns the settings unparsed. */
export async function storedSettings(store: StoreOrTransaction, projectId: number): Promise<unknown> {
  const row = await open(store)
    .selectFrom('letter_settings')
    .select('settings')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row && JSON.parse(row.settings)
}

export async function saveSettings(
  store: StoreOrTransaction,
  projectId: number,
  settings: object,
): Promise<void> {
  const columns = { settings: JSON.stringify(settings) }
  await open(store)
    .insertInto('letter_settings')
    .values({ project_id: projectId, ...columns })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(columns))
    .execute()
}

/** Writes a subscriber. The address and the person are removed in states that keep only the hash. */
export async function saveSubscriber(store: StoreOrTransaction, subscriber: Subscriber): Promise<void> {
  const columns = columnsOf(subscriber)
  const { id: _id, ...changes } = columns
  await open(store)
    .insertInto('letter_subscribers')
    .values(columns)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'list_key', 'address_hash']).doUpdateSet(changes),
    )
    .execute()
}

function columnsOf(subscriber: Subscriber) {
  const { projectId, state, distinctId } = subscriber
  const isErased = state === 'erased'
  return {
    id: subscriber.id,
    project_id: projectId,
    list_key: subscriber.list,
    address_hash: subscriber.addressHash,
    address: statesWithoutAddress.has(state) ? null : (subscriber.address ?? null),
    distinct_id: isErased ? null : (distinctId ?? null),
    person_id: isErased || distinctId === undefined ? null : personIdOf(projectId, distinctId),
    state,
    language: subscriber.language ?? null,
    source: subscriber.source,
    consent: isErased ? null : (subscriber.consent ?? null),
    created_at: subscriber.createdAt.toISOString(),
    changed_at: subscriber.changedAt.toISOString(),
    confirmed_at: isoOrNull(subscriber.confirmedAt),
    asked_at: isoOrNull(subscriber.askedAt),
    token_hash: null,
    mail_due_at: state === 'pending' ? isoOrNull(subscriber.mailDueAt) : null,
    mail_attempts: subscriber.mailAttempts,
  }
}

export async function subscriberByHash(
  store: StoreOrTransaction,
  { projectId, list, addressHash }: Pick<Subscriber, 'projectId' | 'list' | 'addressHash'>,
): Promise<Subscriber | undefined> {
  const row = await open(store)
    .selectFrom('letter_subscribers')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('list_key', '=', list)
    .where('address_hash', '=', addressHash)
    .executeTakeFirst()
  return row && toSubscriber(row)
}

export async function subscriberWithId(
  store: StoreOrTransaction,
  id: string,
): Promise<Subscriber | undefined> {
  const row = await open(store)
    .selectFrom('letter_subscribers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toSubscriber(row)
}

export async function subscribersWithIds(
  store: StoreOrTransaction,
  ids: readonly string[],
): Promise<Map<string, Subscriber>> {
  const found = new Map<string, Subscriber>()
  for (const portion of inBatches(ids)) {
    const rows = await open(store)
      .selectFrom('letter_subscribers')
      .selectAll()
      .where('id', 'in', portion)
      .execute()
    for (const row of rows) found.set(row.id, toSubscriber(row))
  }
  return found
}

export async function subscriberByToken(
  store: StoreOrTransaction,
  tokenHash: string,
): Promise<Subscriber | undefined> {
  const row = await open(store)
    .selectFrom('letter_subscribers')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row && toSubscriber(row)
}

interface SubscriberFilter {
  state?: SubscriberState | undefined
  /** A part of the address. */
  search?: string | undefined
}

/** The latest change first. */
export async function subscribersOf(
  store: StoreOrTransaction,
  { projectId, list }: Pick<Subscriber, 'projectId' | 'list'>,
  { state, search }: SubscriberFilter,
  { from, count }: { from: number; count: number },
): Promise<Subscriber[]> {
  let query = open(store)
    .selectFrom('letter_subscribers')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('list_key', '=', list)
  if (state) query = query.where('state', '=', state)
  if (search) query = query.where('address', 'like', `%${search.toLowerCase().replaceAll(/[%_\\]/g, '_')}%`)
  const rows = await query.orderBy('changed_at', 'desc').orderBy('id').offset(from).limit(count).execute()
  return rows.map(toSubscriber)
}

/** Every confirmed subscriber of a list. Ids are random, and so is their order. */
export async function confirmedSubscribers(
  store: StoreOrTransaction,
  projectId: number,
  list: string,
): Promise<Subscriber[]> {
  const rows = await open(store)
    .selectFrom('letter_subscribers')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('list_key', '=', list)
    .where('state', '=', 'confirmed')
    .orderBy('id')
    .execute()
  return rows.map(toSubscriber)
}

/** The number of subscribers by list and state. */
export async function subscriberCounts(
  store: StoreOrTransaction,
  projectId: number,
): Promise<{ list: string; state: SubscriberState; subscribers: number }[]> {
  const rows = await open(store)
    .selectFrom('letter_subscribers')
    .select(['list_key', 'state', ({ fn }) => fn.countAll<number | string>().as('subscribers')])
    .where('project_id', '=', projectId)
    .groupBy(['list_key', 'state'])
    .execute()
  return rows.map(({ list_key, state, subscribers }) => ({
    list: list_key,
    state: state as SubscriberState, // written by this file alone
    subscribers: Number(subscribers),
  }))
}

/** The number of confirmations that a project asked for since an instant. */
export async function countAskedSince(
  store: StoreOrTransaction,
  projectId: number,
  at: Date,
): Promise<number> {
  const { asked } = await open(store)
    .selectFrom('letter_subscribers')
    .select(({ fn }) => fn.countAll<number | string>().as('asked'))
    .where('project_id', '=', projectId)
    .where('state', '=', 'pending')
    .where('changed_at', '>', at.toISOString())
    .executeTakeFirstOrThrow()
  return Number(asked)
}

export async function confirmationsDue(
  store: StoreOrTransaction,
  now: Date,
  limit: number,
): Promise<Subscriber[]> {
  const rows = await open(store)
    .selectFrom('letter_subscribers')
    .selectAll()
    .where('state', '=', 'pending')
    .where('mail_due_at', '<=', now.toISOString())
    .orderBy('mail_due_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toSubscriber)
}

/** Takes a confirmation out of those that are due, before it is sent. Returns false if it was no longer due. */
export async function beginConfirmation(
  store: StoreOrTransaction,
  id: string,
  tokenHash: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await open(store)
    .updateTable('letter_subscribers')
    .set((row) => ({
      token_hash: tokenHash,
      mail_due_at: null,
      asked_at: now.toISOString(),
      mail_attempts: row('mail_attempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('mail_due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function postponeConfirmation(
  store: StoreOrTransaction,
  id: string,
  dueAt: Date,
): Promise<void> {
  await open(store)
    .updateTable('letter_subscribers')
    .set({ mail_due_at: dueAt.toISOString(), token_hash: null })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute()
}

export async function removeSubscriber(store: StoreOrTransaction, id: string): Promise<void> {
  await open(store).deleteFrom('letter_subscribers').where('id', '=', id).execute()
}

/** Addresses that were never confirmed are not kept. */
export async function forgetUnconfirmed(store: StoreOrTransaction, before: Date): Promise<void> {
  await open(store)
    .deleteFrom('letter_subscribers')
    .where('state', '=', 'pending')
    .where('changed_at', '<', before.toISOString())
    .execute()
}

/** Erases the subscriptions of an erased person, under every id they had. */
export async function eraseSubscriptions(
  store: StoreOrTransaction,
  projectId: number,
  numbers: readonly string[],
): Promise<void> {
  for (const portion of inBatches(numbers))
    await open(store)
      .updateTable('letter_subscribers')
      .set({
        state: 'erased',
        address: null,
        distinct_id: null,
        person_id: null,
        consent: null,
        language: null,
        token_hash: null,
        mail_due_at: null,
      })
      .where('project_id', '=', projectId)
      .where('person_id', 'in', portion)
      .execute()
}
