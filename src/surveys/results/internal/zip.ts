import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive. Its text is read while it is written. */
export interface ZipEntry {
  name: string
  parts: Iterable<string> | AsyncIterable<string>
}

/** A file's entry in the directory at the end. */
interface WrittenEntry {
  name: Buffer
  offset: number
  checksum: number
  size: number
  packedSize: number
}

/** The limit of sizes and offsets, of 32 bits without ZIP64, which old spreadsheets do not read. */
const mostBytes = 0xff_ff_ff_ff
/** Sizes follow the file, and names are UTF-8. */
const flags = 0b1000_0000_1000
const deflated = 8
const version = 20
/** 1 January 1980: the archive says nothing about when it was made. */
const date = 0x00_21

/**
 * Writes a ZIP archive while its files are read.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export async function* zipArchive(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = []
  let offset = 0
  for await (const { name: text, parts } of entries) {
    const entry: WrittenEntry = { name: Buffer.from(text), offset, checksum: 0, size: 0, packedSize: 0 }
    yield localHeader(entry)
    for await (const packed of deflatedParts(parts, entry)) {
      entry.packedSize += packed.length
      yield packed
    }
    yield sizesOf(entry)
    offset += localHeader(entry).length + entry.packedSize + sizesOf(entry).length
    if (Math.max(offset, entry.size) > mostBytes)
      throw new Error('The archive would have more than 4 GB. Export CSV or JSON instead.')
    written.push(entry)
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  yield directory
  yield endOfDirectory(written.length, directory.length, offset)
}

/** Compresses the text, and notes its size and checksum. */
async function* deflatedParts(parts: ZipEntry['parts'], entry: WrittenEntry): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw()
  const reading = pipeline(Readable.from(measured(parts, entry)), deflate)
  // the failure comes out of the loop below, which reads the stream that the pipeline destroys
  reading.catch(() => undefined)
  for await (const chunk of deflate) yield chunk as Buffer // no encoding is set
  await reading
}

async function* measured(parts: ZipEntry['parts'], entry: WrittenEntry): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    const bytes = Buffer.from(part)
    entry.checksum = crc32(bytes, entry.checksum)
    entry.size += bytes.length
    yield bytes
  }
}

/** Little-endian numbers of two and four bytes. */
const bytesOf = (...numbers: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer => {
  const buffer = Buffer.alloc(numbers.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of numbers) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}

const localHeader = ({ name }: WrittenEntry): Buffer =>
  Buffer.concat([
    bytesOf([0x04_03_4b_50, 4], [version, 2], [flags, 2], [deflated, 2], [0, 2], [date, 2]),
    bytesOf([0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]),
    name,
  ])

const sizesOf = ({ checksum, packedSize, size }: WrittenEntry): Buffer =>
  bytesOf([0x08_07_4b_50, 4], [checksum, 4], [packedSize, 4], [size, 4])

const directoryEntry = ({ name, offset, checksum, packedSize, size }: WrittenEntry): Buffer =>
  Buffer.concat([
    bytesOf([0x02_01_4b_50, 4], [version, 2], [version, 2], [flags, 2], [deflated, 2], [0, 2], [date, 2]),
    bytesOf([checksum, 4], [packedSize, 4], [size, 4], [name.length, 2], [0, 2], [0, 2]),
    bytesOf([0, 2], [0, 2], [0, 4], [offset, 4]),
    name,
  ])

const endOfDirectory = (count: number, size: number, offset: number): Buffer =>
  bytesOf([0x06_05_4b_50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2])
