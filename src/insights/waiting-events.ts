/** As of when an answer is, and what it does not include yet. */
export interface AnswerState {
  /** When the answer was computed; slow answers are cached for a while. */
  at: Date
  tookMs: number
  /** The number of events, of all projects, that had been acknowledged and were not stored yet. */
  waitingEvents: number
  /** Whether any of them had waited for longer than storing usually takes. */
  isBehind: boolean
}

export type WaitingEvents = Pick<AnswerState, 'waitingEvents' | 'isBehind'>

export const noWaitingEvents: WaitingEvents = { waitingEvents: 0, isBehind: false }

/** Storing in batches takes less than this, unless something is wrong or more arrives than can be stored. */
const usualWaitMs = 2000

/** Reads the backlog of collecting. Undefined where it is not known, as in a command. */
export function waitingEvents(
  backlog: { backlog: number; oldestAt: string | undefined } | undefined,
  now: Date,
): WaitingEvents {
  if (!backlog) return noWaitingEvents
  const { backlog: events, oldestAt } = backlog
  const waitedMs = oldestAt === undefined ? 0 : now.getTime() - Date.parse(oldestAt)
  return { waitingEvents: events, isBehind: events > 0 && waitedMs > usualWaitMs }
}

export const waitingInWords = (events: number): string =>
  events === 1
    ? 'One event is still being stored'
    : `${events.toLocaleString('en')} events are still being stored`
