import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { Passkey } from './passkeys'

interface FactorTables {
  totpFactors: RowsOf<TotpFactor>
  recoveryCodes: RowsOf<{ hash: string; memberId: string; createdAt: Date; usedAt: Date | undefined }>
  passkeys: RowsOf<PasskeyRow>
}

type PasskeyRow = Omit<Passkey, 'counter' | 'transports'> & { counter: string; transports: string }

const open = openTables<FactorTables>()

/** A member's shared secret with an authenticator app. */
interface TotpFactor {
  memberId: string
  /** Encrypted. */
  secret: string
  createdAt: Date
  /** Undefined until the first code was entered. */
  confirmedAt: Date | undefined
  /** The time step of the last accepted code. */
  lastStep: number
}

const totpColumns = ['memberId', 'secret', 'createdAt', 'confirmedAt', 'lastStep'] as const

export const findTotp = async (source: TableSource, memberId: string): Promise<TotpFactor | undefined> =>
  await open(source).selectFrom('totpFactors').selectAll().where('memberId', '=', memberId).executeTakeFirst()

export async function saveTotp(source: TableSource, factor: TotpFactor): Promise<void> {
  const row = rowOf(totpColumns, factor)
  await open(source)
    .insertInto('totpFactors')
    .values(row)
    .onConflict((conflict) => conflict.column('memberId').doUpdateSet(row))
    .execute()
}

/** Whether this step was unused. */
export async function useTotpStep(source: TableSource, memberId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await open(source)
    .updateTable('totpFactors')
    .set({ lastStep: step })
    .where('memberId', '=', memberId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function removeTotp(source: TableSource, memberId: string): Promise<void> {
  await open(source).deleteFrom('totpFactors').where('memberId', '=', memberId).execute()
}

export async function replaceRecoveryCodes(
  source: TableSource,
  memberId: string,
  hashes: readonly string[],
  at: Date,
): Promise<void> {
  await open(source).deleteFrom('recoveryCodes').where('memberId', '=', memberId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map((hash) => ({ hash, memberId, createdAt: at, usedAt: null }))
  await open(source).insertInto('recoveryCodes').values(rows).execute()
}

/** Whether the code existed and was unused. */
export async function useRecoveryCode(
  source: TableSource,
  memberId: string,
  hash: string,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await open(source)
    .updateTable('recoveryCodes')
    .set({ usedAt: at })
    .where('memberId', '=', memberId)
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countRecoveryCodes(source: TableSource, memberId: string): Promise<number> {
  const rows = await open(source)
    .selectFrom('recoveryCodes')
    .select('hash')
    .where('memberId', '=', memberId)
    .where('usedAt', 'is', null)
    .execute()
  return rows.length
}

const toPasskey = ({ counter, transports, ...row }: PasskeyRow): Passkey => ({
  ...row,
  counter: Number(counter),
  transports: transports.split(' ').filter(Boolean),
})

export async function passkeysOf(source: TableSource, memberId: string): Promise<Passkey[]> {
  const rows = await open(source)
    .selectFrom('passkeys')
    .selectAll()
    .where('memberId', '=', memberId)
    .orderBy('createdAt')
    .execute()
  return rows.map(toPasskey)
}

export async function findPasskey(source: TableSource, id: string): Promise<Passkey | undefined> {
  const row = await open(source).selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toPasskey(row)
}

export async function addPasskey(source: TableSource, passkey: Passkey): Promise<void> {
  const { counter, transports } = passkey
  await open(source)
    .insertInto('passkeys')
    .values({
      ...rowOf(['id', 'memberId', 'name', 'publicKey', 'createdAt', 'usedAt'], passkey),
      counter: String(counter),
      transports: transports.join(' '),
    })
    .execute()
}

export async function usePasskey(source: TableSource, id: string, counter: number, at: Date): Promise<void> {
  await open(source)
    .updateTable('passkeys')
    .set({ counter: String(counter), usedAt: at })
    .where('id', '=', id)
    .execute()
}

/** Removes one of a member's passkeys, or all. */
export async function removePasskeys(source: TableSource, memberId: string, id?: string): Promise<void> {
  let removing = open(source).deleteFrom('passkeys').where('memberId', '=', memberId)
  if (id !== undefined) removing = removing.where('id', '=', id)
  await removing.execute()
}

/** Whether the member has a second factor. */
export async function hasFactor(source: TableSource, memberId: string): Promise<boolean> {
  const totp = await findTotp(source, memberId)
  return totp?.confirmedAt !== undefined || (await passkeysOf(source, memberId)).length > 0
}
