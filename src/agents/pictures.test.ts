import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { anExchangeServer } from '#test/product/exchange-server'
import { openTestProduct, requireDone } from '#test/product/fixture'
import { anEngine } from '#test/product/test-engine'
import { operator, scopes } from '#projects/access'
import { openLog } from '#server/log'
import { drawPicture } from '#studio/pictures/draw-picture'
import type { PictureInput } from '#studio/pictures/picture'
import { answerMcp } from './answer-mcp'
import type { PictureThread } from './picture-thread'

type PictureMaker = Pick<PictureThread, 'view' | 'draw'>

const engine = anEngine()
const attack = '</script><img src=x onerror=alert(1)>'

/** Draws as the thread does, which gets a copy. */
const drawing: PictureMaker = {
  view: () => Promise.resolve('<!doctype html>'),
  draw: (input) => drawPicture(structuredClone(input)),
}

/** A project behind `/mcp` with a visitor whose page is an attack. */
async function aServer(pictures?: PictureMaker) {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  const at = new Date(world.now().getTime() - 3_600_000).toISOString()
  const told = await engine.addProject([
    { person: 'ana', session: 'ana', event: '$pageview', at, columns: { path: `/${attack}` } },
  ])
  let acme = await aProject()
  while (acme.id < told) acme = await aProject()
  const { text: key } = requireDone(
    await product.projects.keys.create(acme.id, { name: 'Assistant', scopes }, operator()),
  )
  const log = openLog({ level: 'silent', format: 'json' })
  const address = await anExchangeServer((exchange, body, addresses) =>
    answerMcp(exchange, body, { product, log, addresses, ...(pictures && { pictures }) }),
  )
  return { product, acme, address: new URL('/mcp', address), headers: { authorization: `Bearer ${key}` } }
}

type TestServer = Awaited<ReturnType<typeof aServer>>

const self = { name: 'test', version: '1' }
const capabilities = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
}

const clients = {
  '2026-07-28': async ({ address, headers }: TestServer) => {
    const one = new Client(self, { capabilities, versionNegotiation: { mode: 'auto' } })
    await one.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
    onTestFinished(() => one.close())
    return one
  },
  2025: async ({ address, headers }: TestServer) => {
    const one = new EarlierClient(self, { capabilities })
    await one.connect(new EarlierTransport(address, { requestInit: { headers } }))
    onTestFinished(() => one.close())
    return one
  },
}
const revisions = Object.keys(clients) as (keyof typeof clients)[]

const ask = { name: 'web_overview', arguments: { period: '7d' } }
const uri = 'ui://tilth/picture'

test.each(revisions)(
  'a client of %s that shows apps gets a picture that its model does not read',
  async (revision) => {
    const client = await clients[revision](await aServer(drawing))
    const { tools } = await client.listTools()
    const drawn = tools.filter((tool) => JSON.stringify(tool['_meta'])?.includes(uri)).map(({ name }) => name)
    expect(drawn).toEqual(['web_overview', 'run_query', 'run_insight', 'run_sql', 'experiment_results'])
    const { contents } = await client.readResource({ uri })
    expect(contents).toMatchObject([{ mimeType: 'text/html;profile=mcp-app', text: '<!doctype html>' }])

    const { content, structuredContent, ...result } = await client.callTool(ask)
    const picture = String(result['_meta']?.['tilth/picture'])
    expect(picture).toContain('Time zone UTC')
    expect(picture).toContain('&lt;/script&gt;&lt;img')
    expect(picture).not.toContain('<img')
    expect(JSON.stringify({ content, structuredContent })).not.toMatch(/svg|<section/)
  },
)

/** Messages of clients of both generations, as they are sent. */
const messages: [headers: Record<string, string>, message: object][] = [
  [
    {},
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: self },
    },
  ],
  [{ 'mcp-protocol-version': '2025-11-25' }, { id: 2, method: 'tools/list' }],
  [{ 'mcp-protocol-version': '2025-11-25' }, { id: 3, method: 'resources/list' }],
  [{ 'mcp-protocol-version': '2025-11-25' }, { id: 4, method: 'tools/call', params: ask }],
  [
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': ask.name },
    {
      id: 5,
      method: 'tools/call',
      params: {
        ...ask,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': self,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  ],
]

test('a client that shows no apps gets the same bytes as without them, and nothing is drawn for it', async () => {
  const asked: PictureInput[] = []
  const counting: PictureMaker = {
    ...drawing,
    draw: (input) => {
      asked.push(input)
      return drawing.draw(input)
    },
  }
  const sent = async (server: TestServer) => {
    const answers: unknown[] = []
    for (const [headers, message] of messages) {
      const response = await fetch(server.address, {
        method: 'POST',
        headers: {
          ...server.headers,
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      })
      const text = await response.text()
      expect(text).not.toContain('"_meta":{"ui"')
      answers.push([response.status, response.headers.get('mcp-session-id'), unlike(text, server)])
    }
    return answers
  }
  const answers = await sent(await aServer(counting))
  expect(answers).toEqual(await sent(await aServer()))
  expect(JSON.stringify(answers)).toContain('1 visitor')
  expect(asked).toEqual([])
})

/** Without what differs between two servers: their ports, projects, rows and seconds. */
const unlike = (text: string, { acme, address }: TestServer): string =>
  text
    .replaceAll(address.host, 'HOST')
    .replaceAll(acme.slug, 'SLUG')
    .replaceAll(/\d[\d,]* of 500,000,000 rows|"(?:rows|seconds)":\d+/g, 'LEFT')

test('an answer without a picture is text as ever', async () => {
  const client = await clients['2026-07-28'](
    await aServer({ ...drawing, draw: () => Promise.resolve(undefined) }),
  )
  const result = await client.callTool(ask)
  expect(result['_meta']?.['tilth/picture']).toBeUndefined()
  expect(result.isError).not.toBe(true)
  expect(JSON.stringify(result.content)).toContain('1 visitor')
})
