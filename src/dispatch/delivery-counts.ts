import type { Store } from '#store/store'
import { Breakers } from './breakers'
import { countAllDropped } from './overflow'
import { countInState, type WaitingTable } from './waiting'

/** The state of everything that is sent from a queue, for operators. */
export interface DeliveryCounts {
  /** By what is sent: responses to surveys by webhook, and notifications by webhook and e-mail. */
  kinds: Record<'response' | 'notification', { waiting: number; failedInADay: number }>
  /** Never queued, because too many waited. */
  dropped: number
  /** Addresses whose breaker is open. */
  unanswered: number
}

const dayMs = 24 * 60 * 60_000

export async function deliveryCounts(store: Store, now: Date): Promise<DeliveryCounts> {
  const aDayAgo = new Date(now.getTime() - dayMs)
  const countIn = async (table: WaitingTable) => ({
    waiting: await countInState(store, table, 'waiting'),
    failedInADay: await countInState(store, table, 'failed', aDayAgo),
  })
  return {
    kinds: { response: await countIn('survey_deliveries'), notification: await countIn('outgoing') },
    dropped: await countAllDropped(store),
    unanswered: (await Breakers.read(store)).countOpen(),
  }
}
