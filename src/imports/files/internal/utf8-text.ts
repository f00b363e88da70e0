import { isUtf8 } from 'node:buffer'
import { UnreadableFileError } from '../limits'

/**
 * Passes a text on as UTF-8: UTF-16 by its byte-order mark is converted, and bytes that are not UTF-8 are refused. Names
 * with replacement characters in them could not be told apart afterwards.
 */
export function utf8Text(
  content: AsyncIterable<Uint8Array>,
  first: Uint8Array,
  file: string,
): AsyncGenerator<Uint8Array> {
  const [one, two] = first
  if (one === 0xff && two === 0xfe) return fromUtf16(content, 'utf-16le', file)
  if (one === 0xfe && two === 0xff) return fromUtf16(content, 'utf-16be', file)
  if (first.subarray(0, 4).includes(0))
    throw new UnreadableFileError(
      `${file} is no text, or UTF-16 without the mark that says so. Save it as UTF-8.`,
    )
  return checkedUtf8(content, first, file)
}

async function* fromUtf16(
  content: AsyncIterable<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
  file: string,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decoded = (part?: Uint8Array): Uint8Array => {
    try {
      return Buffer.from(decoder.decode(part, { stream: part !== undefined }))
    } catch {
      throw new UnreadableFileError(
        `${file} is cut or damaged: it begins as UTF-16 and goes on as something else.`,
      )
    }
  }
  for await (const part of content) yield decoded(part)
  yield decoded()
}

async function* checkedUtf8(
  content: AsyncIterable<Uint8Array>,
  first: Uint8Array,
  file: string,
): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array = Buffer.alloc(0)
  let line = 1
  for await (const part of content) {
    const bytes = begun.length > 0 ? Buffer.concat([begun, part]) : part
    const whole = bytes.subarray(0, bytes.length - unfinishedBytes(bytes))
    if (!isUtf8(whole)) throw notUtf8(whole, line, file)
    line += newlinesIn(whole)
    begun = bytes.subarray(whole.length)
    if (whole.length > 0) yield whole
  }
  if (begun.length === 0) return
  // a last line of JSON that is cut within a character is left out as cut, like any other
  if (!beginsJson(first)) throw notUtf8(begun, line, file)
  yield begun
}

const beginsJson = (first: Uint8Array): boolean =>
  /^\uFEFF?\s*[[{]/.test(Buffer.from(first.subarray(0, 64)).toString('utf8'))

/** The bytes at the end that begin a character and do not end it. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? back : 0
  }
  return 0
}

const newline = 0x0a

function newlinesIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

function notUtf8(bytes: Uint8Array, lineBefore: number, file: string): UnreadableFileError {
  const at = firstBadByte(bytes)
  const line = lineBefore + newlinesIn(bytes.subarray(0, at))
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase()
  return new UnreadableFileError(
    `${file} is not UTF-8: line ${line.toLocaleString('en')} holds the byte ${byte}, as Latin-1 and Windows-1252 write letters ` +
      'with accents. Save it as UTF-8 and import it again.',
  )
}

/** A beginning that ends before the first bad byte is UTF-8, but for a character that it cuts. */
function firstBadByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length]
  while (good < bad) {
    const middle = (good + bad) >> 1
    const begin = bytes.subarray(0, middle + 1)
    if (isUtf8(begin.subarray(0, begin.length - unfinishedBytes(begin)))) good = middle + 1
    else bad = middle
  }
  // the bytes that begin a character and do not end it
  return good - unfinishedBytes(bytes.subarray(0, good))
}
