import { z } from 'zod'
import { type Sql, sql, strings, uint } from '../engine/sql'
import type { Events } from './events'
import { readPage } from './goal'
import { readThroughDepth } from './reading'

const address = z
  .string({ error: 'Write an address as text, such as "/blog/hello".' })
  .max(500, 'An address has at most 500 characters.')
  .startsWith('/', 'Begin an address with "/", such as "/blog/hello".')

/** Pages, each with all the addresses it ever had; by the first it goes in the answer. */
export const pages = z
  .array(
    z
      .array(address, { error: 'List the addresses of each page, such as [["/blog/hello"]].' })
      .min(1, 'Name an address of each page.')
      .max(100, 'A page has at most 100 addresses.'),
    { error: 'List pages, each as a list of its addresses, such as [["/blog/hello"]].' },
  )
  .min(1, 'Name a page.')
  .max(10_000, 'Ask about 10000 pages at most.')
export type Pages = z.infer<typeof pages>

/** Only page views, and what tells how far down and how long a page was read. */
export const namesOfReading = ['$pageview', '$pageleave', '$engagement'] as const

/** Which page a path stands for; '' where that is none of those asked about. */
function pageAt(path: Sql, asked: Pages | undefined): Sql {
  if (!asked) return path
  const { addresses, names } = namesIn(asked)
  return sql`transform(${path}, ${strings(addresses)}, ${strings(names)}, '')`
}

/** Leaves out most of what has to do with none of them, at no cost: the engine looks at each path once. */
export function concerns(asked: Pages | undefined): Sql {
  if (!asked) return sql`true`
  const { addresses } = namesIn(asked)
  return sql`(path in ${strings(addresses)} or read_path in ${strings(addresses)})`
}

/** Two pages may have had one address, one after the other: it is the first one's. */
function namesIn(asked: Pages): { addresses: string[]; names: string[] } {
  const nameOf = new Map<string, string>()
  for (const [name = '', ...others] of asked)
    for (const one of [name, ...others]) if (!nameOf.has(one)) nameOf.set(one, name)
  return { addresses: [...nameOf.keys()], names: [...nameOf.values()] }
}

/** Views of the pages, one row each, with the `page`, on the columns of `events.rows()`. */
export const viewsOf = (asked: Pages | undefined, events: Events): Sql => sql`(
    select *, ${pageAt(sql`path`, asked)} as page
    from ${events.rows()}
    where event = '$pageview' and ${concerns(asked)} and page != ''
  )`

/**
 * What events tell of the reading of pages, as `page`, `times_opened`, `deepest` and `engaged`: a row for each person and
 * page. A view may tell of the page before as well, so that it has to do with two. Persons and pages are told apart by a
 * number made of both, which is ten times quicker; among a million of them, the chance that two are taken for one is one
 * in forty million.
 */
export const readingsOf = (asked: Pages | undefined, events: Events): Sql => sql`(
    select
      any(page_of_part) as page,
      countIf(is_view and part != ${asRead}) as times_opened,
      maxIf(scroll_depth, part != ${asOpened}) as deepest,
      sumIf(engaged_ms, part != ${asOpened}) as engaged
    from (
      select
        person,
        ${pageAt(sql`path`, asked)} as opened,
        ${pageAt(readPage, asked)} as read,
        arrayJoin(multiIf(opened = read, [${asBoth}], opened = '', [${asRead}], read = '', [${asOpened}], [${asOpened}, ${asRead}])) as part,
        if(part = ${asRead}, read, opened) as page_of_part,
        event = '$pageview' as is_view,
        scroll_depth,
        engaged_ms
      from ${events.rows()}
      where ${concerns(asked)} and (opened != '' or read != '')
    )
    group by cityHash64(person, page_of_part)
  )`

/** What an event has to do with a page: it opened it, it tells how it was read, or both. */
const [asBoth, asOpened, asRead] = [sql`0`, sql`1`, sql`2`]

/** Whether an event tells that its sender read one of the pages through, on the columns of `events.rows()`. */
export const tellsReadThrough = (asked: Pages): Sql =>
  sql`(scroll_depth >= ${uint(readThroughDepth)} and ${pageAt(readPage, asked)} != '')`

/** Whether it is a view of one of them. */
export const isViewOf = (asked: Pages): Sql =>
  sql`(event = '$pageview' and ${pageAt(sql`path`, asked)} != '')`
