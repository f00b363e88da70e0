import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import type { Member } from './members'
import { hashToken, newToken } from './secrets'
import { addKnownDevice, removeKnownDevices, isKnownDevice } from './sign-in-store'

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

  /** One token serves all members who share a browser. */
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
