import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, deflateRaw, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const deflate = promisify(deflateRaw)

/** What is sent for a page: the same for everybody, or with a part that is each visitor's own. */
export type PackedPage = WholePage | SlottedPage

export interface WholePage {
  kind: 'whole'
  plain: Buffer
  /** Absent for what is packed already, such as a picture. */
  gzip?: Buffer
  /** Made while the first visitor is reading; until then gzip will do. */
  brotli?: Buffer
}

export interface SlottedPage {
  kind: 'slotted'
  before: Buffer
  after: Buffer
  /** The same, packed, each without knowing of the other, so that anything can stand between them. */
  packedBefore: Buffer
  packedAfter: Buffer
  sumBefore: number
}

/** The best but one costs a tenth of the best, and a page that is read a thousand times a second is packed once. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

export async function packWhole(plain: Buffer, isPackable: boolean): Promise<WholePage> {
  if (!isPackable) return { kind: 'whole', plain }
  return { kind: 'whole', plain, gzip: await zip(plain, { level: 9 }) }
}

export async function addBrotli(page: PackedPage): Promise<void> {
  if (page.kind === 'whole' && page.gzip) page.brotli = await brotli(page.plain, brotliQuality)
}

export async function packSlotted(before: Buffer, after: Buffer): Promise<SlottedPage> {
  const [packedBefore, packedAfter] = await Promise.all([
    // ends at a whole byte, and does not say that it was the last
    deflate(before, { level: 9, finishFlush: constants.Z_SYNC_FLUSH }),
    deflate(after, { level: 9 }),
  ])
  return { kind: 'slotted', before, after, packedBefore, packedAfter, sumBefore: crc32(before) }
}

/** RFC 1952: deflated, without a time or a name, on an unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** One gzip stream of three parts, of which only the middle one was made just now, and is not compressed. */
export function zipped(page: SlottedPage, filling: Buffer): Buffer {
  const { before, after, packedBefore, packedAfter, sumBefore } = page
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(after, crc32(filling, sumBefore)), 0)
  end.writeUInt32LE((before.length + filling.length + after.length) >>> 0, 4)
  return Buffer.concat([gzipHeader, packedBefore, ...stored(filling), packedAfter, end])
}

export const unzipped = ({ before, after }: SlottedPage, filling: Buffer): Buffer =>
  Buffer.concat([before, filling, after])

const longestBlock = 0xffff

/** RFC 1951, 3.2.4: blocks that are stored as they are, none of them the last of the stream. */
function stored(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let from = 0; from < bytes.length; from += longestBlock) {
    const block = bytes.subarray(from, from + longestBlock)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(block.length ^ 0xffff, 3)
    parts.push(head, block)
  }
  return parts
}
