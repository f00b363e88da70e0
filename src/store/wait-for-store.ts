import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnreachable } from './store'

export interface StoreWaitSettings {
  /** Rejects with what keeps the store from being used. */
  tryStore: () => Promise<void>
  /** Begins to answer what can be answered without it; false where that is nothing. */
  startStandIn: (away: StoreUnreachable) => Promise<boolean>
  everyMs?: number
}

/**
 * Waits for a store that does not answer, where a stand-in can serve meanwhile. Any other trouble needs the operator
 * and is thrown.
 */
export async function waitForStore({
  tryStore,
  startStandIn,
  everyMs = 1000,
}: StoreWaitSettings): Promise<void> {
  let away = await storeAwayReason(tryStore)
  if (away && !(await startStandIn(away))) throw away
  while (away) {
    await pause(everyMs)
    away = await storeAwayReason(tryStore)
  }
}

async function storeAwayReason(
  tryStore: StoreWaitSettings['tryStore'],
): Promise<StoreUnreachable | undefined> {
  try {
    await tryStore()
    return undefined
  } catch (problem) {
    if (problem instanceof StoreUnreachable) return problem
    throw problem
  }
}
