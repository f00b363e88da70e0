import { join } from 'node:path'
import type { Files, WritableFile } from './journal-files'
import { readSegmentHeader, type SegmentHeader, segmentHeader, segmentHeaderBytes } from './journal-records'

/** One file of the journal. Its name is the number of its first record. */
export interface Segment {
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

export interface OpenSegment extends Segment {
  end: number
  file: WritableFile
}

/** Written by a version of the program that this one is older than. */
export class NewerJournal extends Error {
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
export class Segments {
  private constructor(
    private readonly files: Files,
    private readonly folder: string,
    readonly list: Segment[],
  ) {}

  /** What a process wrote that was killed is synced first: nobody is to act on what a power cut could still undo. */
  static async find(files: Files, folder: string): Promise<Segments> {
    const firsts = (await files.namesIn(folder)).flatMap((name) => fileName.exec(name)?.[1] ?? [])
    const list: Segment[] = []
    for (const first of firsts.toSorted()) list.push(await foundSegment(files, folder, Number(first)))
    for (const { path } of list) await files.sync(path)
    await files.syncFolder(folder)
    return new Segments(files, folder, list)
  }

  /** A new file whose name survives a power cut before anything is promised about its content. */
  async begin(header: SegmentHeader): Promise<OpenSegment> {
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
    this.list.push(segment)
    return segment
  }

  after(segment: Segment): Segment | undefined {
    return this.list[this.list.indexOf(segment) + 1]
  }

  /** Removes the files of which nothing is needed any more. */
  async forget(upTo: number): Promise<void> {
    for (;;) {
      const oldest = this.list[0]
      if (!oldest || !isDone(oldest, this.list[1], upTo)) return
      await this.files.remove(oldest.path)
      this.list.shift()
    }
  }

  /** A number that no record of these files has. */
  async beyond(): Promise<number> {
    const newest = this.list.at(-1)
    // no record is as short as a byte
    return newest ? newest.first + (await this.files.sizeOf(newest.path)) + 1 : 1
  }
}

function pathOf(folder: string, first: number): string {
  return join(folder, `${String(first).padStart(16, '0')}.journal`)
}

async function foundSegment(files: Files, folder: string, first: number): Promise<Segment> {
  const path = pathOf(folder, first)
  const header = readSegmentHeader(await files.read(path, 0, segmentHeaderBytes))
  if (header !== 'damaged' && 'newerVersion' in header) throw new NewerJournal(path, header.newerVersion)
  const follows = header === 'damaged' ? Infinity : header.follows
  return { first, follows, path, end: undefined, last: undefined, isOpen: false }
}

function isDone(segment: Segment, next: Segment | undefined, upTo: number): boolean {
  if (segment.isOpen) return false
  if (segment.last !== undefined) return segment.last <= upTo
  return next !== undefined && next.first <= upTo + 1
}
