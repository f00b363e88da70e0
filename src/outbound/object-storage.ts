import { createHash } from 'node:crypto'
import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import {
  parseStorageError,
  type ListedObject,
  parseObjectList,
  type ObjectStorageAddress,
  tagText,
  objectUrl,
} from './object-storage-format'

export type { ListedObject, ObjectStorageAddress } from './object-storage-format'

export interface StorageFailure {
  ok: false
  /**
   * `changed`: the condition of a conditional write does not hold. `unavailable`: another attempt may succeed.
   * `refused`: the same request will be refused again.
   */
  reason: 'not-found' | 'denied' | 'changed' | 'unavailable' | 'refused'
  message: string
}

type StorageOutcome<Value = object> = ({ ok: true } & Value) | StorageFailure

type ObjectBody = Uint8Array | AsyncIterable<Uint8Array>

interface WriteConditions {
  contentType?: string
  /** Writes only where no object has this key. */
  onlyNew?: boolean
  /** Writes only where the object still has this ETag. */
  onlyReplacing?: string
}

interface WrittenObject {
  etag: string
  bytes: number
}

interface StoredObject {
  bytes: number
  etag: string
  contentType: string | undefined
  modifiedAt: Date
}

export interface ObjectStorageSettings {
  address: ObjectStorageAddress
  now?: () => Date
  /** The size of a part of a large object, which is held in memory until stored. S3 requires at least 5 MiB. */
  partBytes?: number
  /** The pause between two attempts, doubled after each. */
  retryMs?: number
  /** The idle timeout of a connection. */
  silentMs?: number
}

const usualPartBytes = 8 * 1024 ** 2
/**
 * Parts grow with the object, because an object has at most 10,000:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */
const partsBeforeGrowth = 1000
const mostAttempts = 5
const maxResponseBytes = 8 * 1024 ** 2

interface StorageRequest {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD'
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
  /** Whether the request may be repeated after its response was lost. */
  isRepeatable?: boolean
}

interface StorageResponse {
  status: number
  headers: IncomingMessage['headers']
  body: IncomingMessage
}

type TextResponse = Omit<StorageResponse, 'body'> & { text: string }

/**
 * A client of S3 and compatible services. The address is the operator's setting, so it may lie in a closed
 * network; redirects are never followed. Failures of the service are outcomes, never exceptions.
 */
export class ObjectStorage {
  private readonly agent: PlainAgent
  private readonly signingKeys = new Map<string, ArrayBuffer>()

  constructor(private readonly settings: ObjectStorageSettings) {
    const options = { keepAlive: true, maxSockets: 16 }
    const isSecure = settings.address.endpoint.protocol === 'https:'
    this.agent = isSecure ? new SecureAgent(options) : new PlainAgent(options)
  }

  /** Stores an object; one larger than a part is sent in parts and appears only when the last has arrived. */
  async put(
    key: string,
    body: ObjectBody,
    conditions: WriteConditions = {},
  ): Promise<StorageOutcome<WrittenObject>> {
    if (body instanceof Uint8Array) return await this.putWhole(key, body, conditions)
    const parts = partsOf(body, this.settings.partBytes ?? usualPartBytes)
    const first = await parts.next()
    if (first.done) return await this.putWhole(key, new Uint8Array(), conditions)
    const second = await parts.next()
    if (second.done) return await this.putWhole(key, first.value, conditions)
    return await this.putInParts(key, [first.value, second.value], parts, conditions)
  }

  /** The caller reads the body to its end or destroys it; it fails if the connection is cut before its end. */
  async get(
    key: string,
    range?: { from: number; to?: number },
  ): Promise<StorageOutcome<StoredObject & { body: Readable }>> {
    const answer = await this.send({
      method: 'GET',
      key,
      ...(range && { headers: { range: `bytes=${range.from}-${range.to ?? ''}` } }),
    })
    if ('ok' in answer) return answer
    if (range && answer.status !== 206) {
      answer.body.destroy()
      return refusedOutcome(`The storage ignores ranges (${answer.status}).`)
    }
    return { ok: true, ...describeObject(answer), body: answer.body }
  }

  async head(key: string): Promise<StorageOutcome<StoredObject>> {
    const answer = await this.sendForText({ method: 'HEAD', key })
    return 'ok' in answer ? answer : { ok: true, ...describeObject(answer) }
  }

  /** Deletes an object; a missing one counts as deleted. */
  async delete(key: string): Promise<StorageOutcome> {
    const answer = await this.sendForText({ method: 'DELETE', key })
    if (!('ok' in answer) || answer.reason === 'not-found') return { ok: true }
    return answer
  }

  /** Returns one page in the order of keys; `next` continues after it. */
  async listPage(
    prefix: string,
    next?: string,
    pageSize?: number,
  ): Promise<StorageOutcome<{ objects: ListedObject[]; next: string | undefined }>> {
    const { prefix: root } = this.settings.address
    const answer = await this.sendForText({
      method: 'GET',
      query: {
        'list-type': '2',
        'encoding-type': 'url',
        prefix: root + prefix,
        ...(next !== undefined && { 'continuation-token': next }),
        ...(pageSize !== undefined && { 'max-keys': String(pageSize) }),
      },
    })
    if ('ok' in answer) return answer
    const objects = parseObjectList(answer.text).map((object) => ({
      ...object,
      key: object.key.slice(root.length),
    }))
    const continues = tagText(answer.text, 'IsTruncated') === 'true'
    return { ok: true, objects, next: continues ? tagText(answer.text, 'NextContinuationToken') : undefined }
  }

  /** Returns every object below the prefix. */
  async list(prefix: string): Promise<StorageOutcome<{ objects: ListedObject[] }>> {
    const objects: ListedObject[] = []
    let next: string | undefined
    do {
      const page = await this.listPage(prefix, next)
      if (!page.ok) return page
      objects.push(...page.objects)
      next = page.next
    } while (next !== undefined)
    return { ok: true, objects }
  }

  close(): void {
    this.agent.destroy()
  }

  private async putWhole(
    key: string,
    body: Uint8Array,
    conditions: WriteConditions,
  ): Promise<StorageOutcome<WrittenObject>> {
    const answer = await this.sendForText({
      method: 'PUT',
      key,
      body,
      headers: { ...contentTypeHeader(conditions), ...conditionHeaders(conditions) },
      isRepeatable: !isConditional(conditions),
    })
    return 'ok' in answer ? answer : { ok: true, etag: describeObject(answer).etag, bytes: body.length }
  }

  private async putInParts(
    key: string,
    first: readonly Uint8Array[],
    rest: AsyncIterable<Uint8Array>,
    conditions: WriteConditions,
  ): Promise<StorageOutcome<WrittenObject>> {
    const begun = await this.sendForText({
      method: 'POST',
      key,
      query: { uploads: '' },
      headers: contentTypeHeader(conditions),
    })
    if ('ok' in begun) return begun
    const uploadId = tagText(begun.text, 'UploadId')
    if (!uploadId) return refusedOutcome('The storage began an upload without naming it.')
    let isComplete = false
    try {
      const parts = await this.sendParts(key, uploadId, concatenate(first, rest))
      if (!parts.ok) return parts
      const written = await this.completeUpload(key, uploadId, parts, conditions)
      isComplete = written.ok
      return written
    } finally {
      // parts of an upload that was neither completed nor aborted are charged for, unseen
      if (!isComplete) await this.sendForText({ method: 'DELETE', key, query: { uploadId } })
    }
  }

  private async sendParts(
    key: string,
    uploadId: string,
    parts: AsyncIterable<Uint8Array>,
  ): Promise<StorageOutcome<{ etags: string[]; bytes: number }>> {
    const etags: string[] = []
    let bytes = 0
    for await (const body of parts) {
      const query = { partNumber: String(etags.length + 1), uploadId }
      const answer = await this.sendForText({ method: 'PUT', key, query, body })
      if ('ok' in answer) return answer
      etags.push(describeObject(answer).etag)
      bytes += body.length
    }
    return { ok: true, etags, bytes }
  }

  private async completeUpload(
    key: string,
    uploadId: string,
    { etags, bytes }: { etags: readonly string[]; bytes: number },
    conditions: WriteConditions,
  ): Promise<StorageOutcome<WrittenObject>> {
    const list = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
    const answer = await this.sendForText({
      method: 'POST',
      key,
      query: { uploadId },
      headers: { 'content-type': 'application/xml', ...conditionHeaders(conditions) },
      body: Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`),
    })
    if (!('ok' in answer)) return { ok: true, etag: tagText(answer.text, 'ETag') ?? '', bytes }
    if (answer.reason !== 'not-found') return answer
    // an earlier attempt completed it and its answer was lost
    const there = await this.head(key)
    return there.ok && there.bytes === bytes ? { ok: true, etag: there.etag, bytes } : answer
  }

  private async sendForText(request: StorageRequest): Promise<TextResponse | StorageFailure> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.send(request)
      if ('ok' in answer) return answer
      try {
        const text = await textOf(answer.body)
        const failure = parseStorageError(text)
        // S3 completes an upload with status 200 and an error in the body
        if (!failure) return { ...answer, text }
        if (attempt === mostAttempts) return unavailableOutcome(`The storage answered ${failure.code}.`)
      } catch (problem) {
        if (attempt === mostAttempts || request.isRepeatable === false)
          return unavailableOutcome(connectionErrorMessage(problem, this.host))
      }
      await this.pauseAfter(attempt)
    }
  }

  /** Retries requests that failed temporarily. */
  private async send(request: StorageRequest): Promise<StorageResponse | StorageFailure> {
    for (let attempt = 1; ; attempt++) {
      let failure: StorageFailure
      try {
        const { status, headers, body } = await this.sendOnce(request)
        if (status >= 200 && status < 300) return { status, headers, body }
        failure = failureOf(status, request.method === 'HEAD' ? (body.resume(), '') : await textOf(body))
      } catch (problem) {
        failure = unavailableOutcome(connectionErrorMessage(problem, this.host))
        if (request.isRepeatable === false) return failure
      }
      if (failure.reason !== 'unavailable' || attempt === mostAttempts) return failure
      await this.pauseAfter(attempt)
    }
  }

  private async sendOnce(request: StorageRequest): Promise<StorageResponse> {
    const { method, body } = request
    const { address, now = () => new Date(), silentMs = 30_000 } = this.settings
    const url = objectUrl(address, request.key, request.query)
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: {
        ...request.headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      accessKeyId: address.accessKey,
      secretAccessKey: address.secretKey,
      service: 's3',
      region: address.region,
      datetime: now()
        .toISOString()
        .replace(/[:-]|\.\d{3}/g, ''),
      cache: this.signingKeys,
    })
    const signed = await signer.sign()
    return await new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? secureRequest : plainRequest
      const call = send(url, {
        method,
        agent: this.agent,
        headers: {
          ...Object.fromEntries(signed.headers),
          'user-agent': 'Tilth',
          ...(body !== undefined && { 'content-length': body.length }),
        },
        timeout: silentMs,
      })
      call.on('timeout', () => call.destroy(new Error('silent')))
      call.on('error', reject)
      call.on('response', (response) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response }),
      )
      call.end(body)
    })
  }

  private async pauseAfter(attempt: number): Promise<void> {
    const { retryMs = 200 } = this.settings
    await delay(retryMs * 2 ** (attempt - 1) * (0.5 + Math.random()))
  }

  private get host(): string {
    return this.settings.address.endpoint.host
  }
}

const refusedOutcome = (message: string): StorageFailure => ({ ok: false, reason: 'refused', message })
const unavailableOutcome = (message: string): StorageFailure => ({
  ok: false,
  reason: 'unavailable',
  message,
})

const isConditional = ({ onlyNew, onlyReplacing }: WriteConditions): boolean =>
  onlyNew === true || onlyReplacing !== undefined

const contentTypeHeader = ({ contentType }: WriteConditions): Record<string, string> =>
  contentType === undefined ? {} : { 'content-type': contentType }

const conditionHeaders = ({ onlyNew, onlyReplacing }: WriteConditions): Record<string, string> => ({
  ...(onlyNew && { 'if-none-match': '*' }),
  ...(onlyReplacing !== undefined && { 'if-match': `"${onlyReplacing}"` }),
})

function describeObject({ headers }: Pick<StorageResponse, 'headers'>): StoredObject {
  return {
    bytes: Number(headers['content-length'] ?? 0),
    etag: (headers.etag ?? '').replaceAll('"', ''),
    contentType: headers['content-type'],
    modifiedAt: new Date(headers['last-modified'] ?? 0),
  }
}

function failureOf(status: number, text: string): StorageFailure {
  const { code, message } = parseStorageError(text) ?? { code: String(status), message: '' }
  const words = `The storage answered ${code}${message ? `: ${message}` : '.'}`
  if (code === 'RequestTimeTooSkewed')
    return refusedOutcome('The clock of this machine differs from that of the storage. Set the clock.')
  if (status === 404) return { ok: false, reason: 'not-found', message: words }
  if (status === 401 || status === 403) return { ok: false, reason: 'denied', message: words }
  // 409: another conditional write to the same key is under way
  if (status === 412 || code === 'ConditionalRequestConflict')
    return { ok: false, reason: 'changed', message: words }
  return status >= 500 || status === 429 || status === 408 ? unavailableOutcome(words) : refusedOutcome(words)
}

function connectionErrorMessage(problem: unknown, host: string): string {
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : String(problem)
  return `The storage at ${host} could not be asked (${code}).`
}

async function textOf(body: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxResponseBytes) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Cuts a stream into parts of equal size, larger ones as their number grows. */
async function* partsOf(
  body: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array, undefined> {
  let gathered: Uint8Array[] = []
  let bytes = 0
  let partCount = 0
  const partSize = () => partBytes * 2 ** Math.floor(partCount / partsBeforeGrowth)
  for await (const chunk of body) {
    gathered.push(chunk)
    bytes += chunk.length
    while (bytes >= partSize()) {
      const all = Buffer.concat(gathered)
      const size = partSize()
      yield all.subarray(0, size)
      partCount++
      gathered = [all.subarray(size)]
      bytes = all.length - size
    }
  }
  if (bytes > 0) yield Buffer.concat(gathered)
  return undefined
}

async function* concatenate<Value>(
  first: readonly Value[],
  rest: AsyncIterable<Value>,
): AsyncGenerator<Value> {
  yield* first
  yield* rest
}
