import type { DropReason } from '#events/event'
import type { Receipt, WireResponse } from '../dialect'

/** Lets any site send events and read responses: a write key is public, and no cookie grants access. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, etag, x-tilth-dropped, x-tilth-part',
} as const

type Headers = Readonly<Record<string, string>>

const noHeaders: Headers = Object.freeze({})

/** Frozen, so that they are formatted once. */
const jsonHeaders: Headers = Object.freeze({
  ...corsHeaders,
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})

export const jsonResponse = (status: number, body: unknown, headers: Headers = noHeaders): WireResponse =>
  jsonTextResponse(status, JSON.stringify(body), headers)

/** The smallest picture, for pages that send by asking for one. */
export const imageResponse: WireResponse = {
  status: 200,
  headers: { ...corsHeaders, 'content-type': 'image/gif', 'cache-control': 'no-store' },
  body: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
}

/** Responds with a text that is JSON already. */
export const jsonTextResponse = (
  status: number,
  body: string,
  headers: Headers = noHeaders,
): WireResponse => ({
  status,
  headers: headers === noHeaders ? jsonHeaders : { ...jsonHeaders, ...headers },
  body,
})

/** Whether the client's cached copy is current. The header may list several entity tags. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((one) => normalizeTag(one) === normalizeTag(etag)) ?? false

const normalizeTag = (tag: string): string => tag.trim().replace(/^W\//, '')

export const notModifiedResponse = (headers: Headers): WireResponse => ({
  status: 304,
  headers: { ...corsHeaders, ...headers },
})

/** Reports to the client why events of its request were dropped: `x-tilth-dropped: bot`. */
export function droppedHeader(receipt: Receipt): Headers {
  if (!receipt.taken || receipt.dropped.length === 0) return noHeaders
  const reasons = new Set<DropReason>(receipt.dropped.map(({ reason }) => reason))
  return { 'x-tilth-dropped': [...reasons].join(', ') }
}
