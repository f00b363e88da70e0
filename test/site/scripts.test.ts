import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { holdClock, isMarked, markWindow } from '../pages/browser'
import { aVisitor, hasBackForwardCache, openBrowser, openTestSite, type TestSite } from './site-fixture'

let browser: Browser
let site: TestSite

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  site = await openTestSite()
})
afterEach(() => site.close())

const eventually = <Seen>(read: () => Seen | Promise<Seen>) => expect.poll(read, { interval: 50 })

const page = (title: string, more = '') => ({ title, body: `<main><h1>${title}</h1>${more}</main>` })
const link = (path: string, attributes = '') => `<a href="${path}" ${attributes}>${path}</a>`
/** Out of sight, so that it is not prefetched before the visitor scrolls there. */
const far = '<div class="far"></div>'
const tall = { head: '<link rel="stylesheet" href="/tall.css">' }

/** A visitor on the page `/`, whose script has taken over. */
async function aVisitorAt(body: string, { more = {}, forbidden = [] as string[] } = {}) {
  site.file('/tall.css', 'text/css', '.far { height: 3000px }')
  site.show('/', { ...page('Start', body), ...more })
  const visitor = await aVisitor(browser, { forbidden })
  await visitor.goto(site.address)
  await ready(visitor)
  await markWindow(visitor)
  return visitor
}

const ready = (visitor: Page) => visitor.waitForFunction(() => history.state?.tilth !== undefined)
const follow = (visitor: Page, path: string) => visitor.getByRole('link', { name: path, exact: true }).click()
const arrive = (visitor: Page, title: string) =>
  visitor.getByRole('heading', { name: title, exact: true }).waitFor()
/** Scrolls, and waits until scripts have heard of it, as they have long before a person does anything else. */
const scrollDownTo = (visitor: Page, top: number) =>
  visitor.evaluate(async (wanted) => {
    const scrolled = new Promise((heard) => addEventListener('scroll', heard, { once: true }))
    scrollTo(0, wanted)
    await scrolled
  }, top)
const asks = (kind: 'document' | 'fetch' | 'prefetch') =>
  site.asked.filter((asked) => asked.startsWith(`${kind} `)).map((asked) => asked.slice(kind.length + 1))
const named = (name: string) => site.events().filter((event) => event.name === name)

describe('following a link', () => {
  test('shows the next page in the same document, with its title, its language and its head', async () => {
    site.show('/next', {
      ...page('Next'),
      lang: 'de',
      head: '<meta name="description" content="What comes next"><link rel="canonical" href="/next">',
    })
    const visitor = await aVisitorAt(far + link('/next'), {
      more: { head: `${tall.head}<meta name="description" content="The start">` },
    })
    await follow(visitor, '/next')
    await arrive(visitor, 'Next')

    expect(await isMarked(visitor)).toBe(true)
    expect(new URL(visitor.url()).pathname).toBe('/next')
    expect(await visitor.title()).toBe('Next')
    const head = await visitor.evaluate(() => ({
      lang: document.documentElement.lang,
      descriptions: Array.from(document.querySelectorAll('meta[name=description]'), (meta) =>
        meta.getAttribute('content'),
      ),
      canonical: document.querySelector('link[rel=canonical]')?.getAttribute('href'),
      titles: document.querySelectorAll('title').length,
      styles: document.querySelectorAll('link[rel=stylesheet]').length,
    }))
    expect(head).toEqual({
      lang: 'de',
      descriptions: ['What comes next'],
      canonical: '/next',
      titles: 1,
      styles: 0,
    })
    expect(asks('document')).toEqual(['/'])
  })

  test('says so to screen readers, and goes on from its heading', async () => {
    site.show('/next', page('Next', link('/further')))
    const visitor = await aVisitorAt(link('/next'))
    await follow(visitor, '/next')
    await arrive(visitor, 'Next')

    expect(await visitor.locator('[aria-live=assertive]').textContent()).toBe('Next')
    expect(await visitor.evaluate(() => document.activeElement?.textContent)).toBe('Next')
    await visitor.keyboard.press('Tab')
    expect(await visitor.evaluate(() => document.activeElement?.textContent)).toBe('/further')
  })

  test('waits for the styles of the next page before it shows it', async () => {
    site.file('/next.css', 'text/css', 'h1 { color: rgb(1, 2, 3) }')
    site.show('/next', { ...page('Next'), head: '<link rel="stylesheet" href="/next.css">' })
    const visitor = await aVisitorAt(link('/next'))
    await follow(visitor, '/next')
    await arrive(visitor, 'Next')
    expect(
      await visitor.evaluate(() => getComputedStyle(document.querySelector('h1') ?? document.body).color),
    ).toBe('rgb(1, 2, 3)')
    expect(await isMarked(visitor)).toBe(true)
  })

  test('goes to the part of the page that the link names', async () => {
    site.show('/next', { ...page('Next', `${far}<h2 id="über">Part</h2>${far}`), ...tall })
    const visitor = await aVisitorAt(link('/next#%C3%BCber'), { more: tall })
    await follow(visitor, '/next#%C3%BCber')
    await arrive(visitor, 'Next')
    await eventually(() => visitor.evaluate(() => scrollY)).toBeGreaterThan(2500)
    expect(visitor.url()).toBe(`${site.address}/next#%C3%BCber`)
    expect(await isMarked(visitor)).toBe(true)
  })

  test('stays where a redirect within the site led', async () => {
    site.show('/old', { ...page('Old'), status: 308, headers: { location: '/new' } })
    site.show('/new', page('New'))
    const visitor = await aVisitorAt(link('/old'))
    await follow(visitor, '/old')
    await arrive(visitor, 'New')
    expect(new URL(visitor.url()).pathname).toBe('/new')
    expect(await isMarked(visitor)).toBe(true)
  })

  test('does not come back to a page that someone has given up waiting for', async () => {
    const visitor = await aVisitorAt(link('/never') + link('/next'))
    site.show('/next', page('Next'))
    await visitor.clock.install()
    await visitor.route('**/never', () => {})
    await follow(visitor, '/never')
    await follow(visitor, '/next')
    await arrive(visitor, 'Next')
    await visitor.clock.fastForward(10_000)
    expect(await isMarked(visitor)).toBe(true)
    expect(asks('document')).toEqual(['/'])
  })
})

describe('the browser loads the whole document where the next page', () => {
  test.each<[string, Parameters<TestSite['show']>[1]]>([
    ['is not there', { ...page('Next'), status: 404 }],
    ['is answered with an error', { ...page('Next'), status: 500 }],
    [
      'is something else',
      { ...page('Next'), headers: { 'content-type': 'text/html', 'x-kind': 'other' }, weight: 'full' },
    ],
    ['is none', { ...page('Next'), headers: { 'content-type': 'text/plain' } }],
    [
      'brings a style that this one’s policy does not know',
      { ...page('Next'), head: '<style>h1 { color: red }</style>' },
    ],
    [
      'brings a script of its own',
      { ...page('Next'), head: '<script async src="/_tilth/script.js"></script>' },
    ],
    [
      'shows others in a frame',
      page('Next', '<a href="/v" data-embed="https://player.vimeo.com/video/1">Play</a>'),
    ],
    ['is not to be counted', { ...page('Next'), tag: '' }],
  ])('%s', async (_what, next) => {
    site.show('/next', next)
    const visitor = await aVisitorAt(link('/next'))
    await follow(visitor, '/next')
    await eventually(() => asks('document')).toEqual(['/', '/next'])
    // the request is there before the browser leaves the page
    await visitor.waitForURL((url) => url.pathname === '/next')
    expect(await isMarked(visitor)).toBe(false)
  })

  test('cannot be fetched', async () => {
    const visitor = await aVisitorAt(link('/next'))
    site.show('/next', page('Next'))
    await visitor.route('**/next', (route) =>
      route.request().isNavigationRequest() ? route.continue() : route.abort(),
    )
    await follow(visitor, '/next')
    await arrive(visitor, 'Next')
    expect(await isMarked(visitor)).toBe(false)
  })

  test('leads to another site', async () => {
    const other = site.address.replace('localhost', '127.0.0.1')
    site.show('/old', { ...page('Old'), status: 307, headers: { location: `${other}/new` } })
    site.show('/new', page('New'))
    const visitor = await aVisitorAt(link('/old'), { forbidden: ['connect-src forbids /old'] })
    await follow(visitor, '/old')
    await arrive(visitor, 'New')
    expect(visitor.url()).toBe(`${other}/new`)
  })

  test('takes longer than 3800 ms, and not before', async () => {
    const visitor = await aVisitorAt(far + link('/next'), { more: tall })
    site.show('/next', page('Next'))
    await visitor.clock.install()
    await holdClock(visitor)
    await visitor.route('**/next', (route) =>
      route.request().isNavigationRequest() ? route.continue() : undefined,
    )
    const fetched = visitor.waitForRequest('**/next')
    await follow(visitor, '/next')
    await fetched
    await visitor.clock.fastForward(3700)
    expect(asks('document')).toEqual(['/'])
    await visitor.clock.fastForward(200)
    await arrive(visitor, 'Next')
    expect(asks('document')).toEqual(['/', '/next'])
  })
})

describe('left to the browser', () => {
  test.each<[string, string, object?]>([
    ['a link that says so', link('/next', 'data-no-nav')],
    ['a link in what says so', `<p data-no-nav>${link('/next')}</p>`],
    ['the studio', link('/studio')],
    ['a file', link('/feed.xml')],
    ['a part of this page', link('#part')],
    ['a download', link('/next', 'download')],
    ['another window', link('/next', 'target="_blank"')],
    ['a click that asks for another window', link('/next'), { modifiers: ['ControlOrMeta'] }],
    ['a click that opens a menu', link('/next'), { button: 'right' }],
  ])('%s', async (_what, body, how = {}) => {
    const visitor = await aVisitorAt(body)
    // the script has prevented the clicks that it took over by the time they come here
    await visitor.evaluate(() =>
      addEventListener('click', (event) => {
        document.body.dataset.taken = String(event.defaultPrevented)
        event.preventDefault()
      }),
    )
    await visitor.getByRole('link').click(how)
    const isMenu = 'button' in how
    await eventually(() => visitor.evaluate(() => document.body.dataset.taken)).toBe(
      isMenu ? undefined : 'false',
    )
    expect(asks('fetch')).toEqual([])
  })
})

test('a style sheet that an upgrade has replaced is replaced on the page, without another view', async () => {
  const withStyles = (name: string) => ({
    ...page('Start'),
    head: `<link rel="stylesheet" href="/_next/static/${name}.css">`,
  })
  site.file('/_next/static/new.css', 'text/css', 'h1 { color: rgb(1, 2, 3) }')
  site.show('/', ({ headers }) => withStyles(headers['x-tilth-prefetch'] ? 'new' : 'old'))
  const visitor = await aVisitor(browser, {})
  await visitor.goto(site.address)
  const colour = () => visitor.locator('h1').evaluate((heading) => getComputedStyle(heading).color)
  await eventually(colour).toBe('rgb(1, 2, 3)')
  expect([site.counted, asks('prefetch')]).toEqual([['/'], ['/']])
})

describe('going back and forth', () => {
  test('shows the pages where they were left, without another document', async () => {
    site.show('/next', { ...page('Next', far + link('/last')), ...tall })
    site.show('/last', { ...page('Last', far), ...tall })
    const visitor = await aVisitorAt(far + link('/next'), { more: tall })
    await scrollDownTo(visitor, 1200)
    await visitor.evaluate(() => document.querySelector('a')?.click())
    await arrive(visitor, 'Next')
    expect(await visitor.evaluate(() => scrollY)).toBe(0)
    await scrollDownTo(visitor, 700)
    expect(await visitor.evaluate(() => scrollY)).toBe(700)

    await visitor.evaluate(() => history.back())
    await arrive(visitor, 'Start')
    await eventually(() => visitor.evaluate(() => scrollY)).toBe(1200)
    await visitor.evaluate(() => history.forward())
    await arrive(visitor, 'Next')
    await eventually(() => visitor.evaluate(() => scrollY)).toBe(700)
    expect(await isMarked(visitor)).toBe(true)
    expect(asks('document')).toEqual(['/'])
  })

  test('over the parts of a page scrolls, and asks for nothing', async () => {
    const visitor = await aVisitorAt(`${link('#part')}${far}<h2 id="part">Part</h2>${far}`, { more: tall })
    await follow(visitor, '#part')
    await eventually(() => visitor.evaluate(() => scrollY)).toBeGreaterThan(2500)
    await visitor.evaluate(() => history.back())
    await eventually(() => visitor.evaluate(() => scrollY)).toBe(0)
    await visitor.evaluate(() => history.forward())
    await eventually(() => visitor.evaluate(() => scrollY)).toBeGreaterThan(2500)
    expect(site.asked).toEqual(['document /'])
  })

  test('finds the place again after a document that had to be loaded', async () => {
    site.show('/next', page('Next', link('/studio')))
    site.show('/studio', page('Studio'))
    const visitor = await aVisitorAt(far + link('/next'), { more: tall })
    await scrollDownTo(visitor, 900)
    await visitor.evaluate(() => document.querySelector('a')?.click())
    await arrive(visitor, 'Next')
    await follow(visitor, '/studio')
    await arrive(visitor, 'Studio')
    // answered before the document is left
    await visitor.evaluate(() => void setTimeout(() => history.go(-2)))
    await arrive(visitor, 'Start')
    await eventually(() => visitor.evaluate(() => scrollY)).toBe(900)
  })
})

describe('prefetching', () => {
  test('asks for five pages at once, and for what is clicked on ahead of them', async () => {
    const paths = Array.from({ length: 12 }, (_, number) => `/${number}`)
    const held: (() => void)[] = []
    for (const path of paths)
      site.show(path, async ({ headers }) => {
        if ('x-tilth-prefetch' in headers) await new Promise<void>((resolve) => held.push(resolve))
        return page(`Page ${path}`)
      })
    const visitor = await aVisitorAt(paths.map((path) => link(path)).join(' '))
    await eventually(() => asks('prefetch').length).toBe(5)

    await visitor.getByRole('link', { name: '/9', exact: true }).hover()
    held.shift()?.()
    await eventually(() => asks('prefetch').length).toBe(6)
    expect(asks('prefetch').at(-1)).toBe('/9')

    await follow(visitor, '/11')
    await arrive(visitor, 'Page /11')
    expect(asks('fetch')).toEqual(['/11'])
    for (const letGo of held) letGo()
  })

  test.each([
    ['is shown without asking again for 300 s', 295_000, ['/next']],
    ['is asked for again after 300 s', 305_000, ['/next', '/next']],
  ])('a prefetched page %s', async (_what, afterMs, requests) => {
    // the clock of the page is taken over between its start and the arrival of what it asks for
    let letGo = (): void => {}
    const isHeld = new Promise<void>((resolve) => (letGo = resolve))
    site.show('/next', () => isHeld.then(() => page('Next')))
    const visitor = await aVisitorAt(link('/next'))
    await visitor.clock.install()
    await holdClock(visitor)
    await visitor.evaluate(() => {
      const begin = window.setTimeout.bind(window)
      window.setTimeout = ((run: () => void, ms?: number) => {
        if (ms === 300_000) document.body.dataset.isFetched = ''
        return begin(run, ms)
      }) as typeof begin
    })
    letGo()
    await visitor.locator('body[data-is-fetched]').waitFor()
    await visitor.clock.fastForward(afterMs)
    await visitor.evaluate(() => document.querySelector('a')?.click())
    await arrive(visitor, 'Next')
    expect([...asks('prefetch'), ...asks('fetch')]).toEqual(requests)
  })

  test('asks for nothing where someone saves data', async () => {
    const visitor = await aVisitor(browser)
    await visitor.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    )
    site.show('/', page('Start', link('/next')))
    site.show('/next', page('Next'))
    await visitor.goto(site.address)
    await ready(visitor)
    await visitor.getByRole('link').hover()
    await follow(visitor, '/next')
    await arrive(visitor, 'Next')
    expect(asks('prefetch')).toEqual([])
  })
})

describe('a view is counted once', () => {
  test('by the server, where it answered for it', async () => {
    site.show('/next', page('Next'))
    const visitor = await aVisitorAt(far + link('/next'), { more: tall })
    await visitor.evaluate(() => document.querySelector('a')?.click())
    await arrive(visitor, 'Next')
    await visitor.evaluate(() => window.tilth?.track('last'))
    await eventually(() => named('last').length).toBe(1)
    expect(site.counted).toEqual(['/', '/next'])
    expect(site.views()).toEqual([])
  })

  test('by the server, where there is no page either', async () => {
    const visitor = await aVisitor(browser)
    await visitor.goto(`${site.address}/nowhere`)
    await ready(visitor)
    await visitor.evaluate(() => window.tilth?.track('lost'))
    await eventually(() => named('lost').length).toBe(1)
    expect(site.events().map(({ name }) => name)).toEqual(['lost'])
  })

  test('by the server, where it answered that nothing has changed', async () => {
    const visitor = await aVisitorAt('')
    await visitor.reload()
    expect(site.unchanged).toEqual(['/'])
    await ready(visitor)
    await visitor.evaluate(() => window.tilth?.track('again'))
    await eventually(() => named('again').length).toBe(1)
    expect(site.counted).toEqual(['/', '/'])
    expect(site.views()).toEqual([])
  })

  test('by the server, where the page was fetched before someone wanted it and events are blocked', async () => {
    site.show('/next', page('Next'))
    const visitor = await aVisitorAt(link('/next'))
    await visitor.route('**/_tilth/event', (route) => route.abort())
    await eventually(() => asks('prefetch')).toEqual(['/next'])
    await follow(visitor, '/next')
    await arrive(visitor, 'Next')
    await eventually(() => site.counted).toEqual(['/', '/next'])
    expect(site.referrers).toEqual([undefined, `${site.address}/`])
    expect([site.views(), asks('fetch')]).toEqual([[], []])
  })

  test('by the script, where the server does not count the page that was fetched before', async () => {
    site.show('/next', ({ method }) => ({
      ...page('Next'),
      ...(method === 'HEAD' && { headers: { 'server-timing': '' } }),
    }))
    const visitor = await aVisitorAt(link('/next'))
    await eventually(() => asks('prefetch')).toEqual(['/next'])
    await follow(visitor, '/next')
    await arrive(visitor, 'Next')
    await eventually(site.views).toEqual(['/next'])
    expect(named('$pageview')[0]).toMatchObject({
      properties: { title: 'Next', $referrer: `${site.address}/`, $current_url: `${site.address}/next` },
    })
  })

  test('by the server, when someone comes back to what is still there', async () => {
    site.show('/next', page('Next', link('/')))
    const visitor = await aVisitorAt(far + link('/next'), { more: tall })
    await visitor.evaluate(() => document.querySelector('a')?.click())
    await arrive(visitor, 'Next')
    await eventually(() => asks('prefetch')).toEqual(['/'])
    await visitor.evaluate(() => history.back())
    await arrive(visitor, 'Start')
    await visitor.evaluate(() => history.forward())
    await arrive(visitor, 'Next')
    await eventually(() => site.counted).toEqual(['/', '/next', '/', '/next'])
    expect(site.views()).toEqual([])
  })

  test('by the server, when the browser shows a document out of its own cache', async () => {
    site.show('/else', page('Else'))
    const visitor = await aVisitorAt('')
    await visitor.goto(`${site.address}/else`)
    await ready(visitor)
    await visitor.goBack()
    await arrive(visitor, 'Start')
    await ready(visitor)
    await visitor.evaluate(() => window.tilth?.track('back'))
    await eventually(() => named('back').length).toBe(1)
    await eventually(() => site.counted).toEqual(['/', '/else', '/'])
    expect(site.views()).toEqual([])
  })

  test('by the server, when a document that was prepared is looked at', async () => {
    const rules = { prefetch: [{ urls: ['/next'], eagerness: 'immediate' }] }
    site.file('/rules.json', 'application/speculationrules+json', JSON.stringify(rules))
    site.show('/next', page('Next'))
    const visitor = await aVisitorAt(link('/next', 'data-no-nav'), {
      more: { headers: { 'speculation-rules': '"/rules.json"' } },
    })
    await eventually(() => asks('prefetch')).toEqual(['/next'])
    await follow(visitor, '/next')
    await arrive(visitor, 'Next')
    expect(await isMarked(visitor)).toBe(false)
    await eventually(() => site.counted).toEqual(['/', '/next'])
    expect(site.views()).toEqual([])
  })

  test.skipIf(!hasBackForwardCache)('by the server, when a page comes back out of memory', async () => {
    const keeping = await openBrowser({ keeping: true })
    try {
      site.show('/', page('Start'))
      site.show('/else', page('Else'))
      const visitor = await aVisitor(keeping)
      await visitor.goto(site.address)
      await ready(visitor)
      await markWindow(visitor)
      await visitor.goto(`${site.address}/else`)
      // answered before the document is left
      await visitor.evaluate(() => void setTimeout(() => history.back()))
      await arrive(visitor, 'Start')
      expect(await isMarked(visitor)).toBe(true)
      await eventually(() => site.counted).toEqual(['/', '/else', '/'])
      expect(site.views()).toEqual([])
      await visitor.close()
    } finally {
      await keeping.close()
    }
  })

  test('not at all on a page without a key, and nothing else of it', async () => {
    const visitor = await aVisitorAt(`<p data-flag="a" data-variant="b">shown</p>${link('/next')}`, {
      more: { tag: '', headers: { 'server-timing': '' } },
    })
    site.show('/next', { ...page('Next'), tag: '' })
    await follow(visitor, '/next')
    await arrive(visitor, 'Next')
    expect(await isMarked(visitor)).toBe(true)
    await visitor.goto('about:blank')
    expect(site.events()).toEqual([])
  })
})

test('each page tells how it was read, by its own address', async () => {
  site.show('/next', { ...page('Next', far), ...tall })
  const visitor = await aVisitorAt(link('/next'))
  await follow(visitor, '/next')
  await arrive(visitor, 'Next')
  await scrollDownTo(visitor, 1000)
  await visitor.goto('about:blank')
  await eventually(() =>
    named('$engagement').map(({ properties }) => [properties['$current_url'], properties['title']]),
  ).toEqual([
    [`${site.address}/`, 'Start'],
    [`${site.address}/next`, 'Next'],
  ])
  expect(named('$engagement')[0]?.properties['$scroll_depth']).toBe(100)
  expect(Number(named('$engagement')[1]?.properties['$scroll_depth'])).toBeLessThan(70)
  expect(named('$web_vitals')).toHaveLength(1)
})

test('what a flag shows is confirmed once for each page, when it comes into view', async () => {
  const part = (flag: string, variant: string) => `<p data-flag="${flag}" data-variant="${variant}">shown</p>`
  site.show('/next', page('Next', part('title', 'b')))
  const visitor = await aVisitorAt(
    part('title', 'b') + part('title', 'b') + link('/next') + far + part('below', 'true'),
    { more: tall },
  )
  const seen = () =>
    named('$feature_flag_seen').map(({ properties }) => [
      properties['$feature_flag'],
      properties['$feature_flag_response'],
    ])
  await eventually(seen).toEqual([['title', 'b']])
  await visitor.evaluate(() => scrollTo(0, 5000))
  await eventually(seen).toEqual([
    ['title', 'b'],
    ['below', 'true'],
  ])
  await visitor.evaluate(() => document.querySelector('a')?.click())
  await arrive(visitor, 'Next')
  await eventually(seen).toEqual([
    ['title', 'b'],
    ['below', 'true'],
    ['title', 'b'],
  ])
})

test('what a page that was fetched before shows of flags is told once by the script, where the server did not count it', async () => {
  site.show('/next', ({ method }) => ({
    ...page('Next', link('/')),
    headers: {
      'x-tilth-shows': 'title=b&new%20menu=false',
      ...(method === 'HEAD' && { 'server-timing': '' }),
    },
  }))
  const visitor = await aVisitorAt(link('/next'))
  await eventually(() => asks('prefetch')).toEqual(['/next'])
  await visitor.evaluate(() => window.tilth?.track('waiting'))
  await eventually(() => named('waiting').length).toBe(1)
  expect(named('$feature_flag_called')).toEqual([])

  for (const [path, title, views] of [
    ['/next', 'Next', ['/next']],
    ['/', 'Start', ['/next']],
    ['/next', 'Next', ['/next', '/next']],
  ] as const) {
    await follow(visitor, path)
    await arrive(visitor, title)
    await eventually(site.views).toEqual(views)
  }
  await visitor.evaluate(() => window.tilth?.track('done'))
  await eventually(() => named('done').length).toBe(1)
  expect(named('$feature_flag_called').map(({ properties }) => properties)).toMatchObject([
    { $feature_flag: 'title', $feature_flag_response: 'b', $current_url: `${site.address}/next` },
    { $feature_flag: 'new menu', $feature_flag_response: 'false' },
  ])
})

describe('what only some pages need is loaded by them alone', () => {
  const loaded = async (visitor: Page) =>
    (
      await visitor.evaluate(() =>
        performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
      )
    ).filter((path) => path.startsWith('/_tilth/part-'))

  test('a page of words loads none of it', async () => {
    const visitor = await aVisitorAt('<p>Words</p>')
    await visitor.evaluate(() => window.tilth?.track('begun'))
    await eventually(() => named('begun').length).toBe(1)
    expect(await loaded(visitor)).toEqual([])
  })

  test('code is copied by a button, also on a page that was moved on to', async () => {
    site.show('/next', page('Next', '<pre><code>npm start</code></pre>'))
    const visitor = await aVisitorAt(link('/next'))
    await visitor.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await follow(visitor, '/next')
    await visitor.getByRole('button', { name: 'Copy' }).waitFor()
    expect(await loaded(visitor)).toEqual(['/_tilth/part-code.js'])
    // the button says for two seconds only that it has copied; a held clock has no entries of resources
    await visitor.clock.install()
    await holdClock(visitor)
    await visitor.getByRole('button', { name: 'Copy' }).click()
    await visitor.getByRole('button', { name: '✓' }).waitFor()
    expect(await visitor.evaluate(() => navigator.clipboard.readText())).toBe('npm start')
  })

  test('a video is asked for when someone wants to see it, and of no one else', async () => {
    const embed = (player: string, title: string) =>
      `<a href="/video" data-embed="${player}" data-no-nav><span class="embed-title">${title}</span> Vimeo</a>`
    const visitor = await aVisitorAt(
      embed('https://player.vimeo.com/video/1?dnt=1', 'Harbour') + embed('https://evil.example/', 'Evil'),
      // the policy of this house blocks the frame: only the request counts
      { forbidden: ['frame-src forbids https://player.vimeo.com'] },
    )
    await eventually(() => loaded(visitor)).toEqual(['/_tilth/part-embed.js'])
    await visitor.evaluate('import("/_tilth/part-embed.js").then(() => true)')
    expect(await visitor.locator('iframe').count()).toBe(0)
    await visitor.getByText('Harbour').click()
    const frame = visitor.locator('iframe')
    expect(await frame.getAttribute('src')).toBe('https://player.vimeo.com/video/1?dnt=1')
    expect(await frame.getAttribute('title')).toBe('Harbour')
    await visitor.getByText('Evil').click()
    await arrive(visitor, 'Gone')
  })

  describe('a form', () => {
    const form =
      `<form id="form-news" method="post" action="/_tilth/forms/signup"><input type="hidden" name="form" value="news">` +
      `<label>E-mail <input name="email"></label><button name="answer" value="9">Send</button><p data-thanks hidden>See you soon</p><p data-thanks="confirm" hidden>Check your inbox</p></form>`
    const answered = async (visitor: Page, answer: { status: number; json?: object; body?: string }) => {
      const sent: (string | null)[] = []
      await visitor.route('**/_tilth/forms/signup', (route) => {
        sent.push(route.request().postData())
        const isByScript = route.request().headers()['accept'] === 'application/json'
        if (isByScript) return route.fulfill(answer)
        return route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Without a script</h1>' })
      })
      await eventually(() => loaded(visitor)).toEqual(['/_tilth/part-form.js'])
      await visitor.evaluate('import("/_tilth/part-form.js").then(() => true)')
      await visitor.getByLabel('E-mail').fill('ana@example.com')
      await visitor.getByRole('button', { name: 'Send' }).click()
      return sent
    }

    test('is sent without leaving the page, and says thank you', async () => {
      const visitor = await aVisitorAt(form)
      const sent = await answered(visitor, { status: 200, json: { sent: true } })
      await visitor.getByText('See you soon').waitFor()
      expect(sent).toEqual(['form=news&email=ana%40example.com&answer=9'])
      expect(await isMarked(visitor)).toBe(true)
      await eventually(() => visitor.evaluate(() => document.activeElement?.textContent)).toBe('See you soon')
    })

    test('says to check the inbox where a letter asks to confirm', async () => {
      const visitor = await aVisitorAt(form)
      await answered(visitor, { status: 200, json: { sent: true, confirms: true } })
      await visitor.getByText('Check your inbox').waitFor()
      expect(await visitor.getByText('See you soon').isVisible()).toBe(false)
    })

    test('says the thanks of its author, also where a letter asks to confirm', async () => {
      const visitor = await aVisitorAt(form.replace(/<p data-thanks="confirm".*?<\/p>/, ''))
      await answered(visitor, { status: 200, json: { sent: true, confirms: true } })
      await visitor.getByText('See you soon').waitFor()
      expect(await visitor.locator('form').getAttribute('data-sent')).toBe('')
    })

    test('shows what is to be mended beside the field, until it is changed', async () => {
      const visitor = await aVisitorAt(form)
      await answered(visitor, {
        status: 422,
        json: { sent: false, mistakes: { email: 'Write an address.' } },
      })
      const wrong = () =>
        visitor.getByLabel('E-mail').evaluate((field: HTMLInputElement) => field.validationMessage)
      await eventually(wrong).toBe('Write an address.')
      await visitor.getByLabel('E-mail').fill('ben@example.com')
      await eventually(wrong).toBe('')
    })

    test('is sent as any form is where a script cannot', async () => {
      const visitor = await aVisitorAt(form)
      const sent = await answered(visitor, { status: 502, body: 'no' })
      await arrive(visitor, 'Without a script')
      expect(sent.at(-1)).toBe('form=news&email=ana%40example.com&answer=9')
    })
  })
})
