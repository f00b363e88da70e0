import { createReadStream } from 'node:fs'
import { appendFile, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ErasureLookup, ErasedRows } from '#persons/rows-on-disk'
import { diskFiles, draftOf, isDraft } from './journal-files'
import { parseSetAsideRow, ErasedRowTally } from './set-aside-rows'

/** A row that the engine rejects on every attempt. */
export interface RejectedRow {
  row: string
  reason: string
}

/**
 * Stores rejected rows, so that they neither block other rows nor get lost: a file a day, one JSON object a line, with
 * the reason and the original row.
 */
export class Quarantine {
  /** The file change in progress: appending to a file that is being replaced would lose rows. */
  private fileChange: Promise<unknown> = Promise.resolve()

  constructor(
    readonly folder: string,
    private readonly now: () => Date,
  ) {}

  /** Writes rows. They are on disk when it resolves, because the journal deletes them next. */
  async keep(rows: readonly RejectedRow[]): Promise<void> {
    await this.inTurn(() => this.append(rows))
  }

  /** Removes the rows of erased persons. An empty file is deleted. */
  async forget(erasureOf: ErasureLookup): Promise<ErasedRows> {
    const tally = new ErasedRowTally()
    const names = (await diskFiles.namesIn(this.folder)).filter((name) => !isDraft(name))
    for (const name of names) {
      const path = join(this.folder, name)
      tally.add(await this.inTurn(() => forgetInFile(path, erasureOf)))
    }
    if (tally.rows.size > 0) await diskFiles.syncFolder(this.folder)
    return tally
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.fileChange.then(work)
    this.fileChange = result.catch(() => {})
    return await result
  }

  private async append(rows: readonly RejectedRow[]): Promise<void> {
    const at = this.now().toISOString()
    const lines = rows.map(({ row, reason }) => `${JSON.stringify({ at, reason, row })}\n`)
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const file = await open(join(this.folder, `${at.slice(0, 10)}.ndjson`), 'a', 0o600)
    try {
      await appendFile(file, lines.join(''))
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

/** Searches first and copies only when it finds a match, because a file may be large. */
async function forgetInFile(path: string, erasureOf: ErasureLookup): Promise<ErasedRows> {
  const { taken, linesLeft } = await search(path, erasureOf)
  if (taken.rows.size === 0) return taken
  if (linesLeft === 0) await rm(path, { force: true })
  else await replaceLines(path, (line) => !isErased(line, erasureOf))
  return taken
}

async function search(
  path: string,
  erasureOf: ErasureLookup,
): Promise<{ taken: ErasedRows; linesLeft: number }> {
  const taken = new ErasedRowTally()
  let linesLeft = 0
  for await (const line of linesOf(path)) {
    const row = rowOfLine(line)
    const erasure = row && erasureOf(row)
    if (!row) taken.unsearchedBytes += line.length
    if (erasure === undefined) linesLeft += 1
    else taken.count(erasure)
  }
  return { taken, linesLeft }
}

/** Reads one character for each byte, so that invalid UTF-8 stays unchanged. */
const linesOf = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path, 'latin1'), crlfDelay: Infinity })

function rowOfLine(line: string): ReturnType<typeof parseSetAsideRow> {
  try {
    // `keep` wrote it, unless it is damaged
    const { row } = JSON.parse(Buffer.from(line, 'latin1').toString()) as Partial<RejectedRow>
    return typeof row === 'string' ? parseSetAsideRow(row) : undefined
  } catch {
    return undefined
  }
}

function isErased(line: string, erasureOf: ErasureLookup): boolean {
  const row = rowOfLine(line)
  return row !== undefined && erasureOf(row) !== undefined
}

async function replaceLines(path: string, stays: (line: string) => boolean): Promise<void> {
  const draft = draftOf(path)
  const file = await open(draft, 'w', 0o600)
  try {
    await copyLines(path, file, stays)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

const mostCharactersAtOnce = 1024 ** 2

async function copyLines(path: string, to: FileHandle, stays: (line: string) => boolean): Promise<void> {
  let waiting = ''
  for await (const line of linesOf(path)) {
    if (stays(line)) waiting += `${line}\n`
    if (waiting.length < mostCharactersAtOnce) continue
    await appendFile(to, waiting, 'latin1')
    waiting = ''
  }
  await appendFile(to, waiting, 'latin1')
}
