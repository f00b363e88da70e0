import type { AnsweredQuery, KindName, QueryInput } from '#insights/answered-query'
import type { KeyViewer } from '#projects/access'
import { failedOutcome, type FailedOutcome, type Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Product } from '#server/product'

/** Umami's major versions whose answers differ: 2 has `{value, prev}` where 3 has numbers. */
export type UmamiVersion = 2 | 3

/** An address of Umami's API, as its clients call it. */
export interface UmamiEndpoint {
  method: 'GET' | 'POST'
  /** Below /api; `{website}` is a project. */
  path: `/${string}`
  /** The query parameters that it understands; others are refused, because an ignored filter gives wrong numbers. */
  query?: readonly string[]
  /** Whether it understands the filters of Umami's dashboard. */
  takesFilters?: true
  handle: (call: UmamiCall) => Promise<UmamiOutcome>
}

export interface UmamiCall {
  product: Product
  viewer: KeyViewer
  project: Project
  version: UmamiVersion
  input: Readonly<Record<string, unknown>>
  query: URLSearchParams
  signal: AbortSignal | undefined
  /** When the request arrived. */
  now: Date
  part: (name: string) => string
}

interface Missing {
  done: false
  problems: []
  missing: true
}

export type UmamiOutcome = Outcome<{ body: unknown }> | Missing

export const success = (body: unknown): { done: true; body: unknown } => ({ done: true, body })

/** The outcome where the project has no such entry. */
export const missing: Missing = { done: false, problems: [], missing: true }

export const refused: (message: string, field?: string) => FailedOutcome = failedOutcome

/** The id by which clients know a project: the one that it had at Umami, or else its write key. */
export const websiteIdOf = ({ aliases, writeKey }: Project): string =>
  aliases.find((alias) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(alias)) ?? writeKey

/** Asks a query of the project; `timeZone` is that of its days and hours, if it is not the project's. */
export const ask = async <Kind extends KindName>(
  { product, project, viewer, signal }: UmamiCall,
  query: QueryInput<Kind>,
  timeZone?: string,
): Promise<Outcome<AnsweredQuery<Kind>>> =>
  await product.insights.ask(project.id, query, viewer, { ...(signal && { signal }), timeZone })

export const pageParameters = ['page', 'pageSize', 'orderBy', 'sortDescending', 'search'] as const

interface PageRequest {
  page: number
  pageSize: number
  offset: number
}

const usualPageSize = 20
const mostOnPage = 1000

/** Reads Umami's paging; pages are counted from 1. */
export function pageRequestOf(query: URLSearchParams): Outcome<PageRequest> {
  const page = wholeNumber(query.get('page') ?? '1')
  const pageSize = wholeNumber(query.get('pageSize') ?? String(usualPageSize))
  if (page === undefined || page < 1 || page > 100_000) return refused('Give the page from 1 on.', 'page')
  if (pageSize === undefined || pageSize < 1 || pageSize > mostOnPage)
    return refused(`Give a pageSize from 1 to ${mostOnPage}.`, 'pageSize')
  return { done: true, page, pageSize, offset: (page - 1) * pageSize }
}

export const wholeNumber = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) ? Number(text) : undefined

/** A page in Umami's form; `count` is the number of entries on all pages. */
export const pageBody = ({ page, pageSize }: PageRequest, entries: readonly unknown[], count: number) => ({
  data: entries,
  count,
  page,
  pageSize,
})

/** Answers one page of a list that is in memory. */
export function listed({ query }: Pick<UmamiCall, 'query'>, all: readonly unknown[]): UmamiOutcome {
  const read = pageRequestOf(query)
  if (!read.done) return read
  return success(pageBody(read, all.slice(read.offset, read.offset + read.pageSize), all.length))
}
