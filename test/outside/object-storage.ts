import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type ObjectStorageAddress, parseObjectStorageAddress } from '#outbound/object-storage-format'

const region = 'eu-test-1'
const accessKey = 'AKIATESTTESTTESTTEST'
const secretKey = 'secret/of+the=test'
const minPartBytes = 5 * 1024 ** 2

interface Upload {
  key: string
  contentType: string
  parts: Map<number, Buffer>
}

interface StoredObject {
  body: Buffer
  etag: string
  contentType: string
}

type StorageFault = 'none' | 'busy' | 'redirect' | 'cut' | 'cut-after' | 'error-in-200'

/** A server that speaks S3 and believes no signature that it has not computed itself. */
interface TestObjectStorage {
  origin: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  objects: Map<string, StoredObject>
  /** Uploads that were neither completed nor aborted. */
  uploads: Map<string, Upload>
  requests: { method: string; url: string }[]
  address: (prefix?: string) => ObjectStorageAddress
  /** The faults of the next requests, one each. */
  faults: StorageFault[]
  stop: () => Promise<void>
}

export async function anObjectStorage(bucket = 'tilth-test'): Promise<TestObjectStorage> {
  const double = await startObjectStorage(bucket)
  onTestFinished(() => double.stop())
  return double
}

async function startObjectStorage(bucket = 'tilth-test'): Promise<TestObjectStorage> {
  const double: Omit<TestObjectStorage, 'origin' | 'address' | 'stop'> = {
    bucket,
    region,
    accessKey,
    secretKey,
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    faults: [],
  }
  const server = createServer((request, response) => void answer(double, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // listens on a port, not on a pipe
  const origin = `http://127.0.0.1:${port}`
  return Object.assign(double, {
    origin,
    address(prefix = '') {
      const service = { endpoint: new URL(origin), region, accessKey, secretKey }
      const address = parseObjectStorageAddress(`s3://${bucket}/${prefix}`, service)
      if (!address) throw new Error(`${prefix} is no prefix`)
      return address
    },
    async stop() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

class StorageError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message = code,
  ) {
    super(message)
  }
}

type State = Omit<TestObjectStorage, 'origin' | 'address' | 'stop'>

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const url = new URL(request.url ?? '/', 'http://double')
  state.requests.push({ method: request.method ?? '', url: request.url ?? '' })
  const fault = state.faults.shift()
  if (fault === 'cut') return void request.socket.destroy()
  try {
    verify(request, body)
    if (fault === 'busy') throw new StorageError(503, 'SlowDown')
    if (fault === 'redirect')
      return void response.writeHead(307, { location: `http://${request.headers.host}/` }).end()
    if (fault === 'error-in-200') return void response.end(errorText('InternalError', 'Try again.'))
    const [, bucket, ...path] = decodeURIComponent(url.pathname).split('/')
    if (bucket !== state.bucket) throw new StorageError(404, 'NoSuchBucket')
    const run = () => serve(state, request, response, { key: path.join('/'), query: url.searchParams, body })
    if (fault !== 'cut-after') return run()
    response.end = () => (request.socket.destroy(), response)
    run()
  } catch (problem) {
    if (!(problem instanceof StorageError)) throw problem
    response.writeHead(problem.status, { 'content-type': 'application/xml' })
    response.end(request.method === 'HEAD' ? undefined : errorText(problem.code, problem.message))
  }
}

const errorText = (code: string, message: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

interface SignedHeaders {
  /** The day, as the scope of the signature names it. */
  day: string
  names: readonly string[]
  signature: string
}

function verify(request: IncomingMessage, body: Buffer): void {
  const { headers } = request
  const signed = readAuthorization(headers.authorization ?? '')
  checkDate(String(headers['x-amz-date'] ?? ''), signed.day)
  if (headers['x-amz-content-sha256'] !== sha256(body))
    throw new StorageError(400, 'XAmzContentSHA256Mismatch')
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (mustBeSigned.some((name) => !signed.names.includes(name)))
    throw new StorageError(403, 'AccessDenied', 'a header is not signed')
  if (!timingSafeEqual(expectedSignature(request, signed), Buffer.from(signed.signature, 'hex')))
    throw new StorageError(403, 'SignatureDoesNotMatch')
}

function readAuthorization(text: string): SignedHeaders {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/
  const [, key, day = '', where, names = '', signature = ''] = pattern.exec(text) ?? []
  if (!signature) throw new StorageError(403, 'AccessDenied', 'no signature')
  if (key !== accessKey) throw new StorageError(403, 'InvalidAccessKeyId')
  if (where !== region) throw new StorageError(400, 'AuthorizationHeaderMalformed', 'the region is another')
  return { day, names: names.split(';'), signature }
}

function checkDate(date: string, day: string): void {
  if (!date.startsWith(day)) throw new StorageError(403, 'SignatureDoesNotMatch', 'the days differ')
  const at = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(at - Date.now()) < 15 * 60_000)) throw new StorageError(403, 'RequestTimeTooSkewed')
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function expectedSignature(
  { method, url = '', headers }: IncomingMessage,
  { day, names }: SignedHeaders,
): Buffer {
  const canonical = [
    method,
    canonicalPath(url),
    canonicalQuery(url),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/\s+/g, ' ')}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const dayKey = hmac(`AWS4${secretKey}`, day)
  const signingKey = hmac(hmac(hmac(dayKey, region), 's3'), 'aws4_request')
  const date = String(headers['x-amz-date'])
  return hmac(signingKey, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n'))
}

const encode = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const letter = String.fromCharCode(byte)
      return /[A-Za-z0-9\-._~]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')

const canonicalPath = (url: string): string =>
  (url.split('?')[0] ?? '')
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')

const canonicalQuery = (url: string): string =>
  (url.split('?')[1] ?? '')
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return `${encode(decodeURIComponent(name))}=${encode(decodeURIComponent(value))}`
    })
    .sort()
    .join('&')

interface ObjectRequest {
  key: string
  query: URLSearchParams
  body: Buffer
}

function serve(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  served: ObjectRequest,
): void {
  const { key, query } = served
  if (query.has('list-type')) return list(state, response, query)
  if (query.has('uploads')) return beginUpload(state, request, response, key)
  if (query.has('uploadId')) return serveUpload(state, request, response, served)
  if (request.method === 'PUT') return put(state, request, response, served)
  if (request.method === 'DELETE') {
    state.objects.delete(key)
    return void response.writeHead(204).end()
  }
  read(state, request, response, key)
}

function put(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  { key, body }: ObjectRequest,
): void {
  checkConditions(state, request, key)
  const etag = keepObject(state, key, body, request.headers['content-type'] ?? '')
  response.writeHead(200, { etag: `"${etag}"` }).end()
}

function keepObject(state: State, key: string, body: Buffer, contentType: string, parts = 0): string {
  const etag = createHash('md5').update(body).digest('hex') + (parts > 0 ? `-${parts}` : '')
  state.objects.set(key, { body, etag, contentType })
  return etag
}

function checkConditions(state: State, { headers }: IncomingMessage, key: string): void {
  const there = state.objects.get(key)
  if (headers['if-none-match'] === '*' && there) throw new StorageError(412, 'PreconditionFailed')
  const match = headers['if-match']
  if (match !== undefined && match !== `"${there?.etag}"`) throw new StorageError(412, 'PreconditionFailed')
}

function read(state: State, request: IncomingMessage, response: ServerResponse, key: string): void {
  const object = state.objects.get(key)
  if (!object) throw new StorageError(404, 'NoSuchKey')
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  if (Number(from ?? 0) > object.body.length) throw new StorageError(416, 'InvalidRange')
  const body =
    from === undefined ? object.body : object.body.subarray(Number(from), to ? Number(to) + 1 : undefined)
  response.writeHead(from === undefined ? 200 : 206, {
    etag: `"${object.etag}"`,
    'content-type': object.contentType || 'binary/octet-stream',
    'content-length': body.length,
    'last-modified': new Date().toUTCString(),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function list({ objects }: State, response: ServerResponse, query: URLSearchParams): void {
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
  const most = Math.min(Number(query.get('max-keys') ?? 1000), 1000)
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort()
  const page = keys.slice(0, most)
  const isEncoded = query.get('encoding-type') === 'url'
  const shown = (key: string) => (isEncoded ? encode(key).replaceAll('%2F', '/') : key)
  const contents = page.map((key) => {
    const { body, etag } = objects.get(key) ?? { body: Buffer.alloc(0), etag: '' }
    return `<Contents><Key>${shown(key)}</Key><LastModified>2026-11-22T10:00:00.000Z</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${body.length}</Size></Contents>`
  })
  const isTruncated = keys.length > page.length
  const next = Buffer.from(page.at(-1) ?? '').toString('base64')
  response.writeHead(200, { 'content-type': 'application/xml' })
  response.end(
    `<?xml version="1.0"?><ListBucketResult>${isEncoded ? '<EncodingType>url</EncodingType>' : ''}` +
      `<IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}` +
      `${isTruncated ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}</ListBucketResult>`,
  )
}

function beginUpload(state: State, request: IncomingMessage, response: ServerResponse, key: string): void {
  const id = `${randomUUID()}/+=`
  const contentType = request.headers['content-type'] ?? ''
  state.uploads.set(id, { key, contentType, parts: new Map() })
  response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
}

function serveUpload(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  { key, query, body }: ObjectRequest,
): void {
  const id = query.get('uploadId') ?? ''
  const upload = state.uploads.get(id)
  if (!upload || upload.key !== key) throw new StorageError(404, 'NoSuchUpload')
  if (request.method === 'DELETE') {
    state.uploads.delete(id)
    return void response.writeHead(204).end()
  }
  if (request.method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body)
    return void response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end()
  }
  checkConditions(state, request, key)
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(\w+)<\/ETag>/g)]
  const parts = named.map(([, number, etag], i) => {
    const part = upload.parts.get(Number(number))
    if (!part || createHash('md5').update(part).digest('hex') !== etag)
      throw new StorageError(400, 'InvalidPart')
    if (part.length < minPartBytes && i < named.length - 1) throw new StorageError(400, 'EntityTooSmall')
    return part
  })
  if (parts.length === 0) throw new StorageError(400, 'MalformedXML')
  const etag = keepObject(state, key, Buffer.concat(parts), upload.contentType, parts.length)
  state.uploads.delete(id)
  response.end(
    `<CompleteMultipartUploadResult><ETag>&quot;${etag}&quot;</ETag></CompleteMultipartUploadResult>`,
  )
}
