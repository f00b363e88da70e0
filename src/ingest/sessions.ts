import { LRUCache } from 'lru-cache'

const minute = 60_000
/** A session ends after more than thirty minutes of quiet: at thirty exactly it still goes on. */
export const idleMs = 30 * minute
/** … and with the day, whatever happens in it. */
export const longestMs = 24 * 60 * minute

/** A run of one visitor's events. */
export interface Session {
  id: string
  /** Of its first and last event so far, in milliseconds. */
  start: number
  end: number
}

export interface VisitorSession extends Session {
  projectId: number
  distinctId: string
}

/** How many sessions of one visitor are remembered: events that come late belong to an earlier one. */
const perVisitor = 3

/**
 * Who is in which session. Bounded: beyond so many visitors the ones not seen for longest are forgotten, and begin a new
 * session with their next event. Ids are given as events arrive: one that comes late joins a session, but never makes
 * two that already have ids into one.
 */
export class SessionMemory {
  private readonly visitors: LRUCache<string, Session[]>

  constructor(mostVisitors = 100_000) {
    this.visitors = new LRUCache({ max: mostVisitors })
  }

  /** The session that was going on at that time; with several, the latest. */
  find(projectId: number, distinctId: string, at: number): Session | undefined {
    return this.visitors.get(keyOf(projectId, distinctId))?.find((session) => goesOn(session, at))
  }

  /** Notes that a visitor was in a session at that time. */
  note(projectId: number, distinctId: string, id: string, at: number, start = at): void {
    const key = keyOf(projectId, distinctId)
    const sessions = this.visitors.get(key)
    const session = sessions?.find((known) => known.id === id)
    if (session) {
      session.start = Math.min(session.start, start)
      session.end = Math.max(session.end, at)
    } else {
      this.visitors.set(key, latestFirst([{ id, start, end: at }, ...(sessions ?? [])]))
    }
  }

  /** Takes back what the engine's rows or another process's memory hold. */
  restore(sessions: Iterable<VisitorSession>): void {
    for (const { projectId, distinctId, id, start, end } of sessions)
      this.note(projectId, distinctId, id, end, start)
  }

  /** All that is remembered, for `restore`. The least recently seen first, so that they are the first forgotten again. */
  *all(): Generator<VisitorSession> {
    for (const key of this.visitors.rkeys()) {
      const blank = key.indexOf(' ')
      const visitor = { projectId: Number(key.slice(0, blank)), distinctId: key.slice(blank + 1) }
      for (const session of this.visitors.peek(key) ?? []) yield { ...visitor, ...session }
    }
  }

  get size(): number {
    return this.visitors.size
  }
}

const keyOf = (projectId: number, distinctId: string): string => `${projectId} ${distinctId}`

const latestFirst = (sessions: Session[]): Session[] =>
  sessions.sort((one, other) => other.start - one.start).slice(0, perVisitor)

/** Whether an event of that time belongs to the session: near enough, and within a day of all of it. */
function goesOn({ start, end }: Session, at: number): boolean {
  const isNear = at >= start - idleMs && at <= end + idleMs
  return isNear && Math.max(end, at) - Math.min(start, at) <= longestMs
}
