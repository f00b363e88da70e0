import { join } from 'node:path'
import type { ErasureLookup, ErasedRows } from '#persons/rows-on-disk'
import { diskFiles, isDraft, replaceFile } from './journal-files'
import { recordHeaderBytes, segmentHeaderBytes } from './journal-records'
import { parseSetAsideRow, ErasedRowTally } from './set-aside-rows'

/** Removes rows from damaged pieces of segments. Such pieces often contain complete rows. */
export class DamagedSegmentPieces {
  constructor(readonly folder: string) {}

  async forget(erasureOf: ErasureLookup): Promise<ErasedRows> {
    const tally = new ErasedRowTally()
    const names = (await diskFiles.namesIn(this.folder)).filter((name) => !isDraft(name))
    for (const name of names) tally.add(await forgetInPiece(join(this.folder, name), erasureOf))
    if (tally.rows.size > 0) await diskFiles.syncFolder(this.folder)
    return tally
  }
}

async function forgetInPiece(path: string, erasureOf: ErasureLookup): Promise<ErasedRows> {
  const bytes = await diskFiles.readWhole(path)
  if (!bytes) return new ErasedRowTally()
  const { left, taken } = blankErasedRows(bytes, erasureOf)
  if (taken.rows.size > 0) await replaceFile(diskFiles, path, left)
  return taken
}

/** Rows are overwritten with spaces, so that the text around them keeps its position. */
const blank = 0x20

function blankErasedRows(bytes: Buffer, erasureOf: ErasureLookup): { left: Buffer; taken: ErasedRows } {
  const remaining = Buffer.from(bytes)
  const erased = new ErasedRowTally()
  let searchedTo = 0
  for (const { start, end, next } of linesIn(bytes)) {
    const row = parseSetAsideRow(bytes.toString('utf8', start, end))
    if (!row) continue
    erased.unsearchedBytes += unsearched(bytes.subarray(searchedTo, start))
    const erasure = erasureOf(row)
    searchedTo = erasure === undefined ? end : next
    if (erasure === undefined) continue
    remaining.fill(blank, start, next)
    erased.count(erasure)
  }
  erased.unsearchedBytes += unsearched(bytes.subarray(searchedTo))
  return { left: remaining, taken: erased }
}

/** A gap as short as a header is a header. Zeros and blanks hold no rows. */
function unsearched(gap: Buffer): number {
  const isEmpty = gap.every((byte) => byte === 0 || byte === blank)
  return gap.length <= segmentHeaderBytes || isEmpty ? 0 : gap.length
}

/** The text with which `rowText` begins every row. */
const rowStart = Buffer.from('{"project_id":')
const lineBreak = 0x0a
const tab = 0x09

interface LineBounds {
  start: number
  /** The end of the row's readable text. */
  end: number
  /** The start of the next row or record: a damaged byte within a line leaves the rest of the line after `end`. */
  next: number
}

function* linesIn(bytes: Buffer): Generator<LineBounds> {
  for (let start = bytes.indexOf(rowStart); start >= 0;) {
    const end = controlByteFrom(bytes, start)
    const following = bytes.indexOf(rowStart, end)
    yield { start, end, next: lineEnd(bytes, end, following) }
    start = following
  }
}

function controlByteFrom(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x20 && byte !== tab) return at
  }
  return bytes.length
}

/** The line break, or the header of the record that holds the following row. */
function lineEnd(bytes: Buffer, from: number, following: number): number {
  const breakAt = bytes.indexOf(lineBreak, from)
  const ends = [breakAt, following - recordHeaderBytes].filter((at) => at >= from)
  return Math.min(bytes.length, ...ends)
}
