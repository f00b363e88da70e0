import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { z } from 'zod'
import { type Outbound, OutboundError, type StreamedResponse } from '#outbound/outbound'

/** A request that PostHog refused or could not do; the message gives the reason and the remedy. */
export class PosthogError extends Error {
  override readonly name = 'PosthogError'
  constructor(
    message: string,
    /** Undefined if there was no answer. */
    readonly status?: number,
  ) {
    super(message)
  }
}

/** An answer that is larger than one that is read at once; asking for less helps. */
export class AnswerTooLargeError extends PosthogError {}

export interface PosthogClientSettings {
  outbound: Outbound
  /** The origin of PostHog, such as https://eu.posthog.com. */
  origin: string
  /** The number of the project there. */
  project: string
  /** A personal API key. */
  key: string
  pause: (ms: number) => Promise<void>
  /** The limit of an answer that is read at once; 32 MB if absent. */
  mostAnswerBytes?: number
  /** Tells why nothing happens for a while. */
  say: (line: string) => void
}

type QueryValue = string | number

const idleMs = 180_000
const usualAnswerBytes = 32 * 1024 ** 2
const mostTries = 8
const longestPauseMs = 3_700_000

/** PostHog's API (https://posthog.com/docs/api) with a personal key: waits where it asks to, and tries again. */
export class PosthogClient {
  constructor(private readonly settings: PosthogClientSettings) {}

  get origin(): string {
    return this.settings.origin
  }

  get project(): string {
    return this.settings.project
  }

  /** Reads an address below the project. */
  async read(path: string): Promise<unknown> {
    return await parsed(await this.answer('GET', path))
  }

  async post(path: string, input: object): Promise<unknown> {
    return await parsed(await this.answer('POST', path, input))
  }

  /** Returns all entries of a list, page by page. */
  async list(path: string, filter: Record<string, string> = {}): Promise<Record<string, unknown>[]> {
    const all: Record<string, unknown>[] = []
    for (let offset = 0; ;) {
      const query = new URLSearchParams({ ...filter, limit: String(entriesAtOnce), offset: String(offset) })
      const page = listIn(await this.read(`${path}?${query}`))
      all.push(...page.entries)
      offset += page.entries.length
      if (!page.hasMore || page.entries.length === 0) return all
    }
  }

  /** Runs a query in PostHog's SQL, with values for its {placeholders}. */
  async query(text: string, values: Record<string, QueryValue> = {}): Promise<Record<string, unknown>[]> {
    const answer = await this.post('query/', { query: { kind: 'HogQLQuery', query: text, values } })
    const { columns, results } = answer as { columns?: unknown; results?: unknown }
    if (!Array.isArray(columns) || !Array.isArray(results))
      throw new PosthogError('PostHog answered a query in a form that is unknown here.')
    return results.map((row: unknown) =>
      Object.fromEntries(
        columns.map((name, index) => [String(name), Array.isArray(row) ? row[index] : null]),
      ),
    )
  }

  /** Saves what an address leads to in a file. */
  async download(path: string, file: string): Promise<void> {
    await this.retried(async () => {
      const response = await this.open('GET', path)
      if (response.status !== 200) throw await refusalOf(response)
      await pipeline(response.body, createWriteStream(file))
    })
  }

  private async answer(method: 'GET' | 'POST', path: string, input?: object): Promise<Buffer> {
    return await this.retried(async () => {
      const response = await this.open(method, path, input)
      if (response.status < 200 || response.status >= 300) throw await refusalOf(response)
      return await wholeOf(response, this.settings.mostAnswerBytes ?? usualAnswerBytes)
    })
  }

  private async open(method: 'GET' | 'POST', path: string, input?: object): Promise<StreamedResponse> {
    const { outbound, origin, project, key } = this.settings
    const address = `${origin}/api/projects/${encodeURIComponent(project)}/${path}`
    return await outbound.stream(address, {
      method,
      idleMs,
      headers: {
        authorization: `Bearer ${key}`,
        accept: '*/*',
        ...(input && { 'content-type': 'application/json' }),
      },
      body: input && JSON.stringify(input),
    })
  }

  private async retried<Done>(work: () => Promise<Done>): Promise<Done> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (problem) {
        const waitMs = waitAfter(problem, tries)
        if (waitMs === undefined || tries === mostTries) throw explained(problem)
        if (waitMs >= 10_000) this.settings.say(`PostHog is asked again in ${Math.round(waitMs / 1000)} s.`)
        await this.settings.pause(waitMs)
      }
    }
  }
}

const entriesAtOnce = 100

/** Reads an answer by the form that PostHog documents. */
export function readAs<Shape extends z.ZodType>(shape: Shape, answer: unknown): z.infer<Shape> {
  const read = shape.safeParse(answer)
  if (read.success) return read.data
  throw new PosthogError('PostHog answered in a form that is unknown here.')
}

/** An answer that may be another one later. */
class PosthogBusyError extends PosthogError {
  constructor(
    status: number,
    message: string,
    readonly afterMs: number | undefined,
  ) {
    super(message, status)
  }
}

/** Returns how long to wait before the next try; undefined if there is no use in one. */
function waitAfter(problem: unknown, tries: number): number | undefined {
  const doubled = Math.min(1000 * 2 ** tries, 300_000)
  if (problem instanceof PosthogBusyError) return Math.min(problem.afterMs ?? doubled, longestPauseMs)
  return problem instanceof OutboundError && !problem.isFinal ? doubled : undefined
}

const explained = (problem: unknown): unknown =>
  problem instanceof OutboundError ? new PosthogError(problem.message) : problem

const busyStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

async function refusalOf(response: StreamedResponse): Promise<PosthogError> {
  const { status, headers } = response
  const detail = detailIn(await startOf(response))
  if (busyStatuses.has(status))
    return new PosthogBusyError(
      status,
      `PostHog answers ${status}: ${detail}`,
      retryAfterMs(headers['retry-after']),
    )
  return new PosthogError(sentences[status]?.(detail) ?? `PostHog answers ${status}: ${detail}`, status)
}

const sentences: Readonly<Record<number, ((detail: string) => string) | undefined>> = {
  401: (detail) =>
    `PostHog does not take the key: it may have expired, or belong to another region (${detail}). Make a personal API key there.`,
  402: (detail) => `PostHog asks for payment first: ${detail}`,
  403: (detail) => `The key lacks a right: ${detail}`,
  404: (detail) => `PostHog has nothing at this address; look at --from and --posthog-project (${detail}).`,
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(text: string | undefined, now = Date.now()): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const mostDetailBytes = 20_000

async function startOf({ body }: StreamedResponse): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of body) {
      parts.push(part)
      bytes += part.length
      if (bytes > mostDetailBytes) break
    }
  } catch {
    // the status says enough
  }
  return Buffer.concat(parts).toString('utf8')
}

function detailIn(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string') return detail.slice(0, 300)
  } catch {
    // a proxy before it answered
  }
  return 'no reason given'
}

async function wholeOf({ body }: StreamedResponse, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    parts.push(part)
    bytes += part.length
    if (bytes > mostBytes)
      throw new AnswerTooLargeError('An answer of PostHog is too large to be read at once.')
  }
  return Buffer.concat(parts)
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new PosthogError(
      'PostHog answered something that is not JSON. Look at --from: it is the address of PostHog itself.',
    )
  }
}

/** PostHog lists entries in pages, and some kinds in a plain list. */
function listIn(answer: unknown): { entries: Record<string, unknown>[]; hasMore: boolean } {
  const { results, next } = (Array.isArray(answer) ? { results: answer, next: null } : (answer ?? {})) as {
    results?: unknown
    next?: unknown
  }
  if (!Array.isArray(results))
    throw new PosthogError('PostHog answered a list in a form that is unknown here.')
  const entries = results.filter(
    (one: unknown): one is Record<string, unknown> => typeof one === 'object' && one !== null,
  )
  return { entries, hasMore: typeof next === 'string' }
}
