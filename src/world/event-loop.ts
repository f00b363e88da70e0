/** A request that arrives during a longer turn of the event loop would wait for its end. */
const longMs = 8

// tests replace both with ones that stand still, and then no turn would be long, or end
const { setImmediate: atNextTurn } = globalThis
const now = performance.now.bind(performance)

/** The time at which the first work of this turn of the event loop asked; a process has one event loop. */
let turnBeganAt: number | undefined

function isTurnLong(): boolean {
  if (turnBeganAt !== undefined) return now() - turnBeganAt > longMs
  turnBeganAt = now()
  atNextTurn(() => (turnBeganAt = undefined))
  return false
}

/**
 * Lets others have the event loop if this turn of it has been long. Work of many steps calls it between them, so that
 * however much there is, requests are answered meanwhile.
 */
export async function yieldIfLong(): Promise<void> {
  while (isTurnLong()) await new Promise<void>((resolve) => void atNextTurn(resolve))
}
