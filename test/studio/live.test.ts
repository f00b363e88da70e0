import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, writeKey } from './collecting'
import {
  accessibilityViolations,
  aMember,
  aSharedStudio,
  aStudio,
  chooseOption,
  fitsWindow,
  inAnotherProject,
  openDialog,
  openList,
  openOwnerPage,
  reload,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

/** Requests with unknown keys are shown with every project. */
const mistaken = aSharedStudio()

async function atLive(
  options: BrowserContextOptions = {},
  wanted?: TestStudio,
): Promise<{ studio: TestStudio; page: Page }> {
  const studio = wanted ?? inAnotherProject(await shared(browser))
  const page = await openOwnerPage(studio, options)
  await visit(page, `/studio/${studio.slug}/live`)
  await page.getByText('Connected').waitFor()
  return { studio, page }
}

const list = (page: Page) => page.getByRole('list', { name: 'Events, newest first' })
const row = (page: Page, name: string | RegExp) => list(page).getByRole('button', { name })
/** The names of the rows, from the first to the last. */
const rows = (page: Page) => list(page).getByRole('button').allInnerTexts()

async function happens(studio: TestStudio, page: Page, ...names: string[]) {
  for (const event of names) {
    await send(studio, anEvent({ event }))
    await row(page, event).waitFor()
  }
}

const gptBot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'

describe('events', () => {
  test('are there moments after they happened, the newest first', async () => {
    const { studio, page } = await atLive()
    await page.getByText('No recent events').waitFor()
    await happens(studio, page, 'first', 'second')
    await expect
      .poll(() => rows(page))
      .toEqual([expect.stringContaining('second'), expect.stringContaining('first')])
  })

  test('from before are there for a member who begins to look', async () => {
    const { studio, page } = await atLive()
    await happens(studio, page, 'before')
    await reload(page)
    await row(page, 'before').waitFor()
  })

  test('of machines are marked as theirs', async () => {
    const { studio, page } = await atLive()
    await send(studio, anEvent({ event: 'crawl' }), gptBot)
    await row(page, /crawl\s*AI/).waitFor()
    await happens(studio, page, 'visit')
    await row(page, /visit\s*Person/).waitFor()
  })

  test('open to everything that is known of them', async () => {
    const { studio, page } = await atLive()
    await send(studio, anEvent({ event: 'signup', properties: { plan: 'pro', cart: { items: [1, 2] } } }))
    await row(page, 'signup').click()
    const panel = page.getByRole('dialog', { name: 'signup' })
    for (const [term, fact] of [
      ['Distinct id', 'ana'],
      ['Path', '/pricing'],
      ['Browser', 'Firefox'],
      ['plan', 'pro'],
    ] as const)
      await expect
        .poll(() => panel.getByRole('term').filter({ hasText: term }).first().locator('+ dd').innerText())
        .toBe(fact)
    await panel.getByText('"items"').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  })

  test('tell their time in the zone of the project', async () => {
    const { studio, page } = await atLive()
    await send(studio, anEvent({ event: 'signup' }))
    const time = row(page, 'signup').locator('xpath=..').locator('time')
    const at = new Date((await time.getAttribute('datetime')) ?? '')
    await expect.poll(() => time.innerText()).toBe(at.toISOString().slice(11, 19))
  })
})

describe('what is not kept', () => {
  test('is shown with the reason, and counted beside', async () => {
    const { studio, page } = await atLive({}, await aStudio(browser))
    await send(studio, { ...anEvent(), api_key: 'phc_mistyped' })
    await send(studio, { api_key: writeKey, batch: [anEvent({ event: 'kept' }), { event: 'nobody' }] })
    await row(page, /nobody/).click()
    const panel = page.getByRole('dialog', { name: 'nobody' })
    await panel.getByText('Dropped: it has no distinct id').waitFor()
    await page.keyboard.press('Escape')

    const tally = page.getByRole('region', { name: 'Status' })
    await tally.getByText('it has no distinct id').waitFor()
    await tally.getByText('no project has the key “phc_mistyped”').waitFor()
    await tally.getByRole('button', { name: 'Show only refused' }).click()
    await expect.poll(() => list(page).getByRole('button').count()).toBe(1)
    await row(page, 'Request refused').click()
    await page.getByRole('dialog').getByText(`Use ${writeKey}`).waitFor()
  })

  test('of a stranger’s key is not for a member who may not change the project', async () => {
    const { studio, page } = await atLive({}, await aStudio(browser))
    await send(studio, { ...anEvent(), api_key: 'phc_of_somebody' })
    await row(page, 'Request refused').waitFor()
    const ben = await aMember(studio, 'viewer', 'Ben')
    await visit(ben, '/studio/acme/live')
    await ben.getByText('No recent events').waitFor()
  })
})

describe('the list', () => {
  test('stands still while paused, says how many wait, and shows them after', async () => {
    const { studio, page } = await atLive()
    await happens(studio, page, 'before')
    await page.keyboard.press('p')
    await page.getByText('Paused', { exact: true }).waitFor()
    await send(studio, anEvent({ event: 'meanwhile' }))
    const resume = page.getByRole('button', { name: 'Resume (1 waiting)' })
    await resume.waitFor()
    await expect.poll(() => row(page, 'meanwhile').count()).toBe(0)
    await resume.click()
    await row(page, 'meanwhile').waitFor()
  })

  /** The page says it to the browser, and the browser to us a moment later. */
  const addressed = (page: Page, search: string) => expect.poll(() => new URL(page.url()).search).toBe(search)

  test('is narrowed by kind, name and words, which the address keeps', async () => {
    const { studio, page } = await atLive()
    await happens(studio, page, 'signup', 'purchase')
    await send(studio, { api_key: writeKey, batch: [anEvent({ event: 'kept' }), { event: 'nobody' }] })
    await row(page, 'nobody').waitFor()

    await page.getByRole('radio', { name: 'Stored' }).click()
    await expect.poll(() => row(page, 'nobody').count()).toBe(0)
    await openList(page.getByRole('combobox', { name: 'Event' }))
    await chooseOption(page, /^signup/)
    await expect.poll(() => list(page).getByRole('button').count()).toBe(1)
    await page.getByRole('searchbox').fill('PRICING')
    await addressed(page, '?kind=stored&name=signup&find=PRICING')

    await reload(page)
    await row(page, 'signup').waitFor()
    await expect.poll(() => list(page).getByRole('button').count()).toBe(1)
    await page.getByRole('searchbox').fill('nowhere')
    await page.getByText('No matching events').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await row(page, 'nobody').waitFor()
    await addressed(page, '')
  })

  test('is gone through by j and k, and opened by Enter', async () => {
    const { studio, page } = await atLive()
    await happens(studio, page, 'first', 'second')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('j')
    await expect.poll(() => focused()).toContain('second')
    await page.keyboard.press('j')
    await expect.poll(() => focused()).toContain('first')
    await page.keyboard.press('k')
    await expect.poll(() => focused()).toContain('second')
    await page.keyboard.press('Enter')
    await openDialog(page, 'second')
    await page.keyboard.press('j')
    await page.getByRole('dialog', { name: 'first' }).waitFor()
  })

  test('is told to a screen reader now and then, not event by event', async () => {
    const { studio, page } = await atLive()
    const news = page.getByRole('status', { name: 'News' })
    await happens(studio, page, 'first', 'second')
    await expect.poll(() => news.innerText()).toContain('The last: second.')
    await expect.poll(() => news.getAttribute('aria-live')).toBe('polite')
  })
})

/** To one server, over plain HTTP. */
const connectionsOfBrowser = 6

/** A driven browser shows all of its tabs at once, so the page is told. */
const turn = (page: Page | undefined, state: 'hidden' | 'visible') =>
  page?.evaluate((wanted) => {
    Object.defineProperty(document, 'hidden', { value: wanted === 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

describe('a connection', () => {
  test('that is lost is said to be, and found again without anything shown twice', async () => {
    const { studio, page } = await atLive()
    await happens(studio, page, 'before')
    await page.route(`**/_tilth/live/${studio.slug}`, (route) => route.fulfill({ status: 503 }))
    await page.reload()
    await page.getByText('Connection lost, reconnecting').waitFor()
    await page.unroute(`**/_tilth/live/${studio.slug}`)
    await row(page, 'before').waitFor()
    await expect.poll(() => page.getByText('Connection lost').count()).toBe(0)
    expect(await row(page, 'before').count()).toBe(1)
  })

  test('is left by a hidden tab, so that any number of tabs leave the browser one for the next page', async () => {
    const { studio, page } = await atLive()
    const tabs = [page]
    for (let more = 0; more < connectionsOfBrowser; more++) {
      await turn(tabs[more], 'hidden')
      const tab = await page.context().newPage()
      await visit(tab, `/studio/${studio.slug}/live`)
      await tab.getByText('Connected').waitFor()
      tabs.push(tab)
    }
    await send(studio, anEvent({ event: 'meanwhile' }))
    await row(tabs[connectionsOfBrowser] ?? page, 'meanwhile').waitFor()
    expect(await row(page, 'meanwhile').count()).toBe(0)
    await turn(page, 'visible')
    await row(page, 'meanwhile').waitFor()
  })

  test('is not given to someone who does not belong', async () => {
    const { studio } = await atLive()
    const answer = await fetch(`${studio.address}/_tilth/live/${studio.slug}`)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    await answer.body?.cancel()
  })
})

test.each<[string, BrowserContextOptions]>([
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 390, height: 844 } }],
])('%s: it can be used by everyone, and fits', async (_name, options) => {
  const { studio, page } = await atLive(options, inAnotherProject(await mistaken(browser)))
  await send(studio, { ...anEvent(), api_key: 'phc_mistyped' })
  await send(studio, anEvent({ event: 'crawl' }), gptBot)
  await send(studio, { api_key: writeKey, batch: [anEvent({ event: 'kept' }), { event: 'nobody' }] })
  await row(page, 'nobody').waitFor()
  await row(page, 'kept').waitFor()
  await fitsWindow(page)
  expect(await accessibilityViolations(page)).toEqual([])
})
