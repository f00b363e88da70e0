import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { request as ask } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  anIngestContext,
  aSetWorld,
  chrome,
  type IngestChoices,
  expectKept,
  noon,
} from '#test/product/ingest-fixture'
import { startTestPages } from '#test/product/test-pages'
import { aFlag, aVariant } from '#test/random/random-flags'
import { FlagDecider } from '#flags/flag-decider'
import { fixedDefinitions } from '#test/product/fixed-definitions'
import type { Flag } from '#flags/flag'
import { type Site, defaultSite } from '#posts/site'
import { Exposures } from '#visits/exposures'
import { readVisit, type Visit, visitHeader } from '#visits/visit'
import { Visits } from '#visits/visits'
import type { EventDelivery } from '#wire/dialect'
import { readConfig } from '#server/config'
import { openFront } from '#server/internal/front'
import { openLog } from '#server/log'
import { PageCache } from './internal/page-cache'
import { renderFromPages, forwardToPages } from '#http/forward'
import { serveUncached } from './uncached-pages'
import { SetupRedirect } from './internal/setup-redirect'
import { openSiteHandler } from './site-request'
import { visits as inPages, withVisit } from './rendered-visits'

const headline = aFlag({ key: 'headline', variants: [aVariant('b', 100)], payloads: { b: '{"x":"<"}' } })
const tried = 'tilth_trying=link'

interface Setup {
  /** Answers in place of the pages, which find the visit in the same way. */
  page?: RequestListener
  site?: Partial<Site>
  flags?: readonly Flag[]
  settings?: IngestChoices
  /** Whether this Tilth has no owner yet. */
  needsSetup?: () => Promise<boolean>
}

const html = (body: string): string =>
  `<html data-weight="static"><head><title>Tom &amp; Ann</title></head><body>${body}</body></html>`

const aPage: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  // as pages find it: the studio's have none
  response.end(html(`headline ${String(inPages.getStore()?.variant('headline'))}`))
}

/** The real front with the real door of sites, and pages that say what a test wants. */
async function aSite({
  page = aPage,
  site = {},
  flags = [headline],
  settings,
  needsSetup = async () => false,
}: Setup = {}) {
  const world = aSetWorld(noon)
  const context = await anIngestContext(world, settings)
  const fail = (problem: unknown) => {
    throw problem
  }
  const definitions = await fixedDefinitions(flags)
  onTestFinished(() => definitions.close())
  const nobody = async () => fail(new Error('Nobody may be looked up.'))
  const lookups = { person: nobody, group: nobody, members: nobody, keptIds: nobody, keepIds: nobody }
  const reached: { url: string | undefined; headers: IncomingHttpHeaders; visit: Visit | undefined }[] = []
  const { way } = await startTestPages((request, response) => {
    const visit = request.headers[visitHeader]
    reached.push({
      url: request.url,
      headers: request.headers,
      visit: typeof visit === 'string' ? readVisit(visit) : undefined,
    })
    withVisit(page)(request, response)
  })
  const pages = {
    serve: (...[request, response, passing]: Parameters<typeof forwardToPages>) =>
      forwardToPages(request, response, { ...way, ...passing }),
    render: (asked: Parameters<typeof renderFromPages>[0]) => renderFromPages(asked, way),
  }
  const noted: EventDelivery[] = []
  const theSite: Site = {
    ...defaultSite,
    projectId: 1,
    origin: 'https://garden.example',
    timeZone: 'UTC',
    writeKey: 'phc_1',
    ...site,
  }
  const handler = openSiteHandler({
    visits: new Visits({
      definitions,
      decider: new FlagDecider({ definitions, lookups, world, fail }),
      ingestContext: context,
      trialsOf: () => [],
      applyPreview: (decide, _projectId, { cookie }) =>
        cookie === tried ? decide().map((one) => ({ ...one, value: 'tried' })) : undefined,
    }),
    cache: new PageCache({
      pages,
      maxBytes: 1e6,
      now: () => world.now(),
      nextChangeAt: () => undefined,
      fingerprint: () => undefined,
      onTrouble: fail,
    }),
    pages,
    exposures: new Exposures(world),
    recorder: { note: (delivered) => noted.push(delivered) },
    siteAt: (host) => (host.startsWith('nobody') ? undefined : theSite),
    isClaimed: (host) => host === 'claimed.example',
    setup: new SetupRedirect(needsSetup),
    world,
  })
  const reading = readConfig({ PORT: '0', TILTH_HOST: '127.0.0.1', TILTH_DATA: '/nowhere' })
  if (!reading.readable) throw new Error(reading.problems.join())
  const front = await openFront({
    config: reading.config,
    log: openLog({ level: 'silent', format: 'json' }),
  })
  front.use({
    site: handler,
    pages: {
      serve: (request, response) => serveUncached(request, response, pages),
      health: () => ({ status: 'ready', since: new Date(), restarts: 0 }),
    },
  })
  onTestFinished(() => front.drain())
  const read = (path: string, headers: Record<string, string> = {}, method = 'GET', body = '') =>
    answerTo({
      port: front.port,
      path,
      method,
      body,
      headers: { accept: 'text/html', 'user-agent': chrome, ...headers },
    })
  const seen = () =>
    noted.flatMap(({ events, envelope }) => events.map((event) => expectKept(event, envelope, context)))
  return { read, reached, noted, seen, context }
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Requests without `fetch`, which adds headers to what a test sends and unpacks what it receives. */
function answerTo(asked: {
  port: number
  path: string
  method: string
  headers: Record<string, string>
  body: string
}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { body, ...request } = asked
    ask({ host: '127.0.0.1', ...request }, (answer) => {
      void buffer(answer).then((bytes) =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: String(answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes),
        }),
      )
    })
      .once('error', reject)
      .end(body)
  })
}

const names = (events: readonly { name: string }[]) => events.map(({ name }) => name)

describe('a page of the site', () => {
  test('is rendered for the visit that was begun, and says what it shows', async () => {
    const { read, reached } = await aSite()
    const answer = await read('/blog/hello')
    expect(answer.text).toContain('headline b')
    expect(reached[0]?.visit).toMatchObject({
      projectId: 1,
      decisions: { headline: 'b' },
      isCookieless: true,
    })
    expect(answer.headers).toMatchObject({ 'x-tilth-cache': 'miss', 'cache-control': 'private, no-cache' })
  })

  test('is asked for by no one’s cookies and for no one’s browser: others are given it, too', async () => {
    const { read, reached } = await aSite()
    await read('/?page=2&utm_source=news', { cookie: 'a=b', 'accept-language': 'de' })
    expect(reached[0]?.url).toBe('/?page=2')
    const { cookie, 'accept-language': language, 'user-agent': agent } = reached[0]?.headers ?? {}
    expect([cookie, language, agent]).toEqual([undefined, undefined, 'Tilth'])
  })

  test.each([
    // one page, and one of its own
    ['/', '/?utm_source=a&fbclid=b', '/?page=2'],
    ['/blog/search?q=tea', '/blog/search?q=tea&x=1', '/blog/search?q=coffee'],
    ['/?page=2', '/?x=1&page=2', '/'],
  ])('%s is also %s, and not %s', async (first, same, other) => {
    const { read } = await aSite()
    const how = async (path: string) => (await read(path)).headers['x-tilth-cache']
    expect([await how(first), await how(same), await how(other)]).toEqual(['miss', 'hit', 'miss'])
  })

  test.each<[string, Record<string, string>]>([
    ['whole', {}],
    ['packed', { 'accept-encoding': 'gzip' }],
    ['of a robot', { 'user-agent': 'Googlebot/2.1' }],
    ['fetched ahead', { 'sec-purpose': 'prefetch' }],
  ])('is the same from the fast lane and by node:http, and recorded as often: %s', async (_how, headers) => {
    const { read, noted } = await aSite()
    await read('/blog/hello', headers)
    const before = noted.length
    // the lane leaves a blank after a value to node:http
    const answers = [
      await read('/blog/hello', headers),
      await read('/blog/hello', { ...headers, 'x-odd': 'a ' }),
    ]
    const [plain, other] = answers.map(({ headers: sent, ...answer }) => {
      const { date, 'x-request-id': id, 'server-timing': view, ...same } = sent
      return { ...answer, same, isDated: date !== undefined, id: id?.length, view: view?.length }
    })
    expect(plain?.same).toMatchObject({ 'x-tilth-cache': 'hit' })
    expect(plain).toEqual(other)
    expect(new Set(noted.slice(before).map(({ events }) => events.length)).size).toBeLessThanOrEqual(1)
    expect((noted.length - before) % 2).toBe(0)
  })

  test('is not rendered for HEAD alone, and says the same by it', async () => {
    const { read, reached } = await aSite()
    const [head, get] = [await read('/', {}, 'HEAD'), await read('/')]
    expect([head.status, head.text, reached.length]).toEqual([200, '', 1])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
    expect(head.headers.etag).toBe(get.headers.etag)
  })

  test.each<[string, (tag: string) => string, number]>([
    ['the tag it was given', (tag) => tag, 304],
    ['several, ours among them', (tag) => `"other", ${tag}`, 304],
    ['any', () => '*', 304],
    ['another tag', () => '"other"', 200],
  ])('is not sent again to a browser that has %s', async (_what, known, status) => {
    const { read } = await aSite()
    const { headers } = await read('/')
    const again = await read('/', { 'if-none-match': known(headers.etag ?? '') })
    expect([again.status, again.text === '']).toEqual([status, status === 304])
  })

  test('carries no script of the framework’s, and a policy that names what is inline', async () => {
    const { read } = await aSite({
      page: (_request, response) =>
        void response
          .setHeader('content-type', 'text/html')
          .end(html('<script src="/_next/a.js"></script><style>a{}</style>')),
    })
    const { text, headers } = await read('/')
    expect(text).toBe(html('<style>a{}</style>'))
    // echo -n 'a{}' | openssl dgst -sha256 -binary | base64
    expect(headers['content-security-policy']).toContain("style-src 'self' 'sha256-")
    expect(headers['content-security-policy']).toContain("script-src 'self';")
  })

  test('lets into a frame what it names, of the sites that may be named', async () => {
    const { read } = await aSite({
      page: (_request, response) =>
        void response
          .setHeader('content-type', 'text/html')
          .end(
            html(
              '<a data-embed="https://player.vimeo.com/video/1?a=1&amp;b"></a><a data-embed="https://evil.example/"></a>' +
                '<a data-embed="https://example.social/@ana/109501230000000001/embed"></a>',
            ),
          ),
    })
    expect((await read('/')).headers['content-security-policy']).toContain(
      "frame-src 'self' https://player.vimeo.com https://example.social;",
    )
  })

  test('that nothing can be shown of is told honestly', async () => {
    const { read } = await aSite({ page: (_request, response) => response.destroy() })
    const { status, text } = await read('/')
    expect([status, text.includes('This page could not be loaded')]).toEqual([503, true])
  })
})

describe('who may say what', () => {
  test.each([visitHeader, 'X-Tilth-Visit', 'x-tilth-uses', 'x-tilth-address'])(
    'a forged %s does not reach the pages, however it is sent',
    async (name) => {
      const { read, reached } = await aSite()
      const forged = Buffer.from('{"visitor":"eve","decisions":{"headline":"forged"}}').toString('base64url')
      await read('/', { [name]: forged })
      await read('/', { [name]: forged, rsc: '1' })
      const form = '--x\r\ncontent-disposition: form-data; name="$ACTION_REF_1"\r\n\r\n1\r\n--x--\r\n'
      const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
      await read('/studio/sign-in', { [name]: forged, ...multipart }, 'POST', form)
      await read('/studio', { [name]: forged })
      expect(reached).toHaveLength(4)
      expect(JSON.stringify(reached)).not.toContain(forged)
      expect(reached.map(({ visit }) => visit?.decisions['headline'])).toEqual([
        'b',
        'b',
        undefined,
        undefined,
      ])
    },
  )

  test('no page is taken from the address where variants of /blog are kept', async () => {
    const { read, reached } = await aSite()
    const { status, headers } = await read('/blog/seen/made-up')
    expect([status, headers.location, reached.length]).toEqual([308, '/blog', 0])
  })
})

describe('under a name of its own', () => {
  test.each<[string, string, number]>([
    ['claimed.example', '/', 200],
    ['garden.example', '/blog', 200],
    ['claimed.example', '/studio', 421],
    ['garden.example', '/share/abc', 421],
    ['other.example', '/', 421],
    ['nobody.example', '/', 421],
  ])('%s%s is answered %i', async (host, path, status) => {
    const { read } = await aSite()
    expect((await read(path, { host })).status).toBe(status)
  })
})

describe('the page view', () => {
  test('is recorded without any script, and the script is told which one it is', async () => {
    const { read, seen } = await aSite()
    const { headers } = await read('/blog?page=2&utm_source=news', {
      host: 'garden.example',
      referer: 'https://search.example/',
      'sec-fetch-dest': 'document',
    })
    const [view, exposure] = seen()
    expect(view).toMatchObject({
      name: '$pageview',
      isCookieless: true,
      columns: {
        path: '/blog',
        host: 'garden.example',
        title: 'Tom & Ann',
        referrer_host: 'search.example',
        utm_source: 'news',
        lib: 'tilth-site',
        browser: 'Chrome',
        traffic: 'human',
      },
    })
    expect(headers['server-timing']).toBe(`view;desc="${view?.uuid}"`)
    expect(exposure).toMatchObject({
      name: '$feature_flag_called',
      distinctId: view?.distinctId,
      properties: { $feature_flag: 'headline', $feature_flag_response: 'b' },
    })
  })

  test('is recorded each time, the exposure once', async () => {
    const { read, seen } = await aSite()
    const { headers } = await read('/')
    await read('/', { 'if-none-match': headers.etag ?? '' })
    await read('/about')
    expect(names(seen())).toEqual(['$pageview', '$feature_flag_called', '$pageview', '$pageview'])
  })

  test('is told from a page that was not found', async () => {
    const { read, seen } = await aSite({
      page: (_request, response) =>
        void response.writeHead(404, { 'content-type': 'text/html' }).end(html('nothing')),
    })
    await read('/nothing')
    expect(names(seen())).toEqual(['$not_found'])
    // our script leaves such a page to the browser, which asks again
    await read('/nothing', { 'sec-fetch-dest': 'empty' })
    expect(names(seen())).toEqual(['$not_found'])
  })

  test('of a page fetched ahead is left to the script, which is told what the page shows', async () => {
    const { read } = await aSite()
    const ahead = await read('/', { 'x-tilth-prefetch': '1' })
    expect(ahead.headers['x-tilth-shows']).toBe('headline=b')
    expect((await read('/')).headers).not.toHaveProperty('x-tilth-shows')
  })

  test('of a page that was fetched ahead is recorded by a request for its head, once it is shown', async () => {
    const { read, seen } = await aSite()
    await read('/', { 'x-tilth-prefetch': '1' })
    const answer = await read(
      '/?utm_source=a',
      { 'sec-fetch-dest': 'empty', 'x-tilth-shown': 'https://garden.example/b' },
      'HEAD',
    )
    expect(answer.headers['server-timing']).toContain('view')
    expect(names(seen())).toEqual(['$pageview', '$feature_flag_called'])
    expect(seen()[0]?.columns.referrer).toBe('https://garden.example/b')
  })

  test.each<[string, Record<string, string>]>([
    ['fetched ahead', { 'sec-purpose': 'prefetch' }],
    ['rendered ahead', { 'sec-purpose': 'prefetch;prerender' }],
    ['fetched ahead in older words', { purpose: 'prefetch' }],
    ['fetched ahead in words older still', { 'x-moz': 'prefetch' }],
    ['fetched ahead by our script', { 'x-tilth-prefetch': '1' }],
    ['shown in a frame', { 'sec-fetch-dest': 'iframe' }],
    ['read by a program', { accept: '*/*' }],
    ['tried out', { cookie: tried }],
  ])('is not recorded where the page is only %s', async (_why, headers) => {
    const { read, noted } = await aSite()
    const answer = await read('/', headers)
    expect([answer.status, noted.length, answer.headers['server-timing']]).toEqual([200, 0, undefined])
  })

  test.each<[string, string, string]>([
    ['HEAD', '/', 'HEAD'],
    ['a preview', '/?preview=token', 'GET'],
    ['the thanks for a form', '/?sent=newsletter', 'GET'],
  ])('is not recorded for %s', async (_what, path, method) => {
    const { read, noted } = await aSite()
    await read(path, {}, method)
    expect(noted).toEqual([])
  })

  test('of a robot is one of a robot’s', async () => {
    const { read, seen } = await aSite()
    await read('/', {
      'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    })
    expect(seen()[0]?.columns.traffic).toBe('bot')
  })
})

describe('a visitor', () => {
  const cookieSites: Setup = { site: { visitors: 'cookie' } }

  test('is given a cookie once, beside a page that stays the same for all', async () => {
    const { read, seen } = await aSite(cookieSites)
    const first = await read('/')
    const [cookie = ''] = first.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^tilth_visitor=[\da-f-]{36}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/)
    const again = await read('/', { cookie: cookie.split(';')[0] ?? '' })
    expect(again.headers).not.toHaveProperty('set-cookie')
    expect(again.headers['x-tilth-cache']).toBe('hit')
    const views = seen().filter(({ name }) => name === '$pageview')
    expect(new Set(views.map(({ distinctId }) => distinctId)).size).toBe(1)
    expect(cookie).toContain(views[0]?.distinctId)
  })

  test('with a forged cookie is given another one', async () => {
    const { read, seen } = await aSite(cookieSites)
    const { headers } = await read('/', { cookie: 'tilth_visitor=admin' })
    expect(headers['set-cookie']?.[0]).toMatch(/^tilth_visitor=[\da-f-]{36};/)
    expect(seen()[0]?.distinctId).not.toBe('admin')
  })

  test('who is one of the day again has the cookie taken away', async () => {
    const { read, seen } = await aSite()
    const left = 'tilth_visitor=0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f60'
    const { headers } = await read('/', { cookie: left })
    expect(headers['set-cookie']).toEqual(['tilth_visitor=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
    expect(seen()[0]?.isCookieless).toBe(true)
  })

  test.each([['sec-gpc'], ['dnt']])('who asks by %s not to be followed is given none', async (name) => {
    const { read, seen } = await aSite(cookieSites)
    expect((await read('/', { [name]: '1' })).headers).not.toHaveProperty('set-cookie')
    expect(seen()[0]?.isCookieless).toBe(true)
  })

  test('a visitor with a preview link of a flag sees its values and is not counted', async () => {
    const { read } = await aSite()
    const trying = await read('/', { cookie: tried })
    expect(trying.text).toContain('headline tried')
    expect(trying.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    expect((await read('/')).text).toContain('headline b')
  })
})

describe('what is each visitor’s own on a page', () => {
  const slot = '<script type="application/json" id="tilth-visit">filled in for each visitor</script>'
  const withSlot: Setup = {
    page: (_request, response) => void response.setHeader('content-type', 'text/html').end(html(slot)),
  }
  const filledIn = (text: string) =>
    JSON.parse(/id="tilth-visit">(.*?)<\/script>/.exec(text)?.[1] ?? '') as unknown

  test.each(['gzip', 'br, gzip', 'identity'])('is filled in for each of them (%s)', async (encoding) => {
    const { read, reached } = await aSite(withSlot)
    const headers = { 'accept-encoding': encoding }
    const pages = [await read('/', headers), await read('/', { ...headers, 'user-agent': `${chrome} other` })]
    const told = pages.map(({ text }) => filledIn(text))
    expect(told).toEqual(
      Array.from({ length: 2 }, () => ({
        distinctID: expect.stringMatching(/^cookieless_/),
        featureFlags: { headline: 'b' },
        featureFlagPayloads: { headline: { x: '<' } },
      })),
    )
    expect(JSON.stringify(told[0])).not.toBe(JSON.stringify(told[1]))
    expect(pages.map(({ headers: sentHeaders }) => sentHeaders['content-encoding'])).toEqual(
      Array(2).fill(encoding === 'identity' ? undefined : 'gzip'),
    )
    expect(reached).toHaveLength(1)
  })

  test('has a tag of its own', async () => {
    const { read } = await aSite(withSlot)
    const { headers } = await read('/')
    const known = { 'if-none-match': headers.etag ?? '' }
    expect((await read('/', known)).status).toBe(304)
    expect((await read('/', { ...known, 'user-agent': `${chrome} other` })).status).toBe(200)
  })
})

test.each([
  ['application/feed+json', 'application/feed+json'],
  ['text/html,application/feed+json', 'text/html'],
  ['text/markdown', 'text/markdown'],
  ['*/*', 'text/html'],
])('anyone who accepts %s is asked for as %s', async (accept, asked) => {
  const { read, reached } = await aSite()
  await read('/blog', { accept })
  expect(reached[0]?.headers.accept).toBe(asked)
})

test('a file is kept as well, and may say how long browsers keep it', async () => {
  const feed = '<rss></rss>'
  const { read, reached } = await aSite({
    page: (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/rss+xml', 'cache-control': 'public, max-age=300' })
        .end(feed),
  })
  const answers = [await read('/feed.xml'), await read('/feed.xml', { 'accept-encoding': 'gzip' })]
  expect(answers.map(({ text }) => text)).toEqual([feed, feed])
  expect(answers[1]?.headers).toMatchObject({
    'cache-control': 'public, max-age=300',
    'content-encoding': 'gzip',
    'content-type': 'application/rss+xml',
  })
  expect(reached).toHaveLength(1)
})

test('where no one has a site, the pages are asked without a visit', async () => {
  const { read, reached } = await aSite({
    site: { isOn: false },
    page: (_request, response) => void response.end('nobody’s'),
  })
  expect((await read('/')).text).toBe('nobody’s')
  expect(reached[0]?.visit).toBeUndefined()
})

describe('the front page of a Tilth without an owner', () => {
  test('leads to set-up, also from memory, until there is one', async () => {
    let isNeeded = true
    const { read } = await aSite({ needsSetup: async () => isNeeded })
    expect((await read('/', { accept: '*/*' })).status).toBe(200)
    const { status, headers } = await read('/')
    expect([status, headers.location]).toEqual([307, '/studio/setup'])
    isNeeded = false
    const statuses = [(await read('/')).status, (await read('/')).status]
    expect(statuses).toEqual([200, 200])
  })

  test.each<[what: string, path: string, headers: Record<string, string>, method: string]>([
    ['a probe', '/', { accept: '*/*' }, 'GET'],
    ['a client for JSON', '/', { accept: 'application/json' }, 'GET'],
    ['another page', '/blog/hello', {}, 'GET'],
    ['a page of a project’s own host', '/', { host: 'claimed.example' }, 'GET'],
  ])('%s is answered as ever', async (_what, path, headers, method) => {
    const { read } = await aSite({ needsSetup: async () => true })
    expect((await read(path, headers, method)).status).toBe(200)
  })

  test('is shown while the store does not say whether there is one', async () => {
    const { read } = await aSite({
      needsSetup: async () => {
        throw new Error('The store is away.')
      },
    })
    expect((await read('/')).status).toBe(200)
  })
})
