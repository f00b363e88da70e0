import { crc32 } from 'node:zlib'

/**
 * The format of a segment of the journal. Header: magic (8), version (u32), CRC of the other header bytes (u32), the
 * number of the first record (u64), the number of the record it follows (u64). Then records: length of the text (u32),
 * CRC of what comes after the CRC (u32), number (u64), text. All are little-endian. The CRC is zlib's CRC-32: CRC32C
 * would detect no more disk errors, and Node does not have it.
 */
const magic = Buffer.from('tilthjnl')
const version = 1
export const segmentHeaderBytes = 32
export const recordHeaderBytes = 16
/** A greater length means damage: appends are split into much shorter records. */
const longestText = 64 * 1024 ** 2

const at = { version: 8, headerSum: 12, first: 16, follows: 24 } as const
const within = { length: 0, sum: 4, sequence: 8 } as const

export interface SegmentHeader {
  first: number
  /**
   * The number of the last record written before. Records beyond it in an earlier segment were refused because the disk
   * failed.
   */
  follows: number
}

/** Only tests set `form` to another version. */
export function segmentHeader({ first, follows }: SegmentHeader, form = version): Buffer {
  const bytes = Buffer.alloc(segmentHeaderBytes)
  magic.copy(bytes)
  bytes.writeUInt32LE(form, at.version)
  bytes.writeBigUInt64LE(BigInt(first), at.first)
  bytes.writeBigUInt64LE(BigInt(follows), at.follows)
  bytes.writeUInt32LE(headerSum(bytes), at.headerSum)
  return bytes
}

function headerSum(bytes: Buffer): number {
  return crc32(bytes.subarray(at.first, segmentHeaderBytes), crc32(bytes.subarray(0, at.headerSum)))
}

export function readSegmentHeader(bytes: Buffer): SegmentHeader | 'damaged' | { newerVersion: number } {
  if (bytes.length < segmentHeaderBytes || !bytes.subarray(0, magic.length).equals(magic)) return 'damaged'
  if (bytes.readUInt32LE(at.headerSum) !== headerSum(bytes)) return 'damaged'
  const found = bytes.readUInt32LE(at.version)
  if (found > version) return { newerVersion: found }
  return {
    first: Number(bytes.readBigUInt64LE(at.first)),
    follows: Number(bytes.readBigUInt64LE(at.follows)),
  }
}

/** A record without its sequence number, which is assigned when it is written. */
export function draftRecord(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(recordHeaderBytes + length)
  bytes.writeUInt32LE(length, within.length)
  bytes.write(text, recordHeaderBytes)
  return bytes
}

export function numberRecord(record: Buffer, sequence: number): void {
  record.writeBigUInt64LE(BigInt(sequence), within.sequence)
  record.writeUInt32LE(crc32(record.subarray(within.sequence)), within.sum)
}

export interface FoundRecord {
  sequence: number
  text: Buffer
  /** The offset of the next record. */
  end: number
}

/** Returns the record at this offset if it is complete and intact. */
export function recordAt(bytes: Buffer, offset: number): FoundRecord | undefined {
  if (offset + recordHeaderBytes > bytes.length) return undefined
  const length = bytes.readUInt32LE(offset + within.length)
  const end = offset + recordHeaderBytes + length
  if (length === 0 || length > longestText || end > bytes.length) return undefined
  if (crc32(bytes.subarray(offset + within.sequence, end)) !== bytes.readUInt32LE(offset + within.sum))
    return undefined
  const sequence = Number(bytes.readBigUInt64LE(offset + within.sequence))
  return { sequence, text: bytes.subarray(offset + recordHeaderBytes, end), end }
}

/**
 * Returns the first intact record after damaged bytes. Its number is above `after`. The number is checked first, then
 * the checksum.
 */
export function nextRecord(
  bytes: Buffer,
  from: number,
  after: number,
): (FoundRecord & { start: number }) | undefined {
  for (let start = from; start + recordHeaderBytes < bytes.length; start++) {
    if (!mayBeginHere(bytes, start, after)) continue
    const found = recordAt(bytes, start)
    if (found && found.sequence > after) return { ...found, start }
  }
  return undefined
}

/** A segment has far fewer records than this, so a number beyond it is coincidence. */
const furthest = 2 ** 24

/** Event text cannot look like a record: lengths and numbers have zero bytes, which the text of an event never has. */
function mayBeginHere(bytes: Buffer, start: number, after: number): boolean {
  const ahead = (bytes.readUInt32LE(start + within.sequence) - after) >>> 0
  return ahead > 0 && ahead <= furthest
}

/** Whether an incomplete record begins here, as after a crash while writing. */
export function isUnfinished(bytes: Buffer, offset: number): boolean {
  const left = bytes.length - offset
  if (left < recordHeaderBytes) return true
  const length = bytes.readUInt32LE(offset + within.length)
  return length > 0 && length <= longestText && recordHeaderBytes + length > left
}
