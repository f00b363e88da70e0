import type { DropReason } from '../events/event'
import type { Receipt, WireAnswer } from './dialect'

/** Any site may send to us and read our answers: a write key is public, and no cookie lets anybody in. */
export const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, etag, x-tilth-dropped',
} as const

export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireAnswer => jsonText(status, JSON.stringify(body), headers)

/** What was written as JSON already. */
export const jsonText = (
  status: number,
  body: string,
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
  body,
})

/** Whether what somebody has is what there is: they name one entity tag, or several. */
export const hasSame = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((one) => plainTag(one) === plainTag(etag)) ?? false

const plainTag = (tag: string): string => tag.trim().replace(/^W\//, '')

export const notModified = (headers: Readonly<Record<string, string>>): WireAnswer => ({
  status: 304,
  headers: { ...openToAll, ...headers },
})

/** Which reasons events of a request were dropped for, so that whoever looks at the answer sees it: `x-tilth-dropped: bot`. */
export function droppedHeader(receipt: Receipt): Readonly<Record<string, string>> {
  if (!receipt.taken || receipt.dropped.length === 0) return {}
  const reasons = new Set<DropReason>(receipt.dropped.map(({ reason }) => reason))
  return { 'x-tilth-dropped': [...reasons].join(', ') }
}
