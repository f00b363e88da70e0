import type { IncomingHttpHeaders } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { UnavailableReason } from '#http/error-page'
import type { RenderRequest, RenderResponse } from '#http/forward'
import { defaultSite, type Site } from '#posts/site'
import { readConfig } from '#server/config'
import { openFront } from '#server/internal/front'
import { openLog } from '#server/log'
import {
  calledHeader,
  callHeader,
  callPath,
  formHeader,
  type FormResult,
  type KitCall,
  type KitCallAnswer,
  readCall,
  readFormResult,
  writeMessage,
} from '#site-kit/call-messages'
import { aSetWorld, chrome, noon } from '#test/product/ingest-fixture'
import type { StartedVisit } from '#visits/visits'
import { PageCache } from './internal/page-cache'
import { SiteCalls } from './site-calls'
import { openSiteHandler } from './site-request'

const manifest = {
  id: 'a-manifest',
  pages: [
    { address: '/news', file: 'pages/news.tsx' },
    { address: '/[page]', file: 'pages/[page].tsx' },
  ],
  routes: [
    { address: '/hooks', file: 'pages/hooks/route.ts' },
    { address: '/[...rest]', file: 'pages/[...rest]/route.ts' },
  ],
  layouts: {},
  mdx: [],
  scripts: {},
  styles: [],
  icons: [],
}

const envelope = {
  projectId: 1,
  dialect: 'site' as const,
  receivedAt: new Date(noon),
  sentAt: undefined,
  address: '',
  userAgent: chrome,
  language: undefined,
  optedOut: false,
  fromServer: false,
  isHistorical: false,
}
const visit = {
  projectId: 1,
  visitor: 'v',
  isCookieless: true,
  decisions: {},
  payloads: {},
  withheld: [],
  isTried: false,
}

const aResponse = (text: string, headers: IncomingHttpHeaders = {}): RenderResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html', ...headers },
  trailers: {},
  body: Buffer.from(text),
})

/** The real front with a site folder whose modules answer as a test wants. */
async function aFolderSite(
  answer: (KitCallAnswer & { text?: string }) | UnavailableReason,
  { projectId = 1 }: { projectId?: number } = {},
) {
  const world = aSetWorld(noon)
  const calls: { call: KitCall; body: string }[] = []
  const drawn: { path: string; form: FormResult | undefined }[] = []
  const render = async ({
    path,
    headers,
    body,
  }: RenderRequest): Promise<RenderResponse | UnavailableReason> => {
    if (path === callPath) {
      calls.push({ call: readCall(String(headers[callHeader])), body: String(body) })
      if (typeof answer === 'string') return answer
      const { text = '', ...head } = answer
      return aResponse(text, { [calledHeader]: writeMessage(head) })
    }
    const form = headers[formHeader]
    drawn.push({ path, form: form === undefined ? undefined : readFormResult(String(form)) })
    return aResponse(`<html><body>${path}</body></html>`)
  }
  const cache = new PageCache({
    pages: { render },
    maxBytes: 1e6,
    now: () => world.now(),
    nextChangeAt: () => undefined,
    fingerprint: () => undefined,
    onTrouble: (problem) => expect(problem).toBeUndefined(),
  })
  const site: Site = {
    ...defaultSite,
    projectId: 1,
    origin: 'https://garden.example',
    timeZone: 'UTC',
    writeKey: 'phc_1',
  }
  const siteAt = () => site
  const visits = { begin: (): StartedVisit => ({ visit, envelope, isNew: false }) }
  const folder = new SiteCalls({
    kit: { state: () => ({ output: '', manifest, problems: [], isDev: false }) },
    projectId: () => projectId,
    siteAt,
    visits,
    pages: { render },
    cache,
    world,
  })
  const handler = openSiteHandler({
    visits: visits as never,
    cache,
    pages: { serve: (_, response) => void response.writeHead(418).end() },
    calls: folder,
    exposures: undefined as never,
    recorder: { note: () => {} },
    siteAt,
    isClaimed: () => false,
    world,
  })
  const reading = readConfig({ PORT: '0', TILTH_HOST: '127.0.0.1', TILTH_DATA: '/nowhere' })
  if (!reading.readable) throw new Error(reading.problems.join())
  const front = await openFront({ config: reading.config, log: openLog({ level: 'silent', format: 'json' }) })
  front.use({ site: handler })
  onTestFinished(() => front.drain())
  const origin = `http://127.0.0.1:${front.port}`
  const ask = async (path: string, request: RequestInit = {}) => {
    const got = await fetch(origin + path, { redirect: 'manual', ...request })
    return {
      status: got.status,
      location: got.headers.get('location'),
      headers: got.headers,
      text: await got.text(),
    }
  }
  const post = (path: string, request: RequestInit = {}) =>
    ask(path, { method: 'POST', body: new URLSearchParams({ email: 'a' }), ...request })
  return { ask, post, calls, drawn, origin }
}

const anAnswer: KitCallAnswer & { text: string } = {
  kind: 'response',
  status: 200,
  headers: [],
  text: 'answered',
}

test('a route gets the request as it came, whatever site it comes from', async () => {
  const { ask, calls, origin } = await aFolderSite(anAnswer)
  const headers = {
    origin: 'https://elsewhere.example',
    'sec-fetch-site': 'cross-site',
    'x-tilth-visit': 'forged',
  }
  expect(await ask('/hooks?a=b', { method: 'PUT', body: 'sent', headers })).toMatchObject({
    status: 200,
    text: 'answered',
  })
  expect(calls).toMatchObject([
    {
      call: {
        kind: 'route',
        file: 'pages/hooks/route.ts',
        request: { method: 'PUT', url: `${origin}/hooks?a=b` },
      },
      body: 'sent',
    },
  ])
  expect(calls[0]?.call.request.headers.map(([name]) => name)).not.toContain('x-tilth-visit')
})

test.each([
  ['/blog/hello', 'blog'],
  ['/sitemap.xml', 'a file of Tilth'],
  ['/studio', 'the studio'],
  ['/api/v1/projects', 'the API'],
  ['/_tilth/call', 'Tilth itself'],
  ['/a/b/..%2fc', 'another path'],
])('a route for the rest of all addresses does not get %s, which is %s', async (path) => {
  const { ask, calls } = await aFolderSite(anAnswer)
  await ask(path)
  expect(calls).toEqual([])
})

test('a page with a parameter precedes a route for the rest, and is no route', async () => {
  const { ask, calls } = await aFolderSite(anAnswer)
  await ask('/pricing')
  expect(calls).toEqual([])
  await ask('/a/b')
  expect(calls).toMatchObject([{ call: { file: 'pages/[...rest]/route.ts', params: { rest: ['a', 'b'] } } }])
})

test('sites of other projects have no routes of the folder', async () => {
  const { ask, calls } = await aFolderSite(anAnswer, { projectId: 2 })
  await ask('/hooks')
  expect(calls).toEqual([])
})

test.each([
  ['nothing', { kind: 'done' }, { status: 303, location: '/news?a=b' }],
  [
    'a redirect',
    { kind: 'exit', exit: { status: 308, location: '/thanks' } },
    { status: 303, location: '/thanks' },
  ],
  ['no form', { kind: 'no-form' }, { status: 400 }],
  ['a lost call', 'lost', { status: 503 }],
  ['too many calls', 'busy', { status: 503 }],
] as const)('a form whose action answers with %s is answered', async (_, answer, expected) => {
  const { post, drawn } = await aFolderSite(answer)
  expect(await post('/news?a=b')).toMatchObject(expected)
  expect(drawn).toEqual([])
})

const state = { action: 'a', form: '_R_1_', value: { problem: 'no' } }
const problem = { file: 'pages/news.tsx', line: 3, message: 'no' }
test.each([
  ['a state', { kind: 'state', state }, 200, { path: '/news', form: { state } }],
  [
    'a missing page',
    { kind: 'exit', exit: { status: 404 } },
    200,
    { path: '/news', form: { isMissing: true } },
  ],
  ['a mistake', { kind: 'failed' }, 500, { path: '/_tilth/failed', form: undefined }],
  ['a mistake that a team sees', { kind: 'failed', problem }, 500, { path: '/news', form: { problem } }],
] as const)(
  'a form whose action ends with %s shows a page for this visitor alone',
  async (_, answer, status, page) => {
    const { post, drawn } = await aFolderSite(answer)
    const shown = await post('/news')
    expect(shown.status).toBe(status)
    expect(shown.headers.get('cache-control')).toBe('private, no-store')
    expect(drawn).toEqual([page])
  },
)

test('a mistake of a route is told to a team with file and line, and to no visitor', async () => {
  const told = await aFolderSite({ kind: 'failed', problem: { ...problem, file: 'pages/hooks/route.ts' } })
  expect(await told.ask('/hooks')).toMatchObject({ status: 500, text: 'pages/hooks/route.ts:3: no\n' })
  const untold = await aFolderSite({ kind: 'failed' })
  const { status, text } = await untold.ask('/hooks')
  expect([status, text.includes('pages/hooks')]).toEqual([500, false])
})

test.each([
  [{ origin: 'https://elsewhere.example' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'content-type': 'application/json' }, 400],
  [{ 'content-type': 'multipart/form-data; boundary=x' }, 400],
])('a form with %j is refused, and no action is called', async (headers, status) => {
  const { post, calls } = await aFolderSite({ kind: 'done' })
  expect((await post('/news', { headers })).status).toBe(status)
  expect(calls).toEqual([])
})

test.each([
  ['/hooks', 4 * 1024 ** 2],
  ['/news', 1024 ** 2],
])('%s refuses a body of more than %i bytes', async (path, most) => {
  const { post, calls } = await aFolderSite({ kind: 'done' })
  const answer = await post(path, { body: Buffer.alloc(most + 1) }).catch(() => ({ status: 413 }))
  expect(answer.status).toBe(413)
  expect(calls).toEqual([])
})
