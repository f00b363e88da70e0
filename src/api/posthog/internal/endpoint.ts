import { createHash } from 'node:crypto'
import type { Viewer } from '#projects/access'
import { failedOutcome, type FailedOutcome, type Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Product } from '#server/product'

/** An address of PostHog's API, as its scripts, its Terraform provider, its MCP server and its Zapier app call it. */
export interface PosthogEndpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api, without the trailing slash; `{name}` is one part of it. */
  path: `/${string}`
  /** The query parameters that it understands; others are refused, because an ignored filter gives wrong numbers. */
  query?: readonly string[]
  /** The query parameters that change no number of its answer. */
  ignoredQuery?: readonly string[]
  /** The address in Tilth's own API that changes what this one only gives. */
  changedBy?: string
  status?: 200 | 201 | 202 | 204
  handle: (call: PosthogCall) => Promise<PosthogOutcome>
}

export interface PosthogCall {
  product: Product
  viewer: Viewer
  project: Project
  input: Readonly<Record<string, unknown>>
  query: URLSearchParams
  /** The address that was called, for links to further pages. */
  address: URL
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

export type PosthogOutcome = Outcome<{ body: unknown }> | Missing

export const success = (body: unknown): { done: true; body: unknown } => ({ done: true, body })

/** The outcome where the project has no such entry. */
export const missing: Missing = { done: false, problems: [], missing: true }

export const refused: (message: string, field?: string) => FailedOutcome = failedOutcome

/** Maps the outcome of a change to the body that reading it has. */
export const shownAs = <Done>(outcome: Outcome<Done>, show: (done: Done) => unknown): PosthogOutcome =>
  outcome.done ? success(show(outcome)) : outcome

export const pageParameters = ['limit', 'offset'] as const
const usualLimit = 100
export const mostOnPage = 1000

interface PageRequest {
  limit: number
  offset: number
}

/** Reads PostHog's paging; a page has 100 entries by default. */
export function pageRequestOf(query: URLSearchParams): Outcome<{ page: PageRequest }> {
  const limit = wholeNumber(query.get('limit') ?? String(usualLimit))
  const offset = wholeNumber(query.get('offset') ?? '0')
  if (limit === undefined || limit < 1 || limit > mostOnPage)
    return refused(`Give a limit from 1 to ${mostOnPage}.`, 'limit')
  if (offset === undefined) return refused('Give the offset as a whole number.', 'offset')
  return { done: true, page: { limit, offset } }
}

const wholeNumber = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)

/** A page in PostHog's form; `results` are those of this page, `count` those of all. */
export const pageBody = (
  { address }: Pick<PosthogCall, 'address'>,
  { limit, offset }: PageRequest,
  results: readonly unknown[],
  count: number,
) => ({
  count,
  next: offset + results.length < count ? linkTo(address, { offset: offset + limit, limit }) : null,
  previous: offset > 0 ? linkTo(address, { offset: Math.max(0, offset - limit), limit }) : null,
  results,
})

export function linkTo(address: URL, parameters: Readonly<Record<string, string | number>>): string {
  const link = new URL(address)
  for (const [name, value] of Object.entries(parameters)) link.searchParams.set(name, String(value))
  return link.href
}

/** Answers one page of a list that is in memory. */
export function listed(call: PosthogCall, all: readonly unknown[]): PosthogOutcome {
  const read = pageRequestOf(call.query)
  if (!read.done) return read
  const { limit, offset } = read.page
  return success(pageBody(call, read.page, all.slice(offset, offset + limit), all.length))
}

const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex')

/** PostHog's ids are numbers, and its clients parse them as such; 48 bits of a hash stay exact in all of them. */
export const numberOf = (id: string): number =>
  /^\d{1,15}$/.test(id) ? Number(id) : Number.parseInt(hashOf(id).slice(0, 12), 16)

/** The number of a dashboard: PostHog's Terraform provider reads it as an int32 (internal/httpclient/insight.go, a771afa). */
export const smallNumberOf = (id: string): number =>
  Number.parseInt(hashOf(id).slice(0, 8), 16) & 0x7f_ff_ff_ff

/** PostHog's short id of an insight has eight letters and digits; its MCP server takes any other text as a number. */
export const shortIdOf = (id: string): string =>
  (BigInt(`0x${hashOf(id).slice(0, 16)}`) % 36n ** 8n).toString(36).padStart(8, '0')

/** The UUID of what has only a name here. */
export const uuidOf = (text: string): string =>
  hashOf(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5')

/** The person or key that made an entry. Tilth keeps the name only. */
export const authorBody = (name: string) => ({
  id: numberOf(name),
  uuid: uuidOf(name),
  distinct_id: name,
  first_name: name,
  last_name: '',
  email: '',
})

/** An instant as PostHog writes it: without a fraction where that is 0. Terraform compares it as a text. */
export const instantText = (at: Date | undefined): string | null =>
  at?.toISOString().replace(/\.000Z$/, 'Z') ?? null

/** Finds an entry by its own id or by a number or text that stands for it; none where that stands for several. */
export function findById<Entry extends { id: string }>(
  entries: readonly Entry[],
  id: string,
  standInsOf: (id: string) => readonly unknown[] = (own) => [numberOf(own)],
): Entry | undefined {
  const own = entries.find((entry) => entry.id === id)
  if (own) return own
  const [found, ...others] = entries.filter((entry) =>
    standInsOf(entry.id).some((standIn) => String(standIn) === id),
  )
  return others.length === 0 ? found : undefined
}

/** Leaves out fields of PostHog's that change no number here. */
export const withoutFields = (
  input: Readonly<Record<string, unknown>>,
  left: ReadonlySet<string>,
): Record<string, unknown> => Object.fromEntries(Object.entries(input).filter(([field]) => !left.has(field)))

/** Refuses fields that would be ignored. */
export function unknownField(
  input: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): FailedOutcome | undefined {
  const unknown = Object.keys(input).find((field) => !known.has(field))
  return unknown === undefined
    ? undefined
    : refused(`Tilth does not take the field "${unknown}" here.`, unknown)
}
