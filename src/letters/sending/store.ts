import type { Selectable } from 'kysely'
import { dateOrUndefined, inBatches, isoOrNull } from '#store/rows'
import type { Store } from '#store/store'
import type { PostLetterContent } from '../content/letter-content'
import {
  type DeliveryState,
  type Letter,
  type LetterDelivery,
  type LetterFigures,
  type LetterState,
  noFigures,
  type SubjectTrial,
} from '../letter'

interface LetterTables {
  letters: {
    id: string
    project_id: number
    post_id: string
    list_key: string
    cohort: string | null
    state: string
    content: string
    trial: string | null
    problem: string | null
    created_by: string
    created_at: string
    scheduled_at: string
    started_at: string | null
    finished_at: string | null
  }
  letter_deliveries: {
    id: string
    letter_id: string
    project_id: number
    subscriber_id: string
    variant: string
    state: string
    due_at: string
    attempts: number
    sent_at: string | null
    outcome: string | null
    clicked_at: string | null
    unsubscribed_at: string | null
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<LetterTables>()

const trialIn = (text: string): SubjectTrial => {
  const { share, hours, endsAt, winner, chances } = JSON.parse(text) as Omit<SubjectTrial, 'endsAt'> & {
    endsAt?: string // `saveLetter` alone writes it
  }
  return { share, hours, endsAt: dateOrUndefined(endsAt ?? null), winner, chances }
}

const toLetter = (row: Selectable<LetterTables['letters']>): Letter => ({
  id: row.id,
  projectId: row.project_id,
  postId: row.post_id,
  list: row.list_key,
  cohort: row.cohort ?? undefined,
  state: row.state as LetterState, // written by this file alone
  content: JSON.parse(row.content) as PostLetterContent,
  trial: row.trial === null ? undefined : trialIn(row.trial),
  problem: row.problem ?? undefined,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  scheduledAt: new Date(row.scheduled_at),
  startedAt: dateOrUndefined(row.started_at),
  finishedAt: dateOrUndefined(row.finished_at),
})

const toDelivery = (row: Selectable<LetterTables['letter_deliveries']>): LetterDelivery => ({
  id: row.id,
  letterId: row.letter_id,
  projectId: row.project_id,
  subscriberId: row.subscriber_id,
  variant: row.variant,
  state: row.state as DeliveryState, // written by this file alone
  dueAt: new Date(row.due_at),
  attempts: row.attempts,
  outcome: row.outcome ?? undefined,
})

export async function saveLetter(store: StoreOrTransaction, letter: Letter): Promise<void> {
  const columns = {
    state: letter.state,
    content: JSON.stringify(letter.content),
    trial: letter.trial ? JSON.stringify(letter.trial) : null,
    problem: letter.problem ?? null,
    scheduled_at: letter.scheduledAt.toISOString(),
    started_at: isoOrNull(letter.startedAt),
    finished_at: isoOrNull(letter.finishedAt),
  }
  await open(store)
    .insertInto('letters')
    .values({
      ...columns,
      id: letter.id,
      project_id: letter.projectId,
      post_id: letter.postId,
      list_key: letter.list,
      cohort: letter.cohort ?? null,
      created_by: letter.createdBy,
      created_at: letter.createdAt.toISOString(),
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function letterWithId(store: StoreOrTransaction, id: string): Promise<Letter | undefined> {
  const row = await open(store).selectFrom('letters').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toLetter(row)
}

/** The latest first. */
export async function lettersOf(
  store: StoreOrTransaction,
  projectId: number,
  limit: number,
): Promise<Letter[]> {
  const rows = await open(store)
    .selectFrom('letters')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toLetter)
}

export async function lettersInState(store: StoreOrTransaction, state: LetterState): Promise<Letter[]> {
  const rows = await open(store)
    .selectFrom('letters')
    .selectAll()
    .where('state', '=', state)
    .orderBy('scheduled_at')
    .orderBy('id')
    .execute()
  return rows.map(toLetter)
}

export async function addDeliveries(
  store: StoreOrTransaction,
  deliveries: readonly LetterDelivery[],
): Promise<void> {
  for (const portion of inBatches(deliveries))
    await open(store)
      .insertInto('letter_deliveries')
      .values(
        portion.map((delivery) => ({
          id: delivery.id,
          letter_id: delivery.letterId,
          project_id: delivery.projectId,
          subscriber_id: delivery.subscriberId,
          variant: delivery.variant,
          state: delivery.state,
          due_at: delivery.dueAt.toISOString(),
          attempts: delivery.attempts,
          sent_at: null,
          outcome: null,
          clicked_at: null,
          unsubscribed_at: null,
        })),
      )
      .execute()
}

export async function deliveryWithId(
  store: StoreOrTransaction,
  id: string,
): Promise<LetterDelivery | undefined> {
  const row = await open(store)
    .selectFrom('letter_deliveries')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toDelivery(row)
}

export async function deliveriesDue(
  store: StoreOrTransaction,
  letterId: string,
  now: Date,
  limit: number,
): Promise<LetterDelivery[]> {
  const rows = await open(store)
    .selectFrom('letter_deliveries')
    .selectAll()
    .where('letter_id', '=', letterId)
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toDelivery)
}

export async function countSentSince(
  store: StoreOrTransaction,
  projectId: number,
  at: Date,
): Promise<number> {
  const { sent } = await open(store)
    .selectFrom('letter_deliveries')
    .select(({ fn }) => fn.countAll<number | string>().as('sent'))
    .where('project_id', '=', projectId)
    .where('sent_at', '>', at.toISOString())
    .executeTakeFirstOrThrow()
  return Number(sent)
}

/** Takes a delivery out of those that wait, before it is sent. Returns false if it no longer waits. */
export async function beginDelivery(store: StoreOrTransaction, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await open(store)
    .updateTable('letter_deliveries')
    .set((row) => ({ state: 'sending', sent_at: now.toISOString(), attempts: row('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function saveDelivery(
  store: StoreOrTransaction,
  { id, state, dueAt, outcome }: Pick<LetterDelivery, 'id' | 'state' | 'dueAt' | 'outcome'>,
): Promise<void> {
  await open(store)
    .updateTable('letter_deliveries')
    .set({ state, due_at: dueAt.toISOString(), outcome: outcome ?? null })
    .where('id', '=', id)
    .execute()
}

/** Deliveries that were being sent when Tilth stopped may have arrived, so that they are named and not sent again. */
export async function markInterrupted(store: StoreOrTransaction, outcome: string): Promise<void> {
  await open(store)
    .updateTable('letter_deliveries')
    .set({ state: 'uncertain', outcome })
    .where('state', '=', 'sending')
    .execute()
}

export async function cancelDeliveries(store: StoreOrTransaction, letterId: string): Promise<void> {
  await open(store)
    .updateTable('letter_deliveries')
    .set({ state: 'cancelled' })
    .where('letter_id', '=', letterId)
    .where('state', 'in', ['waiting', 'held'])
    .execute()
}

/** Releases the deliveries that waited for the winner of a trial. */
export async function releaseHeld(
  store: StoreOrTransaction,
  letterId: string,
  variant: string,
  now: Date,
): Promise<void> {
  await open(store)
    .updateTable('letter_deliveries')
    .set({ state: 'waiting', variant, due_at: now.toISOString() })
    .where('letter_id', '=', letterId)
    .where('state', '=', 'held')
    .execute()
}

/** Whether a delivery of the letter is still to come. */
export async function hasOpenDeliveries(store: StoreOrTransaction, letterId: string): Promise<boolean> {
  const row = await open(store)
    .selectFrom('letter_deliveries')
    .select('id')
    .where('letter_id', '=', letterId)
    .where('state', 'in', ['waiting', 'held', 'sending'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Notes the first click of a delivery, or that its subscriber left by it. */
export async function noteReply(
  store: StoreOrTransaction,
  id: string,
  reply: 'clicked_at' | 'unsubscribed_at',
  now: Date,
): Promise<void> {
  await open(store)
    .updateTable('letter_deliveries')
    .set({ [reply]: now.toISOString() })
    .where('id', '=', id)
    .where(reply, 'is', null)
    .execute()
}

/** Figures by letter and subject line. */
export async function figuresOf(
  store: StoreOrTransaction,
  letterIds: readonly string[],
): Promise<Map<string, LetterFigures[]>> {
  const found = new Map<string, Map<string, LetterFigures>>()
  for (const portion of inBatches(letterIds)) {
    const rows = await open(store)
      .selectFrom('letter_deliveries')
      .select(['letter_id', 'variant', 'state'])
      .select(({ fn }) => [
        fn.countAll<number | string>().as('deliveries'),
        fn.count<number | string>('clicked_at').as('clicked'),
        fn.count<number | string>('unsubscribed_at').as('unsubscribed'),
      ])
      .where('letter_id', 'in', portion)
      .groupBy(['letter_id', 'variant', 'state'])
      .execute()
    for (const row of rows) {
      const byVariant = found.get(row.letter_id) ?? new Map<string, LetterFigures>()
      found.set(row.letter_id, byVariant)
      const figures = byVariant.get(row.variant) ?? noFigures(row.variant)
      byVariant.set(row.variant, figures)
      // written by this file alone
      addTo(figures, row.state as DeliveryState, Number(row.deliveries))
      figures.clicked += Number(row.clicked)
      figures.unsubscribed += Number(row.unsubscribed)
    }
  }
  return new Map(Array.from(found, ([id, byVariant]) => [id, [...byVariant.values()].toSorted(byKey)]))
}

const byKey = (one: LetterFigures, other: LetterFigures): number => (one.variant < other.variant ? -1 : 1)

function addTo(figures: LetterFigures, state: DeliveryState, deliveries: number): void {
  figures.recipients += deliveries
  if (state === 'waiting' || state === 'held' || state === 'sending') figures.waiting += deliveries
  else if (state !== 'skipped' && state !== 'cancelled') figures[state] += deliveries
}

/** Deliveries in these states, the latest first. */
export async function deliveriesInStates(
  store: StoreOrTransaction,
  letterId: string,
  states: readonly DeliveryState[],
  limit: number,
): Promise<LetterDelivery[]> {
  const rows = await open(store)
    .selectFrom('letter_deliveries')
    .selectAll()
    .where('letter_id', '=', letterId)
    .where('state', 'in', states)
    .orderBy('sent_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toDelivery)
}
