import type { Outcome } from '#projects/problems'
import { type AnswerTable, defineKind } from '#insights/kind'
import { bucketsOfQuery } from '#insights/calendar/intervals'
import type { Buckets, Period } from '#insights/calendar/period'
import type { ReaderOrigin, ReadingAnswer, ReadPage } from './answer'
import type { QueryScope } from '#insights/scope'
import { share } from '#insights/compile/visits'
import { type CountRow, inAll, ofPages, type OriginRow, origins, overTime, type PageRow } from './query'
import { type ReadingQuery, readingQuery } from './schema'

export const readingKind = defineKind<ReadingQuery, ReadingAnswer>({
  about: 'How pages were read: by how many, how far, for how long, and where readers came from.',
  query: readingQuery,
  answer,
  table,
})

async function answer(query: ReadingQuery, scope: QueryScope): Promise<Outcome<{ answer: ReadingAnswer }>> {
  const found = await bucketsOfQuery(query, scope)
  if (!found.done) return found
  const { period, interval, buckets } = found
  const [pages, [whole], details] = await Promise.all([
    scope.run<PageRow>(ofPages(query, scope, period)),
    scope.run<CountRow>(inAll(query, scope, period)),
    query.details ? detailsOf(query, scope, period, buckets) : undefined,
  ])
  return {
    done: true,
    answer: {
      interval,
      starts: buckets.starts.map((start) => start.toISOString()),
      lastIsIncomplete: buckets.end > scope.calendar.now,
      ...countsOf(whole),
      pages: pages.map(pageFrom),
      ...details,
    },
  }
}

const countsOf = (row: CountRow | undefined) => ({ views: row?.views ?? 0, readers: row?.readers ?? 0 })

const pageFrom = ({ page, views, readers, read_through, engaged_ms }: PageRow): ReadPage => ({
  page,
  views,
  readers,
  readThrough: share(read_through, readers),
  engagedMs: engaged_ms,
})

async function detailsOf(
  query: ReadingQuery,
  scope: QueryScope,
  period: Period,
  buckets: Buckets,
): Promise<Required<Pick<ReadingAnswer, 'course' | 'sources' | 'channels'>>> {
  const [course, from] = await Promise.all([
    scope.run<CountRow>(overTime(query, scope, period, buckets)),
    scope.run<OriginRow>(origins(query, scope, period)),
  ])
  const byBucket = new Map(course.map((row) => [row.bucket, row]))
  return {
    course: buckets.starts.map((start) => countsOf(byBucket.get(start.getTime()))),
    sources: originsIn(from, 'source'),
    channels: originsIn(from, 'channel'),
  }
}

const originsIn = (rows: readonly OriginRow[], wanted: OriginRow['of']): ReaderOrigin[] =>
  rows.flatMap(({ of, name, readers }) =>
    of === wanted ? [{ name: name === '' ? null : name, readers }] : [],
  )

function table({ pages }: ReadingAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Page', as: 'text' },
      { name: 'Readers', as: 'number' },
      { name: 'Views', as: 'number' },
      { name: 'Read through', as: 'percent' },
      { name: 'Median time', as: 'duration' },
    ],
    rows: pages.map(({ page, readers, views, readThrough, engagedMs }) => [
      page,
      readers,
      views,
      readThrough,
      engagedMs === null ? null : engagedMs / 1000,
    ]),
  }
}
