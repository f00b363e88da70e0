import type { ColumnType } from 'kysely'
import { dateOrUndefined, inBatches } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import {
  type DeliveryState,
  type Letter,
  type LetterDelivery,
  type LetterFigures,
  type LetterState,
  noFigures,
  type SubjectTrial,
} from '../../letter'

/** The JSON representation. */
type StoredTrial = Omit<SubjectTrial, 'endsAt'> & { endsAt?: string }

interface LetterTables {
  letters: RowsOf<Omit<Letter, 'list' | 'trial'> & { listKey: string }> & {
    trial: ColumnType<StoredTrial | undefined, SubjectTrial | null, SubjectTrial | null>
  }
  letterDeliveries: RowsOf<
    LetterDelivery & {
      sentAt: Date | undefined
      clickedAt: Date | undefined
      unsubscribedAt: Date | undefined
    }
  >
}

const open = openTables<LetterTables>({ json: ['content', 'trial'] })

const letterColumns = [
  'id',
  'projectId',
  'postId',
  'cohort',
  'state',
  'content',
  'problem',
  'createdBy',
  'createdAt',
  'scheduledAt',
  'startedAt',
  'finishedAt',
] as const
const deliveryColumns = [
  'id',
  'letterId',
  'projectId',
  'subscriberId',
  'variant',
  'state',
  'dueAt',
  'attempts',
  'outcome',
] as const

const letters = (store: TableSource) =>
  open(store)
    .selectFrom('letters')
    .select([...letterColumns, 'trial', 'listKey as list'])

const deliveries = (store: TableSource) => open(store).selectFrom('letterDeliveries').select(deliveryColumns)

const toLetter = ({ trial, ...row }: Omit<Letter, 'trial'> & { trial: StoredTrial | undefined }): Letter => ({
  ...row,
  trial: trial && trialIn(trial),
})

const trialIn = ({ share, hours, endsAt, winner, chances }: StoredTrial): SubjectTrial => ({
  share,
  hours,
  endsAt: dateOrUndefined(endsAt),
  winner,
  chances,
})

export async function saveLetter(store: TableSource, letter: Letter): Promise<void> {
  const row = { ...rowOf(letterColumns, letter), trial: letter.trial ?? null, listKey: letter.list }
  const { state, content, trial, problem, scheduledAt, startedAt, finishedAt } = row
  const changes = { state, content, trial, problem, scheduledAt, startedAt, finishedAt }
  await open(store)
    .insertInto('letters')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute()
}

export async function letterWithId(store: TableSource, id: string): Promise<Letter | undefined> {
  const row = await letters(store).where('id', '=', id).executeTakeFirst()
  return row && toLetter(row)
}

/** The latest first. */
export async function lettersOf(store: TableSource, projectId: number, limit: number): Promise<Letter[]> {
  const rows = await letters(store)
    .where('projectId', '=', projectId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toLetter)
}

export async function lettersInState(store: TableSource, state: LetterState): Promise<Letter[]> {
  const rows = await letters(store).where('state', '=', state).orderBy('scheduledAt').orderBy('id').execute()
  return rows.map(toLetter)
}

export async function addDeliveries(store: TableSource, added: readonly LetterDelivery[]): Promise<void> {
  for (const portion of inBatches(added))
    await open(store)
      .insertInto('letterDeliveries')
      .values(portion.map((delivery) => rowOf(deliveryColumns, delivery)))
      .execute()
}

export const deliveryWithId = async (store: TableSource, id: string): Promise<LetterDelivery | undefined> =>
  await deliveries(store).where('id', '=', id).executeTakeFirst()

export const deliveriesDue = async (
  store: TableSource,
  letterId: string,
  now: Date,
  limit: number,
): Promise<LetterDelivery[]> =>
  await deliveries(store)
    .where('letterId', '=', letterId)
    .where('state', '=', 'waiting')
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countSentSince(store: TableSource, projectId: number, at: Date): Promise<number> {
  const { sent } = await open(store)
    .selectFrom('letterDeliveries')
    .select(({ fn }) => fn.countAll<number>().as('sent'))
    .where('projectId', '=', projectId)
    .where('sentAt', '>', at)
    .executeTakeFirstOrThrow()
  return sent
}

/** Takes a delivery out of those that wait, before it is sent. Returns false if it no longer waits. */
export async function beginDelivery(store: TableSource, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await open(store)
    .updateTable('letterDeliveries')
    .set((row) => ({ state: 'sending', sentAt: now, attempts: row('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function saveDelivery(
  store: TableSource,
  { id, state, dueAt, outcome }: Pick<LetterDelivery, 'id' | 'state' | 'dueAt' | 'outcome'>,
): Promise<void> {
  await open(store)
    .updateTable('letterDeliveries')
    .set({ state, dueAt, outcome: outcome ?? null })
    .where('id', '=', id)
    .execute()
}

/** Deliveries that were being sent when Tilth stopped may have arrived, so that they are named and not sent again. */
export async function markInterrupted(store: TableSource, outcome: string): Promise<void> {
  await open(store)
    .updateTable('letterDeliveries')
    .set({ state: 'uncertain', outcome })
    .where('state', '=', 'sending')
    .execute()
}

export async function cancelDeliveries(store: TableSource, letterId: string): Promise<void> {
  await open(store)
    .updateTable('letterDeliveries')
    .set({ state: 'cancelled' })
    .where('letterId', '=', letterId)
    .where('state', 'in', ['waiting', 'held'])
    .execute()
}

/** Releases the deliveries that waited for the winner of a trial. */
export async function releaseHeld(
  store: TableSource,
  letterId: string,
  variant: string,
  now: Date,
): Promise<void> {
  await open(store)
    .updateTable('letterDeliveries')
    .set({ state: 'waiting', variant, dueAt: now })
    .where('letterId', '=', letterId)
    .where('state', '=', 'held')
    .execute()
}

/** Whether a delivery of the letter is still to come. */
export async function hasOpenDeliveries(store: TableSource, letterId: string): Promise<boolean> {
  const row = await open(store)
    .selectFrom('letterDeliveries')
    .select('id')
    .where('letterId', '=', letterId)
    .where('state', 'in', ['waiting', 'held', 'sending'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Notes the first click of a delivery, or that its subscriber left by it. */
export async function noteReply(
  store: TableSource,
  id: string,
  reply: 'clickedAt' | 'unsubscribedAt',
  now: Date,
): Promise<void> {
  await open(store)
    .updateTable('letterDeliveries')
    .set({ [reply]: now })
    .where('id', '=', id)
    .where(reply, 'is', null)
    .execute()
}

/** Figures by letter and subject line. */
export async function figuresOf(
  store: TableSource,
  letterIds: readonly string[],
): Promise<Map<string, LetterFigures[]>> {
  const found = new Map<string, Map<string, LetterFigures>>()
  for (const portion of inBatches(letterIds)) {
    const rows = await open(store)
      .selectFrom('letterDeliveries')
      .select(['letterId', 'variant', 'state'])
      .select(({ fn }) => [
        fn.countAll<number>().as('deliveries'),
        fn.count<number>('clickedAt').as('clicked'),
        fn.count<number>('unsubscribedAt').as('unsubscribed'),
      ])
      .where('letterId', 'in', portion)
      .groupBy(['letterId', 'variant', 'state'])
      .execute()
    for (const row of rows) {
      const byVariant = found.get(row.letterId) ?? new Map<string, LetterFigures>()
      found.set(row.letterId, byVariant)
      const figures = byVariant.get(row.variant) ?? noFigures(row.variant)
      byVariant.set(row.variant, figures)
      addTo(figures, row.state, row.deliveries)
      figures.clicked += row.clicked
      figures.unsubscribed += row.unsubscribed
    }
  }
  return new Map(Array.from(found, ([id, byVariant]) => [id, [...byVariant.values()].toSorted(byKey)]))
}

const byKey = (one: LetterFigures, other: LetterFigures): number => (one.variant < other.variant ? -1 : 1)

function addTo(figures: LetterFigures, state: DeliveryState, count: number): void {
  figures.recipients += count
  if (state === 'waiting' || state === 'held' || state === 'sending') figures.waiting += count
  else if (state !== 'skipped' && state !== 'cancelled') figures[state] += count
}

/** Deliveries in these states, the latest first. */
export const deliveriesInStates = async (
  store: TableSource,
  letterId: string,
  states: readonly DeliveryState[],
  limit: number,
): Promise<LetterDelivery[]> =>
  await deliveries(store)
    .where('letterId', '=', letterId)
    .where('state', 'in', states)
    .orderBy('sentAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
