import { z } from 'zod'
import { type Sql, sql, strings, uint } from '#engine/sql'
import type { Events } from './events'
import { readPage } from '../goal'

/** The scroll depth, in percent, from which a page counts as read through. */
export const readThroughDepth = 75

const address = z
  .string({ error: 'Write an address as text, such as "/blog/hello".' })
  .max(500, 'An address has at most 500 characters.')
  .startsWith('/', 'Begin an address with "/", such as "/blog/hello".')

/** Pages, each with all addresses it ever had; the answer uses the first one. */
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
type PageAddresses = z.infer<typeof pages>

/** Page views, and the events with scroll depth and reading time. */
export const namesOfReading = ['$pageview', '$pageleave', '$engagement'] as const

/** Returns the page of a path; '' if it is none of the requested ones. */
function pageAt(path: Sql, pagesAsked: PageAddresses | undefined): Sql {
  if (!pagesAsked) return path
  const { addresses, names } = namesIn(pagesAsked)
  return sql`transform(${path}, ${strings(addresses)}, ${strings(names)}, '')`
}

/** Filters out most events about other pages cheaply: the engine evaluates each distinct path once. */
export function concernsPages(pagesAsked: PageAddresses | undefined): Sql {
  if (!pagesAsked) return sql`true`
  const { addresses } = namesIn(pagesAsked)
  return sql`(path in ${strings(addresses)} or read_path in ${strings(addresses)})`
}

/** An address that two pages had belongs to the first one. */
function namesIn(pagesAsked: PageAddresses): { addresses: string[]; names: string[] } {
  const nameOf = new Map<string, string>()
  for (const [name = '', ...others] of pagesAsked)
    for (const one of [name, ...others]) if (!nameOf.has(one)) nameOf.set(one, name)
  return { addresses: [...nameOf.keys()], names: [...nameOf.values()] }
}

/** Views of the pages, one row each, with the `page`, on the columns of `events.rows()`. */
export const viewsOf = (pagesAsked: PageAddresses | undefined, events: Events): Sql => sql`(
    select *, ${pageAt(sql`path`, pagesAsked)} as page
    from ${events.rows()}
    where event = '$pageview' and ${concernsPages(pagesAsked)} and page != ''
  )`

/**
 * Readings of pages as `page`, `times_opened`, `deepest` and `engaged`: a row for each person and page. A view may also
 * report on the previous page, so that it concerns two. Rows are grouped by a hash of person and page, which is ten
 * times faster; among a million of them, the chance of a collision is one in forty million.
 */
export const readingsOf = (pagesAsked: PageAddresses | undefined, events: Events): Sql => sql`(
    select
      any(page_of_part) as page,
      countIf(is_view and part != ${asRead}) as times_opened,
      maxIf(scroll_depth, part != ${asOpened}) as deepest,
      sumIf(engaged_ms, part != ${asOpened}) as engaged
    from (
      select
        person,
        ${pageAt(sql`path`, pagesAsked)} as opened,
        ${pageAt(readPage, pagesAsked)} as read,
        arrayJoin(multiIf(opened = read, [${asBoth}], opened = '', [${asRead}], read = '', [${asOpened}], [${asOpened}, ${asRead}])) as part,
        if(part = ${asRead}, read, opened) as page_of_part,
        event = '$pageview' as is_view,
        scroll_depth,
        engaged_ms
      from ${events.rows()}
      where ${concernsPages(pagesAsked)} and (opened != '' or read != '')
    )
    group by cityHash64(person, page_of_part)
  )`

/** The role of an event for a page: a view, a reading, or both. */
const [asBoth, asOpened, asRead] = [sql`0`, sql`1`, sql`2`]

/** Whether an event reports that its person read one of the pages through, on the columns of `events.rows()`. */
export const tellsReadThrough = (pagesAsked: PageAddresses): Sql =>
  sql`(scroll_depth >= ${uint(readThroughDepth)} and ${pageAt(readPage, pagesAsked)} != '')`

/** Whether an event is a view of one of the pages. */
export const isViewOf = (pagesAsked: PageAddresses): Sql =>
  sql`(event = '$pageview' and ${pageAt(sql`path`, pagesAsked)} != '')`
