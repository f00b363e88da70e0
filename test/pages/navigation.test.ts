import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisitor, holdClock, isMarked, markWindow, openBrowser, untilAlive } from './browser'
import { aFront, type TestFront } from './fixture'

let site: TestFront
let browser: Browser

beforeAll(async () => {
  site = await aFront()
  browser = await openBrowser()
  await site.pages.ready()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** A visitor on a page of links, whose scripts have taken over. Time stands still: no page takes too long to arrive. */
async function aVisitorOnLinks() {
  const visitor = await aVisitor(browser, site.address)
  await visitor.page.clock.install()
  await visitor.page.goto('/provoked/links')
  await untilAlive(visitor.page)
  await holdClock(visitor.page)
  await markWindow(visitor.page)
  visitor.requests.length = 0
  return visitor
}

const follow = (page: Page, place: string) => page.getByRole('link', { name: place, exact: true }).click()

const isBroken = async (page: Page) =>
  (await page.getByRole('heading', { name: 'Application error' }).count()) > 0

const heading = (page: Page, words: string) => page.getByRole('heading', { name: words })

const payloads = (url: URL) => url.searchParams.has('_rsc')

describe('following a link', () => {
  test('fetches the payload of the next page and keeps the document', async () => {
    const { page, requests } = await aVisitorOnLinks()

    await follow(page, 'arrival')
    await heading(page, 'Arrived').waitFor()

    expect(requests).toEqual(['payload /provoked/arrival'])
    expect(await isMarked(page)).toBe(true)
    await expect.poll(() => page.title()).toBe('Arrival')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/provoked/arrival')
  })

  test('goes back without asking for the document again', async () => {
    const { page } = await aVisitorOnLinks()
    await follow(page, 'arrival')
    await heading(page, 'Arrived').waitFor()

    await page.goBack()
    await heading(page, 'Links').waitFor()

    expect(await isMarked(page)).toBe(true)
  })

  test.each<[string, (route: Route) => Promise<void>]>([
    ['cannot be fetched', (route) => route.abort()],
    ['is answered with an error', (route) => route.fulfill({ status: 500, body: 'no' })],
    [
      'is answered with something else',
      (route) => route.fulfill({ status: 200, contentType: 'text/html', body: 'no' }),
    ],
  ])('loads the whole document when the payload %s', async (_why, answer) => {
    const { page, requests } = await aVisitorOnLinks()
    await page.route(payloads, answer)

    await follow(page, 'arrival')
    await heading(page, 'Arrived').waitFor()

    expect(requests.slice(0, 2)).toEqual(['payload /provoked/arrival', 'document /provoked/arrival'])
    expect(await isMarked(page)).toBe(false)
  })

  test('goes on however long the payload takes', async () => {
    const { page, requests } = await aVisitorOnLinks()
    const arrival = Promise.withResolvers<void>()
    await page.route(payloads, (route) => arrival.promise.then(() => route.continue()), { times: 1 })

    await follow(page, 'arrival')
    await expect.poll(() => requests).toEqual(['payload /provoked/arrival'])
    await page.clock.runFor(100)
    await page.clock.fastForward(60_000)
    arrival.resolve()
    await heading(page, 'Arrived').waitFor()

    expect(requests.filter((request) => request.startsWith('document'))).toEqual([])
    expect(await isMarked(page)).toBe(true)
  })

  test('stays where a redirect led, long after', async () => {
    const { page, requests } = await aVisitorOnLinks()

    await follow(page, 'redirecting')
    await heading(page, 'Arrived').waitFor()
    await page.clock.fastForward(10_000)

    expect(requests.filter((request) => request.startsWith('document'))).toEqual([])
    expect(await isMarked(page)).toBe(true)
  })

  test('does not come back to a page that someone has given up waiting for', async () => {
    const { page, requests } = await aVisitorOnLinks()
    await page.route(
      (url) => payloads(url) && url.pathname.endsWith('/instance'),
      () => {},
    )

    await follow(page, 'instance')
    await follow(page, 'arrival')
    await heading(page, 'Arrived').waitFor()
    await page.clock.fastForward(10_000)

    expect(requests.filter((request) => request.startsWith('document'))).toEqual([])
  })
})

describe('an action', () => {
  test('posts to the address of the page it is on', async () => {
    const { page, requests } = await aVisitor(browser, site.address)
    await page.goto('/studio/instance?from=somewhere')
    await untilAlive(page)
    requests.length = 0

    await page.getByRole('button', { name: 'Ask' }).click()
    await expect.poll(() => page.getByRole('status').textContent()).not.toBe('')

    expect(requests).toEqual(['action /studio/instance'])
  })

  test('works before any script has come', async () => {
    const { page, requests } = await aVisitor(browser, site.address, { javaScriptEnabled: false })
    await page.goto('/studio/instance')

    await page.getByRole('button', { name: 'Ask' }).click()
    await expect.poll(() => page.getByRole('status').textContent()).not.toBe('')

    expect(requests.filter((request) => request.startsWith('document'))).toEqual([
      'document /studio/instance',
      'document /studio/instance',
    ])
  })
})

describe('an asset that fails to load', () => {
  const lateScripts = /\/_next\/static\/.*\.js/

  test('makes the page load again in full, and then it works', async () => {
    const { page, requests } = await aVisitor(browser, site.address)
    await page.goto('/provoked/island', { waitUntil: 'networkidle' })
    await untilAlive(page)
    await markWindow(page)
    requests.length = 0
    await page.route(lateScripts, (route) => route.abort(), { times: 1 })

    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => requests).toContain('document /provoked/island')
    // the request is there before the browser leaves the page
    await expect.poll(() => isMarked(page)).toBe(false)
    await untilAlive(page)

    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('Here at last').waitFor()
  })

  test('does not make the page load again while the server is away', async () => {
    const { page, requests } = await aVisitor(browser, site.address)
    await page.goto('/provoked/island', { waitUntil: 'networkidle' })
    await untilAlive(page)
    await markWindow(page)
    requests.length = 0
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/_tilth/ready'))
    await page.context().setOffline(true)

    await page.getByRole('button', { name: 'Show' }).click()
    await failed
    await page.context().setOffline(false)

    expect(await isMarked(page)).toBe(true)
    expect(requests.filter((request) => request.startsWith('document'))).toEqual([])
  })

  test('on the way to another page loads that page in full', async () => {
    const { page, requests } = await aVisitorOnLinks()
    await page.route(lateScripts, (route) => route.abort(), { times: 1 })

    await follow(page, 'island')
    await page.getByRole('button', { name: 'Show' }).waitFor()

    expect(requests).toContain('document /provoked/island')
    expect(await isMarked(page)).toBe(false)
  })

  test('is one that takes longer than 3800 ms, and not before', async () => {
    const { page, requests } = await aVisitorOnLinks()
    await page.route(lateScripts, () => {}, { times: 1 })

    await follow(page, 'island')
    await expect.poll(() => requests.some((request) => request.startsWith('script'))).toBe(true)
    await page.clock.fastForward(3600)
    expect(requests).not.toContain('document /provoked/island')
    await page.clock.fastForward(300)
    await page.getByRole('button', { name: 'Show' }).waitFor()

    expect(requests).toContain('document /provoked/island')
    expect(await isMarked(page)).toBe(false)
  })

  test('does not make the page load again for ever', async () => {
    const { page, requests } = await aVisitor(browser, site.address)
    await page.goto('/provoked/island', { waitUntil: 'networkidle' })
    requests.length = 0
    // each document gets what it begins with, and nothing that it loads later
    let isRunning = false
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isRunning = false
    })
    await page.route(lateScripts, (route) => (isRunning ? route.abort() : route.continue()))

    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await untilAlive(page)
      await markWindow(page)
      isRunning = true
      await page.getByRole('button', { name: 'Show' }).click()
      await expect.poll(async () => !(await isMarked(page)) || (await isBroken(page))).toBe(true)
    }

    expect(requests.filter((request) => request === 'document /provoked/island')).toHaveLength(1)
    await expect.poll(() => page.title()).toBe('Application error: a client-side exception has occurred')
  })
})
