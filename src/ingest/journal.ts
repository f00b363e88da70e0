import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { PreparedEvent } from '../events/event'
import { Room, type RoomReport } from './disk'
import { diskFiles, type Files, replaceFile } from './journal-files'
import { lineOf } from './journal-lines'
import { type Damage, JournalReader, type JournalRecord } from './journal-reader'
import { Segments } from './journal-segments'
import { type Appended, JournalWriter, refusal, type WriterLimits } from './journal-writer'

/** The number of a record. Numbers only grow, within a journal's whole life, and leave gaps. */
export type JournalPosition = number

export interface JournalSettings {
  folder: string
  files?: Files
  /** Asked about once a second whether more may be written. */
  room?: () => Promise<RoomReport>
  limits?: Partial<WriterLimits>
  now?: () => Date
  onDamage?: (damage: DamageReport) => void
  onTrouble?: (problem: unknown) => void
}

interface Ground {
  files: Files
  folder: string
}

export interface DamageReport extends Damage {
  /** The file that has the bytes now; undefined if there are none. */
  keptAs: string | undefined
}

const usualLimits: WriterLimits = {
  segmentBytes: 16 * 1024 ** 2,
  queueBytes: 32 * 1024 ** 2,
  queueAppends: 20_000,
}

const alwaysRoom = async (): Promise<RoomReport> => ({ trouble: undefined })

/**
 * The log on disk that an event is in before its sender hears "ok". It is written by many and read by one, in order;
 * what has been stored for good is forgotten file by file.
 */
export class Journal {
  private readonly listeners = new Set<() => void>()

  private constructor(
    /** Names this journal to those who remember how far they have read it. A new folder is another journal. */
    readonly id: string,
    private readonly ground: Ground,
    private readonly segments: Segments,
    private readonly writer: JournalWriter,
    private readonly reader: JournalReader,
    private readonly room: Room,
    /** Records from this number on were written since this start. */
    readonly firstOfThisStart: JournalPosition,
  ) {}

  static async open(settings: JournalSettings): Promise<Journal> {
    const { folder, files = diskFiles, room = alwaysRoom, now = () => new Date() } = settings
    const ground = { folder, files }
    await files.makeFolder(folder)
    await files.syncFolder(dirname(folder))
    const id = await identify(ground)
    const stored = await readCheckpoint(ground)
    const segments = await Segments.find(files, folder)
    await segments.forget(stored)
    const first = Math.max(await segments.beyond(), stored + 1, microseconds(now()))
    const listeners = {
      written: (bytes: number) => journal.wrote(bytes),
      failed: settings.onTrouble ?? (() => {}),
    }
    const writer = new JournalWriter(segments, { ...usualLimits, ...settings.limits }, first, listeners)
    const keepAside = (damage: Damage, bytes: Buffer) => aside(ground, damage, bytes, settings.onDamage)
    const reader = new JournalReader(files, segments, stored, keepAside)
    const journal: Journal = new Journal(id, ground, segments, writer, reader, new Room(room), first)
    await journal.room.look()
    return journal
  }

  /** "Written" means on disk. Anything else is a passing trouble: nothing of it is kept, and it is worth another try. */
  async append(events: readonly PreparedEvent[]): Promise<Appended> {
    if (!this.room.isThere()) return refusal('no-room')
    return events.length === 0 ? 'written' : await this.writer.append(events.map(lineOf))
  }

  /** Why events are being refused, in words a person can act on; absent while all is well. */
  get trouble(): string | undefined {
    return this.room.lack ?? this.writer.trouble
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
      this.ground.files,
      checkpointFile(this.ground),
      Buffer.from(JSON.stringify({ stored: upTo })),
    )
    await this.segments.forget(upTo)
  }

  /** What was appended is still written; what is appended from now on is refused. */
  async close(): Promise<void> {
    await this.writer.close()
  }

  private wrote(bytes: number): void {
    this.room.wrote(bytes)
    for (const listener of this.listeners) listener()
  }
}

const checkpointFile = ({ folder }: Ground): string => join(folder, 'checkpoint')

async function readCheckpoint(ground: Ground): Promise<JournalPosition> {
  const text = await ground.files.readWhole(checkpointFile(ground))
  const stored = /^\{"stored":(\d{1,16})\}$/.exec(text?.toString() ?? '')?.[1]
  return Number(stored ?? 0)
}

async function identify({ files, folder }: Ground): Promise<string> {
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

async function aside(
  { files, folder }: Ground,
  damage: Damage,
  bytes: Buffer,
  report: JournalSettings['onDamage'],
): Promise<void> {
  const keptAs = bytes.length > 0 ? await keep(files, join(folder, 'damaged'), damage, bytes) : undefined
  report?.({ ...damage, keptAs })
}

async function keep(files: Files, folder: string, { segment, at }: Damage, bytes: Buffer): Promise<string> {
  const path = join(folder, `${segment.slice(-24, -8)}-${at}`)
  await files.makeFolder(folder)
  await replaceFile(files, path, bytes)
  await files.syncFolder(folder)
  return path
}
