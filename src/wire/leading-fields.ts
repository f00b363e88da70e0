import { constants, gunzipSync } from 'node:zlib'
import { isGzip } from './decode-body'

/** The members that a JSON object begins with. */
export interface LeadingFields {
  texts: ReadonlyMap<string, string>
  /** The name of the first member that is a list or an object, as far as it was read. */
  next: string | undefined
}

/** Smaller bodies are read at once. */
const leastBytes = 128 * 1024
/** These bytes are uncompressed for the key of a project: clients write it before their events, or after them all. */
const mostPackedBytes = 512
const mostCharacters = 4096

/** Reads the beginning of a large body; undefined for any other, and for one that is not a JSON object. */
export function leadingFields(body: Uint8Array): LeadingFields | undefined {
  if (claimedBytes(body) < leastBytes) return undefined
  const text = beginningOf(body)
  const texts = new Map<string, string>()
  let next: string | undefined
  member.lastIndex = /^\s*\{/.exec(text)?.[0].length ?? text.length
  for (let read = member.exec(text); read && next === undefined; read = member.exec(text)) {
    const [, name = '', value] = read
    if (value === undefined) next = name
    else if (value.startsWith('"')) texts.set(name, value.slice(1, -1))
  }
  return { texts, next }
}

/** Texts with escapes match nothing, so that reading ends before them: no key has any. */
const member = /\s*"([^"\\]*)"\s*:\s*(?:("[^"\\]*"|[\d.eE+-]+|true|false|null)\s*,|[[{])/y

function beginningOf(body: Uint8Array): string {
  const beginning = body.subarray(0, isGzip(body) ? mostPackedBytes : mostCharacters)
  return Buffer.from(isGzip(body) ? unpackedSoFar(beginning) : beginning)
    .subarray(0, mostCharacters)
    .toString()
}

function unpackedSoFar(beginning: Uint8Array): Uint8Array {
  try {
    return gunzipSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return new Uint8Array()
  }
}

/** A body of gzip ends with the length of what is inside. */
const claimedBytes = (body: Uint8Array): number =>
  isGzip(body) && body.length > gzipLengthBytes
    ? new DataView(body.buffer, body.byteOffset + body.length - gzipLengthBytes).getUint32(0, true)
    : body.length

const gzipLengthBytes = 4
