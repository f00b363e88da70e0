import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { parseAllowlist } from '#outbound/allowlist'
import { Outbound } from '#outbound/outbound'
import { PosthogClient } from '#moves/posthog-client'

interface FakeEvent {
  uuid: string
  event: string
  distinct_id: string
  /** In UTC, with microseconds. */
  timestamp: string
  properties: object
  /** The time at which PostHog received it; with the event, if absent. */
  receivedAt?: string
}

interface FakePerson {
  distinct_id: string
  person_id: string
  properties: object
  created_at: string
}

export interface FakeProject {
  created_at: string
  events: FakeEvent[]
  persons: FakePerson[]
  group_types: { group_type: string; group_type_index: number }[]
  cohorts: object[]
  feature_flags: object[]
  insights: object[]
  surveys: object[]
  experiments: object[]
}

interface FakeAnswer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

const dayMs = 86_400_000
const mostAnswerBytes = 100_000

/**
 * A PostHog as its documentation describes its API, over HTTP: lists in pages, queries of the few kinds that are asked, and
 * exports of files that lead to another host.
 */
export class FakePosthog {
  key = 'phx_first'
  /** Answers before any other, one for each request. */
  readonly faults: FakeAnswer[] = []
  /** The key is refused after so many more requests. */
  requestsLeft = Infinity
  hasFileExports = true
  /** Parts of addresses that the key may not read. */
  readonly forbidden = new Set<string>()
  /** A page of events with more rows is larger than what is read at once. */
  mostRows = Infinity
  readonly asked: string[] = []
  readonly exports = new Map<string, { model: string; files: Buffer[]; polls: number }>()
  readonly storageHeaders: IncomingMessage['headers'][] = []
  private readonly servers: Server[] = []
  private origins: { api: string; storage: string } = { api: '', storage: '' }

  constructor(readonly project: FakeProject) {}

  static async start(project: Partial<FakeProject>): Promise<FakePosthog> {
    const lists = {
      group_types: [],
      cohorts: [],
      feature_flags: [],
      insights: [],
      surveys: [],
      experiments: [],
    }
    const fake = new FakePosthog({
      created_at: '2024-01-01T09:00:00Z',
      events: [],
      persons: [],
      ...lists,
      ...project,
    })
    fake.origins = {
      api: await fake.listen((request, response) => void fake.answer(request, response)),
      storage: await fake.listen((request, response) => fake.serveFile(request, response)),
    }
    return fake
  }

  client({ key = this.key, allow = '127.0.0.1/32', pauses = [] as number[], said = [] as string[] } = {}) {
    const allowlist = parseAllowlist(allow)
    if (!allowlist) throw new Error('The allowlist is not readable.')
    return new PosthogClient({
      outbound: new Outbound({ allowlist }),
      origin: this.origins.api,
      project: '7',
      key,
      mostAnswerBytes,
      pause: async (ms) => void pauses.push(ms),
      say: (line) => said.push(line),
    })
  }

  get origin(): string {
    return this.origins.api
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.servers.map((server) => {
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      }),
    )
  }

  private async listen(
    handler: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<string> {
    const server = createServer(handler)
    this.servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('It listens on a port.')
    return `http://127.0.0.1:${address.port}`
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    const url = new URL(request.url ?? '/', 'http://posthog.test')
    const path = url.pathname.replace(/^\/api\/projects\/7\//, '')
    this.asked.push(`${request.method} ${path}`)
    const {
      status,
      body: answered,
      headers,
    } = this.refusal(request, path) ?? this.answerTo(`${request.method} ${path}`, url, body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof answered === 'string' ? answered : JSON.stringify(answered ?? {}))
  }

  private refusal(request: IncomingMessage, path: string): FakeAnswer | undefined {
    const fault = this.faults.shift()
    if (fault) return fault
    const isKnown = request.headers.authorization === `Bearer ${this.key}` && this.requestsLeft-- > 0
    if (!isKnown)
      return refused(
        401,
        'authentication_failed',
        'Personal API key found in request Authorization header is invalid.',
      )
    const forbidden = [...this.forbidden].find((part) => path.startsWith(part))
    return forbidden === undefined
      ? undefined
      : refused(403, 'permission_denied', `API key missing required scope '${forbidden}:read'`)
  }

  private answerTo(request: string, url: URL, body: string): FakeAnswer {
    if (request === 'GET ') return { status: 200, body: { id: 7, created_at: this.project.created_at } }
    if (request === 'GET groups_types/') return { status: 200, body: this.project.group_types }
    if (request === 'POST query/') return this.query(JSON.parse(body) as { query: FakeQuery })
    const [, list] = /^GET (cohorts|feature_flags|insights|surveys|experiments)\/$/.exec(request) ?? []
    if (isListed(list)) return pageOf(this.project[list], url)
    return this.hasFileExports && request.includes(' file_download_batch_exports/')
      ? this.fileExport(request, body)
      : refused(404, 'not_found', 'Not found.')
  }

  private fileExport(request: string, body: string): FakeAnswer {
    const [method, path = ''] = request.split(' ')
    const [, id = '', action, part = ''] = path.split('/')
    if (method === 'POST') return this.startExport(JSON.parse(body) as FakeExport)
    if (id === '') return { status: 200, body: { count: 0, next: null, previous: null, results: [] } }
    const run = this.exports.get(id)
    if (!run) return refused(404, 'not_found', 'Not found.')
    if (action === 'download')
      return { status: 302, headers: { location: `${this.origins.storage}/${id}/${part.split('-')[0]}` } }
    if (run.polls++ === 0) return { status: 200, body: { status: 'Running' } }
    return {
      status: 200,
      body: { status: 'Completed', files: run.files.map((_, n) => `${n}-file`), records_completed: 1 },
    }
  }

  private startExport({ model, file, data_interval_start, data_interval_end }: FakeExport): FakeAnswer {
    const [from, until] = [Date.parse(data_interval_start), Date.parse(data_interval_end)]
    if (until - from > 7 * dayMs) return refused(400, 'invalid_input', 'data interval range too big.')
    if (file.format !== 'JSONLines' || file.compression !== 'gzip')
      return refused(400, 'invalid_input', 'Only JSON lines with gzip are faked.')
    const isWithin = (text: string) => Date.parse(text) >= from && Date.parse(text) < until
    // events that came days after they happened are not in the files
    const events = this.project.events.filter(
      ({ timestamp, receivedAt = timestamp }) =>
        isWithin(receivedAt) && Date.parse(timestamp) >= from - 7 * dayMs,
    )
    const rows: object[] =
      model === 'events'
        ? events.map(({ receivedAt: _, properties, ...row }) => ({
            ...row,
            properties: JSON.stringify(properties),
          }))
        : this.project.persons
            .filter(({ created_at }) => isWithin(created_at))
            .map(({ properties, ...row }) => ({
              ...row,
              properties: JSON.stringify(properties),
              is_deleted: false,
            }))
    const id = randomUUID()
    const half = Math.ceil(rows.length / 2)
    const files = [rows.slice(0, half), rows.slice(half)].filter((part) => part.length > 0)
    this.exports.set(id, {
      model,
      polls: 0,
      files: files.map((part) => gzipSync(part.map((row) => JSON.stringify(row)).join('\n'))),
    })
    return { status: 202, body: { id } }
  }

  private serveFile(request: IncomingMessage, response: ServerResponse): void {
    this.storageHeaders.push(request.headers)
    const [, id = '', file = ''] = (request.url ?? '').split('/')
    response.end(this.exports.get(id)?.files[Number(file)])
  }

  private query({ query: { kind, query: text, values } }: { query: FakeQuery }): FakeAnswer {
    if (kind !== 'HogQLQuery') return refused(400, 'invalid_input', 'Only HogQLQuery is faked.')
    const rows = this.rowsOf(text.replaceAll(/\s+/g, ' '), values)
    if (rows.length > this.mostRows && text.includes('order by timestamp'))
      return { status: 200, body: `{"results":"${'x'.repeat(mostAnswerBytes)}"}` }
    const columns = Object.keys(rows[0] ?? {})
    return {
      status: 200,
      body: { columns, results: rows.map((row) => columns.map((name) => row[name])), hasMore: false },
    }
  }

  private rowsOf(text: string, values: Record<string, string>): Record<string, unknown>[] {
    const limit = Number(/limit (\d+)/.exec(text)?.[1] ?? 100)
    const { events, persons } = this.project
    const before = events.filter(({ timestamp }) => micros(timestamp) < micros(values['until'] ?? '9999'))
    if (text.startsWith('select count() as persons')) return [{ persons: persons.length }]
    if (text.includes('from person_distinct_ids'))
      return persons
        .filter(({ distinct_id }) => distinct_id > (values['after'] ?? ''))
        .toSorted((one, other) => (one.distinct_id < other.distinct_id ? -1 : 1))
        .slice(0, limit)
        .map(({ properties, ...row }) => ({ ...row, properties: JSON.stringify(properties) }))
    if (text.includes('group by day'))
      return counted(
        before
          .filter(
            ({ timestamp }) => values['from'] === undefined || micros(timestamp) >= micros(values['from']),
          )
          .map(({ timestamp }) => timestamp.slice(0, 10)),
      ).map(([day, count]) => ({ day, events: count }))
    if (text.includes('group by event'))
      return counted(before.map(({ event }) => event)).map(([event, count]) => {
        const times = before.filter((one) => one.event === event).map(({ timestamp }) => timestamp)
        return { event, events: count, first: times.toSorted()[0], last: times.toSorted().at(-1) }
      })
    const at = micros(values['at'] ?? '')
    return before
      .filter(
        ({ timestamp, uuid }) =>
          micros(timestamp) > at || (micros(timestamp) === at && uuid > (values['uuid'] ?? '')),
      )
      .toSorted(
        (one, other) => micros(one.timestamp) - micros(other.timestamp) || (one.uuid < other.uuid ? -1 : 1),
      )
      .slice(0, limit)
      .map(({ uuid, event, distinct_id, timestamp, properties }) => ({
        uuid,
        event,
        distinct_id,
        at: timestamp.replace('T', ' ').replace('Z', ''),
        properties: JSON.stringify(properties),
        elements_chain: '',
      }))
  }
}

interface FakeQuery {
  kind: string
  query: string
  values: Record<string, string>
}

interface FakeExport {
  model: string
  file: { format: string; compression: string }
  data_interval_start: string
  data_interval_end: string
}

type ListName = 'cohorts' | 'feature_flags' | 'insights' | 'surveys' | 'experiments'
const isListed = (name: string | undefined): name is ListName => name !== undefined

const refused = (status: number, code: string, detail: string): FakeAnswer => ({
  status,
  body: { type: 'error', code, detail, attr: null },
})

function pageOf(all: readonly object[], { searchParams }: URL): FakeAnswer {
  const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name) ?? 0)) as [
    number,
    number,
  ]
  const results = all.slice(offset, offset + limit)
  const next = offset + results.length < all.length ? `https://posthog.test/?offset=${offset + limit}` : null
  return { status: 200, body: { count: all.length, next, previous: null, results } }
}

function counted(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** Times as PostHog's `toDateTime` reads them, with microseconds; without a zone they are UTC. */
function micros(text: string): number {
  const [, day = '', time = '00:00:00', fraction = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?)?/.exec(text) ?? []
  return Date.parse(`${day}T${time}Z`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  // no encoding is set, so that parts are buffers
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}
