import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, crc32, gunzip, inflateRaw } from 'node:zlib'
import { z } from 'zod'
import type { CachedPage } from './cached-page'
import type { CompressedPage } from './compressed-page'

const unzip = promisify(gunzip)
const inflate = promisify(inflateRaw)

/** A cached page, with the time until which it is fresh. */
export interface StoredPage extends CachedPage {
  freshUntil: number
}

/** Stands at an address whose pages depend on decisions, and names those; each page has a key of its own. */
export const usesNote = (uses: readonly string[]): StoredPage => ({
  status: 0,
  stem: '',
  headers: {},
  body: { kind: 'whole', plain: Buffer.alloc(0) },
  isDocument: false,
  title: '',
  uses,
  content: new Map(),
  keepSeconds: 0,
  freshUntil: 0,
})

export const isUsesNote = ({ status }: StoredPage): boolean => status === 0

/** The first line of a file after its checksum. */
const fileHeader = z.object({
  key: z.string(),
  freshUntil: z.number(),
  status: z.number(),
  stem: z.string(),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
  isDocument: z.boolean(),
  title: z.string(),
  uses: z.array(z.string()),
  content: z.array(z.tuple([z.string(), z.string()])),
  keepSeconds: z.number(),
  form: z.enum(['plain', 'packed', 'slotted']),
  lengths: z.array(z.number()),
})

type BodyForm = z.infer<typeof fileHeader>['form']

const checksumLength = 43
const lineEnd = Buffer.from('\n')

/** Returns the bytes of a file: a checksum, a line of JSON, and the compressed forms of the body. */
export function packPage(page: StoredPage, key: string): Buffer {
  const { body, content, ...described } = page
  const { form, parts } = partsOf(body)
  const header = JSON.stringify({
    ...described,
    key,
    content: [...(content ?? [])],
    form,
    lengths: parts.map(({ length }) => length),
  })
  const rest = Buffer.concat([Buffer.from(header), lineEnd, ...parts])
  return Buffer.concat([Buffer.from(hash('sha256', rest, 'base64url')), lineEnd, rest])
}

function partsOf(body: CompressedPage): { form: BodyForm; parts: Buffer[] } {
  if (body.kind === 'slotted')
    return { form: 'slotted', parts: [body.compressedBefore, body.compressedAfter] }
  if (!body.gzip) return { form: 'plain', parts: [body.plain] }
  return { form: 'packed', parts: body.brotli ? [body.gzip, body.brotli] : [body.gzip] }
}

/** Returns the page of a file. Throws if the file is damaged, or holds the page of another key. */
export async function unpackPage(bytes: Buffer, key: string): Promise<StoredPage> {
  const rest = bytes.subarray(checksumLength + 1)
  if (bytes.toString('latin1', 0, checksumLength) !== hash('sha256', rest, 'base64url'))
    throw new Error('The file of a page is damaged.')
  const end = rest.indexOf('\n')
  const {
    key: ownKey,
    form,
    lengths,
    content,
    ...described
  } = fileHeader.parse(JSON.parse(rest.toString('utf8', 0, end)))
  if (ownKey !== key) throw new Error('The file is of another page.')
  const body = await bodyOf(form, partsIn(rest.subarray(end + 1), lengths))
  return { ...described, body, content: new Map(content) }
}

function partsIn(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  let from = 0
  return lengths.map((length) => bytes.subarray(from, (from += length)))
}

const noBytes = Buffer.alloc(0)

async function bodyOf(form: BodyForm, [first = noBytes, second]: Buffer[]): Promise<CompressedPage> {
  if (form === 'plain') return { kind: 'whole', plain: first }
  if (form === 'packed')
    return { kind: 'whole', plain: await unzip(first), gzip: first, ...(second && { brotli: second }) }
  const compressedAfter = second ?? noBytes
  // the first part does not end its stream
  const before = await inflate(first, { finishFlush: constants.Z_SYNC_FLUSH })
  const after = await inflate(compressedAfter)
  return {
    kind: 'slotted',
    before,
    after,
    compressedBefore: first,
    compressedAfter,
    crcBefore: crc32(before),
  }
}
