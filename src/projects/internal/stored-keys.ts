import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import { isRight } from '../access'
import type { SecretKey } from '../keys'

type SecretKeyRow = Omit<SecretKey, 'scopes'> & { scopes: string }

const open = openTables<{ secretKeys: RowsOf<SecretKeyRow & { hash: string }> }>()
const columns = [
  'id',
  'projectId',
  'name',
  'lastFour',
  'scopes',
  'createdBy',
  'createdAt',
  'endsAt',
  'usedAt',
  'revokedAt',
] as const

const everyScope = '*'

const toSecretKey = (row: SecretKeyRow): SecretKey => ({
  ...row,
  scopes: row.scopes === everyScope ? 'every' : row.scopes.split(' ').filter(isRight),
})

const toRow = (key: SecretKey): SecretKeyRow => ({
  ...key,
  scopes: key.scopes === 'every' ? everyScope : key.scopes.join(' '),
})

const keys = (source: TableSource) => open(source).selectFrom('secretKeys').select(columns)

export async function addSecretKey(source: TableSource, key: SecretKey, hash: string): Promise<void> {
  await open(source)
    .insertInto('secretKeys')
    .values({ ...rowOf(columns, toRow(key)), hash })
    .execute()
}

export async function findSecretKey(
  source: TableSource,
  by: { id: string } | { hash: string },
): Promise<SecretKey | undefined> {
  const row = await (
    'id' in by ? keys(source).where('id', '=', by.id) : keys(source).where('hash', '=', by.hash)
  ).executeTakeFirst()
  return row && toSecretKey(row)
}

export async function secretKeysOf(source: TableSource, projectId: number): Promise<SecretKey[]> {
  const rows = await keys(source).where('projectId', '=', projectId).orderBy('createdAt', 'desc').execute()
  return rows.map(toSecretKey)
}

export async function markKey(
  source: TableSource,
  id: string,
  marks: { usedAt?: Date; revokedAt?: Date },
): Promise<void> {
  await open(source).updateTable('secretKeys').set(marks).where('id', '=', id).execute()
}
