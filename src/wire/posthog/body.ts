import type { Json } from '../../events/event'
import type { WireRequest } from '../dialect'
import { parsed, textOf, unpackedText, unreadable, type Unpacked } from '../unpack'

/** What an SDK sent, in whichever of the forms that fourteen years of them have used. */
export function bodyOf(request: WireRequest): Unpacked<Json> {
  if (request.query.get('compression') === 'lz64')
    return unreadable('"lz64" is not read any more. Update the SDK, or have it send gzip or nothing.')
  const text = request.method === 'POST' ? unpackedText(request) : textOfQuery(request.query)
  if (!text.read) return text
  const said = formValue(text.what).trim()
  return isJson(said) ? parsed(said) : parsedBase64(said)
}

/** The oldest SDKs could only ask for pictures, and wrote what they had to say into the address. */
function textOfQuery(query: URLSearchParams): Unpacked<string> {
  const data = query.get('data')
  return data === null
    ? unreadable('The address has no "data". Send events in the body of a POST.')
    : { read: true, what: data }
}

const formValue = (text: string): string =>
  text.startsWith('data=') ? (new URLSearchParams(text).get('data') ?? '') : text

/** A quote begins JSON too; base64 never contains one. */
const isJson = (text: string): boolean => /^[{["]/.test(text)

/** In a form, a plus sign stands for a space, and base64 has no spaces of its own. */
function parsedBase64(text: string): Unpacked<Json> {
  if (text === '') return unreadable('The body is empty.')
  const inside = textOf(Buffer.from(text.replaceAll(' ', '+'), 'base64'))
  return inside.read ? parsed(inside.what) : inside
}
