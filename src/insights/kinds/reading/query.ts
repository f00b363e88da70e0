import { type Sql, sql, uint } from '#engine/sql'
import { bucketColumn } from '../../compile/bucket-column'
import { Events } from '../../compile/events'
import { namesOfReading, readingsOf, viewsOf } from '../../compile/page-addresses'
import type { Buckets, Period } from '../../calendar/period'
import { readThroughDepth } from '../../compile/reading'
import type { QuestionScope } from '../../scope'
import type { ReadingQuestion } from './question'

export interface PageRow {
  page: string
  views: number
  readers: number
  read_through: number
  engaged_ms: number | null
}

/** Returns how each page was read by persons who opened it in the period; pages left open from before do not count. */
export const ofPages = (question: ReadingQuestion, scope: QuestionScope, period: Period): Sql => sql`
  select
    page,
    sum(times_opened) as views,
    count() as readers,
    countIf(deepest >= ${uint(readThroughDepth)}) as read_through,
    if(countIf(engaged > 0) > 0, quantileExactInclusiveIf(0.5)(engaged, engaged > 0), null) as engaged_ms
  from ${readingsOf(question.pages, new Events(scope, question, { period, names: namesOfReading }))}
  where times_opened > 0
  group by page
  order by readers desc, views desc, page
  limit ${uint(question.limit)}`

export interface CountRow {
  bucket: number
  views: number
  readers: number
}

/** Returns the figures of all pages together. */
export const inAll = (question: ReadingQuestion, scope: QuestionScope, period: Period): Sql => sql`
  select 0 as bucket, ${counts}
  from ${views(question, scope, period)}`

export const overTime = (
  question: ReadingQuestion,
  scope: QuestionScope,
  period: Period,
  buckets: Buckets,
): Sql => sql`
  select ${bucketColumn(sql`timestamp`, buckets)} as bucket, ${counts}
  from ${views(question, scope, period)}
  group by bucket`

const counts = sql`count() as views, uniqExact(cityHash64(person)) as readers`

const views = (question: ReadingQuestion, scope: QuestionScope, period: Period): Sql =>
  viewsOf(question.pages, new Events(scope, question, { period, names: ['$pageview'] }))

export interface OriginRow {
  of: 'source' | 'channel'
  name: string
  readers: number
}

/** Counts readers by the source of their visits. A person with visits from two sources counts for each. */
export function origins(question: ReadingQuestion, scope: QuestionScope, period: Period): Sql {
  const events = new Events(scope, question, { period, names: ['$pageview'] })
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
        from ${viewsOf(question.pages, events)}
      )
      group by grouping sets ((source), (channel))
    )
    order by of, readers desc, name
    limit ${uint(question.limit)} by of`
}
