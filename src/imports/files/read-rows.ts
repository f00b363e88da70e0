import { isUtf8 } from 'node:buffer'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import type { Json, Properties } from '#events/event'
import { mostRowBytes, rowProblems, UnpackedBudget, UnreadableFileError } from './limits'
import { ObjectSplitter } from './internal/object-splitter'
import { parquetRows } from './internal/parquet'
import { through } from './internal/through'
import { utf8Text } from './internal/utf8-text'
import { filesInZip } from './internal/zip'
import { unpackZstd } from './internal/zstd-frames'

/** A row of a file, or why it is none. */
export type FileRow = { row: Properties; file: string } | { problem: string; file: string }

type Content = AsyncIterable<Uint8Array>

/** A file, or one in an archive, with the bytes that all of them may unpack to. */
interface RowFile {
  name: string
  budget: UnpackedBudget
}

/**
 * Reads the rows of files one after the other: JSON lines, a list in JSON, CSV with a header, or Parquet; plain, with gzip,
 * zstd or brotli, or in a zip archive, as the content says and not the name. Only a row at a time is in memory, and of
 * Parquet a part of a row group.
 */
export async function* readRows(paths: readonly string[]): AsyncGenerator<FileRow> {
  for (const path of paths) {
    const name = basename(path)
    const file = { name, budget: new UnpackedBudget(name, await fileSize(path)) }
    const mark = await markOf(path)
    if (mark === 'PK\x03\x04') yield* rowsInZip(path, file)
    else if (mark === parquetMark) yield* named(parquetRows(path, name, file.budget), name)
    else yield* rowsIn(createReadStream(path), file)
  }
}

async function* rowsInZip(path: string, { name, budget }: RowFile): AsyncGenerator<FileRow> {
  for await (const entry of filesInZip(path, name)) {
    if (entry.name === '[Content_Types].xml') throw foreignForm(name, 'a document of Office')
    if (!isIgnored(entry.name)) yield* rowsIn(budget.limit(entry.content()), { name: entry.name, budget })
  }
}

async function* named(
  rows: AsyncIterable<{ row: Properties } | { problem: string }>,
  file: string,
): AsyncGenerator<FileRow> {
  for await (const one of rows) yield { ...one, file }
}

/** Throws a sentence if there is no such file. */
export async function fileSize(path: string): Promise<number> {
  try {
    const found = await stat(path)
    if (found.isFile()) return found.size
  } catch (problem) {
    throw explained(problem, basename(path))
  }
  throw new UnreadableFileError(`${basename(path)} is no file. Name the files in it.`)
}

/** Archives made on a Mac have a second file beside each. */
const isIgnored = (name: string): boolean => name.startsWith('__MACOSX/') || /(?:^|\/)\./.test(name)

async function markOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** A file that unpacks to itself would be unpacked for ever. */
const mostLayers = 3

async function* rowsIn(content: Content, file: RowFile, layer = 0): AsyncGenerator<FileRow> {
  const { name, budget } = file
  try {
    const { first, all } = await withFirst(content)
    if (first.length === 0) return
    const mark = Buffer.from(first).toString('latin1')
    const unpacking = unpackingOf(first, mark, name)
    if (unpacking) {
      if (layer === mostLayers)
        throw new UnreadableFileError(`${name} is packed more than ${mostLayers} times. Unpack it first.`)
      yield* rowsIn(budget.limit(unpacking(all)), file, layer + 1)
      return
    }
    if (mark.startsWith(parquetMark)) {
      yield* named(spooledRows(all, file), name)
      return
    }
    const foreign = foreignForms.find(([form]) => mark.startsWith(form))
    if (foreign) throw foreignForm(name, foreign[1])
    const text = await withFirst(utf8Text(all, first, name))
    yield* named(parserFor(text.first)(text.all), name)
  } catch (problem) {
    throw explained(problem, name)
  }
}

const parquetMark = 'PAR1'

/** Other forms that exports and their packings have, by their first bytes. */
const foreignForms: readonly (readonly [mark: string, form: string])[] = [
  ['PARE', 'Parquet that is encrypted'],
  ['Obj\x01', 'Avro'],
  ['ORC', 'ORC'],
  ['SQLite format 3', 'a database of SQLite'],
  ['\xd0\xcf\x11\xe0', 'a document of Office'],
  ['BZh', 'packed with bzip2'],
  ['\xfd7zXZ', 'packed with xz'],
  ['7z\xbc\xaf', 'packed with 7-Zip'],
  ['\x04\x22\x4d\x18', 'packed with LZ4'],
  ['\xff\x06\x00\x00sNaPpY', 'packed with Snappy'],
  ['Rar!', 'packed with RAR'],
]

const foreignForm = (name: string, form: string): UnreadableFileError =>
  new UnreadableFileError(
    `${name} is ${form}, which cannot be read. Export JSON lines, CSV or Parquet, plain or with gzip, zstd or brotli.`,
  )

function unpackingOf(
  first: Uint8Array,
  mark: string,
  name: string,
): ((content: Content) => Content) | undefined {
  if (mark.startsWith('\x1f\x8b')) return (content) => through(content, createGunzip())
  // a frame of zstd, or one that it skips
  if (mark.startsWith('\x28\xb5\x2f\xfd') || mark.startsWith('\x2a\x4d\x18', 1)) return unpackZstd
  // brotli has no mark: its name says it, unless what is there is known all the same
  const isKnown = isUtf8(first.subarray(0, -3)) || /^(?:PAR1|\xff\xfe|\xfe\xff)/.test(mark)
  const isBrotli = /\.br$/i.test(name) && !isKnown
  return isBrotli ? (content) => through(content, createBrotliDecompress()) : undefined
}

/** Parquet hardly shrinks any more, and the disk is that of the data folder. */
const mostSpooledBytes = 4 * 1024 ** 3

/** Parquet is read from its end, so it is unpacked to a file that is deleted afterwards. */
async function* spooledRows(content: Content, { name, budget }: RowFile) {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-import-'))
  try {
    const path = join(folder, 'unpacked')
    await pipeline(limitedTo(mostSpooledBytes, content, name), createWriteStream(path, { mode: 0o600 }))
    yield* parquetRows(path, name, budget)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* limitedTo(most: number, content: Content, name: string): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const part of content) {
    bytes += part.length
    if (bytes > most)
      throw new UnreadableFileError(
        `${name} is Parquet of more than 4 GB, packed once more. Unpack it first.`,
      )
    yield part
  }
}

type ParsedRow = { row: Properties } | { problem: string }
type RowParser = (content: Content) => AsyncGenerator<ParsedRow>

function parserFor(first: Uint8Array): RowParser {
  const start = Buffer.from(first)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (start.startsWith('[')) return listRows
  return start.startsWith('{') ? lineRows : (content) => csvRows(content, delimiterOf(start))
}

const delimiters = [',', ';', '\t'] as const

/** The separator of a table is the one that its header has most of, outside of quotes. */
function delimiterOf(start: string): string {
  const [header = ''] = start.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const counts = delimiters.map((delimiter) => header.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The beginning of a stream that says its form: as much as a header has. */
const firstBytes = 4096

/** Reads the beginning of a stream without losing it. */
async function withFirst(content: Content): Promise<{ first: Uint8Array; all: Content }> {
  const iterator = content[Symbol.asyncIterator]()
  const parts: Uint8Array[] = []
  for (let bytes = 0; bytes < firstBytes;) {
    const { value, done } = await iterator.next()
    if (done) break
    parts.push(value)
    bytes += value.length
  }
  return { first: Buffer.concat(parts).subarray(0, firstBytes), all: chained(parts, iterator) }
}

async function* chained(
  parts: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* parts
  try {
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

const newline = 0x0a

async function* lineRows(content: Content): AsyncGenerator<ParsedRow> {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  for await (const part of content) {
    let from = 0
    for (let end = part.indexOf(newline); end >= 0; end = part.indexOf(newline, from)) {
      yield* parsedLine([...pending, part.subarray(from, end)], pendingBytes + end - from)
      ;[pending, pendingBytes, from] = [[], 0, end + 1]
    }
    const rest = part.subarray(from)
    pendingBytes += rest.length
    // bytes beyond the limit are not kept: the line is refused at its end
    if (pendingBytes <= mostRowBytes) pending.push(rest)
  }
  yield* parsedLine(pending, pendingBytes)
}

function* parsedLine(parts: readonly Uint8Array[], bytes: number): Generator<ParsedRow> {
  if (bytes > mostRowBytes) yield { problem: rowProblems.tooLong }
  else {
    const text = Buffer.concat(parts)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim()
    if (text !== '') yield parsedJson(text)
  }
}

function parsedJson(text: string): ParsedRow {
  try {
    // the result of JSON.parse is Json by definition
    const value = JSON.parse(text) as Json
    const isRow = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRow ? { row: value } : { problem: rowProblems.notObject }
  } catch {
    return { problem: rowProblems.notJson }
  }
}

/** Reads the objects of a list, or of a list within a list, one at a time. */
async function* listRows(content: Content): AsyncGenerator<ParsedRow> {
  const splitter = new ObjectSplitter(mostRowBytes)
  for await (const part of content)
    for (const byte of part) {
      const object = splitter.take(byte)
      if (object)
        yield object === 'too-long' ? { problem: rowProblems.tooLong } : parsedJson(object.toString('utf8'))
    }
  if (splitter.isWithin) yield { problem: rowProblems.notJson }
}

async function* csvRows(content: Content, delimiter: string): AsyncGenerator<ParsedRow> {
  const parser = parse({
    delimiter,
    bom: true,
    columns: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: mostRowBytes,
  })
  for await (const row of through(content, parser)) {
    // `columns` makes records of texts
    yield { row: row as Record<string, string> }
  }
}

function explained(problem: unknown, file: string): unknown {
  if (problem instanceof UnreadableFileError || !(problem instanceof Error)) return problem
  const code = 'code' in problem ? String(problem.code) : ''
  // gzip; brotli, whose codes begin so; zstd
  if (/^(?:Z_BUF_ERROR|Z_DATA_ERROR|ERR__ERROR_FORMAT_|ZSTD_error_)/.test(code))
    return new UnreadableFileError(
      `${file} is cut or damaged: it cannot be unpacked to its end. Download it again.`,
    )
  if (code.startsWith('CSV_'))
    return new UnreadableFileError(`${file} is no CSV from here on: ${problem.message}`)
  if (code === 'ENOENT') return new UnreadableFileError(`There is no file ${file}.`)
  return problem
}
