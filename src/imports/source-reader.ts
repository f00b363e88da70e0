import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { Properties } from '#events/event'
import { type FileRow, readRows } from './files/read-rows'
import {
  type DetailRow,
  type FindDetails,
  firstIdOfPerson,
  type ImportSource,
  type PersonOfRow,
} from './sources/internal/source'

/** The rows of a source's files that become events, with the rows that say more about them. */
export interface SourceRows {
  rows: AsyncGenerator<FileRow>
  details: FindDetails
  /** The first rows as they are in the files, filled while they are read. */
  firstRows: FileRow[]
}

/**
 * Reads the files of a source. Where rows of one table belong to those of another, those are read first and wait on disk,
 * because they may be more than the memory has room for.
 */
export async function readSource<Result>(
  paths: readonly string[],
  source: ImportSource,
  work: (read: SourceRows) => Promise<Result>,
): Promise<Result> {
  const { detailOf, personOf } = source
  const firstRows: FileRow[] = []
  if (!detailOf && !personOf)
    return await work({ rows: rowsOf(paths, source, firstRows), details: () => [], firstRows })
  const folder = await mkdtemp(join(tmpdir(), 'tilth-import-'))
  const waiting = new WaitingDetails(join(folder, 'details.db'))
  try {
    if (detailOf) await readDetails(paths, detailOf, waiting)
    const rows = rowsOf(paths, source, firstRows, new FirstIds(waiting))
    return await work({ rows, details: (kind, key) => waiting.find(kind, key), firstRows })
  } finally {
    waiting.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function readDetails(
  paths: readonly string[],
  detailOf: NonNullable<ImportSource['detailOf']>,
  waiting: WaitingDetails,
): Promise<void> {
  for await (const one of readRows(paths)) {
    const detail = 'row' in one ? detailOf(one.row) : undefined
    if (detail) waiting.add(detail)
  }
}

const mostFirstRows = 20

async function* rowsOf(
  paths: readonly string[],
  { detailOf, partsOf, personOf }: ImportSource,
  firstRows: FileRow[],
  firstIds?: FirstIds,
): AsyncGenerator<FileRow> {
  for await (const one of readRows(paths)) {
    if (firstRows.length < mostFirstRows) firstRows.push(one)
    if (!('row' in one)) yield one
    else if (!detailOf?.(one.row))
      for (const row of partsOf?.(one.row) ?? [one.row]) {
        const person = personOf?.(row)
        if (person) firstIds?.note(person)
        yield { row, file: one.file }
      }
  }
}

const mostKnown = 20_000

/** Notes the distinct id by which each person of an export is named first: it is merged with every later one. */
class FirstIds {
  /** Most rows are of persons that were read just before. */
  private readonly known = new LRUCache<string, true>({ max: mostKnown })

  constructor(private readonly waiting: WaitingDetails) {}

  note({ person, distinctId }: PersonOfRow): void {
    if (this.known.has(person)) return
    this.known.set(person, true)
    if (this.waiting.find(firstIdOfPerson, person).length > 0) return
    this.waiting.add({ kind: firstIdOfPerson, key: person, row: { distinct_id: distinctId } })
  }
}

const rowsAtOnce = 10_000

/** Rows by a key, in a file that is deleted afterwards. */
class WaitingDetails {
  private readonly database: DatabaseSync
  private readonly insert: StatementSync
  private readonly select: StatementSync
  private added = 0

  constructor(path: string) {
    this.database = new DatabaseSync(path)
    this.database.exec('pragma journal_mode = off; pragma synchronous = off')
    this.database.exec('create table details (kind text, key text, content text)')
    this.database.exec('create index details_by_key on details (kind, key); begin')
    this.insert = this.database.prepare('insert into details values (?, ?, ?)')
    this.select = this.database.prepare(
      'select content from details where kind = ? and key = ? order by rowid',
    )
  }

  add({ kind, key, row }: DetailRow): void {
    this.insert.run(kind, key, JSON.stringify(row))
    if (++this.added % rowsAtOnce === 0) this.database.exec('commit; begin')
  }

  find(kind: string, key: string): Properties[] {
    // only `add` writes it
    return this.select.all(kind, key).map(({ content }) => JSON.parse(String(content)) as Properties)
  }

  close(): void {
    this.database.close()
  }
}
