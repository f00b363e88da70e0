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
  /** See `SegmentHeader`; without end where the header cannot be read. */
  follows: number
  path: string
  /** Where what may be read ends. Undefined for one written before this start: all of it, and then see. */
  end: number | undefined
  /** The number of its last record, once known. */
  last: number | undefined
  /** Still written to. */
  isOpen: boolean
}

export interface OpenJournalSegment extends JournalSegment {
  end: number
  file: WritableFile
}

/** Written by a version of the program that this one is older than. */
export class NewerJournalError extends Error {
  constructor(path: string, version: number) {
    super(
      `${path} was written by a newer Tilth (form ${version} of the journal). Nothing was changed. Start the newer ` +
        'version again; once it has emptied its journal and was stopped, an older one can follow.',
    )
    this.name = 'NewerJournal'
  }
}

const fileName = /^(\d{16})\.journal$/

/** The files of the journal, oldest first. */
export class JournalSegments {
  /** The change of the list on disk that is under way. */
  private listUpdate: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly files: JournalFileSystem,
    private readonly folder: string,
    readonly list: JournalSegment[],
    /** Those that were listed at the last start and are not there any more. */
    readonly missing: readonly MissingSegment[],
  ) {}

  /** Syncs what a killed process wrote first, because a power cut could still undo it. */
  static async find(files: JournalFileSystem, folder: string): Promise<JournalSegments> {
    const firsts = (await files.namesIn(folder)).flatMap((name) => fileName.exec(name)?.[1] ?? [])
    const list: JournalSegment[] = []
    for (const first of firsts.toSorted()) list.push(await foundSegment(files, folder, Number(first)))
    for (const { path } of list) await files.sync(path)
    await files.syncFolder(folder)
    const listed = await readSegmentList(files, folder)
    return new JournalSegments(files, folder, list, findMissingSegments(listed, firsts.map(Number)))
  }

  /** Lists what is there. What is gone is not known of after this. */
  async writeList(): Promise<void> {
    await this.inTurn(() => this.writeListOf(this.list))
  }

  /** A new file whose name survives a power cut before anything is promised about its content. */
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
      // the file stays: it may be listed already
      await file.close().catch(() => {})
      throw problem
    }
    return segment
  }

  after(segment: JournalSegment): JournalSegment | undefined {
    return this.list[this.list.indexOf(segment) + 1]
  }

  /** Removes the files of which nothing is needed any more. One that is removed is not listed, so that it is not missed. */
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

  /** A number that no record of these files has. */
  async nextFreeNumber(): Promise<number> {
    const newest = this.list.at(-1)
    // no record is as short as a byte
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
