import { type Sql, sql, uint } from '#engine/sql'
import { bucketColumn } from '#insights/compile/internal/bucket-column'
import { Events } from '#insights/compile/internal/events'
import { namesOfReading, readingsOf, viewsOf } from '#insights/compile/internal/page-addresses'
import type { Buckets, Period } from '#insights/calendar/period'
import { readThroughDepth } from '#insights/compile/internal/page-addresses'
import type { QueryScope } from '#insights/scope'
import type { ReadingQuery } from './schema'

export interface PageRow {
  page: string
  views: number
  readers: number
  read_through: number
  engaged_ms: number | null
}

/** Returns how each page was read by persons who opened it in the period; pages left open from before do not count. */
export const ofPages = (query: ReadingQuery, scope: QueryScope, period: Period): Sql => sql`
  select
    page,
    sum(times_opened) as views,
    count() as readers,
    countIf(deepest >= ${uint(readThroughDepth)}) as read_through,
    if(countIf(engaged > 0) > 0, quantileExactInclusiveIf(0.5)(engaged, engaged > 0), null) as engaged_ms
  from ${readingsOf(query.pages, new Events(scope, query, { period, names: namesOfReading }))}
  where times_opened > 0
  group by page
  order by readers desc, views desc, page
  limit ${uint(query.limit)}`

export interface CountRow {
  bucket: number
  views: number
  readers: number
}

/** Returns the figures of all pages together. */
export const inAll = (query: ReadingQuery, scope: QueryScope, period: Period): Sql => sql`
  select 0 as bucket, ${counts}
  from ${views(query, scope, period)}`

export const overTime = (
  query: ReadingQuery,
  scope: QueryScope,
  period: Period,
  buckets: Buckets,
): Sql => sql`
  select ${bucketColumn(sql`timestamp`, buckets)} as bucket, ${counts}
  from ${views(query, scope, period)}
  group by bucket`

const counts = sql`count() as views, uniqExact(cityHash64(person)) as readers`

const views = (query: ReadingQuery, scope: QueryScope, period: Period): Sql =>
  viewsOf(query.pages, new Events(scope, query, { period, names: ['$pageview'] }))

export interface OriginRow {
  of: 'source' | 'channel'
  name: string
  readers: number
}

/** Counts readers by the source of their visits. A person with visits from two sources counts for each. */
export function origins(query: ReadingQuery, scope: QueryScope, period: Period): Sql {
  const events = new Events(scope, query, { period, names: ['$pageview'] })
  const source = events.property({ type: 'session', key: '$entry_source' }).text
  const channel = events.property({ type: 'session', key: '$channel_type' }).text
  return sql`
    select of, name, readers
    from (
      select
        if(grouping(source) = 0, 'source', 'channel') as of,
        if(grouping(source) = 0, source, channel) as name,
        uniqExact(person) as readers
      from (
        select person, ${source} as source, ${channel} as channel
        from ${viewsOf(query.pages, events)}
      )
      group by grouping sets ((source), (channel))
    )
    order by of, readers desc, name
    limit ${uint(query.limit)} by of`
}
