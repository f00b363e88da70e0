import { LRUCache } from 'lru-cache'

const minute = 60_000
/** A session ends after more than thirty minutes without events; at exactly thirty minutes it continues. */
export const sessionIdleMs = 30 * minute
/** A session also ends after a day. */
export const maxSessionMs = 24 * 60 * minute

/** The session of one visitor, as a span of time. */
interface SessionSpan {
  id: string
  /** The times of its first and last event so far, in milliseconds. */
  start: number
  end: number
}

export interface VisitorSession extends SessionSpan {
  projectId: number
  distinctId: string
}

/** The number of sessions kept for each visitor: late events belong to an earlier one. */
const maxSessionsPerVisitor = 3

/**
 * Remembers the sessions of visitors. Above the limit, the visitors not seen for longest are evicted, and their next
 * event begins a new session. Ids are assigned as events arrive: a late event joins a session, but never merges two
 * that already have ids.
 */
export class SessionCache {
  private readonly visitors: LRUCache<string, SessionSpan[]>

  constructor(mostVisitors = 100_000) {
    this.visitors = new LRUCache({ max: mostVisitors })
  }

  /** Returns the session that was active at that time; of several, the latest. */
  find(projectId: number, distinctId: string, at: number): SessionSpan | undefined {
    return this.visitors.get(keyOf(projectId, distinctId))?.find((session) => includesTime(session, at))
  }

  /** Records that a visitor was in a session at that time. Returns the updated session. */
  record(projectId: number, distinctId: string, id: string, at: number, start = at): SessionSpan {
    const key = keyOf(projectId, distinctId)
    const sessions = this.visitors.get(key)
    const session = sessions?.find((known) => known.id === id)
    if (session) {
      session.start = Math.min(session.start, start)
      session.end = Math.max(session.end, at)
      return session
    }
    const started = { id, start, end: at }
    this.visitors.set(key, latestFirst([started, ...(sessions ?? [])]))
    return started
  }

  /** Replaces the id of a session that another front began for the same visit. */
  rename(projectId: number, distinctId: string, from: string, to: string): void {
    const sessions = this.visitors.get(keyOf(projectId, distinctId))
    const index = sessions?.findIndex(({ id }) => id === from) ?? -1
    const [old] = index < 0 ? [] : (sessions?.splice(index, 1) ?? [])
    if (old) this.record(projectId, distinctId, to, old.end, old.start)
  }

  /** Loads sessions from the engine or from another process. */
  restore(sessions: Iterable<VisitorSession>): void {
    for (const { projectId, distinctId, id, start, end } of sessions)
      this.record(projectId, distinctId, id, end, start)
  }

  /** Returns all sessions for `restore`, the least recently used first, so that they are evicted first again. */
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

const latestFirst = (sessions: SessionSpan[]): SessionSpan[] =>
  sessions.sort((one, other) => other.start - one.start).slice(0, maxSessionsPerVisitor)

/** Whether an event at that time belongs to the session: close enough, and within a day of all its events. */
function includesTime({ start, end }: SessionSpan, at: number): boolean {
  const isNear = at >= start - sessionIdleMs && at <= end + sessionIdleMs
  return isNear && Math.max(end, at) - Math.min(start, at) <= maxSessionMs
}
