import type { TableSource } from '#store/store'
import { openTables, type RowsOf } from '#store/tables'

/** The state between two requests of one sign-in. */
interface SignInStep {
  kind: 'second-factor' | 'used-challenge' | 'oidc'
  memberId: string | undefined
  body: unknown
}

const open = openTables<{
  signInSteps: RowsOf<SignInStep & { tokenHash: string; createdAt: Date; endsAt: Date }>
}>({ json: ['body'] })

export async function addStep(
  source: TableSource,
  tokenHash: string,
  { kind, memberId, body }: SignInStep,
  times: { now: Date; endsAt: Date },
): Promise<void> {
  await open(source).deleteFrom('signInSteps').where('endsAt', '<=', times.now).execute()
  await open(source)
    .insertInto('signInSteps')
    .values({
      tokenHash,
      kind,
      memberId: memberId ?? null,
      body,
      createdAt: times.now,
      endsAt: times.endsAt,
    })
    .execute()
}

export const findStep = async (
  source: TableSource,
  tokenHash: string,
  kind: SignInStep['kind'],
  now: Date,
): Promise<SignInStep | undefined> =>
  await open(source)
    .selectFrom('signInSteps')
    .select(['kind', 'memberId', 'body'])
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('endsAt', '>', now)
    .executeTakeFirst()

/** Removes a pending step. Returns whether it was still there: of two concurrent calls, one gets true. */
export async function takeStep(source: TableSource, tokenHash: string): Promise<boolean> {
  const { numDeletedRows } = await open(source)
    .deleteFrom('signInSteps')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function removeStepsOf(source: TableSource, memberId: string): Promise<void> {
  await open(source).deleteFrom('signInSteps').where('memberId', '=', memberId).execute()
}
