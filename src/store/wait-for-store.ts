import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnreachableError } from './store'

interface StoreWaitSettings {
  /** Tries to use the store. Rejects with the reason if that fails. */
  tryStore: () => Promise<void>
  /** Starts to serve what works without the store; returns false if nothing does. */
  startStandIn: (away: StoreUnreachableError) => Promise<boolean>
  everyMs?: number
}

/**
 * Waits for a store that does not respond while a stand-in serves requests. Any other failure needs the operator and is
 * thrown.
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
): Promise<StoreUnreachableError | undefined> {
  try {
    await tryStore()
    return undefined
  } catch (problem) {
    if (problem instanceof StoreUnreachableError) return problem
    throw problem
  }
}
