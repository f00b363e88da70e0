import type { DropReason } from '../events/event'
import type { Receipt, WireAnswer } from './dialect'

/** Any site may send to us and read our answers: a write key is public, and cookies are never looked at. */
export const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, etag, x-tilth-dropped',
} as const

export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireAnswer => ({
  status,
  headers: {
    ...openToAll,
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  },
  body: JSON.stringify(body),
})

/** Which reasons events of a request were dropped for, so that whoever looks at the answer sees it: `x-tilth-dropped: bot`. */
export function droppedHeader(receipt: Receipt): Readonly<Record<string, string>> {
  if (!receipt.taken || receipt.dropped.length === 0) return {}
  const reasons = new Set<DropReason>(receipt.dropped.map(({ reason }) => reason))
  return { 'x-tilth-dropped': [...reasons].join(', ') }
}
