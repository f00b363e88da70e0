import { join } from 'node:path'
import type { JournalFileSystem, WritableFile } from './journal-files'
import {
  readSegmentList,
  type MissingSegment,
  findMissingSegments,
  writeSegmentList,
} from './journal-segment-list'
import { readSegmentHeader, type SegmentHeader, segmentHeader, segmentHeaderBytes } from './journal-records'

/** One file of the journal. Its name is the number of its first record. */
export interface JournalSegment {
  first: number
  /** See `SegmentHeader`; Infinity if the header cannot be read. */
  follows: number
  path: string
  /** The offset where readable records end. Undefined for a segment from before this start: it is read to its end. */
  end: number | undefined
  /** The number of its last record, once known. */
  last: number | undefined
  /** Whether it is still being written. */
  isOpen: boolean
}

export interface OpenJournalSegment extends JournalSegment {
  end: number
  file: WritableFile
}

/** The journal was written by a newer version of Tilth. */
class NewerJournalError extends Error {
  constructor(path: string, version: number) {
    super(
      `${path} was written by a newer Tilth (form ${version} of the journal). Nothing was changed. Start the newer ` +
        'version again; once it has emptied its journal and was stopped, an older one can follow.',
    )
    this.name = 'NewerJournalError'
  }
}

const fileName = /^(\d{16})\.journal$/

/** The files of the journal, oldest first. */
export class JournalSegments {
  /** The update of the list on disk that is in progress. */
  private listUpdate: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly files: JournalFileSystem,
    private readonly folder: string,
    readonly list: JournalSegment[],
    /** Segments that were listed at the last start and do not exist now. */
    readonly missing: readonly MissingSegment[],
  ) {}

  /** Syncs the writes of a killed process first, because a power failure could still undo them. */
  static async find(files: JournalFileSystem, folder: string): Promise<JournalSegments> {
    const firsts = (await files.namesIn(folder)).flatMap((name) => fileName.exec(name)?.[1] ?? [])
    const list: JournalSegment[] = []
    for (const first of firsts.toSorted()) list.push(await foundSegment(files, folder, Number(first)))
    for (const { path } of list) await files.sync(path)
    await files.syncFolder(folder)
    const listed = await readSegmentList(files, folder)
    return new JournalSegments(files, folder, list, findMissingSegments(listed, firsts.map(Number)))
  }

  /** Lists the existing segments. Missing ones are no longer known after this. */
  async writeList(): Promise<void> {
    await this.inTurn(() => this.writeListOf(this.list))
  }

  /** Creates a file whose name survives a power failure before its content is acknowledged. */
  async begin(header: SegmentHeader): Promise<OpenJournalSegment> {
    const path = pathOf(this.folder, header.first)
    const file = await this.files.create(path)
    try {
      await file.write(segmentHeader(header), 0)
      await this.files.syncFolder(this.folder)
    } catch (problem) {
      await file.close().catch(() => {})
      await this.files.remove(path).catch(() => {})
      throw problem
    }
    const segment = { ...header, path, end: segmentHeaderBytes, last: undefined, isOpen: true, file }
    try {
      await this.inTurn(() => this.add(segment))
    } catch (problem) {
      // the file stays, because it may be listed already
      await file.close().catch(() => {})
      throw problem
    }
    return segment
  }

  /** Writes, syncs and removes a small file. Rejects if the disk does not let it. */
  async tryDisk(): Promise<void> {
    const path = join(this.folder, 'disk-check')
    // a killed process may have left it behind
    await this.files.remove(path)
    const file = await this.files.create(path)
    try {
      await file.write(Buffer.alloc(4096), 0)
      await file.sync()
    } finally {
      await file.close().catch(() => {})
      await this.files.remove(path).catch(() => {})
    }
  }

  after(segment: JournalSegment): JournalSegment | undefined {
    return this.list[this.list.indexOf(segment) + 1]
  }

  /** Deletes files that are no longer needed. They leave the list first, so that they do not count as missing. */
  async forget(upTo: number): Promise<void> {
    await this.inTurn(() => this.removeDone(upTo))
  }

  private async removeDone(upTo: number): Promise<void> {
    const needed = this.list.findIndex((segment, i) => !isDone(segment, this.list[i + 1], upTo))
    const done = this.list.slice(0, needed < 0 ? this.list.length : needed)
    if (done.length === 0) return
    await this.writeListOf(this.list.slice(done.length))
    for (const { path } of done) {
      await this.files.remove(path)
      this.list.shift()
    }
  }

  private async add(segment: JournalSegment): Promise<void> {
    await this.writeListOf([...this.list, segment])
    this.list.push(segment)
  }

  private async inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.listUpdate.then(work)
    this.listUpdate = done.catch(() => {})
    await done
  }

  private async writeListOf(segments: readonly JournalSegment[]): Promise<void> {
    await writeSegmentList(
      this.files,
      this.folder,
      segments.map(({ first }) => first),
    )
  }

  /** Returns a number that no record of these files has. */
  async nextFreeNumber(): Promise<number> {
    const newest = this.list.at(-1)
    // every record is longer than a byte
    return newest ? newest.first + (await this.files.sizeOf(newest.path)) + 1 : 1
  }
}

function pathOf(folder: string, first: number): string {
  return join(folder, `${String(first).padStart(16, '0')}.journal`)
}

async function foundSegment(
  files: JournalFileSystem,
  folder: string,
  first: number,
): Promise<JournalSegment> {
  const path = pathOf(folder, first)
  const header = readSegmentHeader(await files.read(path, 0, segmentHeaderBytes))
  if (header !== 'damaged' && 'newerVersion' in header) throw new NewerJournalError(path, header.newerVersion)
  const follows = header === 'damaged' ? Infinity : header.follows
  return { first, follows, path, end: undefined, last: undefined, isOpen: false }
}

function isDone(segment: JournalSegment, next: JournalSegment | undefined, upTo: number): boolean {
  if (segment.isOpen) return false
  if (segment.last !== undefined) return segment.last <= upTo
  return next !== undefined && next.first <= upTo + 1
}
