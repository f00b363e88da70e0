import { randomBytes, randomFillSync } from 'node:crypto'

/** The outside as domain code knows it: the clock and chance. Tests fix both. */
export interface World {
  now(): Date
  random(bytes: number): Uint8Array
}

export const realWorld: World = {
  now: () => new Date(),
  random: (bytes) => (bytes <= mostFromReserve ? fromReserve(bytes) : randomBytes(bytes)),
}

/** A clock for the ages of cached values. It goes on when the world's clock is set back, so that nothing stays too long. */
export function cacheClock(world: Pick<World, 'now'>): { now: () => number } {
  let ahead = 0
  let latest = -Infinity
  return {
    now() {
      const now = world.now().getTime()
      ahead = Math.max(ahead, latest - now)
      latest = now + ahead
      return latest
    },
  }
}

/** Asking the system for ten bytes costs as much as asking for thousands, and every event needs ten. */
const reserve = new Uint8Array(8192)
const mostFromReserve = 64
let used = reserve.length

/** Each byte is given out once, and does not stay behind. */
function fromReserve(bytes: number): Uint8Array {
  if (used + bytes > reserve.length) {
    randomFillSync(reserve)
    used = 0
  }
  const taken = reserve.slice(used, used + bytes)
  reserve.fill(0, used, used + bytes)
  used += bytes
  return taken
}
