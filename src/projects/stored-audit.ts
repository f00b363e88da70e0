import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { RequestOrigin } from './access'
import type { AuditEntry, AuditPage, NewAuditEntry } from './audit'
import { auditChainHash } from './secrets'

/** The JSON columns are read as text, because the hash is that of the text. */
type ChainedRow = Pick<AuditEntry, 'sequence' | 'at' | 'projectId' | 'action' | 'subject'> & {
  actorKind: AuditEntry['actor']['kind']
  actorId: string
  actorName: string
  origin: string
  before: string | undefined
  after: string | undefined
}

const open = openTables<{
  audit: RowsOf<ChainedRow & { previousHash: string; hash: string; emptiedAt: Date | undefined }>
}>()

/** All columns in a fixed order, so that the same entry always has the same hash. */
const chainedColumns = [
  'sequence',
  'at',
  'projectId',
  'action',
  'subject',
  'actorKind',
  'actorId',
  'actorName',
  'origin',
  'before',
  'after',
] as const

const chainTextOf = (row: ChainedRow): string => JSON.stringify(chainedColumns.map((column) => row[column]))

/** Call it inside the transaction of the change, so that a change and its entry always exist together. */
export async function appendAudit(source: TableSource, entry: NewAuditEntry): Promise<void> {
  const last = await open(source)
    .selectFrom('audit')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = toRow(entry, last?.sequence ?? 0)
  const previousHash = last?.hash ?? ''
  await open(source)
    .insertInto('audit')
    .values({
      ...rowOf(chainedColumns, row),
      previousHash,
      hash: auditChainHash(previousHash, chainTextOf(row)),
    })
    .execute()
}

const toRow = (entry: NewAuditEntry, last: number): ChainedRow => ({
  sequence: last + 1,
  at: entry.at,
  projectId: entry.projectId,
  action: entry.action,
  subject: entry.subject,
  actorKind: entry.actor.kind,
  actorId: entry.actor.id,
  actorName: entry.actor.name,
  origin: JSON.stringify(entry.origin),
  before: textOf(entry.before),
  after: textOf(entry.after),
})

const textOf = (json: unknown): string | undefined => (json === undefined ? undefined : JSON.stringify(json))

const toAuditEntry = (row: ChainedRow): AuditEntry => ({
  sequence: row.sequence,
  at: row.at,
  projectId: row.projectId,
  action: row.action,
  subject: row.subject,
  actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
  origin: JSON.parse(row.origin) as RequestOrigin, // only `appendAudit` writes it
  before: parsed(row.before),
  after: parsed(row.after),
})

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text))

/** Returns the project's entries, and those of its members that belong to no project, such as sign-ins. */
export async function auditOf(
  source: TableSource,
  projectId: number,
  people: readonly string[],
  page: AuditPage,
): Promise<AuditEntry[]> {
  let query = open(source)
    .selectFrom('audit')
    .selectAll()
    .where('emptiedAt', 'is', null)
    .where((row) =>
      row.or([
        row('projectId', '=', projectId),
        row.and([row('projectId', 'is', null), row('actorId', 'in', people.length > 0 ? [...people] : [''])]),
      ]),
    )
  if (page.before !== undefined) query = query.where('sequence', '<', page.before)
  if (page.action !== undefined) query = query.where('action', '=', page.action)
  if (page.actor !== undefined) query = query.where('actorId', '=', page.actor)
  const rows = await query.orderBy('sequence', 'desc').limit(page.size).execute()
  return rows.map(toAuditEntry)
}

/**
 * Empties entries but keeps their places in the hash chain. Missing entries are still detected; the emptied texts
 * cannot be verified. Returns the number of emptied entries.
 */
export async function emptyAuditBefore(
  source: TableSource,
  projectId: number,
  boundary: Date,
  now: Date,
): Promise<number> {
  const empty = { subject: '', actorId: '', actorName: '', origin: '{}', before: null, after: null }
  const rows = await open(source)
    .updateTable('audit')
    .set({ ...empty, emptiedAt: now })
    .where('projectId', '=', projectId)
    .where('at', '<', boundary)
    .where('emptiedAt', 'is', null)
    .returning('sequence')
    .execute()
  return rows.length
}

/** Returns the first entry whose hash does not match; undefined if the chain is intact. */
export async function brokenAuditLink(source: TableSource): Promise<number | undefined> {
  let previous = ''
  const rows = await open(source).selectFrom('audit').selectAll().orderBy('sequence').execute()
  for (const row of rows) {
    const isWhole = row.emptiedAt !== undefined || row.hash === auditChainHash(previous, chainTextOf(row))
    if (row.previousHash !== previous || !isWhole) return row.sequence
    previous = row.hash
  }
  return undefined
}
