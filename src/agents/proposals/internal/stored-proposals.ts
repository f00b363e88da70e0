import type { Selectable } from 'kysely'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import { openForDays, type Proposal, type ProposalState } from '../proposal'

/** A proposal with what only deciding on it needs. */
export interface StoredProposal extends Proposal {
  input: Record<string, unknown>
  /** The id of the key or the member that proposed it. */
  proposer: string
}

interface ProposalTables {
  proposals: RowsOf<StoredProposal>
}

const open = openTables<ProposalTables>({ json: ['input', 'lines'] })

const columns = [
  'id',
  'projectId',
  'change',
  'input',
  'sentence',
  'reason',
  'lines',
  'thing',
  'version',
  'proposer',
  'proposedBy',
  'proposedAt',
  'state',
  'decidedBy',
  'decidedAt',
  'refusal',
  'result',
] as const

/** No job ends a proposal: it has ended once it is read too late. */
function toProposal(row: Selectable<ProposalTables['proposals']>, now: Date): StoredProposal {
  const isOver = row.state === 'open' && row.proposedAt <= openSince(now)
  return { ...row, state: isOver ? 'expired' : row.state }
}

const openSince = (now: Date): Date => new Date(now.getTime() - openForDays * 86_400_000)

export async function insertProposal(source: TableSource, proposal: StoredProposal): Promise<void> {
  await open(source).insertInto('proposals').values(rowOf(columns, proposal)).execute()
}

/** Returns proposals, the latest first. */
export async function proposalsOf(
  source: TableSource,
  projectId: number,
  now: Date,
  most: number,
): Promise<StoredProposal[]> {
  const rows = await open(source)
    .selectFrom('proposals')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('proposedAt', 'desc')
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map((row) => toProposal(row, now))
}

export async function proposalNumbered(
  source: TableSource,
  projectId: number,
  id: string,
  now: Date,
): Promise<StoredProposal | undefined> {
  const row = await open(source)
    .selectFrom('proposals')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toProposal(row, now)
}

/** Counts the open ones of each of these projects. */
export async function countOpen(
  source: TableSource,
  projectIds: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, number>> {
  if (projectIds.length === 0) return new Map()
  const rows = await open(source)
    .selectFrom('proposals')
    .select(({ fn }) => ['projectId', fn.countAll<number | string>().as('count')])
    .where('projectId', 'in', projectIds)
    .where('state', '=', 'open')
    .where('proposedAt', '>', openSince(now))
    .groupBy('projectId')
    .execute()
  return new Map(rows.map(({ projectId, count }) => [projectId, Number(count)]))
}

export interface ProposalEnding {
  state: Exclude<ProposalState, 'open' | 'expired'>
  decidedBy: string
  decidedAt: Date
  refusal: string | undefined
}

/** Decides on a proposal that is open. False if another decision came first. */
export async function decide(
  source: TableSource,
  { id }: Pick<StoredProposal, 'id'>,
  { state, decidedBy, decidedAt, refusal }: ProposalEnding,
): Promise<boolean> {
  const { numUpdatedRows } = await open(source)
    .updateTable('proposals')
    .set({ state, decidedBy, decidedAt, refusal: refusal ?? null })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Opens a proposal again whose change was refused when it was made. */
export async function reopen(source: TableSource, { id }: Pick<StoredProposal, 'id'>): Promise<void> {
  await open(source)
    .updateTable('proposals')
    .set({ state: 'open', decidedBy: null, decidedAt: null })
    .where('id', '=', id)
    .where('result', 'is', null)
    .execute()
}

export async function saveResult(
  source: TableSource,
  { id }: Pick<StoredProposal, 'id'>,
  result: string,
): Promise<void> {
  await open(source).updateTable('proposals').set({ result }).where('id', '=', id).execute()
}

/** Removes the oldest decisions beyond so many proposals; open ones stay. */
export async function dropOldest(
  source: TableSource,
  projectId: number,
  mostKept: number,
  now: Date,
): Promise<void> {
  const last = await open(source)
    .selectFrom('proposals')
    .select('proposedAt')
    .where('projectId', '=', projectId)
    .orderBy('proposedAt', 'desc')
    .offset(mostKept - 1)
    .limit(1)
    .executeTakeFirst()
  if (!last) return
  await open(source)
    .deleteFrom('proposals')
    .where('projectId', '=', projectId)
    .where('proposedAt', '<', last.proposedAt)
    .where((row) => row.or([row('state', '!=', 'open'), row('proposedAt', '<=', openSince(now))]))
    .execute()
}
