import { constants, gunzipSync } from 'node:zlib'
import type { Json } from '#events/event'
import { isGzip, parseJson } from './decode-body'

/** The beginning of a body of JSON. */
export interface LeadingFields {
  /** The texts among the members that an object begins with. */
  texts: ReadonlyMap<string, string>
  /** The name of the first member that is a list or an object, as far as it was read; undefined for a list. */
  next: string | undefined
  /** The first item of a list, or the first of several lines; undefined if its end was not read. */
  first: Json | undefined
}

/** Smaller bodies are read at once. */
export const leastBytes = 64 * 1024
/** A packed body is unpacked from its first bytes, and from twice as many while that is too short. */
const packedBytes = { least: 512, most: 16 * 1024 }
/** The first bytes never come to more, and what does is not unpacked for its beginning. */
const mostUnpackedBytes = 1032 * packedBytes.least

/** Reads the beginning of a large body; undefined for any other, and for one that is not JSON. */
export function leadingFields(body: Uint8Array): LeadingFields | undefined {
  if (claimedBytes(body) < leastBytes) return undefined
  if (!isGzip(body)) return fieldsOf(textOf(body))
  let fields: LeadingFields | undefined
  for (let bytes = packedBytes.least; bytes <= packedBytes.most; bytes *= 2) {
    const unpacked = unpackedSoFar(body.subarray(0, bytes))
    if (!unpacked) return fields
    fields = fieldsOf(textOf(unpacked))
    const isFound = fields?.next !== undefined || fields?.first !== undefined
    if (isFound || unpacked.length > leastBytes || bytes >= body.length) return fields
  }
  return fields
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, leastBytes)).toString()

function fieldsOf(text: string): LeadingFields | undefined {
  const [beginning = '', bracket] = /^\s*([[{])/.exec(text) ?? []
  if (bracket === undefined) return undefined
  return bracket === '['
    ? { texts: new Map(), next: undefined, first: firstItem(text, beginning.length) }
    : { ...membersOf(text, beginning.length), first: firstLine(text) }
}

function membersOf(text: string, start: number): Pick<LeadingFields, 'texts' | 'next'> {
  const texts = new Map<string, string>()
  let next: string | undefined
  member.lastIndex = start
  for (let read = member.exec(text); read && next === undefined; read = member.exec(text)) {
    const [, name = '', value] = read
    if (value === undefined) next = name
    else if (value.startsWith('"')) texts.set(name, value.slice(1, -1))
  }
  return { texts, next }
}

/** Texts with escapes match nothing, so that reading ends before them: no key has any. */
const member = /\s*"([^"\\]*)"\s*:\s*(?:("[^"\\]*"|[\d.eE+-]+|true|false|null)\s*,|[[{])/y

/** Undefined if the object is not one of several, each on a line of its own. */
function firstLine(text: string): Json | undefined {
  const end = text.indexOf('\n')
  const line = end < 0 ? undefined : parseJson(text.slice(0, end))
  return line?.read ? line.what : undefined
}

/** Parses the object that begins here, if it ends in the text as well. */
function firstItem(text: string, start: number): Json | undefined {
  let depth = 0
  token.lastIndex = start
  for (let read = token.exec(text); read; read = token.exec(text)) {
    const [, sign] = read
    if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    if (depth > 0) continue
    const parsed = parseJson(text.slice(start, token.lastIndex))
    return parsed.read ? parsed.what : undefined
  }
  return undefined
}

/** A bracket, or what has none: a text or anything between. */
const token = /([[\]{}])|"(?:[^"\\]|\\.)*"|[^[\]{}"]+/y

/** Undefined if it is no gzip, or far more than a beginning. */
function unpackedSoFar(beginning: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostUnpackedBytes })
  } catch {
    return undefined
  }
}

/** A body of gzip ends with the length of what is inside. */
const claimedBytes = (body: Uint8Array): number =>
  isGzip(body) && body.length > gzipLengthBytes
    ? new DataView(body.buffer, body.byteOffset + body.length - gzipLengthBytes).getUint32(0, true)
    : body.length

const gzipLengthBytes = 4
