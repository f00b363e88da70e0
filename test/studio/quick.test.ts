import type { Browser, Page, Request, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { untilIdle } from './hydration'
import { aSharedStudio, askApi, openDialog, openOwnerPage, type TestStudio, visit } from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio(async (studio) => {
  await askApi(studio, 'POST', '/projects/acme/flags', { key: 'new-checkout', kind: 'switch' })
})

/** Holds what the page asks the server for, until it is let go or cut off. */
async function hold(page: Page, isHeld: (request: Request) => boolean, within = '**/studio/**') {
  const held: Route[] = []
  let isHolding = true
  await page.route(within, async (route) => {
    if (isHolding && isHeld(route.request())) held.push(route)
    else await route.continue()
  })
  const end = (pass: (route: Route) => Promise<void>) => {
    isHolding = false
    return Promise.all(held.splice(0).map(pass))
  }
  return { letGo: () => end((route) => route.continue()), cutOff: () => end((route) => route.abort()) }
}

const isPayload = (request: Request) => 'rsc' in request.headers()
const isAction = (request: Request) => 'next-action' in request.headers()

const progress = (page: Page) => page.locator('[data-navigation-progress]')
const isBusy = (page: Page) => page.locator('main').getAttribute('aria-busy')

/** The paths of such requests, from the moment of the call. `settled` waits until no more of them follow. */
function watchRequests(page: Page, isWatched: (request: Request) => boolean) {
  const requests: string[] = []
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (!isWatched(request)) return
    open.add(request)
    requests.push(new URL(request.url()).pathname)
  })
  const close = (request: Request) => void open.delete(request)
  page.on('requestfinished', close).on('requestfailed', close)
  const openAfterIdle = async () => {
    const before = requests.length
    await untilIdle(page)
    return open.size + requests.length - before
  }
  return { requests, settled: () => expect.poll(openAfterIdle).toBe(0) }
}

/** The requests for payloads, from the moment of the call. */
const payloadsOf = (page: Page): string[] => watchRequests(page, isPayload).requests

async function atFlags(): Promise<{ studio: TestStudio; page: Page }> {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/flags')
  return { studio, page }
}

describe('a press is answered before the server answers', () => {
  test('by the link itself, a line across the top and the state of the page', async () => {
    const { page } = await atFlags()
    const { letGo } = await hold(page, isPayload)
    const link = page.getByRole('link', { name: 'People', exact: true })
    await link.click()
    await progress(page).waitFor({ state: 'attached' })
    expect(await link.getAttribute('aria-busy')).toBe('true')
    expect(await isBusy(page)).toBe('true')
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' })

    await letGo()
    await page.waitForURL('**/studio/acme/people')
    await progress(page).waitFor({ state: 'detached' })
    expect(await isBusy(page)).toBeNull()
  })

  test('by the skeleton of another page, where it is late, which then comes without a new document', async () => {
    const { page } = await atFlags()
    const documents: string[] = []
    page.on('request', (request) => void (request.isNavigationRequest() && documents.push(request.url())))
    const skeleton = page.locator('main [data-page-skeleton]')
    const heading = page.getByRole('heading', { level: 1, name: 'Flags' })
    const { letGo } = await hold(page, isPayload)
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await skeleton.waitFor()
    await heading.waitFor({ state: 'hidden' })

    await letGo()
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    await skeleton.waitFor({ state: 'detached' })
    expect(documents).toEqual([])
  })

  test('by a tab, around which its page stays', async () => {
    const { page } = await atFlags()
    const { letGo } = await hold(page, isPayload)
    const tab = page.getByRole('main').getByRole('link', { name: 'Environments', exact: true })
    await tab.click()
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' })
    expect(await tab.getAttribute('aria-busy')).toBe('true')
    expect(await page.locator('main [data-page-skeleton]').count()).toBe(0)
    await letGo()
    await page.waitForURL('**/studio/acme/flags/environments')
  })

  test('by a filter, which shows what was chosen', async () => {
    const { page } = await atFlags()
    const { letGo } = await hold(page, isPayload)
    const state = page.getByRole('combobox', { name: 'State' })
    await state.click()
    await page.getByRole('option', { name: 'Off' }).click()
    await progress(page).waitFor({ state: 'attached' })
    expect(await state.inputValue()).toBe('Off')
    expect(new URL(page.url()).search).toBe('')

    await letGo()
    await page.waitForURL('**/studio/acme/flags?state=off')
    await progress(page).waitFor({ state: 'detached' })
    expect(await state.inputValue()).toBe('Off')
  })

  test('by a list, from which an archived entry is gone at once and comes back by Undo', async () => {
    const { studio, page } = await atFlags()
    const dashboard = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/dashboards', {
      name: 'Board of the week',
    })
    expect(dashboard.id).toBeTruthy()
    await visit(page, '/studio/acme/dashboards')
    const row = page.getByRole('row').filter({ hasText: 'Board of the week' })
    const { letGo } = await hold(page, isAction)
    await page.getByRole('button', { name: 'More about Board of the week' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await row.waitFor({ state: 'hidden' })
    await progress(page).waitFor({ state: 'attached' })

    await letGo()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
  })

  test('and where the change fails, the entry is there again', async () => {
    const { studio, page } = await atFlags()
    await askApi(studio, 'POST', '/projects/acme/dashboards', { name: 'Board that stays' })
    await visit(page, '/studio/acme/dashboards')
    const row = page.getByRole('row').filter({ hasText: 'Board that stays' })
    const { cutOff } = await hold(page, isAction)
    await page.getByRole('button', { name: 'More about Board that stays' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await row.waitFor({ state: 'hidden' })

    await cutOff()
    await page.getByText(/^The server did not respond/).waitFor()
    await row.waitFor()
  })
})

test('what is typed into a dialog stays when the rest of its fields arrive', async () => {
  const { studio, page } = await atFlags()
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/dashboards', {
    name: 'Typed early',
  })
  await visit(page, `/studio/acme/dashboards/${id}`)
  await page.getByRole('link', { name: 'Add card' }).click()
  const { letGo } = await hold(page, isAction)
  await page.getByRole('button', { name: 'Add card' }).click()
  await page.getByRole('menuitem', { name: 'New insight…' }).click()
  const dialog = await openDialog(page, 'Add insight card')
  await dialog.getByLabel('Title').fill('Visitors')

  await letGo()
  await dialog.getByRole('combobox', { name: 'Chart type' }).waitFor()
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Visitors')
})

describe('what is loaded on use', () => {
  const isScript = (address: URL) => address.pathname.startsWith('/_next/static/chunks/')

  /** Cuts off every script that is asked for from now on; the page stays as it is. */
  async function cutScriptsOff(page: Page) {
    await page.evaluate(() =>
      document.addEventListener('tilth:asset-failed', (event) => event.preventDefault()),
    )
    const watched = watchRequests(page, (request) => isScript(new URL(request.url())))
    await page.route(isScript, (route) => route.abort())
    return { ...watched, end: () => page.unroute(isScript) }
  }

  async function scriptsWith(page: Page, scripts: readonly string[], words: string): Promise<string[]> {
    const texts = await Promise.all(
      scripts.map(async (script) => await (await page.request.get(new URL(script, page.url()).href)).text()),
    )
    return [...new Set(scripts.filter((_, index) => texts[index]?.includes(words)))]
  }

  test('is waited for on the button that was pressed', async () => {
    const { page } = await atFlags()
    const theme = page.getByRole('button', { name: /^Theme/ })
    const { letGo } = await hold(page, (request) => isScript(new URL(request.url())), '**/_next/**')
    await theme.click()
    await expect.poll(() => theme.getAttribute('aria-busy')).toBe('true')

    await letGo()
    await page.getByRole('menu').waitFor()
    expect(await theme.getAttribute('aria-busy')).toBeNull()
  })

  test('is asked for again by the next press after it could not be loaded', async () => {
    const { page } = await atFlags()
    const { requests, settled, end } = await cutScriptsOff(page)
    const projects = page.getByRole('button', { name: /Switch project$/ })
    await projects.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => requests.length).toBeGreaterThan(0)
    // an attempt is over once the runtime of the page has asked a second time, half a second later
    await expect.poll(() => projects.getAttribute('aria-busy')).toBeNull()
    await settled()
    // other scripts belong to parts that may be loaded at any time
    const own = await scriptsWith(page, requests.splice(0), 'Find a project')
    expect(own).toHaveLength(1)
    const importFlags = page.getByRole('button', { name: 'Import…' })
    await importFlags.click()
    await expect.poll(() => importFlags.getAttribute('aria-expanded')).toBe('false')
    // a pointer that rests on a control asks for its tooltip
    await page.mouse.move(0, 0)
    await settled()
    // a second attempt after a failure would be under way by now
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })))
    expect(requests.filter((script) => own.includes(script))).toEqual([])

    await end()
    await importFlags.click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await projects.click()
    await page.getByRole('dialog', { name: 'Projects' }).waitFor()
  })
})

describe('pages are fetched before they are asked for', () => {
  test('only where a person is about to follow the link, and with all they show', async () => {
    const { page } = await atFlags()
    const { requests, settled } = watchRequests(page, isPayload)
    await page.getByRole('link', { name: 'Insights', exact: true }).hover()
    await expect.poll(() => requests).toContain('/studio/acme/insights')
    await settled()
    const prefetched = requests.length

    await page.getByRole('link', { name: 'Insights', exact: true }).click()
    await page.waitForURL('**/studio/acme/insights')
    await page.getByRole('heading', { level: 1, name: 'Insights' }).waitFor()
    expect(requests.length).toBe(prefetched)
    expect(new Set(requests)).toEqual(new Set(['/studio/acme/insights']))
    // the tree of the route, then its contents
    expect(prefetched).toBeLessThanOrEqual(2)
  })

  test('also by keyboard', async () => {
    const { page } = await atFlags()
    const requests = payloadsOf(page)
    await page.getByRole('link', { name: 'Surveys', exact: true }).focus()
    await expect.poll(() => requests).toContain('/studio/acme/surveys')
  })

  test('no page that the engine has to answer', async () => {
    const { page } = await atFlags()
    const requests = payloadsOf(page)
    await page.getByRole('link', { name: 'Web analytics', exact: true }).hover()
    await page.getByRole('link', { name: 'People', exact: true }).hover()
    await page.getByRole('link', { name: 'Settings', exact: true }).hover()
    await expect.poll(() => requests).toContain('/studio/acme/settings')
    expect(new Set(requests)).toEqual(new Set(['/studio/acme/settings']))
  })

  test('nothing is shown as it was before a change made here', async () => {
    const { page } = await atFlags()
    const { requests, settled } = watchRequests(page, isPayload)
    await visit(page, '/studio/acme/settings')
    await page.getByRole('link', { name: 'Flags', exact: true }).hover()
    await expect.poll(() => requests).toContain('/studio/acme/flags')
    await settled()
    await page.getByLabel('Name').fill('Acme Meadow')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project saved').waitFor()

    requests.length = 0
    await page.getByRole('link', { name: 'Flags', exact: true }).click()
    await page.waitForURL('**/studio/acme/flags')
    expect(requests).toContain('/studio/acme/flags')
    await expect.poll(() => page.title()).toContain('Acme Meadow')
  })

  test('a page asks for no other by being open', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    const requests = payloadsOf(page)
    for (const section of ['', '/flags', '/insights', '/site/posts', '/settings']) {
      await visit(page, `/studio/acme${section}`)
      await page.waitForLoadState('networkidle')
    }
    expect(requests).toEqual([])
  })
})
