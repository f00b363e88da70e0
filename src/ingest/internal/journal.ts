import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { PreparedEvent } from '#events/event'
import { FreeSpace, type FreeSpaceReport } from './free-space'
import { diskFiles, type JournalFileSystem, replaceFile } from './journal-files'
import { countBacklog, type JournalBacklog } from './journal-backlog'
import { JournalDraft } from './journal-draft'
import { type JournalDamage, JournalReader, type JournalRecord } from './journal-reader'
import { recordMissingSegments, type MissingSegment } from './journal-segment-list'
import { JournalSegments } from './journal-segments'
import type { ProjectBacklog } from './project-backlog'
import { type AppendOutcome, JournalWriter, appendRefusal, type WriterLimits } from './journal-writer'

/** The number of a record. Numbers only grow within a journal's life, and may have gaps. */
export type JournalPosition = number

export interface JournalSettings {
  folder: string
  files?: JournalFileSystem
  /** Measures the free space. Called about once a second. */
  measureFreeSpace?: () => Promise<FreeSpaceReport>
  limits?: Partial<WriterLimits>
  now?: () => Date
  onDamage?: (damage: JournalDamageReport) => void
  /** Called with the segments that existed at the end of the last start and are missing now. */
  onMissingSegments?: (gone: readonly MissingSegment[]) => void
  onTrouble?: (problem: unknown) => void
}

/** A file of the journal, and the number of its bytes that are synced; undefined if all are. */
export interface JournalFile {
  path: string
  bytes: number | undefined
}

interface JournalLocation {
  files: JournalFileSystem
  folder: string
}

export interface JournalDamageReport extends JournalDamage {
  /** The file with the unreadable bytes; undefined if there are none. */
  keptAs: string | undefined
}

const usualLimits: WriterLimits = {
  segmentBytes: 16 * 1024 ** 2,
  queueBytes: 32 * 1024 ** 2,
  queueAppends: 20_000,
  recheckMs: 2000,
}

const unlimitedSpace = async (): Promise<FreeSpaceReport> => ({ trouble: undefined })

/**
 * The write-ahead log on disk. An event is written here before the client receives its acknowledgement. Many write to
 * it; one reader reads it in order; files are deleted when their events are stored.
 */
export class Journal {
  private readonly listeners = new Set<() => void>()
  /** The events in the journal when it was opened. */
  backlog: JournalBacklog = { events: 0, isEstimate: true, oldestAt: undefined }
  /** Resolves when `backlog` is exact. */
  backlogCount: Promise<void> = Promise.resolve()

  private constructor(
    /** Identifies this journal for readers that remember their position. A new folder is another journal. */
    readonly id: string,
    private readonly location: JournalLocation,
    private readonly segments: JournalSegments,
    private readonly writer: JournalWriter,
    private readonly reader: JournalReader,
    private readonly freeSpace: FreeSpace,
    private stored: JournalPosition,
    /** The first record number of this start. */
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
    // on a full disk this waits for the next segment and the next checkpoint, which do both
    await tidy(segments, stored).catch(settings.onTrouble ?? (() => {}))
    const first = Math.max(await segments.nextFreeNumber(), stored + 1, microseconds(now()))
    const listeners = {
      written: (bytes: number) => journal.wrote(bytes),
      failed: settings.onTrouble ?? (() => {}),
    }
    const limits = { ...usualLimits, ...settings.limits }
    const writer = new JournalWriter(segments, limits, first, listeners)
    const setAside = (damage: JournalDamage, bytes: Buffer) =>
      setDamageAside(location, damage, bytes, settings.onDamage)
    const reader = new JournalReader(files, segments, stored, setAside)
    const journal: Journal = new Journal(
      id,
      location,
      segments,
      writer,
      reader,
      new FreeSpace(measureFreeSpace, limits.recheckMs),
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
    // a failed count must not stop collecting; an unreadable file is reported when it is read
    journal.backlogCount.catch(settings.onTrouble ?? (() => {}))
    return journal
  }

  /**
   * Appends events. The outcome "written" means synced. Any other outcome is temporary: nothing was kept, and a retry
   * is worthwhile.
   */
  async append(events: readonly PreparedEvent[]): Promise<AppendOutcome> {
    const draft = new JournalDraft()
    for (const event of events) draft.add(event)
    return await this.appendDraft(draft)
  }

  /** Like `append`, for lines that the caller has formatted: a large batch formats them in slices. */
  appendDraft(draft: JournalDraft): AppendOutcome | Promise<AppendOutcome> {
    if (!this.freeSpace.isAvailable()) return appendRefusal('no-room')
    return draft.events === 0 ? 'written' : this.writer.append(draft)
  }

  /** The reason why events are refused and what to do about it; undefined if they are accepted. */
  get trouble(): string | undefined {
    return this.freeSpace.shortage ?? this.writer.trouble
  }

  /** The number of events written since this start. */
  get eventsWritten(): number {
    return this.writer.eventsWritten
  }

  /** The events of each project that are not stored yet. */
  get projectBacklog(): ProjectBacklog {
    return this.writer.backlog
  }

  /**
   * Returns each record once, from the first that was not stored when the journal was opened. Returns none if there are
   * no more now.
   */
  async read(bytes: number): Promise<JournalRecord[]> {
    const records = await this.reader.read(bytes)
    // of the last file of an earlier start, the end has to be read before it is known to be stored; failing that, the
    // next checkpoint deletes it
    if (records.length === 0) await this.segments.forget(this.stored).catch(() => {})
    return records
  }

  /** Registers a listener that is called when there is more to read. */
  onWritten(listener: () => void): void {
    this.listeners.add(listener)
  }

  /**
   * Records that everything up to here is stored. If this record is lost, more is read again than necessary, which
   * costs only a look-up.
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

  /** Deletes everything that is stored, also from the file that is being written. */
  async forgetStored(): Promise<void> {
    await this.writer.endSegment()
    await this.segments.forget(this.stored)
  }

  /** The files at this moment. More may be appended to the last one, and more files may follow. */
  filesNow(): JournalFile[] {
    return this.segments.list.map(({ path, end }) => ({ path, bytes: end }))
  }

  /** Closes the journal. Waiting appends are still written; later ones are refused. */
  async close(): Promise<void> {
    this.freeSpace.close()
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

/**
 * Segments that were stored already are not missed. The report is on disk before the list that shows the loss is
 * replaced.
 */
async function reportMissingSegments(
  { files, folder }: JournalLocation,
  segments: JournalSegments,
  stored: JournalPosition,
  report: JournalSettings['onMissingSegments'],
): Promise<void> {
  const missing = segments.missing.filter(({ last = Infinity }) => last > stored)
  await recordMissingSegments(files, folder, missing)
  if (missing.length > 0) report?.(missing)
}

async function tidy(segments: JournalSegments, stored: JournalPosition): Promise<void> {
  await segments.writeList()
  await segments.forget(stored)
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
 * Numbers begin with the current time, so that a journal restored from an older backup does not reuse numbers that
 * readers remember.
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
