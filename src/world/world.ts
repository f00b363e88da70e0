import { randomBytes } from 'node:crypto'

/** What domain code may know of the outside: the clock and chance. Tests fix both. */
export interface World {
  now(): Date
  random(bytes: number): Uint8Array
}

export const realWorld: World = {
  now: () => new Date(),
  random: (bytes) => randomBytes(bytes),
}
