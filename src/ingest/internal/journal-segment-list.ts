import { join } from 'node:path'
import { z } from 'zod'
import { type JournalFileSystem, isDraft, replaceFile } from './journal-files'

/** The numbers of the records in a missing segment. */
export interface MissingSegment {
  first: number
  /** Undefined if no later segment shows it. */
  last: number | undefined
}

const listFile = (folder: string): string => join(folder, 'segments.json')

const segmentListSchema = z.array(z.int().nonnegative())

/**
 * Returns the listed segments; none if the list is missing or unreadable, as in a journal of an earlier version or from
 * a backup.
 */
export async function readSegmentList(files: JournalFileSystem, folder: string): Promise<number[]> {
  const text = (await files.readWhole(listFile(folder)))?.toString() ?? '[]'
  try {
    return segmentListSchema.parse(JSON.parse(text))
  } catch {
    return []
  }
}

/**
 * A segment is listed after it was created and before its content is acknowledged. It is removed from the list before
 * it is deleted.
 */
export async function writeSegmentList(
  files: JournalFileSystem,
  folder: string,
  firsts: readonly number[],
): Promise<void> {
  await replaceFile(files, listFile(folder), Buffer.from(JSON.stringify(firsts)))
  await files.syncFolder(folder)
}

export function findMissingSegments(
  listedFirsts: readonly number[],
  found: readonly number[],
): MissingSegment[] {
  const known = [...listedFirsts, ...found].toSorted((one, other) => one - other)
  return listedFirsts
    .filter((first) => !found.includes(first))
    .map((first) => {
      const next = known.find((other) => other > first)
      return { first, last: next === undefined ? undefined : next - 1 }
    })
}

/** Notes about missing segments stay until an operator deletes them. */
const missingSegmentsFolder = (journalFolder: string): string => join(journalFolder, 'gone')

export async function recordMissingSegments(
  files: JournalFileSystem,
  journalFolder: string,
  missing: readonly MissingSegment[],
): Promise<void> {
  if (missing.length === 0) return
  const folder = missingSegmentsFolder(journalFolder)
  await files.makeFolder(folder)
  for (const segment of missing) {
    const { first, last } = segment
    await replaceFile(files, join(folder, `${first}-${last ?? ''}`), Buffer.from(JSON.stringify(segment)))
  }
  await files.syncFolder(folder)
  await files.syncFolder(journalFolder)
}

const noteName = /^(\d{1,16})-(\d{0,16})$/

export async function recordedMissingSegments(
  files: JournalFileSystem,
  journalFolder: string,
): Promise<MissingSegment[]> {
  const names = (await files.namesIn(missingSegmentsFolder(journalFolder))).filter((name) => !isDraft(name))
  return names.flatMap((name) => {
    const [, first, last] = noteName.exec(name) ?? []
    return first === undefined ? [] : [{ first: Number(first), last: last ? Number(last) : undefined }]
  })
}
