import { draftRecord, numberRecord } from './journal-records'
import type { OpenSegment, Segments } from './journal-segments'

/** Passing troubles, and after how many seconds it is worth trying again. */
export const retryAfter = { 'queue-full': 1, 'no-room': 60, 'disk-trouble': 5, closed: 5 } as const

export interface Refused {
  refused: keyof typeof retryAfter
  retryAfterSeconds: number
}

export type Appended = 'written' | Refused

export function refusal(refused: Refused['refused']): Refused {
  return { refused, retryAfterSeconds: retryAfter[refused] }
}

export interface WriterLimits {
  /** A segment that has grown past this is followed by another. */
  segmentBytes: number
  /** What may wait for the disk at once. A slow disk must cost time, not memory. */
  queueBytes: number
  queueAppends: number
}

/** What waits for the disk: the records of one append, and who waits for them. */
interface Waiting {
  records: readonly Buffer[]
  bytes: number
  events: number
  settle: (outcome: Appended) => void
}

const mostBytesAtOnce = 8 * 1024 ** 2
/** Longer appends become several records: whoever reads the journal takes it record by record. */
const recordLength = 1024 ** 2

/** Group commit: whatever came while the disk was busy is written and synced together, and only then called written. */
export class JournalWriter {
  private waiting: Waiting[] = []
  private waitingBytes = 0
  private segment: OpenSegment | undefined
  private writing: Promise<void> | undefined
  private isClosed = false
  /** The number of the last record that is on disk. */
  private lastWritten: number

  constructor(
    private readonly segments: Segments,
    private readonly limits: WriterLimits,
    /** The number of the next record. */
    private next: number,
    private readonly listener: { written: (bytes: number) => void; failed: (problem: unknown) => void },
  ) {
    this.lastWritten = next - 1
  }

  eventsWritten = 0
  /** What the last failure said, until something was written again. */
  trouble: string | undefined

  append(lines: readonly string[]): Promise<Appended> | Refused {
    if (this.isClosed) return refusal('closed')
    if (this.isFull()) return refusal('queue-full')
    const records = recordsOf(lines)
    const bytes = records.reduce((sum, record) => sum + record.length, 0)
    const { promise, resolve } = Promise.withResolvers<Appended>()
    this.waiting.push({ records, bytes, events: lines.length, settle: resolve })
    this.waitingBytes += bytes
    this.writing ??= this.write()
    return promise
  }

  /** What waits is still written. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.writing
    await this.leave()
  }

  private isFull(): boolean {
    const { queueAppends, queueBytes } = this.limits
    return this.waiting.length >= queueAppends || this.waitingBytes >= queueBytes
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      // everything that arrives in this turn of the event loop goes together
      await new Promise(setImmediate)
      const group = this.takeGroup()
      const outcome = await this.commit(group)
      for (const { settle } of group) settle(outcome)
      if (outcome === 'written') this.listener.written(bytesOf(group))
    }
    this.writing = undefined
  }

  private takeGroup(): Waiting[] {
    let bytes = 0
    let taken = 0
    for (const { bytes: more } of this.waiting) {
      if (taken > 0 && bytes + more > mostBytesAtOnce) break
      bytes += more
      taken += 1
    }
    this.waitingBytes -= bytes
    return this.waiting.splice(0, taken)
  }

  private async commit(group: readonly Waiting[]): Promise<Appended> {
    const records = group.flatMap((waiting) => waiting.records)
    try {
      const segment = (this.segment ??= await this.segments.begin({
        first: this.next,
        follows: this.lastWritten,
      }))
      await this.writeTo(segment, records)
      this.eventsWritten += group.reduce((sum, { events }) => sum + events, 0)
      this.trouble = undefined
      if (segment.end > this.limits.segmentBytes) await this.leave()
      return 'written'
    } catch (problem) {
      this.trouble = `The journal cannot be written: ${problem instanceof Error ? problem.message : String(problem)}`
      this.listener.failed(problem)
      await this.abandon(records.length)
      return refusal('disk-trouble')
    }
  }

  private async writeTo(segment: OpenSegment, records: readonly Buffer[]): Promise<void> {
    records.forEach((record, i) => numberRecord(record, this.next + i))
    const bytes = records.length === 1 && records[0] ? records[0] : Buffer.concat(records)
    await segment.file.write(bytes, segment.end)
    await segment.file.sync()
    this.next += records.length
    segment.end += bytes.length
    this.lastWritten = this.next - 1
    segment.last = this.lastWritten
  }

  private async leave(): Promise<void> {
    const segment = this.segment
    this.segment = undefined
    if (!segment) return
    await segment.file.close().catch(this.listener.failed)
    segment.isOpen = false
  }

  /**
   * After a failed sync the system calls pages clean that are not on disk, so that a second sync would succeed and mean
   * nothing. What was synced before stays; the rest is cut off, its senders try again, and a new file takes it.
   */
  private async abandon(numbersUsed: number): Promise<void> {
    this.next += numbersUsed
    const segment = this.segment
    if (!segment) return
    await segment.file.truncate(segment.end).catch(() => {})
    await this.leave()
  }
}

function bytesOf(group: readonly Waiting[]): number {
  return group.reduce((sum, { bytes }) => sum + bytes, 0)
}

function recordsOf(lines: readonly string[]): Buffer[] {
  const records: Buffer[] = []
  let text = ''
  for (const line of lines) {
    if (text && text.length + line.length > recordLength) {
      records.push(draftRecord(text))
      text = ''
    }
    text = text ? `${text}\n${line}` : line
  }
  if (text) records.push(draftRecord(text))
  return records
}
