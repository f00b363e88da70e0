import type { ColumnType } from 'kysely'
import { personIdOf } from '#persons/person'
import { inBatches } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import {
  defaultList,
  statesWithoutAddress,
  type LetterList,
  type Subscriber,
  type SubscriberState,
} from './subscriber'

interface SubscriberTables {
  letterLists: LetterList & { projectId: number; createdAt: Date }
  letterSettings: { projectId: number; settings: ColumnType<unknown, object, object> }
  letterSubscribers: RowsOf<
    Omit<Subscriber, 'list'> & {
      listKey: string
      personId: string | undefined
      tokenHash: string | undefined
    }
  >
}

const open = openTables<SubscriberTables>({ json: ['settings'] })

/** The change feed's topic of letters and subscribers. */
export const letterTopic = 'letters'

const columns = [
  'id',
  'projectId',
  'addressHash',
  'address',
  'distinctId',
  'state',
  'language',
  'source',
  'consent',
  'createdAt',
  'changedAt',
  'confirmedAt',
  'askedAt',
  'mailDueAt',
  'mailAttempts',
] as const

const subscribers = (store: TableSource) =>
  open(store)
    .selectFrom('letterSubscribers')
    .select([...columns, 'listKey as list'])

/** The list that every project has comes first. */
export async function listsOf(store: TableSource, projectId: number): Promise<LetterList[]> {
  const stored = await open(store)
    .selectFrom('letterLists')
    .select(['key', 'name', 'isOpen'])
    .where('projectId', '=', projectId)
    .orderBy('createdAt')
    .orderBy('key')
    .execute()
  return stored.some(({ key }) => key === defaultList.key) ? stored : [defaultList, ...stored]
}

export async function saveList(
  store: TableSource,
  projectId: number,
  { key, name, isOpen }: LetterList,
  now: Date,
): Promise<void> {
  await open(store)
    .insertInto('letterLists')
    .values({ projectId, key, name, isOpen, createdAt: now })
    .onConflict((conflict) => conflict.columns(['projectId', 'key']).doUpdateSet({ name, isOpen }))
    .execute()
}

/** Returns the settings unparsed. */
export async function storedSettings(store: TableSource, projectId: number): Promise<unknown> {
  const row = await open(store)
    .selectFrom('letterSettings')
    .select('settings')
    .where('projectId', '=', projectId)
    .executeTakeFirst()
  return row?.settings
}

export async function saveSettings(store: TableSource, projectId: number, settings: object): Promise<void> {
  await open(store)
    .insertInto('letterSettings')
    .values({ projectId, settings })
    .onConflict((conflict) => conflict.column('projectId').doUpdateSet({ settings }))
    .execute()
}

/** Writes a subscriber. The address and the person are removed in states that keep only the hash. */
export async function saveSubscriber(store: TableSource, subscriber: Subscriber): Promise<void> {
  const row = toRow(subscriber)
  const { id: _id, ...changes } = row
  await open(store)
    .insertInto('letterSubscribers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['projectId', 'listKey', 'addressHash']).doUpdateSet(changes))
    .execute()
}

function toRow(subscriber: Subscriber) {
  const { projectId, state, distinctId } = subscriber
  const isErased = state === 'erased'
  return {
    ...rowOf(columns, subscriber),
    listKey: subscriber.list,
    personId: isErased || distinctId === undefined ? null : personIdOf(projectId, distinctId),
    tokenHash: null,
    ...(statesWithoutAddress.has(state) && { address: null }),
    ...(isErased && { distinctId: null, consent: null }),
    ...(state !== 'pending' && { mailDueAt: null }),
  }
}

export const subscriberByHash = async (
  store: TableSource,
  { projectId, list, addressHash }: Pick<Subscriber, 'projectId' | 'list' | 'addressHash'>,
): Promise<Subscriber | undefined> =>
  await subscribers(store)
    .where('projectId', '=', projectId)
    .where('listKey', '=', list)
    .where('addressHash', '=', addressHash)
    .executeTakeFirst()

export const subscriberWithId = async (store: TableSource, id: string): Promise<Subscriber | undefined> =>
  await subscribers(store).where('id', '=', id).executeTakeFirst()

export async function subscribersWithIds(
  store: TableSource,
  ids: readonly string[],
): Promise<Map<string, Subscriber>> {
  const found = new Map<string, Subscriber>()
  for (const portion of inBatches(ids)) {
    const rows = await subscribers(store).where('id', 'in', portion).execute()
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

export const subscriberByToken = async (
  store: TableSource,
  tokenHash: string,
): Promise<Subscriber | undefined> =>
  await subscribers(store).where('tokenHash', '=', tokenHash).executeTakeFirst()

interface SubscriberFilter {
  state?: SubscriberState | undefined
  /** A part of the address. */
  search?: string | undefined
}

/** The latest change first. */
export async function subscribersOf(
  store: TableSource,
  { projectId, list }: Pick<Subscriber, 'projectId' | 'list'>,
  { state, search }: SubscriberFilter,
  { from, count }: { from: number; count: number },
): Promise<Subscriber[]> {
  let query = subscribers(store).where('projectId', '=', projectId).where('listKey', '=', list)
  if (state) query = query.where('state', '=', state)
  if (search) query = query.where('address', 'like', `%${search.toLowerCase().replaceAll(/[%_\\]/g, '_')}%`)
  return await query.orderBy('changedAt', 'desc').orderBy('id').offset(from).limit(count).execute()
}

/** Every confirmed subscriber of a list. Ids are random, and so is their order. */
export const confirmedSubscribers = async (
  store: TableSource,
  projectId: number,
  list: string,
): Promise<Subscriber[]> =>
  await subscribers(store)
    .where('projectId', '=', projectId)
    .where('listKey', '=', list)
    .where('state', '=', 'confirmed')
    .orderBy('id')
    .execute()

/** The number of subscribers by list and state. */
export const subscriberCounts = async (
  store: TableSource,
  projectId: number,
): Promise<{ list: string; state: SubscriberState; subscribers: number }[]> =>
  await open(store)
    .selectFrom('letterSubscribers')
    .select(['listKey as list', 'state', ({ fn }) => fn.countAll<number>().as('subscribers')])
    .where('projectId', '=', projectId)
    .groupBy(['listKey', 'state'])
    .execute()

/** The number of confirmations that a project asked for since an instant. */
export async function countAskedSince(store: TableSource, projectId: number, at: Date): Promise<number> {
  const { asked } = await open(store)
    .selectFrom('letterSubscribers')
    .select(({ fn }) => fn.countAll<number>().as('asked'))
    .where('projectId', '=', projectId)
    .where('state', '=', 'pending')
    .where('changedAt', '>', at)
    .executeTakeFirstOrThrow()
  return asked
}

/** Projects take turns, each with the subscriber who has waited for the longest. */
export const confirmationsDue = async (store: TableSource, now: Date, limit: number): Promise<Subscriber[]> =>
  await subscribers(store)
    .where('state', '=', 'pending')
    .where('mailDueAt', '<=', now)
    .orderBy(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((of) => of.partitionBy('projectId').orderBy('mailDueAt').orderBy('id')),
    )
    .orderBy('mailDueAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Takes a confirmation out of those that are due, before it is sent. Returns false if it was no longer due. */
export async function beginConfirmation(
  store: TableSource,
  id: string,
  tokenHash: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await open(store)
    .updateTable('letterSubscribers')
    .set((row) => ({
      tokenHash,
      mailDueAt: null,
      askedAt: now,
      mailAttempts: row('mailAttempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('mailDueAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function postponeConfirmation(store: TableSource, id: string, dueAt: Date): Promise<void> {
  await open(store)
    .updateTable('letterSubscribers')
    .set({ mailDueAt: dueAt, tokenHash: null })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute()
}

export async function removeSubscriber(store: TableSource, id: string): Promise<void> {
  await open(store).deleteFrom('letterSubscribers').where('id', '=', id).execute()
}

/** Addresses that were never confirmed are not kept. */
export async function forgetUnconfirmed(store: TableSource, before: Date): Promise<void> {
  await open(store)
    .deleteFrom('letterSubscribers')
    .where('state', '=', 'pending')
    .where('changedAt', '<', before)
    .execute()
}

/** Erases the subscriptions of an erased person, under every id they had. */
export async function eraseSubscriptions(
  store: TableSource,
  projectId: number,
  numbers: readonly string[],
): Promise<void> {
  for (const portion of inBatches(numbers))
    await open(store)
      .updateTable('letterSubscribers')
      .set({
        state: 'erased',
        address: null,
        distinctId: null,
        personId: null,
        consent: null,
        language: null,
        tokenHash: null,
        mailDueAt: null,
      })
      .where('projectId', '=', projectId)
      .where('personId', 'in', portion)
      .execute()
}
