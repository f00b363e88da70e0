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

/** A smaller body is parsed at once: less than a millisecond of work. */
const smallBytes = 128 * 1024
/** A body that exceeds this size, uncompressed, and its own size many times, contains only repetition. */
const unsuspiciousBytes = 4 * 1024 * 1024
const highestRatio = 100

type OpenBody = Pick<EncodedBody, 'body' | 'isUncompressed' | 'parsedBody'>

/** A request before its body is decoded. */
interface RawBody {
  headers: IncomingHttpHeaders
  body: Uint8Array
  /** The scheduler's queue: the sender's network, because the project is not known yet. */
  sender: string
}

/**
 * Prepares a body for its dialect, which then responds. A small body is at most uncompressed; a large one is
 * uncompressed by Node's threads and parsed in slices. Returns undefined if there is too much work at the moment.
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

/** The formats that `bodyOf` accepts: JSON, or base64 with or without a form around it. */
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

/** Limits the memory of all large bodies together, and the share of one sender. */
export class LargeBodies {
  private held = 0
  private readonly bySender = new Map<string, number>()

  constructor(
    /** `largestBytes` is the limit of one uncompressed body; `heldBytes` that of all together. */
    private readonly bounds: { largestBytes: number; heldBytes: number } = {
      largestBytes: maxBodyBytes,
      heldBytes: 4 * maxBodyBytes,
    },
  ) {}

  mostUnpacked(bytes: Uint8Array): number {
    return Math.min(this.bounds.largestBytes, Math.max(unsuspiciousBytes, bytes.length * highestRatio))
  }

  /** Returns undefined if the limit is reached. A single body of the largest size always fits. */
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
