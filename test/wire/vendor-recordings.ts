import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { WireResponse, WireServices } from '#wire/dialect'
import { createDialects } from '#wire/dialects'
import { createRouteMatcher } from '#wire/route-matcher'
import { answerTo, type SentTrackerRequest } from './trackers-fixture'

/** Every dialect, so that a request reaches the one that Tilth would choose. */
const findRoute = createRouteMatcher(createDialects(join(import.meta.dirname, 'no-scripts')))

const request = z.object({
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
  headers: z.record(z.string(), z.string()),
  bodyEncoding: z.array(z.string()).nullish(),
  body: z.json().optional(),
})
const recording = z.object({ requests: z.array(request) })

/** The recorded requests of a real client, with its key replaced by one of the tests' projects. */
export function vendorRequests(
  vendor: string,
  name: string,
  keys: Readonly<Record<string, string>>,
): SentTrackerRequest[] {
  const file = join(import.meta.dirname, '..', 'recordings', vendor, name)
  return recording
    .parse(JSON.parse(withKeys(readFileSync(file, 'utf8'), keys)))
    .requests.map(({ method, path, query, headers, body, bodyEncoding }) => ({
      method,
      path: `${path}?${String(new URLSearchParams(encodedQuery(query, keys)))}`,
      headers: { ...headers, 'user-agent': headers['user-agent']?.replace('Headless', '') ?? '' },
      ...(body !== null && body !== undefined && { body: encoded(body, bodyEncoding ?? []) }),
    }))
}

/** Replaces keys in plain text and in Basic authorization. */
function withKeys(text: string, keys: Readonly<Record<string, string>>): string {
  const replaced = Object.entries(keys).reduce(
    (all, [from, to]) => all.replaceAll(`"${from}"`, `"${to}"`).replaceAll(`/${from}/`, `/${to}/`),
    text,
  )
  return replaced.replaceAll(/"Basic ([\w+/=]+)"/g, (_all, user: string) => {
    const name = Buffer.from(user, 'base64').toString().slice(0, -1)
    return `"Basic ${Buffer.from(`${keys[name] ?? name}:`).toString('base64')}"`
  })
}

/** Some clients send their whole body, base64, in the address. */
function encodedQuery(query: Record<string, string>, keys: Readonly<Record<string, string>>) {
  const { data } = query
  if (data === undefined) return query
  const plain = withKeys(Buffer.from(data, 'base64').toString(), keys)
  return { ...query, data: Buffer.from(plain).toString('base64') }
}

function encoded(body: unknown, encoding: readonly string[]): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (!encoding.includes('base64')) return text
  return `data=${encodeURIComponent(Buffer.from(text).toString('base64'))}`
}

/** The response of whichever dialect Tilth would choose. */
export const respondTo = (sent: SentTrackerRequest, services: WireServices): Promise<WireResponse> => {
  const { search } = new URL(sent.path, 'http://tilth.test')
  return answerTo(sent, services, (method, path) => findRoute(method, path, search.slice(1)))
}

/** Whether a dialect takes the request; otherwise it belongs to the site. */
export const isTaken = ({ method = 'POST', path }: SentTrackerRequest): boolean => {
  const { pathname, search } = new URL(path, 'http://tilth.test')
  return findRoute(method, pathname, search.slice(1)) !== undefined
}

/** The recorded requests that a dialect takes: a browser also asked for the page itself. */
export async function replayRecording(
  requests: readonly SentTrackerRequest[],
  services: WireServices,
): Promise<WireResponse[]> {
  const responses: WireResponse[] = []
  for (const sent of requests) if (isTaken(sent)) responses.push(await respondTo(sent, services))
  return responses
}

export const responseJson = ({ body }: WireResponse): unknown =>
  JSON.parse(typeof body === 'string' ? body : Buffer.from(body ?? '').toString())
