import type { JournalDraft } from './journal-draft'
import { numberRecord } from './journal-records'
import { type EventsByProject, ProjectBacklog } from './project-backlog'
import type { OpenJournalSegment, JournalSegments } from './journal-segments'

/** Temporary failures, and the seconds after which a client should retry. */
const retryAfterSeconds = { 'queue-full': 1, 'no-room': 60, 'disk-trouble': 5, closed: 5 } as const

interface AppendRefusal {
  refused: keyof typeof retryAfterSeconds
  retryAfterSeconds: number
}

export type AppendOutcome = 'written' | AppendRefusal

export function appendRefusal(refused: AppendRefusal['refused']): AppendRefusal {
  return { refused, retryAfterSeconds: retryAfterSeconds[refused] }
}

export interface WriterLimits {
  /** A segment that exceeds this size is followed by another. */
  segmentBytes: number
  /** The limit of bytes waiting for the disk, so that a slow disk does not fill the memory. */
  queueBytes: number
  queueAppends: number
  /** The pause after which a disk that failed, or is full, is tried again. */
  recheckMs: number
}

/** The records of one append that wait for the disk, and its callers. */
interface PendingAppend {
  records: readonly Buffer[]
  bytes: number
  events: number
  eventsByProject: EventsByProject
  resolve: (outcome: AppendOutcome) => void
}

const maxBytesPerWrite = 8 * 1024 ** 2

/**
 * Group commit: records that arrive while the disk is busy are written and synced together before they are
 * acknowledged.
 */
export class JournalWriter {
  private pending: PendingAppend[] = []
  private pendingBytes = 0
  private segment: OpenJournalSegment | undefined
  private writing: Promise<void> | undefined
  private isClosed = false
  private recheckTimer: NodeJS.Timeout | undefined
  private segmentEndRequested = false
  /** The number of the last record that is on disk. */
  private lastWritten: number

  constructor(
    private readonly segments: JournalSegments,
    private readonly limits: WriterLimits,
    /** The number of the next record. */
    private nextNumber: number,
    private readonly listener: { written: (bytes: number) => void; failed: (problem: unknown) => void },
  ) {
    this.lastWritten = nextNumber - 1
  }

  eventsWritten = 0
  /** Filled here; what stores the events removes them. */
  readonly backlog = new ProjectBacklog()
  /** The message of the last failure; reset by the next successful write, be it an event or a trial. */
  trouble: string | undefined

  append(draft: JournalDraft): Promise<AppendOutcome> | AppendRefusal {
    if (this.isClosed) return appendRefusal('closed')
    if (this.isFull()) return appendRefusal('queue-full')
    const bytes = draft.finish()
    const { promise, resolve } = Promise.withResolvers<AppendOutcome>()
    const { records, events, eventsByProject } = draft
    this.pending.push({ records, bytes, events, eventsByProject, resolve })
    this.pendingBytes += bytes
    this.writing ??= this.write()
    return promise
  }

  /** Stops the writer. Waiting records are still written. */
  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.recheckTimer)
    await this.writing
    await this.closeSegment()
  }

  /** Lets a later append begin a new segment, so that this one can be deleted once it is stored. */
  async endSegment(): Promise<void> {
    this.segmentEndRequested = this.segment?.last !== undefined
    // under load, writing may not end for a long time
    if (!this.writing) await this.closeSegmentIfRequested()
  }

  private async closeSegmentIfRequested(): Promise<void> {
    if (this.segmentEndRequested) await this.closeSegment()
    this.segmentEndRequested = false
  }

  private isFull(): boolean {
    const { queueAppends, queueBytes } = this.limits
    return this.pending.length >= queueAppends || this.pendingBytes >= queueBytes
  }

  private async write(): Promise<void> {
    while (this.pending.length > 0) {
      // everything that arrives in this turn of the event loop is written together
      await new Promise(setImmediate)
      const group = this.takeGroup()
      const outcome = await this.commit(group)
      for (const { resolve } of group) resolve(outcome)
      if (outcome === 'written') this.listener.written(bytesOf(group))
    }
    this.writing = undefined
  }

  private takeGroup(): PendingAppend[] {
    let bytes = 0
    let taken = 0
    for (const { bytes: more } of this.pending) {
      if (taken > 0 && bytes + more > maxBytesPerWrite) break
      bytes += more
      taken += 1
    }
    this.pendingBytes -= bytes
    return this.pending.splice(0, taken)
  }

  private async commit(group: readonly PendingAppend[]): Promise<AppendOutcome> {
    const records = group.flatMap((waiting) => waiting.records)
    try {
      const segment = (this.segment ??= await this.segments.begin({
        first: this.nextNumber,
        follows: this.lastWritten,
      }))
      await this.writeTo(segment, records)
      this.eventsWritten += group.reduce((sum, { events }) => sum + events, 0)
      for (const { eventsByProject } of group) this.backlog.add(eventsByProject)
      this.trouble = undefined
      if (segment.end > this.limits.segmentBytes) await this.closeSegment()
      await this.closeSegmentIfRequested()
      return 'written'
    } catch (problem) {
      this.noteFailure(problem)
      this.listener.failed(problem)
      await this.abandon(records.length)
      return appendRefusal('disk-trouble')
    }
  }

  private noteFailure(problem: unknown): void {
    this.trouble = `The journal cannot be written: ${problem instanceof Error ? problem.message : String(problem)}`
    clearTimeout(this.recheckTimer)
    // a balancer sends no event before readiness says that they are written again
    if (!this.isClosed)
      this.recheckTimer = setTimeout(
        () => void this.tryDisk().catch(this.listener.failed),
        this.limits.recheckMs,
      ).unref()
  }

  private async tryDisk(): Promise<void> {
    try {
      await this.segments.tryDisk()
      this.trouble = undefined
    } catch (problem) {
      this.noteFailure(problem)
    }
  }

  private async writeTo(segment: OpenJournalSegment, records: readonly Buffer[]): Promise<void> {
    records.forEach((record, i) => numberRecord(record, this.nextNumber + i))
    const bytes = records.length === 1 && records[0] ? records[0] : Buffer.concat(records)
    await segment.file.write(bytes, segment.end)
    await segment.file.sync()
    this.nextNumber += records.length
    segment.end += bytes.length
    this.lastWritten = this.nextNumber - 1
    segment.last = this.lastWritten
  }

  private async closeSegment(): Promise<void> {
    const segment = this.segment
    this.segment = undefined
    if (!segment) return
    await segment.file.close().catch(this.listener.failed)
    segment.isOpen = false
  }

  /**
   * After a failed sync the operating system marks unwritten pages as clean, so a second sync would succeed without
   * writing them. Synced data stays; the rest is cut off. The clients send it again, and a new file receives it.
   */
  private async abandon(numbersUsed: number): Promise<void> {
    this.nextNumber += numbersUsed
    const segment = this.segment
    if (!segment) return
    await segment.file.truncate(segment.end).catch(() => {})
    await this.closeSegment()
  }
}

function bytesOf(group: readonly PendingAppend[]): number {
  return group.reduce((sum, { bytes }) => sum + bytes, 0)
}
