import { existsSync } from 'node:fs'
import type { TestEnvironment } from '../start/tilth'

/**
 * A Wednesday noon in the middle of a month, so that no usual date range begins or ends beside it; in the future, so
 * that a browser keeps the cookies it is given then.
 */
const fixedNow = Date.UTC(2036, 10, 19, 12)

/** The library of Debian's package "faketime". The one for threads takes a lock for every look at the clock. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))

export interface FixedClock {
  /** The time at the start of the processes that have the environment; their clock goes on from there. */
  now: number
  environment: TestEnvironment
}

/** A clock for Node's processes that are started with its environment, where Debian's "faketime" is installed. */
export function fixedClock(): FixedClock | undefined {
  if (!library) return undefined
  const seconds = Math.round((fixedNow - Date.now()) / 1000)
  return {
    now: Date.now() + seconds * 1000,
    environment: {
      LD_PRELOAD: library,
      FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
      // timers measure by another clock
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  }
}
