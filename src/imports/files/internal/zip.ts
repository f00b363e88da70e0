import { type FileHandle, open } from 'node:fs/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { UnreadableFileError } from '../limits'
import { through } from './through'

/** A file within a zip archive. */
export interface ArchivedFile {
  name: string
  content: () => AsyncGenerator<Uint8Array>
}

interface DirectoryRecord {
  name: string
  method: number
  packedBytes: number
  headerAt: number
  /** The checksum of its content. */
  checksum: number
}

const mostEntries = 100_000
const mostDirectoryBytes = 64 * 1024 ** 2
const endRecord = { signature: 0x06054b50, bytes: 22, mostCommentBytes: 65_535 }
const locator64 = { signature: 0x07064b50, bytes: 20 }
const endRecord64 = { signature: 0x06064b50, bytes: 56 }
const directoryRecord = { signature: 0x02014b50, bytes: 46 }
const localHeader = { signature: 0x04034b50, bytes: 30 }
const tooLargeFor32Bits = 0xffffffff

/** Lists the files of an archive by its directory (APPNOTE.TXT 4.3), the large form included. */
export async function filesInZip(path: string, name: string): Promise<ArchivedFile[]> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const records = await readDirectory(file, size, name)
    return records
      .filter((record) => !record.name.endsWith('/'))
      .map((record) => ({
        name: record.name,
        content: () => unpack(path, `${name}/${record.name}`, record),
      }))
  } finally {
    await file.close()
  }
}

async function readDirectory(file: FileHandle, size: number, name: string): Promise<DirectoryRecord[]> {
  const { start, bytes } = await findDirectory(file, size, name)
  if (bytes > mostDirectoryBytes || start + bytes > size) throw damaged(name)
  const directory = await readAt(file, start, bytes)
  const records: DirectoryRecord[] = []
  for (let at = 0; at + directoryRecord.bytes <= directory.length;) {
    if (directory.readUInt32LE(at) !== directoryRecord.signature) break
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) =>
      directory.readUInt16LE(at + offset),
    ) as [number, number, number] // three offsets, three numbers
    const nameAt = at + directoryRecord.bytes
    const end = nameAt + nameBytes + extraBytes + commentBytes
    if (end > directory.length) throw damaged(name)
    records.push({
      name: directory.toString('utf8', nameAt, nameAt + nameBytes),
      method: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      ...placeIn(directory, at, directory.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes)),
    })
    if (records.length > mostEntries)
      throw new UnreadableFileError(`${name} holds more than ${mostEntries.toLocaleString('en')} files.`)
    at = end
  }
  return records
}

/** Sizes above 4 GB are in the extra field, in the order of the fields that they replace. */
function placeIn(
  directory: Buffer,
  at: number,
  extra: Buffer,
): Pick<DirectoryRecord, 'packedBytes' | 'headerAt'> {
  const unpackedBytes = directory.readUInt32LE(at + 24)
  let packedBytes = directory.readUInt32LE(at + 20)
  let headerAt = directory.readUInt32LE(at + 42)
  const large = largeFields(extra)
  if (unpackedBytes === tooLargeFor32Bits) large.shift()
  if (packedBytes === tooLargeFor32Bits) packedBytes = large.shift() ?? packedBytes
  if (headerAt === tooLargeFor32Bits) headerAt = large.shift() ?? headerAt
  return { packedBytes, headerAt }
}

function largeFields(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length;) {
    const [id, bytes] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)]
    const content = extra.subarray(at + 4, at + 4 + bytes)
    if (id === 1)
      return Array.from({ length: Math.floor(content.length / 8) }, (_, n) =>
        Number(content.readBigUInt64LE(n * 8)),
      )
    at += 4 + bytes
  }
  return []
}

async function findDirectory(
  file: FileHandle,
  size: number,
  name: string,
): Promise<{ start: number; bytes: number }> {
  const tailBytes = Math.min(size, endRecord.bytes + endRecord.mostCommentBytes + locator64.bytes)
  const tail = await readAt(file, size - tailBytes, tailBytes)
  for (let at = tail.length - endRecord.bytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== endRecord.signature) continue
    const found = { bytes: tail.readUInt32LE(at + 12), start: tail.readUInt32LE(at + 16) }
    if (found.bytes !== tooLargeFor32Bits && found.start !== tooLargeFor32Bits) return found
    const locatorAt = at - locator64.bytes
    if (locatorAt < 0 || tail.readUInt32LE(locatorAt) !== locator64.signature) throw damaged(name)
    const large = await readAt(file, Number(tail.readBigUInt64LE(locatorAt + 8)), endRecord64.bytes)
    if (large.length < endRecord64.bytes || large.readUInt32LE(0) !== endRecord64.signature)
      throw damaged(name)
    return { bytes: Number(large.readBigUInt64LE(40)), start: Number(large.readBigUInt64LE(48)) }
  }
  throw damaged(name)
}

async function* unpack(
  path: string,
  name: string,
  { method, packedBytes, headerAt, checksum }: DirectoryRecord,
): AsyncGenerator<Uint8Array> {
  if (method !== 0 && method !== 8)
    throw new UnreadableFileError(`${name} is packed in a way that cannot be read. Pack it with deflate.`)
  const file = await open(path)
  try {
    const header = await readAt(file, headerAt, localHeader.bytes)
    if (header.length < localHeader.bytes || header.readUInt32LE(0) !== localHeader.signature)
      throw damaged(name)
    const start = headerAt + localHeader.bytes + header.readUInt16LE(26) + header.readUInt16LE(28)
    const packed = file.createReadStream({
      start,
      end: Math.max(start, start + packedBytes - 1),
      autoClose: false,
    })
    if (packedBytes === 0) return
    const content = method === 0 ? packed : through(packed, createInflateRaw())
    yield* withChecksum(content, checksum, name)
  } finally {
    await file.close()
  }
}

/** Deflate alone does not notice that bytes of it were changed. */
async function* withChecksum(
  content: AsyncIterable<Uint8Array>,
  checksum: number,
  name: string,
): AsyncGenerator<Uint8Array> {
  let sum = 0
  for await (const part of content) {
    sum = crc32(part, sum)
    yield part
  }
  if (sum !== checksum)
    throw new UnreadableFileError(
      `${name} is cut or damaged: it cannot be unpacked to its end. Download it again.`,
    )
}

async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes)
  const { bytesRead } = await file.read(buffer, 0, bytes, position)
  return buffer.subarray(0, bytesRead)
}

const damaged = (name: string) =>
  new UnreadableFileError(`${name} is cut or damaged: its list of files cannot be read. Download it again.`)
