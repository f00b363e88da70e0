import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { PreparedEvent } from '#events/event'
import { FreeSpace, type FreeSpaceReport } from './free-space'
import { diskFiles, type JournalFileSystem, replaceFile } from './journal-files'
import { countBacklog, type JournalBacklog } from './journal-backlog'
import { formatJournalLine } from './journal-lines'
import { type JournalDamage, JournalReader, type JournalRecord } from './journal-reader'
import { recordMissingSegments, type MissingSegment } from './journal-segment-list'
import { JournalSegments } from './journal-segments'
import { type AppendOutcome, JournalWriter, appendRefusal, type WriterLimits } from './journal-writer'

/** The number of a record. Numbers only grow, within a journal's whole life, and leave gaps. */
export type JournalPosition = number

export interface JournalSettings {
  folder: string
  files?: JournalFileSystem
  /** Asked about once a second whether more may be written. */
  measureFreeSpace?: () => Promise<FreeSpaceReport>
  limits?: Partial<WriterLimits>
  now?: () => Date
  onDamage?: (damage: JournalDamageReport) => void
  /** Called with the segments that were there at the end of the last start and are not there now. */
  onMissingSegments?: (gone: readonly MissingSegment[]) => void
  onTrouble?: (problem: unknown) => void
}

/** A file of the journal, and how much of it is on disk for good; undefined where that is all of it. */
export interface JournalFile {
  path: string
  bytes: number | undefined
}

interface JournalLocation {
  files: JournalFileSystem
  folder: string
}

export interface JournalDamageReport extends JournalDamage {
  /** The file that has the bytes now; undefined if there are none. */
  keptAs: string | undefined
}

const usualLimits: WriterLimits = {
  segmentBytes: 16 * 1024 ** 2,
  queueBytes: 32 * 1024 ** 2,
  queueAppends: 20_000,
}

const unlimitedSpace = async (): Promise<FreeSpaceReport> => ({ trouble: undefined })

/**
 * The log on disk that an event is in before its sender hears "ok". It is written by many and read by one, in order;
 * what has been stored for good is forgotten file by file.
 */
export class Journal {
  private readonly listeners = new Set<() => void>()
  /** What waited here when this was opened. */
  backlog: JournalBacklog = { events: 0, isEstimate: true, oldestAt: undefined }
  /** Resolves when `found` is exact. */
  backlogCount: Promise<void> = Promise.resolve()

  private constructor(
    /** Names this journal to those who remember how far they have read it. A new folder is another journal. */
    readonly id: string,
    private readonly location: JournalLocation,
    private readonly segments: JournalSegments,
    private readonly writer: JournalWriter,
    private readonly reader: JournalReader,
    private readonly freeSpace: FreeSpace,
    private stored: JournalPosition,
    /** Records from this number on were written since this start. */
    readonly firstOfThisStart: JournalPosition,
  ) {}

  static async open(settings: JournalSettings): Promise<Journal> {
    const { folder, files = diskFiles, measureFreeSpace = unlimitedSpace, now = () => new Date() } = settings
    const location = { folder, files }
    await files.makeFolder(folder)
    await files.syncFolder(dirname(folder))
    const id = await readOrCreateId(location)
    const stored = await readCheckpoint(location)
    const segments = await JournalSegments.find(files, folder)
    await reportMissingSegments(location, segments, stored, settings.onMissingSegments)
    await segments.forget(stored)
    const first = Math.max(await segments.nextFreeNumber(), stored + 1, microseconds(now()))
    const listeners = {
      written: (bytes: number) => journal.wrote(bytes),
      failed: settings.onTrouble ?? (() => {}),
    }
    const writer = new JournalWriter(segments, { ...usualLimits, ...settings.limits }, first, listeners)
    const setAside = (damage: JournalDamage, bytes: Buffer) =>
      setDamageAside(location, damage, bytes, settings.onDamage)
    const reader = new JournalReader(files, segments, stored, setAside)
    const journal: Journal = new Journal(
      id,
      location,
      segments,
      writer,
      reader,
      new FreeSpace(measureFreeSpace),
      stored,
      first,
    )
    await journal.freeSpace.refresh()
    journal.backlogCount = countBacklog(
      files,
      [...segments.list],
      stored,
      (found) => (journal.backlog = found),
    )
    // a count is worth less than collecting: what cannot be read now is said when it is its turn
    journal.backlogCount.catch(settings.onTrouble ?? (() => {}))
    return journal
  }

  /** "Written" means on disk. Anything else is a passing trouble: nothing of it is kept, and it is worth another try. */
  async append(events: readonly PreparedEvent[]): Promise<AppendOutcome> {
    return await this.appendLines(events.map(formatJournalLine))
  }

  /** Like `append`, for lines that the caller has already made: a large batch makes them in slices. */
  async appendLines(lines: readonly string[]): Promise<AppendOutcome> {
    if (!this.freeSpace.isAvailable()) return appendRefusal('no-room')
    return lines.length === 0 ? 'written' : await this.writer.append(lines)
  }

  /** Why events are being refused, in words a person can act on; absent while all is well. */
  get trouble(): string | undefined {
    return this.freeSpace.shortage ?? this.writer.trouble
  }

  /** How many events were written since this start. */
  get eventsWritten(): number {
    return this.writer.eventsWritten
  }

  /** Each record once, from the first that had not been stored when this journal was opened. None: there are no more now. */
  async read(bytes: number): Promise<JournalRecord[]> {
    return await this.reader.read(bytes)
  }

  /** Called when there is more to read. */
  onWritten(listener: () => void): void {
    this.listeners.add(listener)
  }

  /**
   * Everything up to here is stored for good. Should the note about it be lost, more is read again than necessary, which
   * costs a look-up and nothing else.
   */
  async checkpoint(upTo: JournalPosition): Promise<void> {
    await replaceFile(
      this.location.files,
      checkpointFile(this.location),
      Buffer.from(JSON.stringify({ stored: upTo })),
    )
    this.stored = upTo
    await this.segments.forget(upTo)
  }

  /** Removes everything that is stored, also from the file that is being written to. */
  async forgetStored(): Promise<void> {
    await this.writer.endSegment()
    await this.segments.forget(this.stored)
  }

  /** The files of this moment. More may follow in the last one, and in files of its own. */
  filesNow(): JournalFile[] {
    return this.segments.list.map(({ path, end }) => ({ path, bytes: end }))
  }

  /** What was appended is still written; what is appended from now on is refused. */
  async close(): Promise<void> {
    await this.writer.close()
  }

  private wrote(bytes: number): void {
    this.freeSpace.recordWrite(bytes)
    for (const listener of this.listeners) listener()
  }
}

const checkpointFile = ({ folder }: JournalLocation): string => join(folder, 'checkpoint')

async function readCheckpoint(location: JournalLocation): Promise<JournalPosition> {
  const text = await location.files.readWhole(checkpointFile(location))
  const stored = /^\{"stored":(\d{1,16})\}$/.exec(text?.toString() ?? '')?.[1]
  return Number(stored ?? 0)
}

/** What was stored already is not missed. The note is on disk before the list that shows the loss is replaced. */
async function reportMissingSegments(
  { files, folder }: JournalLocation,
  segments: JournalSegments,
  stored: JournalPosition,
  report: JournalSettings['onMissingSegments'],
): Promise<void> {
  const missing = segments.missing.filter(({ last = Infinity }) => last > stored)
  await recordMissingSegments(files, folder, missing)
  if (missing.length > 0) report?.(missing)
  await segments.writeList()
}

async function readOrCreateId({ files, folder }: JournalLocation): Promise<string> {
  const path = join(folder, 'id')
  const known = (await files.readWhole(path))?.toString() ?? ''
  if (/^[0-9a-f-]{36}$/.test(known)) return known
  const id = randomUUID()
  await replaceFile(files, path, Buffer.from(id))
  await files.syncFolder(folder)
  return id
}

/**
 * Numbers begin with the clock, so that a journal that was put back from an older backup does not use again the numbers
 * that others remember as read.
 */
const microseconds = (at: Date): number => at.getTime() * 1000

async function setDamageAside(
  { files, folder }: JournalLocation,
  damage: JournalDamage,
  bytes: Buffer,
  report: JournalSettings['onDamage'],
): Promise<void> {
  const keptAs =
    bytes.length > 0 ? await writeDamagedBytes(files, join(folder, 'damaged'), damage, bytes) : undefined
  report?.({ ...damage, keptAs })
}

async function writeDamagedBytes(
  files: JournalFileSystem,
  folder: string,
  { segment, at }: JournalDamage,
  bytes: Buffer,
): Promise<string> {
  const path = join(folder, `${segment.slice(-24, -8)}-${at}`)
  await files.makeFolder(folder)
  await replaceFile(files, path, bytes)
  await files.syncFolder(folder)
  return path
}
