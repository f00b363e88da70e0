import type { Json } from '#events/event'
import type { WireRequest } from '../../dialect'
import { parseJson, gunzipText, decodeTextBody, unreadableBody, type Decoded } from '../../decode-body'

/** Parses a body in any of the formats that PostHog's SDKs have used in fourteen years. */
export function parseBody(request: WireRequest): Decoded<Json> {
  if (request.parsedBody) return request.parsedBody
  if (request.query.get('compression') === 'lz64')
    return unreadableBody('"lz64" is not read any more. Update the SDK, or have it send gzip or nothing.')
  const text = request.method === 'POST' ? decodeTextBody(request) : textOfQuery(request.query)
  if (!text.read) return text
  const content = formValue(text.what).trim()
  return isJson(content) ? parseJson(content) : parsedBase64(content)
}

/** The oldest SDKs could only request images, and sent the event in the address. */
function textOfQuery(query: URLSearchParams): Decoded<string> {
  const data = query.get('data')
  return data === null
    ? unreadableBody('The address has no "data". Send events in the body of a POST.')
    : { read: true, what: data }
}

const formValue = (text: string): string =>
  text.startsWith('data=') ? (new URLSearchParams(text).get('data') ?? '') : text

/** A quote also begins JSON; base64 never contains one. */
const isJson = (text: string): boolean => /^[{["]/.test(text)

/** Larger ones are unpacked before, by `withOpenBody`, except in addresses. */
const maxUnpackedInside = 128 * 1024

/** Parses base64. In a form, a plus sign means a space; base64 contains no spaces. */
function parsedBase64(text: string): Decoded<Json> {
  if (text === '') return unreadableBody('The body is empty.')
  const inside = gunzipText(Buffer.from(text.replaceAll(' ', '+'), 'base64'), maxUnpackedInside)
  return inside.read ? parseJson(inside.what) : inside
}
