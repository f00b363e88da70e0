import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** A request as it is made, before anything is done to it. */
export interface PlainRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: unknown
}

/** The keys that the server knows. */
export interface Keys {
  writeKey: string
  secret: string
}

const recorded = z.object({
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()).default({}),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
})
const recordings = z.union([
  z.array(recorded),
  z.object({ requests: z.array(recorded) }).transform(({ requests }) => requests),
])

/** Headers that are of the connection, or follow from the body. */
const ofTheConnection = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
])

/** The requests of the vendors' clients, with our own key in the place of theirs. */
export function recordedRequests(root: string, { writeKey, secret }: Keys): PlainRequest[] {
  const folder = join(root, 'test/recordings')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .toSorted()
  return files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
      .replaceAll('phc_testtoken', writeKey)
      .replaceAll(/"authorization": "Bearer [^"]*"/g, `"authorization": "Bearer ${secret}"`)
    const read = recordings.safeParse(JSON.parse(text))
    return (read.data ?? []).map(({ headers, ...request }) => ({
      ...request,
      body: request.body,
      headers: Object.fromEntries(Object.entries(headers).filter(([header]) => !ofTheConnection.has(header))),
    }))
  })
}

const operation = z.looseObject({
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), schema: z.unknown().optional() }))
    .default([]),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) })
    .optional(),
})
const description = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) })

export interface ApiOperation {
  method: string
  /** With names in braces. */
  path: string
  parameters: { name: string; schema: unknown }[]
  /** The JSON Schema of the body. */
  schema: unknown
}

/** The operations in the API's description of itself. */
export function operationsIn(openApi: unknown): ApiOperation[] {
  return Object.entries(description.parse(openApi).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.startsWith('/api/v1') ? path : `/api/v1${path}`,
      parameters: parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema }) => ({ name, schema })),
      schema: Object.values(requestBody?.content ?? {})[0]?.schema,
    })),
  )
}

/** Addresses that the recordings do not name. */
export const otherPaths = [
  '/_tilth/event',
  '/_tilth/flags',
  '/_tilth/visit',
  '/_tilth/qa',
  '/_tilth/script.js',
  '/_tilth/ready',
  '/_tilth/letters/x',
  '/_tilth/forms/comment',
  '/_tilth/forms/subscribe',
  '/_tilth/images/x',
  '/api/event',
  '/api/send',
  '/api/batch',
  '/batch/',
  '/capture/',
  '/decide/',
  '/engage/',
  '/flags/',
  '/flags/definitions',
  '/s/',
  '/track/',
  '/i/v0/ai/batch',
  '/i/v1/analytics/events',
  '/i/v1/logs',
  '/i/v1/metrics',
  '/i/v1/traces',
  '/insights/view',
  '/speed-insights/vitals',
  '/ofrep/v1/evaluate/flags',
  '/ofrep/v1/evaluate/flags/x',
  '/array/x/config.js',
  '/static/1.2.3/array.js',
  '/js/script.js',
] as const
