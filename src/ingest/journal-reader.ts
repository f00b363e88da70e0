import type { Files } from './journal-files'
import {
  type FoundRecord,
  isUnfinished,
  nextRecord,
  readSegmentHeader,
  recordAt,
  segmentHeaderBytes,
} from './journal-records'
import type { Segment, Segments } from './journal-segments'

/** A part of a segment that cannot be read. */
export interface Damage {
  segment: string
  at: number
  bytes: number
  /** How many records are missing, by their numbers. Unknown at the end of a segment: nothing follows to count by. */
  records: number | undefined
  /** Only the last record, cut short: what a crash while writing leaves. Nobody was told that it had been written. */
  isUnfinished: boolean
}

export interface JournalRecord {
  sequence: number
  text: string
}

/** Where the reading is: in which segment, what of it was fetched but not yet read, and which number must come next. */
interface Place {
  segment: Segment
  /** Of `fetched` in the segment. */
  offset: number
  fetched: Buffer
  expected: number
}

type KeepAside = (damage: Damage, bytes: Buffer) => Promise<void>

/** Reads record by record, each once, in the order of their numbers, as far as they are on disk. */
export class JournalReader {
  private place: Place | undefined

  constructor(
    private readonly files: Files,
    private readonly segments: Segments,
    /** Records up to here are not wanted any more. */
    private readonly after: number,
    private readonly keepAside: KeepAside,
  ) {}

  /** The next records, `bytes` of them or a little more; none when there are no more now. */
  async read(bytes: number): Promise<JournalRecord[]> {
    const records: JournalRecord[] = []
    let left = bytes
    try {
      while (left > 0) {
        const more = await this.readSome(left)
        if (more.length === 0) break
        records.push(...more)
        left -= lengthOf(more)
      }
    } catch (problem) {
      // what was read already is not read again; the trouble will still be there the next time
      if (records.length === 0) throw problem
    }
    return records
  }

  /** Of one segment. */
  private async readSome(bytes: number): Promise<JournalRecord[]> {
    for (;;) {
      const place = (this.place ??= this.enter(this.segments.list[0]))
      if (!place) return []
      const records = await this.readHere(place, bytes)
      if (records.length > 0) return records
      if (place.segment.isOpen) return []
      // it may have grown, and been closed, since it was last looked at
      if (place.offset < (place.segment.end ?? 0)) continue
      place.segment.last = place.expected - 1
      const next = this.segments.after(place.segment)
      if (!next) return []
      this.place = this.enter(next)
    }
  }

  private enter(segment: Segment | undefined): Place | undefined {
    return segment && { segment, offset: 0, fetched: Buffer.alloc(0), expected: segment.first }
  }

  private async readHere(place: Place, bytes: number): Promise<JournalRecord[]> {
    const records: JournalRecord[] = []
    let taken = 0
    while (taken < bytes) {
      if (place.fetched.length === 0) {
        if (records.length === 0 && (await this.fetch(place))) continue
        break
      }
      const found = recordAt(place.fetched, 0)
      if (found?.sequence !== place.expected) {
        // putting it aside may fail, and then what was taken already would be lost
        if (records.length > 0) break
        await this.passDamage(place)
        continue
      }
      pass(place, found)
      if (found.sequence <= this.after || this.wasRefused(found, place)) continue
      taken += found.text.length
      records.push({ sequence: found.sequence, text: found.text.toString() })
    }
    return records
  }

  private wasRefused({ sequence }: FoundRecord, { segment }: Place): boolean {
    return sequence > (this.segments.after(segment)?.follows ?? Infinity)
  }

  /** Whether there was more to fetch. */
  private async fetch(place: Place): Promise<boolean> {
    const { segment, offset } = place
    const end = (segment.end ??= await this.files.sizeOf(segment.path))
    if (offset >= end) return false
    place.fetched = await this.files.read(segment.path, offset, end)
    if (offset === 0) await this.passHeader(place)
    return true
  }

  private async passHeader(place: Place): Promise<void> {
    const length = Math.min(segmentHeaderBytes, place.fetched.length)
    const header = readSegmentHeader(place.fetched)
    if (header === 'damaged' || !('first' in header) || header.first !== place.segment.first) {
      await this.report(place, length, { records: 0, isUnfinished: length < segmentHeaderBytes })
    }
    skip(place, length)
  }

  /** Only what cannot be read is put aside. What follows it was promised to somebody, too. */
  private async passDamage(place: Place): Promise<void> {
    const { fetched, expected } = place
    const sound = nextRecord(fetched, 0, expected - 1)
    const length = sound?.start ?? fetched.length
    await this.report(place, length, {
      records: sound && sound.sequence - expected,
      isUnfinished: !sound && isUnfinished(fetched, 0),
    })
    skip(place, length)
    place.expected = sound?.sequence ?? expected
  }

  private async report(
    { segment, offset, fetched }: Place,
    length: number,
    about: Pick<Damage, 'records' | 'isUnfinished'>,
  ): Promise<void> {
    const damage = { segment: segment.path, at: offset, bytes: length, ...about }
    await this.keepAside(damage, fetched.subarray(0, length))
  }
}

export function lengthOf(records: readonly JournalRecord[]): number {
  return records.reduce((sum, { text }) => sum + text.length, 0)
}

function pass(place: Place, { sequence, end }: FoundRecord): void {
  skip(place, end)
  place.expected = sequence + 1
}

function skip(place: Place, bytes: number): void {
  place.offset += bytes
  place.fetched = place.fetched.subarray(bytes)
}
