/** As of when an answer is, and what it does not include yet. */
export interface AnswerState {
  /** When the answer was computed; slow answers are cached for a while. */
  at: Date
  tookMs: number
  /** The number of the project's events that had been acknowledged and were not stored yet. */
  waitingEvents: number
  /** Whether any of them had waited for longer than storing usually takes. */
  isBehind: boolean
}

export type WaitingEvents = Pick<AnswerState, 'waitingEvents' | 'isBehind'>

export const noWaitingEvents: WaitingEvents = { waitingEvents: 0, isBehind: false }

/** Storing in batches takes less than this, unless something is wrong or more arrives than can be stored. */
const usualWaitMs = 2000

interface CollectingBacklog {
  backlog: number
  backlogByProject: Readonly<Record<number, number>>
  oldestAt: string | undefined
}

/**
 * Reads a project's part of the backlog of collecting. Undefined where it is not known, as in a command. Events from before
 * a restart that were not read yet may be of any project.
 */
export function waitingEvents(
  collecting: CollectingBacklog | undefined,
  projectId: number,
  now: Date,
): WaitingEvents {
  if (!collecting) return noWaitingEvents
  const { backlog, backlogByProject, oldestAt } = collecting
  const known = Object.values(backlogByProject).reduce((sum, amount) => sum + amount, 0)
  const unread = Math.max(0, backlog - known)
  const events = Math.min(backlog, (backlogByProject[projectId] ?? 0) + unread)
  const waitedMs = oldestAt === undefined ? 0 : now.getTime() - Date.parse(oldestAt)
  return { waitingEvents: events, isBehind: events > 0 && waitedMs > usualWaitMs }
}

export const waitingInWords = (events: number): string =>
  events === 1
    ? 'One event is still being stored'
    : `${events.toLocaleString('en')} events are still being stored`
