import type { FormMemory } from '#engine/budget'
import { networkOf } from '#projects/origin'
import { Slots } from '#world/slots'
import type { ByteBudget } from './body'
import { NetworkBytes } from './network-bytes'
import type { Exchange } from './trusted-request'

/** Limits the forms that pages receive, so that many at once never block the pages. One network has a share of each. */
class FormLimits {
  readonly slots: Slots<string>
  private readonly held: NetworkBytes

  constructor(slots: SlotRules, mostBytes: number) {
    this.slots = new Slots(slots)
    this.held = new NetworkBytes({ mostBytes, mostPerNetwork: mostBytes / 2 })
  }

  /** The memory of forms until they are answered. */
  memoryOf({ trustedRequest }: Exchange): ByteBudget {
    return this.held.of(networkOf(trustedRequest.client))
  }
}

type SlotRules = ConstructorParameters<typeof Slots>[0]

/** The team of one office signs up in a row, and a slow machine takes seconds for each: they wait in turn. */
const maxWaitMs = 30_000

/**
 * The slots are few since many actions check a password, which takes a tenth of a second of a core. The queue is longer,
 * so that it takes many networks to fill it; its forms are bounded by their memory too.
 */
const visitorSlots: SlotRules = {
  atOnce: 2,
  perOwner: 1,
  maxWaiting: 100,
  maxOfOwner: 16,
  maxWaitMs,
}
/** An office may share one network. */
const memberSlots: SlotRules = {
  atOnce: 8,
  perOwner: 6,
  maxWaiting: 100,
  maxOfOwner: 50,
  maxWaitMs,
}

/** An action can be sent to any page's address, so a session decides which limits apply: visitors never keep members out. */
export class ActionLimits {
  readonly visitors: FormLimits
  readonly members: FormLimits
  /** The number of refusals since the start. */
  refused = 0

  constructor({ visitorBytes, memberBytes }: FormMemory) {
    this.visitors = new FormLimits(visitorSlots, visitorBytes)
    this.members = new FormLimits(memberSlots, memberBytes)
  }
}

/** Waits for a slot for a form that has arrived, so that a slow sender holds none. Returns false if there is none. */
export async function acquireActionSlot(
  { response, trustedRequest }: Exchange,
  limits: ActionLimits,
  sender: 'visitors' | 'members',
): Promise<boolean> {
  const release = await limits[sender].slots.enter(networkOf(trustedRequest.client))
  if (!release) {
    limits.refused++
    return false
  }
  if (response.destroyed) release()
  else response.once('close', release)
  return true
}
