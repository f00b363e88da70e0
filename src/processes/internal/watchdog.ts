/**
 * Tells a child that is slow from one that is dead, by what was seen of it while it did not answer. Pure: the clock and
 * the readings are passed in.
 */

/** The state of the child at one moment. */
export interface Observation {
  /** Milliseconds of a clock that only ever goes forward. */
  now: number
  answered: boolean
  /** The processor time the child has had since its start; absent where the system does not say. */
  processorMs?: number | undefined
  /** Stopped from outside: by SIGSTOP or a debugger. */
  isStopped?: boolean | undefined
  /** The share of the last ten seconds in which something on the machine waited for processor, memory or disk. */
  pressure?: number | undefined
}

interface WatchdogLimits {
  /** A child that is silent this long and does nothing is dead. */
  silentMs: number
  /** A child that is silent this long is given up on whatever it does: it may be in an endless loop. */
  busyMs: number
  /** Observations are due this often. */
  everyMs: number
}

/** `endless`: it works, and has not answered for longer than any work takes. */
export type WatchdogVerdict = 'alive' | 'slow' | 'dead' | 'endless'

/** A gap between observations counts as this many intervals at most: more is a pause of the watcher. */
const longestGap = 1.5
/** The least part of a processor a child takes while it gets on. An idle engine takes two hundredths. */
const leastProgress = 0.05
/** The pressure from which on the machine is busy enough to keep a child from answering. */
const muchPressure = 0.4
/** The factor by which a child is waited for longer if it had no chance to run. */
const pressureTolerance = 4

export class Watchdog {
  readonly #limits: WatchdogLimits
  #last: Observation
  /** The time that the child was silent while the watcher watched. */
  #silentMs = 0
  /** The part of that in which it neither got on nor could be excused by the machine. */
  #idleMs = 0

  constructor(limits: WatchdogLimits, beginning: Omit<Observation, 'answered'>) {
    this.#limits = limits
    this.#last = { ...beginning, answered: true }
  }

  observe(observation: Observation): WatchdogVerdict {
    const watchedMs = this.#watchedMs(observation)
    const progress = progressBetween(this.#last, observation, watchedMs)
    this.#last = observation
    if (observation.answered) {
      this.#silentMs = this.#idleMs = 0
      return 'alive'
    }
    this.#silentMs += watchedMs
    this.#idleMs += progress ? 0 : watchedMs / toleranceFactor(observation)
    if (this.#idleMs >= this.#limits.silentMs) return 'dead'
    return this.#silentMs >= this.#limits.busyMs ? 'endless' : 'slow'
  }

  /**
   * Suspended, stopped or starved, the watcher itself heard nothing, and the child may have been paused with it. A little
   * counts all the same, or a watcher that is always late would never find anything.
   */
  #watchedMs(observation: Observation): number {
    return Math.min(Math.max(0, observation.now - this.#last.now), this.#limits.everyMs * longestGap)
  }
}

function progressBetween(before: Observation, after: Observation, watchedMs: number): boolean {
  if (after.isStopped || before.processorMs === undefined || after.processorMs === undefined) return false
  return after.processorMs - before.processorMs > watchedMs * leastProgress
}

/** A stopped child is not waiting for the machine. */
const toleranceFactor = ({ pressure = 0, isStopped }: Observation): number =>
  pressure >= muchPressure && !isStopped ? pressureTolerance : 1
