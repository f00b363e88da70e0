import { gzipSync } from 'node:zlib'
import type { ApiOperation, Keys, PlainRequest } from './requests'
import type { Random } from './random'

/** A request as it goes over the connection. */
export interface SentRequest {
  method: string
  target: string
  headers: Record<string, string | string[]>
  body: Buffer | undefined
}

export const oddTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202egpj.exe',
  'ﷺ'.repeat(50),
  '👨‍👩‍👧',
  '＝1+1',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00%ff',
  '1e309',
  'NaN',
  '9999-99-99T99:99:99Z',
  '0000-01-01',
  '+275760-09-13T00:00:00.000Z',
  'x'.repeat(3000),
  '[object Object]',
  'null',
  'true',
] as const
const oddNumbers = [
  0,
  -0,
  -1,
  1,
  1.5,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  -(2 ** 63),
  1e21,
  1e308,
  5e-324,
  8.64e15 + 1,
] as const
const oddKeys = [
  '__proto__',
  'constructor',
  '',
  '$set',
  'a.b',
  'length',
  'toString',
  '\u0000',
  'event',
  'batch',
] as const
const methods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'M-SEARCH',
] as const
const encodings = ['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'identity', 'gzip, gzip', 'x-gzip', ''] as const
const types = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'x',
] as const

export const oddValue = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => null,
    () => random.chance(0.5),
    () => random.pick(oddNumbers),
    () => random.pick(oddTexts),
    () => [],
    () => ({}),
    () => nested(random.pick([3, 30, 300, 5000])),
    () => Array.from({ length: random.pick([2, 50, 2000]) }, () => random.pick(oddTexts)),
    () => ({ [random.pick(oddKeys)]: random.pick(oddTexts) }),
  ])()

/** As text, since `JSON.stringify` itself goes no deeper than the stack. */
class RawJson {
  constructor(readonly text: string) {}
}
const nested = (depth: number): RawJson => new RawJson('['.repeat(depth) + ']'.repeat(depth))

/** Changes a value in a few places. */
export function mutated(value: unknown, random: Random): unknown {
  if (random.chance(0.05)) return oddValue(random)
  if (Array.isArray(value)) {
    const list: unknown[] = value.map((one: unknown) => (random.chance(0.3) ? mutated(one, random) : one))
    if (random.chance(0.05)) list.push(...list)
    if (random.chance(0.05)) list.pop()
    return list
  }
  if (typeof value !== 'object' || value === null || value instanceof RawJson)
    return random.chance(0.15) ? oddValue(random) : value
  const entries = Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
    if (random.chance(0.03)) return []
    if (random.chance(0.03)) return [[random.pick(oddKeys), one]]
    return [[key, random.chance(0.4) ? mutated(one, random) : one]]
  })
  if (random.chance(0.05)) entries.push([random.pick(oddKeys), oddValue(random)])
  return Object.fromEntries(entries)
}

export function written(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, one]) => `${JSON.stringify(key)}:${written(one)}`)
      .join(',')}}`
  return JSON.stringify(value) ?? 'null'
}

/** A body in one of the ways in which clients pack it, and now and then in none of them. */
function packed(value: unknown, random: Random): Buffer {
  const text = typeof value === 'string' && random.chance(0.5) ? value : written(value)
  const plain = Buffer.from(text)
  const body = random.pick<() => Buffer>([
    () => plain,
    () => plain,
    () => plain,
    () => gzipSync(plain),
    () => Buffer.from(`data=${encodeURIComponent(plain.toString('base64'))}`),
    () => Buffer.from(plain.toString('base64')),
    () => gzipSync(gzipSync(plain)),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text, 'latin1'),
    () => Buffer.concat([plain, random.bytes(8)]),
  ])()
  if (random.chance(0.08)) return body.subarray(0, random.int(body.length + 1))
  if (random.chance(0.05) && body.length > 0) {
    const broken = Buffer.from(body)
    broken[random.int(broken.length)] = random.int(256)
    return broken
  }
  return body
}

export const escaped = (text: string): string => encodeURIComponent(text.toWellFormed())

function pathOf(path: string, random: Random): string {
  if (random.chance(0.9)) return path
  return random.pick([
    `/ingest${path}`,
    `/a/b/c/d/e/f${path}`,
    `${path}/`,
    `${path}//`,
    `${path}/${escaped(random.pick(oddTexts)).slice(0, 500)}`,
    path.toUpperCase(),
    path.replace('/', '/%2e%2e/'),
    `${path}%`,
    `${path}%E0%A4%A`,
  ])
}

export function queryOf(query: Record<string, string>, random: Random): string {
  const entries = Object.entries(query).filter(() => !random.chance(0.05))
  if (random.chance(0.2))
    entries.push([
      random.pick(['v', 'data', 'token', 'compression', '_', 'limit', 'from', 'cursor']),
      random.pick(oddTexts),
    ])
  if (random.chance(0.05)) entries.push(...entries)
  const text = entries.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&')
  return text === '' ? '' : `?${text}`
}

/** Node's client refuses to send these, and no other client can. */
const sendable = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')

function headersOf(
  headers: Record<string, string>,
  { writeKey, secret }: Keys,
  random: Random,
): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = { ...headers }
  if (random.chance(0.1)) sent['content-encoding'] = random.pick(encodings)
  if (random.chance(0.2)) sent['content-type'] = random.pick(types)
  if (random.chance(0.2))
    sent['origin'] = sendable(random.pick(['https://shop.example', 'null', ...oddTexts])).slice(0, 200)
  if (random.chance(0.1)) sent['user-agent'] = sendable(random.pick(oddTexts))
  if (random.chance(0.1)) sent['cookie'] = sendable(`tilth_trying=${random.pick(oddTexts)}; a=%; ;;=`)
  if (random.chance(0.1)) sent['accept-language'] = sendable(random.pick(oddTexts)).slice(0, 500)
  if (random.chance(0.05)) sent['x-forwarded-for'] = sendable(random.pick(oddTexts)).slice(0, 500)
  if (random.chance(0.05)) sent['if-none-match'] = sendable(random.pick(oddTexts)).slice(0, 500)
  if (random.chance(0.05)) sent['accept'] = ['application/json', 'text/html', '*/*;q=x']
  if (random.chance(0.05)) sent['sec-fetch-site'] = random.pick(['cross-site', 'same-origin', 'x'])
  if (random.chance(0.1))
    sent['authorization'] = sendable(
      random.pick([
        `Bearer ${writeKey}`,
        `Bearer ${secret}`,
        `Bearer ${'x'.repeat(500)}`,
        'Basic x',
        'Bearer',
        '',
      ]),
    )
  if (random.chance(0.03)) sent['dnt'] = ['1', '0']
  return sent
}

/** A request of a client, as it never sent it. */
export function mutatedRequest(request: PlainRequest, keys: Keys, random: Random): SentRequest {
  const method = random.chance(0.06) ? random.pick(methods) : request.method
  const carries = method !== 'GET' && method !== 'HEAD' && (request.body !== undefined || random.chance(0.3))
  return {
    method,
    target: pathOf(request.path, random) + queryOf(request.query, random),
    headers: headersOf(request.headers, keys, random),
    body: carries ? packed(mutated(request.body ?? oddValue(random), random), random) : undefined,
  }
}

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: unknown[]
  oneOf?: unknown[]
  allOf?: unknown[]
  items?: unknown
  properties?: Record<string, unknown>
  required?: string[]
}

/** A value that fits a schema more or less: nearly right ones come furthest. */
function fitting(schema: unknown, random: Random, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > 8 || random.chance(0.03))
    return oddValue(random)
  // of a description that was checked on the way in
  const { type, enum: values, const: only, anyOf, oneOf, items, properties }: Schema = schema
  if (only !== undefined) return only
  if (values) return random.pick(values)
  const choices = anyOf ?? oneOf
  if (choices) return fitting(random.pick(choices), random, depth + 1)
  if (properties)
    return Object.fromEntries(
      Object.entries(properties)
        .filter(() => !random.chance(0.15))
        .map(([key, one]) => [key, fitting(one, random, depth + 1)]),
    )
  if (type === 'array' || items)
    return Array.from({ length: random.int(4) }, () => fitting(items, random, depth + 1))
  return scalar(type, random)
}

function scalar(type: Schema['type'], random: Random): unknown {
  if (type === 'string')
    return random.pick([
      'a',
      'production',
      '2026-01-01',
      '2026-11-20T10:00:00Z',
      '$pageview',
      'UTC',
      ...oddTexts,
    ])
  if (type === 'number' || type === 'integer') return random.pick([1, 7, 50, ...oddNumbers])
  return type === 'boolean' ? random.chance(0.5) : oddValue(random)
}

/** A call of the API that its description allows, more or less. */
export function apiRequest(
  { method, path, parameters, schema }: ApiOperation,
  { project, keys }: { project: string; keys: Keys },
  random: Random,
): SentRequest {
  const target = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    name === 'project' && random.chance(0.95)
      ? project
      : escaped(random.pick(['1', '2', 'a', 'flag-1', ...oddTexts])).slice(0, 300) || 'x',
  )
  const query = Object.fromEntries(
    parameters
      .filter(() => random.chance(0.5))
      .map(({ name, schema: one }) => [name, String(plain(fitting(one, random)))]),
  )
  const authorization = random.chance(0.95) ? `Bearer ${keys.secret}` : `Bearer ${random.int(2 ** 31)}`
  const base = { method, path: target, query, headers: { authorization, 'content-type': 'application/json' } }
  const body = schema === undefined ? undefined : Buffer.from(written(fitting(schema, random)))
  if (random.chance(0.1))
    return mutatedRequest({ ...base, body: schema && fitting(schema, random) }, keys, random)
  return { method, target: target + queryOf(query, random), headers: base.headers, body }
}

const plain = (value: unknown): unknown => (typeof value === 'object' ? written(value) : value)
