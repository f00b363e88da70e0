import { setTimeout as pause } from 'node:timers/promises'
import { StoreAway } from '../store/store'

export interface Awaited {
  /** Rejects with what keeps the store from being used. */
  look: () => Promise<void>
  /** Begins to answer what can be answered without it; false where that is nothing. */
  standIn: (away: StoreAway) => Promise<boolean>
  everyMs?: number
}

/**
 * A store that is away is waited for where something stands in for it. Any other trouble needs somebody to mend it, now as
 * well as after an hour of waiting, and is thrown.
 */
export async function untilStoreAnswers({ look, standIn, everyMs = 1000 }: Awaited): Promise<void> {
  let away = await whyAway(look)
  if (away && !(await standIn(away))) throw away
  while (away) {
    await pause(everyMs)
    away = await whyAway(look)
  }
}

async function whyAway(look: Awaited['look']): Promise<StoreAway | undefined> {
  try {
    await look()
    return undefined
  } catch (problem) {
    if (problem instanceof StoreAway) return problem
    throw problem
  }
}
