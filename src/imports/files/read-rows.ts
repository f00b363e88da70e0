import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import type { Json, Properties } from '#events/event'
import { UnpackedBudget, UnreadableFileError } from './limits'
import { ObjectSplitter } from './internal/object-splitter'
import { through } from './internal/through'
import { filesInZip } from './internal/zip'

/** A row of a file, or why it is none. */
export type FileRow = { row: Properties; file: string } | { problem: string; file: string }

type Content = AsyncIterable<Uint8Array>

const mostLineBytes = 16 * 1024 ** 2

/**
 * Reads the rows of files one after the other: JSON lines, a list in JSON, or CSV with a header; plain, with gzip or in a
 * zip archive, as the content says and not the name. Only a row at a time is in memory.
 */
export async function* readRows(paths: readonly string[]): AsyncGenerator<FileRow> {
  for (const path of paths) {
    const name = basename(path)
    const budget = new UnpackedBudget(name, await fileSize(path))
    if (await isZip(path)) {
      for await (const entry of filesInZip(path, name))
        if (!isIgnored(entry.name)) yield* rowsIn(budget.limit(entry.content()), entry.name, budget)
    } else {
      yield* rowsIn(createReadStream(path), name, budget)
    }
  }
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

async function isZip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.readUInt32LE(0) === 0x04034b50
  } finally {
    await file.close()
  }
}

/** A file that unpacks to itself would be unpacked for ever. */
const mostLayers = 3

async function* rowsIn(
  content: Content,
  file: string,
  budget: UnpackedBudget,
  layer = 0,
): AsyncGenerator<FileRow> {
  try {
    const { first, all } = await withFirst(content)
    if (first.length === 0) return
    if (isGzip(first)) {
      if (layer === mostLayers)
        throw new UnreadableFileError(`${file} is packed more than ${mostLayers} times. Unpack it first.`)
      yield* rowsIn(budget.limit(through(all, createGunzip())), file, budget, layer + 1)
      return
    }
    for await (const one of parserFor(first, file)(all)) yield { ...one, file }
  } catch (problem) {
    throw explained(problem, file)
  }
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

type ParsedRow = { row: Properties } | { problem: string }
type RowParser = (content: Content) => AsyncGenerator<ParsedRow>

function parserFor(first: Uint8Array, file: string): RowParser {
  const start = Buffer.from(first.subarray(0, 4096))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (start.startsWith('PAR1'))
    throw new UnreadableFileError(
      `${file} is Parquet, which cannot be read yet. Export JSON lines or CSV instead.`,
    )
  if (start.startsWith('[')) return listRows
  return start.startsWith('{') ? lineRows : csvRows
}

/** Reads the beginning of a stream without losing it. */
async function withFirst(content: Content): Promise<{ first: Uint8Array; all: Content }> {
  const iterator = content[Symbol.asyncIterator]()
  const parts: Uint8Array[] = []
  for (let bytes = 0; bytes < 4;) {
    const { value, done } = await iterator.next()
    if (done) break
    parts.push(value)
    bytes += value.length
  }
  return { first: Buffer.concat(parts), all: chained(parts, iterator) }
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
    if (pendingBytes <= mostLineBytes) pending.push(rest)
  }
  yield* parsedLine(pending, pendingBytes)
}

const tooLong = 'longer than 16 MB'

function* parsedLine(parts: readonly Uint8Array[], bytes: number): Generator<ParsedRow> {
  if (bytes > mostLineBytes) yield { problem: tooLong }
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
    return isRow ? { row: value } : { problem: 'not an object' }
  } catch {
    return { problem: 'not JSON, perhaps cut' }
  }
}

/** Reads the objects of a list, or of a list within a list, one at a time. */
async function* listRows(content: Content): AsyncGenerator<ParsedRow> {
  const splitter = new ObjectSplitter(mostLineBytes)
  for await (const part of content)
    for (const byte of part) {
      const object = splitter.take(byte)
      if (object) yield object === 'too-long' ? { problem: tooLong } : parsedJson(object.toString('utf8'))
    }
  if (splitter.isWithin) yield { problem: 'not JSON, perhaps cut' }
}

async function* csvRows(content: Content): AsyncGenerator<ParsedRow> {
  const parser = parse({
    bom: true,
    columns: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: mostLineBytes,
  })
  for await (const row of through(content, parser)) {
    // `columns` makes records of texts
    yield { row: row as Record<string, string> }
  }
}

function explained(problem: unknown, file: string): unknown {
  if (problem instanceof UnreadableFileError || !(problem instanceof Error)) return problem
  const code = 'code' in problem ? String(problem.code) : ''
  if (code === 'Z_BUF_ERROR' || code === 'Z_DATA_ERROR')
    return new UnreadableFileError(
      `${file} is cut or damaged: it cannot be unpacked to its end. Download it again.`,
    )
  if (code.startsWith('CSV_'))
    return new UnreadableFileError(`${file} is no CSV from here on: ${problem.message}`)
  if (code === 'ENOENT') return new UnreadableFileError(`There is no file ${file}.`)
  return problem
}
