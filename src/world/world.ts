import { randomBytes, randomFillSync } from 'node:crypto'

/** What domain code may know of the outside: the clock and chance. Tests fix both. */
export interface World {
  now(): Date
  random(bytes: number): Uint8Array
}

export const realWorld: World = {
  now: () => new Date(),
  random: (bytes) => (bytes <= mostFromReserve ? fromReserve(bytes) : randomBytes(bytes)),
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
