import { yieldIfLong } from '#world/event-loop'
import type { JournalFileSystem } from './journal-files'
import {
  type FoundRecord,
  isUnfinished,
  nextRecord,
  readSegmentHeader,
  recordAt,
  segmentHeaderBytes,
} from './journal-records'
import type { JournalSegment, JournalSegments } from './journal-segments'

/** A part of a segment that cannot be read. */
export interface JournalDamage {
  segment: string
  at: number
  bytes: number
  /** The number of missing records. Unknown at the end of a segment, because no later record follows. */
  records: number | undefined
  /** Whether only the last record is incomplete, as after a crash while writing. It was never acknowledged. */
  isUnfinished: boolean
}

export interface JournalRecord {
  sequence: number
  text: string
}

/** The reading position: the segment, the bytes fetched but not yet read, and the number that must come next. */
interface ReadPosition {
  segment: JournalSegment
  /** The offset of `fetched` in the segment. */
  offset: number
  fetched: Buffer
  expected: number
}

type SetDamageAside = (damage: JournalDamage, bytes: Buffer) => Promise<void>

/** Reads records from disk in the order of their numbers, each once. */
export class JournalReader {
  private position: ReadPosition | undefined

  constructor(
    private readonly files: JournalFileSystem,
    private readonly segments: JournalSegments,
    /** Records up to this number are skipped. */
    private readonly after: number,
    private readonly setAside: SetDamageAside,
  ) {}

  /** Returns the next records, up to about `bytes`; none if there are no more now. */
  async read(bytes: number): Promise<JournalRecord[]> {
    const records: JournalRecord[] = []
    let left = bytes
    try {
      while (left > 0) {
        const more = await this.readSome(left)
        if (more.length === 0) break
        records.push(...more)
        left -= weightOf(more)
      }
    } catch (problem) {
      // records that were read are returned first; the next call meets the problem again
      if (records.length === 0) throw problem
    }
    return records
  }

  /** Reads from one segment. */
  private async readSome(bytes: number): Promise<JournalRecord[]> {
    for (;;) {
      const position = (this.position ??= this.openSegment(this.segments.list[0]))
      if (!position) return []
      const records = await this.readAtPosition(position, bytes)
      if (records.length > 0) return records
      if (position.segment.isOpen) return []
      // the segment may have grown, and been closed, since the last read
      if (position.offset < (position.segment.end ?? 0)) continue
      position.segment.last = position.expected - 1
      const next = this.segments.after(position.segment)
      if (!next) return []
      this.position = this.openSegment(next)
    }
  }

  private openSegment(segment: JournalSegment | undefined): ReadPosition | undefined {
    return segment && { segment, offset: 0, fetched: Buffer.alloc(0), expected: segment.first }
  }

  private async readAtPosition(position: ReadPosition, bytes: number): Promise<JournalRecord[]> {
    const records: JournalRecord[] = []
    let taken = 0
    while (taken < bytes) {
      await yieldIfLong()
      if (position.fetched.length === 0) {
        if (records.length === 0 && (await this.fetch(position))) continue
        break
      }
      const found = recordAt(position.fetched, 0)
      if (found?.sequence !== position.expected) {
        // setting the damage aside may fail, which would lose the records read so far
        if (records.length > 0) break
        await this.skipDamage(position)
        continue
      }
      skipRecord(position, found)
      if (found.sequence <= this.after || this.wasRefused(found, position)) continue
      const record = { sequence: found.sequence, text: found.text.toString() }
      taken += weightOf([record])
      records.push(record)
    }
    return records
  }

  private wasRefused({ sequence }: FoundRecord, { segment }: ReadPosition): boolean {
    return sequence > (this.segments.after(segment)?.follows ?? Infinity)
  }

  /** Returns whether there was more to fetch. */
  private async fetch(position: ReadPosition): Promise<boolean> {
    const { segment, offset } = position
    const end = (segment.end ??= await this.files.sizeOf(segment.path))
    if (offset >= end) return false
    position.fetched = await this.files.read(segment.path, offset, end)
    if (offset === 0) await this.skipHeader(position)
    return true
  }

  private async skipHeader(position: ReadPosition): Promise<void> {
    const length = Math.min(segmentHeaderBytes, position.fetched.length)
    const header = readSegmentHeader(position.fetched)
    if (header === 'damaged' || !('first' in header) || header.first !== position.segment.first) {
      await this.report(position, length, { records: 0, isUnfinished: length < segmentHeaderBytes })
    }
    skip(position, length)
  }

  /** Sets aside only the unreadable bytes, because the records after them were acknowledged too. */
  private async skipDamage(position: ReadPosition): Promise<void> {
    const { fetched, expected } = position
    const sound = nextRecord(fetched, 0, expected - 1)
    const length = sound?.start ?? fetched.length
    await this.report(position, length, {
      records: sound && sound.sequence - expected,
      isUnfinished: !sound && isUnfinished(fetched, 0),
    })
    skip(position, length)
    position.expected = sound?.sequence ?? expected
  }

  private async report(
    { segment, offset, fetched }: ReadPosition,
    length: number,
    about: Pick<JournalDamage, 'records' | 'isUnfinished'>,
  ): Promise<void> {
    const damage = { segment: segment.path, at: offset, bytes: length, ...about }
    await this.setAside(damage, fetched.subarray(0, length))
  }
}

/** The memory that an event takes besides its text once it is parsed: its fields, its key and its row. */
const bytesBesideText = 512

/** Estimates the memory of records on their way into the engine: many small events take more than a few large ones. */
export function weightOf(records: readonly JournalRecord[]): number {
  return records.reduce((sum, { text }) => sum + text.length + linesIn(text) * bytesBesideText, 0)
}

function linesIn(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

function skipRecord(position: ReadPosition, { sequence, end }: FoundRecord): void {
  skip(position, end)
  position.expected = sequence + 1
}

function skip(position: ReadPosition, bytes: number): void {
  position.offset += bytes
  position.fetched = position.fetched.subarray(bytes)
}
