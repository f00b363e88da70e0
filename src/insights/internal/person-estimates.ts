import { LRUCache } from 'lru-cache'
import type { Engine } from '#engine/engine'
import { render, type Sql, sql, uint } from '#engine/sql'
import { cacheClock, type World } from '#world/world'
import { type Approximation, approximateWithin } from '../approximation'
import { comparablePeriods } from '../compile/internal/comparable-periods'
import { approximateDistinct } from '../compile/internal/distinct'
import { Events } from '../compile/internal/events'
import type { CountedPersons } from '../kind'
import { bothFilters, queryPeriod } from '../query-fields'
import type { BaseQuery, QueryScope } from '../scope'

/** A query, with the persons that it counts. */
interface CountingQuery {
  query: BaseQuery & { compare?: string | undefined }
  counted: readonly CountedPersons[]
}

/** Persons seldom become fewer. */
const personsKeptMs = 10 * 60_000
const eventsKeptMs = 10_000
const mostEstimates = 500
/** The error of an estimate is a fifth of this at most, so that no answer to the bound is approximate. */
const safety = 1 + 5 * approximateWithin

/** Decides for a whole answer whether its persons are counted one by one, from estimates that are kept for a while. */
export class PersonEstimates {
  private readonly kept: LRUCache<string, Promise<number>>

  constructor(
    private readonly dependencies: {
      engine: Pick<Engine, 'query'>
      world: Pick<World, 'now'>
      exactUpTo?: number | undefined
    },
  ) {
    this.kept = new LRUCache({
      max: mostEstimates,
      ttlResolution: 0,
      perf: cacheClock(dependencies.world),
    })
  }

  /** Returns undefined for an exact answer. */
  async approximationOf(
    { query, counted }: CountingQuery,
    scope: QueryScope,
  ): Promise<Approximation | undefined> {
    const above = this.dependencies.exactUpTo
    if (above === undefined || counted.length === 0) return undefined
    // a project has no more persons than events, and the engine knows their number without reading them
    if ((await this.estimate(eventsOf(scope), scope, eventsKeptMs)) <= above) return undefined
    const statement = personsOf(counted, query, scope, await periodsOf(query, scope))
    const persons = await this.estimate(statement, scope, personsKeptMs)
    return persons > above * safety ? { within: approximateWithin, above } : undefined
  }

  /** Callers with the same statement share its run, without the limits of any of them. */
  private async estimate(statement: Sql, { projectId }: QueryScope, keptMs: number): Promise<number> {
    const { text, parameters } = render(statement)
    const key = JSON.stringify([projectId, text, parameters], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    const known = this.kept.get(key)
    if (known) return await known
    const found = this.dependencies.engine
      .query<{ amount: number }>(statement, { lane: 'dashboard', projectId })
      .then(([row]) => row?.amount ?? 0)
    this.kept.set(key, found, { ttl: keptMs })
    try {
      return await found
    } catch (problem) {
      this.kept.delete(key)
      throw problem
    }
  }
}

const eventsOf = ({ projectId }: QueryScope): Sql => sql`
  select count() as amount from events where project_id = ${uint(projectId)}`

async function periodsOf(query: CountingQuery['query'], scope: QueryScope) {
  const period = await queryPeriod(query, scope)
  if (query.compare === undefined) return [period]
  return [period, comparablePeriods(period, query.compare, scope.calendar).whole]
}

/** The most persons of any count of a query; each is over its whole period. */
function personsOf(
  counted: readonly CountedPersons[],
  query: BaseQuery,
  scope: QueryScope,
  periods: Awaited<ReturnType<typeof periodsOf>>,
): Sql {
  const each = counted.flatMap(({ names, filter, byVisitorId }) =>
    periods.map((period) => {
      const narrowed = { ...query, filter: bothFilters(query.filter, filter) }
      const events = new Events(scope, narrowed, { period, names })
      const who = byVisitorId ? sql`cityHash64(distinct_id)` : sql`cityHash64(person)`
      return sql`select ${approximateDistinct.of(who)} as persons from ${events.rows()}`
    }),
  )
  return sql`select max(persons) as amount from (${sql.join(each, sql` union all `)})`
}
