import { sql } from 'kysely'
import type { PreparedEvent } from '#events/event'
import type { Store, StoreTransaction } from '#store/store'
import { sessionIdleMs, maxSessionMs, SessionCache, type VisitorSession } from '../sessions'

/** The plain handle: this is asked for every batch, and a list of ids is one parameter of Postgres. */
interface Tables {
  visitor_sessions: {
    project_id: number
    distinct_id: string
    id: string
    started_at: number
    ended_at: number
  }
}

/** Postgres limits the number of values in a statement. */
const rowsPerStatement = 1000

/**
 * Keeps one session for a visitor whose events arrive at several fronts. Each front assigns ids from its own memory.
 * Before a batch is stored, its events without a session of their client join the sessions that other fronts have stored
 * for the same visitors. A session that a client named is the same at every front, and is not stored here.
 */
export class SharedSessions {
  constructor(
    private readonly store: Pick<Store, 'transaction' | 'tables'>,
    /** The front's own cache, which receives the agreed ids. */
    private readonly cache: Pick<SessionCache, 'rename'>,
  ) {}

  /**
   * Returns the agreed sessions. It returns the same again for the same events, because decisions are stored before the
   * events.
   */
  async agree(events: readonly PreparedEvent[]): Promise<ReadonlyMap<PreparedEvent, string>> {
    const derived = events.filter(({ isSessionDerived }) => isSessionDerived)
    if (derived.length === 0) return new Map()
    const visitors = visitorsIn(derived)
    const agreed = await this.store.transaction(
      (transaction) => agreeOnSessions(transaction, derived, visitors),
      { visitors: [...visitors].flatMap(([projectId, ids]) => [...ids].map((id) => `${projectId} ${id}`)) },
    )
    for (const [{ projectId, distinctId, sessionId }, id] of agreed)
      this.cache.rename(projectId, distinctId, sessionId, id)
    return agreed
  }

  /** Deletes sessions that no event can join any more. */
  async forget(now: Date): Promise<void> {
    await this.store
      .tables<Tables>()
      .deleteFrom('visitor_sessions')
      .where('ended_at', '<', now.getTime() - maxSessionMs - sessionIdleMs)
      .execute()
  }
}

async function agreeOnSessions(
  transaction: StoreTransaction,
  events: readonly PreparedEvent[],
  visitors: VisitorsByProject,
): Promise<Map<PreparedEvent, string>> {
  const cache = new SessionCache([...visitors.values()].reduce((sum, ids) => sum + ids.size, 0))
  const stored = await sessionsOf(transaction, visitors)
  cache.restore(stored)
  const agreed = new Map<PreparedEvent, string>()
  const after = new Map<string, VisitorSession>()
  for (const event of events) {
    const session = joinSession(cache, event)
    after.set(keyOf(session), session)
    if (session.id !== event.sessionId) agreed.set(event, session.id)
  }
  const before = new Map(stored.map((session) => [keyOf(session), session]))
  await save(
    transaction,
    [...after.values()].filter((session) => hasMoved(before.get(keyOf(session)), session)),
  )
  return agreed
}

const keyOf = ({ projectId, distinctId, id }: VisitorSession): string => `${projectId} ${distinctId} ${id}`

/** A session is stored again once an end of it is so far from the stored one. */
const storedWithinMs = 60_000

/** A front that takes over from the stored end alone ends a session up to a minute too early, never too late. */
const hasMoved = (stored: VisitorSession | undefined, { start, end }: VisitorSession): boolean =>
  stored === undefined || end - stored.end >= storedWithinMs || stored.start - start >= storedWithinMs

/** Finds the session of an event, and records the event in it. */
function joinSession(cache: SessionCache, event: PreparedEvent): VisitorSession {
  const { projectId, distinctId, sessionId } = event
  const at = event.at.getTime()
  const previousId = previousIdOf(event)
  const ongoing =
    cache.find(projectId, distinctId, at) ??
    (previousId === undefined ? undefined : cache.find(projectId, previousId, at))
  const id = ongoing?.id ?? sessionId
  const { start, end } = cache.record(projectId, distinctId, id, at, ongoing?.start)
  return { projectId, distinctId, id, start, end }
}

/** The previous id of the same visitor, if the event names it. */
function previousIdOf({ identity }: PreparedEvent): string | undefined {
  if (identity?.kind === 'identify') return identity.anonymous
  return identity?.kind === 'alias' ? identity.alias : identity?.other
}

type VisitorsByProject = ReadonlyMap<number, ReadonlySet<string>>

function visitorsIn(events: readonly PreparedEvent[]): VisitorsByProject {
  const visitors = new Map<number, Set<string>>()
  for (const event of events) {
    const ids = visitors.get(event.projectId) ?? new Set()
    const previousId = previousIdOf(event)
    if (previousId !== undefined) ids.add(previousId)
    visitors.set(event.projectId, ids.add(event.distinctId))
  }
  return visitors
}

async function sessionsOf(
  transaction: StoreTransaction,
  visitors: VisitorsByProject,
): Promise<VisitorSession[]> {
  const sessions: VisitorSession[] = []
  for (const [projectId, ids] of visitors) {
    const { rows } = await sql<Tables['visitor_sessions']>`
      select * from visitor_sessions
      where project_id = ${projectId} and distinct_id = any(${[...ids]}::text[])`.execute(
      transaction.tables<Tables>(),
    )
    sessions.push(
      ...rows.map((row) => ({
        projectId,
        distinctId: row.distinct_id,
        id: row.id,
        start: row.started_at,
        end: row.ended_at,
      })),
    )
  }
  return sessions
}

async function save(transaction: StoreTransaction, sessions: readonly VisitorSession[]): Promise<void> {
  for (let n = 0; n < sessions.length; n += rowsPerStatement) {
    await transaction
      .tables<Tables>()
      .insertInto('visitor_sessions')
      .values(
        sessions.slice(n, n + rowsPerStatement).map(({ projectId, distinctId, id, start, end }) => ({
          project_id: projectId,
          distinct_id: distinctId,
          id,
          started_at: start,
          ended_at: end,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'distinct_id', 'id']).doUpdateSet((row) => ({
          started_at: row.fn('least', ['visitor_sessions.started_at', row.ref('excluded.started_at')]),
          ended_at: row.fn('greatest', ['visitor_sessions.ended_at', row.ref('excluded.ended_at')]),
        })),
      )
      .execute()
  }
}
