import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, deflateRaw, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipAsync = promisify(gzip)
const deflate = promisify(deflateRaw)

/** The body of a page: shared, or with a part for each visitor. */
export type CompressedPage = WholePage | SlottedPage

export interface WholePage {
  kind: 'whole'
  plain: Buffer
  /** Undefined for content that is compressed already, such as a picture. */
  gzip?: Buffer
  /** Compressed in the background after the first request; gzip is used until then. */
  brotli?: Buffer
}

export interface SlottedPage {
  kind: 'slotted'
  before: Buffer
  after: Buffer
  /** The two parts, compressed independently, so that any content can be inserted between them. */
  compressedBefore: Buffer
  compressedAfter: Buffer
  crcBefore: number
}

/** The second best level takes a tenth of the time of the best. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

export async function compressWhole(plain: Buffer, isCompressible: boolean): Promise<WholePage> {
  if (!isCompressible) return { kind: 'whole', plain }
  return { kind: 'whole', plain, gzip: await gzipAsync(plain, { level: 9 }) }
}

export async function addBrotli(page: CompressedPage): Promise<void> {
  if (page.kind === 'whole' && page.gzip) page.brotli = await brotli(page.plain, brotliQuality)
}

export async function compressSlotted(before: Buffer, after: Buffer): Promise<SlottedPage> {
  const [compressedBefore, compressedAfter] = await Promise.all([
    // ends at a whole byte, without marking the end of the stream
    deflate(before, { level: 9, finishFlush: constants.Z_SYNC_FLUSH }),
    deflate(after, { level: 9 }),
  ])
  return { kind: 'slotted', before, after, compressedBefore, compressedAfter, crcBefore: crc32(before) }
}

/** RFC 1952: deflated, without a time or a name, on an unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Builds one gzip stream of three parts. Only the middle one is created for the response, uncompressed. */
export function gzipFilled(page: SlottedPage, slotContent: Buffer): Buffer {
  const { before, after, compressedBefore, compressedAfter, crcBefore } = page
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(after, crc32(slotContent, crcBefore)), 0)
  end.writeUInt32LE((before.length + slotContent.length + after.length) >>> 0, 4)
  return Buffer.concat([gzipHeader, compressedBefore, ...storedBlocks(slotContent), compressedAfter, end])
}

export const plainFilled = ({ before, after }: SlottedPage, slotContent: Buffer): Buffer =>
  Buffer.concat([before, slotContent, after])

const maxBlockBytes = 0xffff

/** RFC 1951, 3.2.4: uncompressed blocks, none of them the last of the stream. */
function storedBlocks(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let from = 0; from < bytes.length; from += maxBlockBytes) {
    const block = bytes.subarray(from, from + maxBlockBytes)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(block.length ^ 0xffff, 3)
    parts.push(head, block)
  }
  return parts
}
