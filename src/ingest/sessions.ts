import { LRUCache } from 'lru-cache'

const minute = 60_000
/** A session ends after more than thirty minutes of quiet: at thirty exactly it still goes on. */
export const sessionIdleMs = 30 * minute
/** … and with the day, whatever happens in it. */
export const maxSessionMs = 24 * 60 * minute

/** A run of one visitor's events. */
export interface SessionSpan {
  id: string
  /** Of its first and last event so far, in milliseconds. */
  start: number
  end: number
}

export interface VisitorSession extends SessionSpan {
  projectId: number
  distinctId: string
}

/** How many sessions of one visitor are remembered: events that come late belong to an earlier one. */
const maxSessionsPerVisitor = 3

/**
 * Who is in which session. Bounded: beyond so many visitors the ones not seen for longest are forgotten, and begin a new
 * session with their next event. Ids are given as events arrive: one that comes late joins a session, but never makes
 * two that already have ids into one.
 */
export class SessionCache {
  private readonly visitors: LRUCache<string, SessionSpan[]>

  constructor(mostVisitors = 100_000) {
    this.visitors = new LRUCache({ max: mostVisitors })
  }

  /** The session that was going on at that time; with several, the latest. */
  find(projectId: number, distinctId: string, at: number): SessionSpan | undefined {
    return this.visitors.get(keyOf(projectId, distinctId))?.find((session) => includesTime(session, at))
  }

  /** Notes that a visitor was in a session at that time; answers with the session as it is now. */
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

  /** Puts one session in the place of another that was begun for the same visit. */
  rename(projectId: number, distinctId: string, from: string, to: string): void {
    const sessions = this.visitors.get(keyOf(projectId, distinctId))
    const index = sessions?.findIndex(({ id }) => id === from) ?? -1
    const [old] = index < 0 ? [] : (sessions?.splice(index, 1) ?? [])
    if (old) this.record(projectId, distinctId, to, old.end, old.start)
  }

  /** Takes back what the engine's rows or another process's memory hold. */
  restore(sessions: Iterable<VisitorSession>): void {
    for (const { projectId, distinctId, id, start, end } of sessions)
      this.record(projectId, distinctId, id, end, start)
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

const latestFirst = (sessions: SessionSpan[]): SessionSpan[] =>
  sessions.sort((one, other) => other.start - one.start).slice(0, maxSessionsPerVisitor)

/** Whether an event of that time belongs to the session: near enough, and within a day of all of it. */
function includesTime({ start, end }: SessionSpan, at: number): boolean {
  const isNear = at >= start - sessionIdleMs && at <= end + sessionIdleMs
  return isNear && Math.max(end, at) - Math.min(start, at) <= maxSessionMs
}
