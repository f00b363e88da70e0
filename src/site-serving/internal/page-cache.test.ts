import { mkdtemp, rm } from 'node:fs/promises'
import type { OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { aSetWorld, noon } from '#test/product/ingest-fixture'
import { readVisit, type Visit, visitHeader, writeContent } from '#visits/visit'
import type { UnavailableReason } from '#http/error-page'
import { PageFiles } from './page-files'
import { addressKey, PageCache, type ServedPage, type PageCacheRequest } from './page-cache'
import type { RenderResponse, RenderRequest } from '#http/forward'

const visitOf = (decisions: Visit['decisions'], visitor = 'ana'): Visit => ({
  projectId: 1,
  visitor,
  isCookieless: true,
  decisions,
  payloads: {},
  withheld: [],
  isTried: false,
})

const answered = (more: Partial<RenderResponse> & { text?: string } = {}): RenderResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  trailers: {},
  body: Buffer.from(`<html data-weight="static"><body>${more.text ?? ''}</body></html>`),
  ...more,
})

/** Pages that number their answers and show the decisions they are told to. */
function aSite(
  more: (request: RenderRequest, number: number) => Partial<RenderResponse> | UnavailableReason = () => ({}),
  maxBytes = 1_000_000,
  files?: PageFiles,
) {
  /** The fingerprints of what is published. */
  const published = new Map<string, string>()
  const world = aSetWorld(noon)
  const request: RenderRequest[] = []
  const gates: PromiseWithResolvers<void>[] = []
  let scheduled: Date | undefined
  let isHeldUp = false
  const cache = new PageCache({
    maxBytes,
    now: () => world.now(),
    fingerprint: (_projectId, part) => published.get(part),
    files,
    nextChangeAt: (_projectId, now) => (scheduled && scheduled > now ? scheduled : undefined),
    onTrouble: (problem) => {
      throw problem
    },
    pages: {
      async render(asking) {
        const number = request.push(asking)
        const rendered = more(asking, number)
        if (isHeldUp) {
          const gate = Promise.withResolvers<void>()
          gates.push(gate)
          await gate.promise
        }
        return typeof rendered === 'string' ? rendered : answered({ text: `page ${number}`, ...rendered })
      },
    },
  })
  const wanted = (path: string, visit: Visit = visitOf({}), isShared = true): PageCacheRequest => ({
    address: addressKey(visit.projectId, path),
    visit,
    isShared,
    path,
    headers: {},
  })
  const find = async (...given: Parameters<typeof wanted>) => toldOf(await cache.find(wanted(...given)))
  return {
    cache,
    request,
    find,
    /** Whether the cached page is compressed as well as it will be, which is when it is written. */
    compressed: async (...given: Parameters<typeof wanted>) => {
      const found = await cache.find(wanted(...given))
      return (
        typeof found !== 'string' && found.page.body.kind === 'whole' && found.page.body.brotli !== undefined
      )
    },
    publish: (content: Record<string, string>) => {
      for (const [part, fingerprint] of Object.entries(content)) published.set(part, fingerprint)
      cache.contentChanged(1)
    },
    takeBack: (part: string) => {
      published.delete(part)
      cache.contentChanged(1)
    },
    setClock: (time: string) => world.set(time),
    schedule: (at: string) => (scheduled = new Date(at)),
    holdUp: () => (isHeldUp = true),
    letGo: () => {
      isHeldUp = false
      for (const gate of gates.splice(0)) gate.resolve()
    },
  }
}

function toldOf(found: ServedPage | UnavailableReason): [how: string, text: string] {
  if (typeof found === 'string') return ['none', found]
  const { body } = found.page
  const html = body.kind === 'whole' ? body.plain : body.before
  return [found.cacheStatus, /<body>(.*)<\/body>/.exec(String(html))?.[1] ?? String(html)]
}

const shows = (content: Record<string, string>): Partial<RenderResponse> => ({
  trailers: { 'x-tilth-content': writeContent(new Map(Object.entries(content))) },
})

const uses = (...keys: string[]): Partial<RenderResponse> => ({ trailers: { 'x-tilth-uses': keys.join() } })

test('a page is rendered once, and from then on comes from memory', async () => {
  const { find, request } = aSite()
  expect([await find('/'), await find('/')]).toEqual([
    ['miss', 'page 1'],
    ['hit', 'page 1'],
  ])
  expect(request).toHaveLength(1)
})

test('the pages are told who visits', async () => {
  const { find, request } = aSite()
  await find('/', visitOf({ headline: 'b' }))
  expect(readVisit(String(request[0]?.headers[visitHeader]))).toMatchObject({ decisions: { headline: 'b' } })
})

describe('what a page varies by', () => {
  test('is what it used: visits that agree in that share it, whatever else was decided for them', async () => {
    const { find } = aSite(() => uses('headline'))
    expect(await find('/', visitOf({ headline: 'a', other: true }))).toEqual(['miss', 'page 1'])
    expect(await find('/', visitOf({ headline: 'a', other: false }, 'ben'))).toEqual(['hit', 'page 1'])
    expect(await find('/', visitOf({ headline: 'b' }))).toEqual(['miss', 'page 2'])
    expect(await find('/', visitOf({ headline: 'a' }))).toEqual(['hit', 'page 1'])
  })

  test('may turn out to be more than was known, and no one is given what is not theirs', async () => {
    const { find } = aSite(({ headers }) => {
      const { decisions } = readVisit(String(headers[visitHeader]))
      return decisions['headline'] === 'a' ? uses('headline') : uses('headline', 'price')
    })
    await find('/', visitOf({ headline: 'a' }))
    expect(await find('/', visitOf({ headline: 'b', price: 'low' }))).toEqual(['miss', 'page 2'])
    expect(await find('/', visitOf({ headline: 'b', price: 'high' }))).toEqual(['miss', 'page 3'])
    expect(await find('/', visitOf({ headline: 'b', price: 'low' }))).toEqual(['hit', 'page 2'])
  })

  test('is each address’s own', async () => {
    const { find } = aSite(({ path }) => (path === '/blog' ? uses('headline') : {}))
    await find('/blog', visitOf({ headline: 'a' }))
    await find('/about', visitOf({ headline: 'a' }))
    expect(await find('/about', visitOf({ headline: 'b' }))).toEqual(['hit', 'page 2'])
  })
})

describe('several who ask at once', () => {
  test('wait for one page', async () => {
    const { find, request, holdUp, letGo } = aSite()
    holdUp()
    const all = ['ana', 'ben', 'eve'].map((visitor) => find('/', visitOf({}, visitor)))
    letGo()
    expect(await Promise.all(all)).toEqual(all.map(() => ['miss', 'page 1']))
    expect(request).toHaveLength(1)
  })

  test('get the page of their variant, though no one knew before that there were several', async () => {
    const { find, holdUp, letGo } = aSite(() => uses('headline'))
    holdUp()
    const all = ['a', 'b', 'a', 'b'].map((headline) => find('/', visitOf({ headline })))
    letGo()
    const pages = (await Promise.all(all)).map(([, text]) => text)
    expect(pages).toEqual(['page 1', 'page 2', 'page 1', 'page 2'])
  })

  test('get one each where a page is for one visit alone', async () => {
    const { find, holdUp, letGo } = aSite(() => ({ trailers: { 'x-tilth-keep': 'no' } }))
    holdUp()
    const all = [find('/'), find('/')]
    letGo()
    expect((await Promise.all(all)).map(([, text]) => text)).toEqual(['page 1', 'page 2'])
  })
})

describe('a page is kept', () => {
  test.each<[string, OutgoingHttpHeaders & NodeJS.Dict<string>, string, string]>([
    ['for an hour where it says nothing', {}, '2026-03-02T12:59:59.000Z', '2026-03-02T13:00:00.000Z'],
    [
      'for as long as it says',
      { 'x-tilth-keep': '60' },
      '2026-03-02T12:00:59.000Z',
      '2026-03-02T12:01:00.000Z',
    ],
  ])('%s', async (_how, trailers, still, over) => {
    const { find, setClock } = aSite(() => ({ trailers }))
    await find('/')
    setClock(still)
    expect(await find('/')).toEqual(['hit', 'page 1'])
    setClock(over)
    expect(await find('/')).toEqual(['miss', 'page 2'])
  })

  test('until the next post appears', async () => {
    const { find, setClock, schedule } = aSite()
    schedule('2026-03-02T12:10:00.000Z')
    await find('/')
    setClock('2026-03-02T12:09:59.000Z')
    expect(await find('/')).toEqual(['hit', 'page 1'])
    setClock('2026-03-02T12:10:00.000Z')
    expect(await find('/')).toEqual(['miss', 'page 2'])
  })
})

test.each<[string, Partial<RenderResponse>]>([
  ['wants to be kept by nobody', { trailers: { 'x-tilth-keep': 'no' } }],
  ['says so among its headers', { headers: { 'content-type': 'text/html', 'x-tilth-keep': 'no' } }],
  ['sets a cookie', { headers: { 'content-type': 'text/html', 'set-cookie': ['a=1'] } }],
  ['was not found', { status: 404 }],
  ['leads elsewhere', { status: 308, headers: { location: '/' } }],
])('an answer that %s is asked for each time', async (_why, more) => {
  const { find, request } = aSite(() => more)
  await find('/')
  await find('/')
  expect(request).toHaveLength(2)
})

test('a page for one visit alone is neither taken from memory nor put there', async () => {
  const { find } = aSite()
  await find('/')
  expect(await find('/', visitOf({}), false)).toEqual(['miss', 'page 2'])
  expect(await find('/')).toEqual(['hit', 'page 1'])
})

describe('when something changes', () => {
  const later = '2026-03-02T12:05:00.000Z'

  test('the pages of that project are forgotten, and those of others are not', async () => {
    const { cache, find } = aSite()
    await find('/')
    await find('/', { ...visitOf({}), projectId: 12 })
    cache.contentChanged(1)
    expect(await find('/')).toEqual(['miss', 'page 3'])
    expect(await find('/', { ...visitOf({}), projectId: 12 })).toEqual(['hit', 'page 2'])
    cache.contentChanged()
    expect(await find('/', { ...visitOf({}), projectId: 12 })).toEqual(['miss', 'page 4'])
  })

  test('a page that was being rendered is shown to the requests that wait for it, and not kept', async () => {
    const { cache, find, holdUp, letGo, setClock } = aSite()
    holdUp()
    const outdated = find('/')
    cache.contentChanged(1)
    letGo()
    expect(await outdated).toEqual(['miss', 'page 1'])
    setClock(later)
    expect(await find('/')).toEqual(['miss', 'page 2'])
  })

  test('a page rendered at once is kept for two seconds only: the pages may not have heard of it', async () => {
    const { cache, find, setClock } = aSite()
    cache.contentChanged(1)
    await find('/')
    setClock('2026-03-02T12:00:01.999Z')
    expect(await find('/')).toEqual(['hit', 'page 1'])
    setClock('2026-03-02T12:00:02.000Z')
    expect(await find('/')).toEqual(['miss', 'page 2'])
    setClock(later)
    expect(await find('/')).toEqual(['hit', 'page 2'])
  })
})

describe('an address without anything', () => {
  const nothing = (type: string, content: Record<string, string> = { posts: 'p1' }) => ({
    status: 404,
    headers: { 'content-type': type },
    ...shows(content),
  })

  test('is asked for once, until what could be there changes', async () => {
    const { find, request, publish } = aSite((_asked, number) => (number === 1 ? nothing('text/plain') : {}))
    publish({ posts: 'p1' })
    await find('/pictures/a.svg')
    await find('/pictures/a.svg')
    expect(request).toHaveLength(1)
    publish({ posts: 'p2' })
    await find('/pictures/a.svg')
    expect(request).toHaveLength(2)
  })

  test('displaces no page, however many there are', async () => {
    const { find, publish } = aSite(({ path }) => (path === '/' ? {} : nothing('text/plain')), 20_000)
    publish({ posts: 'p1' })
    await find('/')
    for (let index = 0; index < 100; index++) await find(`/pictures/${index}.svg`)
    expect(await find('/')).toEqual(['hit', 'page 1'])
  })

  test('is asked for each time where it is a page, whose address any post may take', async () => {
    const { find, request } = aSite(() => nothing('text/html'))
    await find('/nowhere')
    await find('/nowhere')
    expect(request).toHaveLength(2)
  })
})

describe('a page that names what it shows', () => {
  const hello = { site: 's1', 'post 1': 'a' }

  test('stays as it is while something else changes', async () => {
    const { find, publish } = aSite(() => shows(hello))
    publish(hello)
    await find('/')
    publish({ 'post 2': 'b' })
    expect(await find('/')).toEqual(['hit', 'page 1'])
    publish({ 'post 1': 'changed' })
    expect(await find('/')).toEqual(['miss', 'page 2'])
  })

  test('is served as it was while it takes long to render it again', async () => {
    const { find, publish, holdUp, letGo, request } = aSite((_asked, number) =>
      shows({ 'post 1': number === 1 ? 'a' : 'b' }),
    )
    publish(hello)
    await find('/')
    publish({ 'post 1': 'b' })
    holdUp()
    expect(await find('/')).toEqual(['stale', 'page 1'])
    letGo()
    await vi.waitFor(async () => expect(await find('/')).toEqual(['hit', 'page 2']))
    expect(request).toHaveLength(2)
  })

  test('is waited for longer ten seconds after the change, and is served as it was on a machine that is too busy', async () => {
    const { find, publish, holdUp, letGo, setClock } = aSite((_asked, number) =>
      shows({ 'post 1': number === 1 ? 'a' : 'b' }),
    )
    publish(hello)
    await find('/')
    publish({ 'post 1': 'b' })
    setClock('2026-03-02T12:00:11.000Z')
    holdUp()
    const found = find('/')
    letGo()
    expect(await found).toEqual(['miss', 'page 2'])
    publish({ 'post 1': 'c' })
    setClock('2026-03-02T12:00:30.000Z')
    holdUp()
    expect(await find('/')).toEqual(['stale', 'page 2'])
    letGo()
  })

  test('is never served again once something on it was taken back, though the pages are away', async () => {
    const { find, publish, takeBack } = aSite((_asked, number) =>
      number === 1 ? shows(hello) : 'restarting',
    )
    publish(hello)
    await find('/')
    takeBack('post 1')
    expect(await find('/')).toEqual(['none', 'restarting'])
  })

  test('is served as it was while the pages are away', async () => {
    const { find, publish } = aSite((_asked, number) => (number === 1 ? shows(hello) : 'restarting'))
    publish(hello)
    await find('/')
    publish({ 'post 1': 'b' })
    expect(await find('/')).toEqual(['stale', 'page 1'])
  })

  test('is rendered again for a visitor who came after something was taken back, though it was requested before', async () => {
    const { find, publish, takeBack, holdUp, letGo } = aSite((_asked, number) =>
      number === 1 ? shows(hello) : {},
    )
    publish(hello)
    holdUp()
    const before = find('/')
    takeBack('post 1')
    const after = find('/')
    letGo()
    expect(await before).toEqual(['miss', 'page 1'])
    expect(await after).toEqual(['miss', 'page 2'])
  })

  test('is dropped after a change of something live on it, and other pages are not', async () => {
    const { find, cache } = aSite(({ path }) => shows(path === '/' ? { comments: 'live' } : {}))
    await find('/')
    await find('/other')
    cache.forgetShowing('comments')
    expect(await find('/')).toEqual(['miss', 'page 3'])
    expect(await find('/other')).toEqual(['hit', 'page 2'])
  })
})

describe('on disk', () => {
  const hello = { 'post 1': 'a' }

  async function afterRestart(
    rendered: Partial<RenderResponse>,
    now: Record<string, string> = hello,
    visits: readonly Visit[] = [visitOf({})],
  ) {
    const folder = await mkdtemp(join(tmpdir(), 'tilth-pages-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const open = () =>
      PageFiles.open({
        folder,
        build: 'b',
        maxBytes: 1_000_000,
        onTrouble: (problem) => expect(problem).toBe(''),
      })
    const files = await open()
    const first = aSite(() => rendered, undefined, files)
    first.publish({ ...hello, 'post 2': 'a', flags: 'a' })
    for (const visit of visits) {
      await first.find('/', visit)
      // the file is written once the page is compressed
      await vi.waitFor(async () => expect(await first.compressed('/', visit)).toBe(true))
    }
    await files.settled()
    const second = aSite(() => 'starting', undefined, await open())
    second.publish(now)
    return second
  }

  test('a page outlives a restart, before the pages process is up', async () => {
    const { find } = await afterRestart(shows(hello))
    expect(await find('/')).toEqual(['hit', 'page 1'])
  })

  test('a page that changed meanwhile is served as it was until it is rendered again', async () => {
    const { find } = await afterRestart(shows(hello), { 'post 1': 'b' })
    expect(await find('/')).toEqual(['stale', 'page 1'])
  })

  test.each<[string, Partial<RenderResponse>]>([
    ['shows something that was taken back meanwhile', shows({ 'post 2': 'a', ...hello })],
    ['shows something live', shows({ ...hello, comments: 'live' })],
    ['names no content', {}],
  ])('a page that %s does not', async (_which, rendered) => {
    const { find } = await afterRestart(rendered)
    expect(await find('/')).toEqual(['none', 'starting'])
  })

  const varied = { trailers: { ...shows(hello).trailers, 'x-tilth-uses': 'headline' } }
  const [bold, plain] = [visitOf({ headline: 'bold' }), visitOf({ headline: 'plain' })]

  test('pages that depend on decisions are for the visits that agree in them', async () => {
    const { find } = await afterRestart(varied, { ...hello, flags: 'a' }, [bold, plain])
    expect(await find('/', visitOf({ headline: 'bold', other: true }, 'ben'))).toEqual(['hit', 'page 1'])
    expect(await find('/', plain)).toEqual(['hit', 'page 2'])
    expect(await find('/', visitOf({}))).toEqual(['none', 'starting'])
  })

  test('once a flag has changed, they are served only while there is no pages process', async () => {
    const { find, cache } = await afterRestart(varied, { ...hello, flags: 'b' }, [bold])
    expect(await find('/', bold)).toEqual(['stale', 'page 1'])
    cache.flagsChanged(1)
    expect(await find('/', bold)).toEqual(['stale', 'page 1'])
  })

  test('the page of another address or project does not take its place', async () => {
    const { find } = await afterRestart(shows(hello))
    expect(await find('/other')).toEqual(['none', 'starting'])
    expect(await find('/', { ...visitOf({}), projectId: 2 })).toEqual(['none', 'starting'])
  })
})

describe('while the pages are away', () => {
  /** The first page comes, all later ones do not. */
  const away = (why: Partial<RenderResponse> | UnavailableReason) =>
    aSite((_asked, number) => (number === 1 ? { trailers: { 'x-tilth-keep': '60' } } : why))

  test.each<[Partial<RenderResponse> | UnavailableReason]>([
    ['restarting'],
    ['lost'],
    ['late'],
    [{ status: 500 }],
  ])('what is over is shown all the same, and said to be stale (%j)', async (why) => {
    const { find, setClock } = away(why)
    await find('/')
    setClock('2026-03-02T14:00:00.000Z')
    expect(await find('/')).toEqual(['stale', 'page 1'])
  })

  test('what visitors may get no more is shown rather than nothing', async () => {
    const { cache, find } = aSite((_asked, number) => (number === 1 ? uses('headline') : 'restarting'))
    await find('/')
    cache.flagsChanged(1)
    expect(await find('/')).toEqual(['stale', 'page 1'])
  })

  test('what was taken back is not', async () => {
    const { cache, find } = away('restarting')
    await find('/')
    cache.contentChanged(1)
    expect(await find('/')).toEqual(['none', 'restarting'])
  })
})

test('when memory is short, the page that no one has asked for in the longest time goes first', async () => {
  const { find } = aSite(() => ({}), 2500)
  for (const path of ['/first', '/second', '/first', '/third']) await find(path)
  expect(await find('/first')).toEqual(['hit', 'page 1'])
  expect(await find('/second')).toEqual(['miss', 'page 4'])
})
