import { open } from 'node:fs/promises'
import { type FileMetaData, parquetMetadataAsync, type ParquetParsers, parquetSchema } from 'hyparquet'
import { assembleNested } from 'hyparquet/src/assemble.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { getTreePath } from 'hyparquet/src/schema.js'
import type { Json, Properties } from '#events/event'
import { mostRowBytes, rowProblems, type UnpackedBudget, UnreadableFileError } from '../limits'
import { bytesBetween, ColumnReader, type ParquetFile } from './parquet-column'

const mebibyte = 1024 ** 2
const mostFooterBytes = 32 * mebibyte
/** The rows that are assembled at once: they are several times larger as objects. */
const sliceBytes = 16 * mebibyte
const mostSliceRows = 5000

type TableRow = { row: Properties } | { problem: string }

/**
 * Reads the rows of a Parquet file in their order, page by page. It is read by JavaScript in the process that reads other
 * files, and not by the engine (decision 82).
 */
export async function* parquetRows(
  path: string,
  name: string,
  budget: UnpackedBudget,
): AsyncGenerator<TableRow> {
  const handle = await open(path)
  try {
    const file = { name, handle, size: (await handle.stat()).size }
    const metadata = await footerOf(file)
    for (const group of metadata.row_groups) yield* rowsOfGroup(file, metadata, group, budget)
  } catch (problem) {
    throw explained(problem, name)
  } finally {
    await handle.close()
  }
}

async function footerOf(file: ParquetFile): Promise<FileMetaData> {
  const { size } = file
  const end = new DataView(await bytesBetween(file, size - 8, size))
  if (end.getUint32(0, true) > mostFooterBytes) throw new Error('The footer is too large.')
  const content = { byteLength: size, slice: (from: number, to = size) => bytesBetween(file, from, to) }
  return await parquetMetadataAsync(content, { parsers, geoparquet: false })
}

async function* rowsOfGroup(
  file: ParquetFile,
  metadata: FileMetaData,
  group: FileMetaData['row_groups'][number],
  budget: UnpackedBudget,
): AsyncGenerator<TableRow> {
  const schema = parquetSchema(metadata)
  const columns = group.columns.map(({ meta_data: column }) => {
    if (!column) throw new Error('A column has no description.')
    return new ColumnReader(file, column, getTreePath(schema, column.path_in_schema), parsers)
  })
  if (columns.length === 0) throw new Error('A row group has no columns.')
  const rows = Number(group.num_rows)
  const bytes = columns.reduce((sum, { column }) => sum + Number(column.total_uncompressed_size), 0)
  const step = Math.max(1, Math.min(mostSliceRows, Math.floor((rows * sliceBytes) / Math.max(1, bytes))))
  for (let from = 0; from < rows; from += step) {
    const slice = Math.min(step, rows - from)
    const leaves = new Map<string, unknown[]>()
    for (const one of columns) leaves.set(one.column.path_in_schema.join('.'), await one.take(slice))
    const tops = schema.children.flatMap((child) => {
      // puts the leaves of a nested column together under its own name
      if (child.children.length > 0) assembleNested(leaves, child, parsers)
      const values = leaves.get(child.element.name)
      return values ? [{ name: child.element.name, values }] : []
    })
    for (let index = 0; index < slice; index++) yield rowAt(index, tops, budget)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

const isoOf = (date: Date): string | null => (Number.isNaN(date.getTime()) ? null : date.toISOString())

/** Texts and times as the same export has them in lines of JSON. */
const parsers: ParquetParsers = {
  ...DEFAULT_PARSERS,
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
  dateFromDays: (days) => isoOf(new Date(days * 86_400_000))?.slice(0, 10) ?? null,
}

/** A row whose values are Json. The text in it counts as unpacked: a dictionary lets a small file repeat a long one. */
function rowAt(
  index: number,
  columns: readonly { name: string; values: readonly unknown[] }[],
  budget: UnpackedBudget,
): TableRow {
  const size = { bytes: 8 }
  const entries = columns.map(({ name, values }): [string, Json] => [name, jsonOf(values[index], size)])
  budget.take(size.bytes)
  return size.bytes > mostRowBytes ? { problem: rowProblems.tooLong } : { row: Object.fromEntries(entries) }
}

/** Whole numbers of 64 bits become texts, as BigQuery writes them in JSON: a number of JavaScript would round them. */
function jsonOf(value: unknown, size: { bytes: number }): Json {
  if (typeof value === 'string') {
    size.bytes += value.length
    return value
  }
  size.bytes += 8
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'boolean') return value
  if (value instanceof Date) return isoOf(value)
  if (value instanceof Uint8Array) return jsonOf(Buffer.from(value).toString('base64'), size)
  if (Array.isArray(value)) return value.map((one) => jsonOf(one, size))
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(
    Object.entries(value).map(([key, one]): [string, Json] => [key, jsonOf(one, size)]),
  )
}

function explained(problem: unknown, name: string): unknown {
  if (problem instanceof UnreadableFileError || !(problem instanceof Error)) return problem
  if (/unsupported (?:compression|encoding)/.test(problem.message))
    return new UnreadableFileError(
      `${name} is packed in a way that cannot be read (${problem.message.replace('parquet ', '')}). Pack it with zstd.`,
    )
  if ('code' in problem && problem.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new UnreadableFileError(`${name} holds a text that is not UTF-8. Export it as UTF-8.`)
  // the package’s own errors and those of zlib; a disk that cannot be read is none of the file’s
  if ('syscall' in problem) return problem
  return new UnreadableFileError(`${name} is cut or damaged: it is no whole Parquet file. Download it again.`)
}
