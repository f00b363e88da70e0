import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import type { Json } from '#events/event'
import type { FairScheduler } from '#ingest/fair-scheduler'
import { type BodyMemory, isSmallBody, type Reservation } from './body-memory'
import { leastBytes } from './leading-fields'
import { type EventNotation, weighInSlices, weightOf, weightOfForm } from './internal/body-weight'
import { JsonRefusedError, parseInSlices } from './internal/json-slices'
import {
  decodeUtf8,
  isGzip,
  unsupportedEncoding,
  type EncodedBody,
  unreadableBody,
  type Decoded,
  unzipFailure,
} from './decode-body'

/** A smaller body is parsed at once: less than a millisecond of work. */
const smallBytes = 128 * 1024
/** A body that exceeds this size, uncompressed, and its own size many times, contains only repetition. */
const unsuspiciousBytes = 4 * 1024 * 1024
const highestRatio = 100

type OpenBody = Pick<EncodedBody, 'body' | 'isUncompressed' | 'parsedBody'>

/** A request before its body is decoded. */
interface RawBody extends EventNotation {
  headers: IncomingHttpHeaders
  body: Uint8Array
  /** The scheduler's queue: the sender's network, because the project is not known yet. */
  sender: string
  /** Whether small bodies count too: events wait for the disk, and what is asked of flags is answered at once. */
  takesEvents: boolean
  /** Whether the request is refused by the JSON of its body, which is then not parsed. */
  isRefused?: (json: Uint8Array) => boolean
}

interface BodyOpening {
  scheduler: FairScheduler
  memory: BodyMemory
}

/**
 * Prepares a body for its dialect, which then responds. A small body is at most uncompressed; a large one is
 * uncompressed by Node's threads and parsed in slices. Returns undefined for a large body if there is no memory for it at
 * the moment.
 */
export function withOpenBody<T>(
  request: RawBody,
  opening: BodyOpening,
  respond: (body: OpenBody) => T | Promise<T>,
): T | undefined | Promise<T | undefined> {
  const small = smallBody(request.body)
  if (!small) return respondToLarge(request, opening, respond)
  if (small.body.length >= leastBytes && isJson(small.body) && request.isRefused?.(small.body))
    return respond(small)
  if (!request.takesEvents || small.body.length === 0) return respond(small)
  const weight = weightOfSmall(small.body, request)
  const reservation = isSmallBody(request.body.length)
    ? opening.memory.reserveForSmall(request.sender, weight)
    : opening.memory.reserve(request.sender, weight)
  return reservation instanceof Promise
    ? reservation.then((reserved) => whileReserved(reserved, () => respond(small)))
    : reservation && whileReserved(reservation, () => respond(small))
}

/** Undefined for a body that is large, or may become so. */
function smallBody(body: Uint8Array): OpenBody | undefined {
  if (body.length > smallBytes) return undefined
  if (!isGzip(body)) return holdsGzipAsText(body) ? undefined : { body }
  const unzipped = smallUnzipped(body)
  return unzipped && { body: unzipped, isUncompressed: true }
}

const beginningOf = (body: Uint8Array): string => Buffer.from(body.subarray(0, 64)).toString('latin1')

/** Whether a body of base64, in a form or not, is one of gzip. */
const holdsGzipAsText = (body: Uint8Array): boolean => /^\s*(?:data=)?H4s/.test(beginningOf(body))

/** A quote also begins JSON; base64 never contains one. */
const isJson = (body: Uint8Array): boolean => /^\s*[{["]/.test(beginningOf(body))

/** Returns the weight of the text that the dialect will parse: JSON in base64 counts as the JSON. */
function weightOfSmall(body: Uint8Array, notation: EventNotation): number {
  if (isJson(body)) return weightOf(body, notation)
  const asForm = weightOfForm(body)
  const content = contentOf(body)
  // the dialect refuses what is not UTF-8
  if (!content.read) return asForm
  const text = isJson(content.what) ? content.what : smallBase64(content.what)
  return text ? Math.max(asForm, body.length + weightOf(text, notation)) : asForm
}

/** Undefined for another text: a form has equals signs before its end. */
function smallBase64(text: Uint8Array): Uint8Array | undefined {
  const characters = Buffer.from(text).toString('latin1')
  if (!/^[\w+/\s-]*[=\s]*$/.test(characters)) return undefined
  const bytes = Buffer.from(characters.trim().replaceAll(' ', '+'), 'base64')
  return isGzip(bytes) ? smallUnzipped(bytes) : bytes
}

async function whileReserved<T>(reservation: Reservation, respond: () => T | Promise<T>): Promise<T> {
  try {
    return await respond()
  } finally {
    reservation.release()
  }
}

async function respondToLarge<T>(
  request: RawBody,
  opening: BodyOpening,
  respond: (body: OpenBody) => T | Promise<T>,
): Promise<T | undefined> {
  const { body, sender } = request
  const reservation = await opening.memory.reserveFor(sender, presumedLength(body, opening.memory))
  if (!reservation) return undefined
  try {
    const large = await openLarge(request, opening, reservation)
    return large && (await respond(large))
  } finally {
    reservation.release()
  }
}

async function openLarge(
  { body, headers, sender, hasEventsAsTexts, isRefused }: RawBody,
  { scheduler, memory }: BodyOpening,
  reservation: Reservation,
): Promise<OpenBody | undefined> {
  // the dialect responds with the error
  if (unsupportedEncoding(headers)) return { body: emptyBody }
  const reading = new LargeReading(sender, scheduler, memory, reservation, { hasEventsAsTexts }, isRefused)
  const parsedBody = await reading.read(body)
  if (!parsedBody) return undefined
  const mayBeOther = !parsedBody.read && parsedBody.why === 'unreadable'
  return { body: mayBeOther ? reading.content : emptyBody, isUncompressed: true, parsedBody }
}

const emptyBody = new Uint8Array()

function smallUnzipped(body: Uint8Array): Uint8Array | undefined {
  if (body.length > smallBytes) return undefined
  try {
    return gunzipSync(body, { maxOutputLength: smallBytes })
  } catch {
    return undefined
  }
}

const unzip = promisify(gunzip)

/** Reads a large body; undefined from any step means that there is too little memory at the moment. */
class LargeReading {
  /** The unpacked content, for dialects that take something else than JSON as well, such as a list of lines. */
  content: Uint8Array = emptyBody

  constructor(
    private readonly sender: string,
    private readonly scheduler: FairScheduler,
    private readonly memory: BodyMemory,
    private readonly reservation: Reservation,
    private readonly notation: EventNotation,
    private readonly isRefused: RawBody['isRefused'],
  ) {}

  /** The formats that `parseBody` accepts: JSON, or base64 with or without a form around it. */
  async read(body: Uint8Array): Promise<Decoded<Json> | undefined> {
    const outside = await this.unpacked(body)
    if (!outside?.read) return outside
    const content = contentOf(outside.what)
    if (!content.read || isJson(content.what)) return content.read ? await this.parsed(content.what) : content
    const inside = await this.unpacked(Buffer.from(Buffer.from(content.what).toString(), 'base64'))
    return inside?.read ? await this.parsed(inside.what) : inside
  }

  private async unpacked(bytes: Uint8Array): Promise<Decoded<Uint8Array> | undefined> {
    if (!isGzip(bytes)) return { read: true, what: bytes }
    const maxOutputLength = mostUnpacked(bytes, this.memory)
    try {
      return { read: true, what: await unzip(bytes, { maxOutputLength, chunkSize: smallBytes }) }
    } catch (problem) {
      return unzipFailure(problem, maxOutputLength)
    }
  }

  private async parsed(bytes: Uint8Array): Promise<Decoded<Json> | undefined> {
    this.content = bytes
    if (this.isRefused?.(bytes)) return unreadableBody('The request is refused.')
    const weight = await this.scheduler.run(this.sender, weighInSlices(bytes, this.notation))
    if (weight > this.memory.bounds.heldBytes) return tooHeavy
    if (!this.reservation.resize(weight)) return undefined
    const text = decodeUtf8(bytes)
    return text.read ? await this.parsedText(text.what) : text
  }

  private async parsedText(text: string): Promise<Decoded<Json>> {
    try {
      return { read: true, what: await this.scheduler.run(this.sender, parseInSlices(text)) }
    } catch (problem) {
      if (problem instanceof JsonRefusedError) return unreadableBody(problem.message, problem.why)
      throw problem
    }
  }
}

/** Returns the contents of a form; in one, a plus sign means a space, and base64 contains no spaces. */
function contentOf(bytes: Uint8Array): Decoded<Uint8Array> {
  if (!beginningOf(bytes).startsWith('data=')) return { read: true, what: bytes }
  const form = decodeUtf8(bytes)
  if (!form.read) return form
  const data = new URLSearchParams(form.what).get('data') ?? ''
  return { read: true, what: Buffer.from(data.trim().replaceAll(' ', '+')) }
}

const tooHeavy = unreadableBody(
  'The request holds more than this server has memory for. Send fewer events at once.',
  'too-large',
)

/** A body of gzip ends with the length of what is inside. It may be a lie, which is noticed once it is unpacked. */
function presumedLength(body: Uint8Array, memory: BodyMemory): number {
  if (!isGzip(body) || body.length < gzipLengthBytes) return body.length
  const claimed = new DataView(body.buffer, body.byteOffset + body.length - gzipLengthBytes).getUint32(
    0,
    true,
  )
  return Math.max(body.length, Math.min(claimed, mostUnpacked(body, memory)))
}

const gzipLengthBytes = 4

const mostUnpacked = (bytes: Uint8Array, { bounds }: BodyMemory): number =>
  Math.min(bounds.largestBytes, Math.max(unsuspiciousBytes, bytes.length * highestRatio))
