import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import type { Json } from '#events/event'
import type { FairScheduler } from '#ingest/fair-scheduler'
import { JsonRefusedError, parseInSlices } from './json-slices'
import {
  decodeUtf8,
  isGzip,
  maxBodyBytes,
  unsupportedEncoding,
  type EncodedBody,
  unreadableBody,
  type Decoded,
  unzipFailure,
} from './decode-body'

/** Up to here a body is read at once: less than a millisecond of work. */
const smallBytes = 128 * 1024
/** Beyond this, a body that unpacks to more than so many times its size holds nothing but repetition. */
const unsuspiciousBytes = 4 * 1024 * 1024
const highestRatio = 100

export type OpenBody = Pick<EncodedBody, 'body' | 'isUncompressed' | 'parsedBody'>

/** A request before its body is decoded. */
interface RawBody {
  headers: IncomingHttpHeaders
  body: Uint8Array
  /** The scheduler's queue: the sender's network, since the project is not known yet. */
  sender: string
}

/**
 * Prepares a body for its dialect and lets that answer. A small body is uncompressed at most; a large one is
 * uncompressed by Node's threads and parsed in slices. Undefined where there is too much work for now.
 */
export function withOpenBody<T>(
  request: RawBody,
  { scheduler, largeBodies }: { scheduler: FairScheduler; largeBodies: LargeBodies },
  respond: (body: OpenBody) => T | Promise<T>,
): T | Promise<T | undefined> {
  const { body, sender } = request
  if (!isGzip(body)) {
    if (body.length <= smallBytes) return respond({ body })
  } else {
    const small = smallUnzipped(body)
    if (small) return respond({ body: small, isUncompressed: true })
  }
  return largeBodies.hold(sender, body, async () => {
    const large = await openLarge(request, scheduler, largeBodies)
    return large && (await respond(large))
  })
}

async function openLarge(
  { body, headers, sender }: RawBody,
  scheduler: FairScheduler,
  bounds: LargeBodies,
): Promise<OpenBody | undefined> {
  // the dialect responds with the error
  if (unsupportedEncoding(headers)) return { body: emptyBody }
  const text = await largeText(body, bounds)
  const parsedBody = text.read ? await largeJson(text.what, sender, scheduler, bounds) : text
  return parsedBody && { body: emptyBody, parsedBody }
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

async function largeText(bytes: Uint8Array, bounds: LargeBodies): Promise<Decoded<string>> {
  if (!isGzip(bytes)) return decodeUtf8(bytes)
  const maxOutputLength = bounds.mostUnpacked(bytes)
  try {
    return decodeUtf8(await unzip(bytes, { maxOutputLength, chunkSize: smallBytes }))
  } catch (problem) {
    return unzipFailure(problem, maxOutputLength)
  }
}

/** The forms of `bodyOf`: JSON, or base64 with or without a form around it. */
async function largeJson(
  text: string,
  sender: string,
  scheduler: FairScheduler,
  bounds: LargeBodies,
): Promise<Decoded<Json> | undefined> {
  const content = (text.startsWith('data=') ? (new URLSearchParams(text).get('data') ?? '') : text).trim()
  if (/^[{["]/.test(content)) return await parseInTurns(content, sender, scheduler)
  const inside = await largeText(Buffer.from(content.replaceAll(' ', '+'), 'base64'), bounds)
  return inside.read ? await parseInTurns(inside.what, sender, scheduler) : inside
}

async function parseInTurns(
  text: string,
  sender: string,
  scheduler: FairScheduler,
): Promise<Decoded<Json> | undefined> {
  try {
    const outcome = await scheduler.run(sender, parseInSlices(text))
    return outcome.done ? { read: true, what: outcome.value } : undefined
  } catch (problem) {
    if (problem instanceof JsonRefusedError) return unreadableBody(problem.message, problem.why)
    throw problem
  }
}

/** Bounds the memory that large bodies take together, and the share of one sender. */
export class LargeBodies {
  private held = 0
  private readonly bySender = new Map<string, number>()

  constructor(
    /** `largestBytes` of one body, unpacked; `heldBytes` of all together. */
    private readonly bounds: { largestBytes: number; heldBytes: number } = {
      largestBytes: maxBodyBytes,
      heldBytes: 4 * maxBodyBytes,
    },
  ) {}

  mostUnpacked(bytes: Uint8Array): number {
    return Math.min(this.bounds.largestBytes, Math.max(unsuspiciousBytes, bytes.length * highestRatio))
  }

  /** Undefined where too much is held already. A single body of the largest size always fits. */
  async hold<T>(sender: string, body: Uint8Array, work: () => Promise<T>): Promise<T | undefined> {
    const { largestBytes, heldBytes } = this.bounds
    const bytes = isGzip(body) ? this.mostUnpacked(body) : body.length
    const ofSender = this.bySender.get(sender) ?? 0
    if (this.held + bytes > heldBytes || ofSender + bytes > Math.max(largestBytes, heldBytes / 2))
      return undefined
    this.add(sender, bytes)
    try {
      return await work()
    } finally {
      this.add(sender, -bytes)
    }
  }

  private add(sender: string, bytes: number): void {
    this.held += bytes
    const ofSender = (this.bySender.get(sender) ?? 0) + bytes
    if (ofSender === 0) this.bySender.delete(sender)
    else this.bySender.set(sender, ofSender)
  }
}
