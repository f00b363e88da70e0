import type { FileHandle } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type {
  ColumnMetaData,
  Compressors,
  DecodedArray,
  PageHeader,
  ParquetParsers,
  SchemaTree,
} from 'hyparquet'
import { parquetHeader, readPage } from 'hyparquet/src/column.js'
import { convert } from 'hyparquet/src/convert.js'
import { isFlatColumn } from 'hyparquet/src/schema.js'
import { UnreadableFileError } from '../limits'
import { unpackFramedLz4, unpackLz4 } from './lz4'

const mebibyte = 1024 ** 2
const mostPageBytes = 64 * mebibyte
/** Pages of real files have tens of thousands of values. A page of a few bytes may claim any number of equal ones. */
const mostPageValues = 4_000_000
/** The header of a page holds its least and greatest value, which writers cut. */
const mostHeaderBytes = 64 * 1024
const windowBytes = mebibyte

/** A file whose parts are read by their positions. */
export interface ParquetFile {
  name: string
  handle: FileHandle
  size: number
}

export async function bytesBetween(
  { handle, size }: ParquetFile,
  start: number,
  end: number,
): Promise<ArrayBuffer> {
  if (!(start >= 0 && start <= end && end <= size)) throw new Error('A part is beyond the end of the file.')
  const bytes = new Uint8Array(end - start)
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await handle.read(bytes, read, bytes.length - read, start + read)
    if (bytesRead === 0) throw new Error('The file has become shorter.')
    read += bytesRead
  }
  return bytes.buffer
}

/** A column of a row group, read page by page: no more of it is in memory than the pages that the next rows are in. */
export class ColumnReader {
  private at: number
  private readonly end: number
  private window = { start: 0, bytes: new ArrayBuffer(0) }
  private readonly isFlat: boolean
  private readonly decoder: Parameters<typeof readPage>[2]
  private dictionary: DecodedArray | undefined
  /** Decoded rows. Of a nested column, the last one may go on in the next page. */
  private pages: { rows: DecodedArray; from: number }[] = []
  private valuesLeft: number

  constructor(
    private readonly file: ParquetFile,
    readonly column: ColumnMetaData,
    schemaPath: SchemaTree[],
    parsers: ParquetParsers,
  ) {
    this.at = Number(column.dictionary_page_offset || column.data_page_offset)
    this.end = this.at + Number(column.total_compressed_size)
    this.valuesLeft = Number(column.num_values)
    this.isFlat = isFlatColumn(schemaPath)
    const element = schemaPath.at(-1)?.element
    if (!element) throw new Error('A column has no place in the schema.')
    const { path_in_schema: pathInSchema, type, codec } = column
    this.decoder = { pathInSchema, type, codec, element, schemaPath, parsers, compressors }
  }

  /** Returns the values of the next rows. */
  async take(rows: number): Promise<unknown[]> {
    const needed = this.isFlat ? rows : rows + 1
    while (this.decoded() < needed && this.at < this.end - 1) await this.decodePage()
    const taken: unknown[] = []
    for (let [page] = this.pages; page && taken.length < rows; [page] = this.pages) {
      const until = Math.min(page.rows.length, page.from + rows - taken.length)
      for (let index = page.from; index < until; index++) taken.push(page.rows[index])
      page.from = until
      if (until === page.rows.length) this.pages.shift()
    }
    if (taken.length < rows) throw new Error('A column has fewer rows than its row group.')
    return taken
  }

  private decoded(): number {
    return this.pages.reduce((sum, { rows, from }) => sum + rows.length - from, 0)
  }

  private async decodePage(): Promise<void> {
    const { header, reader } = await this.nextPage()
    if (header.type === 'DICTIONARY_PAGE') {
      const { data } = readPage(reader, header, this.decoder, undefined, undefined, 0)
      this.dictionary = data && convert(data, this.decoder)
      return
    }
    const begun = this.isFlat ? undefined : this.begunRows()
    const { data } = readPage(reader, header, this.decoder, this.dictionary, begun, 0)
    if (data && data === begun) this.pages = [{ rows: data, from: 0 }]
    else if (data) this.pages.push({ rows: data, from: 0 })
  }

  /** The rows that a page of a nested column may continue. */
  private begunRows(): unknown[] | undefined {
    const rows = this.pages.flatMap((page) => Array.from(page.rows).slice(page.from))
    return rows.length === 0 ? undefined : rows
  }

  /** Finds the next page and checks what it claims, before memory is taken for its values. */
  private async nextPage() {
    await this.show(Math.min(this.end, this.at + mostHeaderBytes))
    const reader = { view: new DataView(this.window.bytes), offset: this.at - this.window.start }
    const header = parquetHeader(reader)
    this.check(header)
    const begin = this.window.start + reader.offset
    const end = begin + header.compressed_page_size
    if (end > this.end) throw new Error('A page is beyond the end of its column.')
    await this.show(end)
    this.at = end
    return { header, reader: { view: new DataView(this.window.bytes), offset: begin - this.window.start } }
  }

  private async show(end: number): Promise<void> {
    if (end <= this.window.start + this.window.bytes.byteLength && this.at >= this.window.start) return
    const until = Math.max(end, Math.min(this.end, this.at + windowBytes))
    this.window = { start: this.at, bytes: await bytesBetween(this.file, this.at, until) }
  }

  private check(header: PageHeader): void {
    const {
      data_page_header: first,
      data_page_header_v2: second,
      dictionary_page_header: dictionary,
    } = header
    const values = (first ?? second ?? dictionary)?.num_values ?? 0
    const sizes = [header.uncompressed_page_size, header.compressed_page_size]
    if (![values, ...sizes].every((number) => number >= 0)) throw new Error('A page has no size.')
    if (values > mostPageValues || sizes.some((size) => size > mostPageBytes))
      throw new UnreadableFileError(
        `${this.file.name} has pages that are too large to be read. Write it with smaller pages or row groups.`,
      )
    if (!dictionary) this.valuesLeft -= values
    if (this.valuesLeft < 0) throw new Error('A column has more values than it says.')
  }
}

/** Zlib stops at the size that the page's header states, and takes none for a limit: a page whose values are all null. */
const limited =
  (unpack: (input: Uint8Array, limits: { maxOutputLength: number }) => Uint8Array) =>
  (input: Uint8Array, outputLength: number): Uint8Array =>
    outputLength === 0 ? new Uint8Array(0) : unpack(input, { maxOutputLength: outputLength })

const compressors: Compressors = {
  GZIP: limited(gunzipSync),
  BROTLI: limited(brotliDecompressSync),
  ZSTD: limited(zstdDecompressSync),
  LZ4: limited((input, { maxOutputLength }) => unpackFramedLz4(input, maxOutputLength)),
  LZ4_RAW: limited((input, { maxOutputLength }) => unpackLz4(input, maxOutputLength)),
}
