import type { Store, StoreTransaction, TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { World } from '#world/world'
import type { Member } from '../members'
import { hashToken, newToken } from '../secrets'

interface KnownDevice {
  tokenHash: string
  memberId: string
  createdAt: Date
  endsAt: Date
}

const open = openTables<{ knownDevices: KnownDevice; members: { id: string; email: string } }>()

const deviceLastsMs = 180 * 24 * 60 * 60_000
const maxPerMember = 20

/** A token that a browser keeps to be recognised at the next sign-in. It does not sign a member in. */
export interface DeviceToken {
  text: string
  endsAt: Date
}

/**
 * Browsers from which a member has signed in before. Their guesses are counted separately, so that attackers who
 * guess passwords of the account cannot lock its owner out.
 */
export class KnownDevices {
  constructor(private readonly dependencies: { store: Store; world: World }) {}

  /** The name under which the device's guesses are counted; undefined when this account has not used it. */
  async recognise(token: string | undefined, email: string): Promise<string | undefined> {
    if (token === undefined || token === '') return undefined
    const { store, world } = this.dependencies
    const tokenHash = hashToken(token)
    return (await isKnownDevice(store, { tokenHash, email, now: world.now() })) ? tokenHash : undefined
  }

  /** Remembers a browser. One token serves all members who share it. */
  async remember(
    member: Member,
    token: string | undefined,
    transaction: StoreTransaction,
  ): Promise<DeviceToken> {
    const now = this.dependencies.world.now()
    const text = token !== undefined && /^\w{43}$/.test(token) ? token : newToken(this.dependencies.world)
    const endsAt = new Date(now.getTime() + deviceLastsMs)
    await removeKnownDevices(transaction, { endedBefore: now })
    await addKnownDevice(transaction, {
      tokenHash: hashToken(text),
      memberId: member.id,
      createdAt: now,
      endsAt,
    })
    await removeKnownDevices(transaction, { memberId: member.id, beyond: maxPerMember })
    return { text, endsAt }
  }
}

/** Runs one statement in either case, so that timing does not reveal members. */
async function isKnownDevice(
  source: TableSource,
  { tokenHash, email, now }: { tokenHash: string; email: string; now: Date },
): Promise<boolean> {
  const row = await open(source)
    .selectFrom('knownDevices')
    .innerJoin('members', 'members.id', 'knownDevices.memberId')
    .select('tokenHash')
    .where('tokenHash', '=', tokenHash)
    .where('email', '=', email)
    .where('endsAt', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

async function addKnownDevice(transaction: StoreTransaction, device: KnownDevice): Promise<void> {
  const { createdAt, endsAt } = device
  await open(transaction)
    .insertInto('knownDevices')
    .values(device)
    .onConflict((conflict) => conflict.columns(['tokenHash', 'memberId']).doUpdateSet({ createdAt, endsAt }))
    .execute()
}

/** Removes expired devices, or all but the newest `beyond` of a member. */
export async function removeKnownDevices(
  source: TableSource,
  which: { endedBefore: Date } | { memberId: string; beyond: number },
): Promise<void> {
  const forgetting = open(source).deleteFrom('knownDevices')
  if ('endedBefore' in which) {
    await forgetting.where('endsAt', '<=', which.endedBefore).execute()
    return
  }
  const newest = await open(source)
    .selectFrom('knownDevices')
    .select('tokenHash')
    .where('memberId', '=', which.memberId)
    .orderBy('createdAt', 'desc')
    .limit(which.beyond)
    .execute()
  const hashes = newest.map(({ tokenHash }) => tokenHash)
  await forgetting
    .where('memberId', '=', which.memberId)
    .where('tokenHash', 'not in', hashes.length > 0 ? hashes : [''])
    .execute()
}
