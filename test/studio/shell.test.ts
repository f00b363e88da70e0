import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import {
  openDialog,
  openOwnerPage,
  executeInStore,
  reload,
  untilIdle,
  visit,
  aSharedStudio,
  aPerson,
  signIn,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

const pathOf = (page: Page) => new URL(page.url()).pathname

describe('an address of before', () => {
  test.each([
    // leads to                                 the address of today
    ['flags/key/checkout', 'flags/checkout'],
    ['flags/key/checkout/code?environment=staging', 'flags/checkout/code?environment=staging'],
    ['flags/key/new', 'flags/~new'],
    ['flags/key/key/people', 'flags/~key/people'],
    ['surveys/survey/1', 'surveys/1'],
    ['surveys/survey/1/results', 'surveys/1/results'],
    ['surveys/survey/1/response?id=a', 'surveys/1/response?id=a'],
    ['surveys/survey/1/export/csv', 'surveys/1/export/csv'],
    ['posts/post/42?panel=readers', 'site/posts/42?panel=readers'],
    ['posts/post/file%3Aposts/a~~b/%C3%BCber%20uns~md', 'site/posts/file%3Aposts/a~~b/%C3%BCber%20uns~md'],
    ['posts', 'site/posts'],
    ['posts?state=draft', 'site/posts?state=draft'],
    ['posts/42', 'site/posts/42'],
    ['posts/history/42?version=1', 'site/posts/history/42?version=1'],
    ['posts/images', 'site/posts/images'],
    ['posts/pages', 'site'],
    ['posts/comments', 'site/comments'],
    ['posts/site', 'site/design'],
    ['posts/redirects', 'site/design/redirects'],
    ['posts/letters', 'site/newsletter'],
    ['posts/letters/new?post=42', 'site/newsletter/new?post=42'],
    ['posts/letters/letter/7', 'site/newsletter/7'],
    ['posts/letters/7', 'site/newsletter/7'],
    ['posts/letters/list/news', 'site/newsletter/lists/news'],
    ['posts/letters/lists/news', 'site/newsletter/lists/news'],
  ])('%s', async (before, now) => {
    const page = await openOwnerPage(await shared(browser))
    const answer = await page.request.get(`/studio/acme/${before}`, { maxRedirects: 0 })
    expect(answer.status()).toBe(308)
    expect(answer.headers()['location']).toBe(`/studio/acme/${now}`)
  })
})

test('a wrong address is answered within the studio, with the page that it is most like', async () => {
  const page = await openOwnerPage(await shared(browser), { foreseen: /404/ })
  const answer = await page.goto('/studio/acme/flagz')
  expect(answer?.status()).toBe(404)
  await page.getByText('This page could not be found').first().waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Insights' }).first().waitFor()
  await page.getByText('Did you mean').getByRole('link', { name: 'Flags' }).click()
  await page.waitForURL('**/studio/acme/flags')
})

test('Enter in the key creates a flag', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/flags/new')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('placeholder')))
    .toBe('new-checkout')
  await page.keyboard.type('by-enter')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/studio/acme/flags/by-enter')
})

describe('the theme', () => {
  const fixture = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  /** The document as the server sends it, before any script could mend it. */
  async function sent(page: Page): Promise<string> {
    const answer = await page.request.get('/studio/acme')
    return (await answer.text()).match(/<html[^>]*>/)?.[0] ?? ''
  }

  test('that was chosen is in the very document the server sends', async () => {
    const page = await openOwnerPage(await shared(browser), { colorScheme: 'light' })
    await visit(page, '/studio/acme')
    const light = await fixture(page)
    await expect.poll(() => sent(page)).not.toContain('data-theme')

    await page.getByRole('button', { name: 'Theme: System' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect.poll(() => fixture(page)).not.toBe(light)
    await page.getByRole('button', { name: 'Theme: Dark' }).waitFor()
    await expect.poll(() => sent(page)).toContain('data-theme="dark"')

    await reload(page)
    await expect.poll(() => fixture(page)).not.toBe(light)
    await visit(page, '/studio/account')
    await page.getByRole('radio', { name: /^System/ }).click()
    await expect.poll(() => fixture(page)).toBe(light)
  })

  test('follows the system where no one chose', async () => {
    const studio = await shared(browser)
    const [light, dark] = [
      await openOwnerPage(studio, { colorScheme: 'light' }),
      await openOwnerPage(studio, { colorScheme: 'dark' }),
    ]
    await Promise.all([visit(light, '/studio'), visit(dark, '/studio')])
    await expect.poll(() => fixture(light)).not.toBe(await fixture(dark))
  })
})

describe('by keyboard alone', () => {
  /** Types into the palette, and takes what it then offers first. */
  async function runInPalette(page: Page, typed: string, offered: string) {
    await page.keyboard.press('Control+k')
    const palette = await openDialog(page, 'Command palette')
    await page.keyboard.type(typed)
    const option = palette.getByRole('option').filter({ hasText: offered }).first()
    await expect.poll(() => option.getAttribute('data-highlighted')).not.toBeNull()
    await page.keyboard.press('Enter')
  }

  async function atHome(): Promise<Page> {
    const page = await openOwnerPage(await shared(browser))
    await visit(page, '/studio/acme')
    return page
  }

  test('the palette finds a page and goes there', async () => {
    const page = await atHome()
    await runInPalette(page, 'audit', 'Audit log')
    await page.waitForURL('**/studio/acme/settings/audit')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('the palette changes the theme and signs out', async () => {
    const page = await aPerson(await shared(browser))
    await signIn(page)
    await visit(page, '/studio/acme')
    await runInPalette(page, 'dark', 'Dark theme')
    await page.getByRole('button', { name: 'Theme: Dark' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await runInPalette(page, 'sign out', 'Sign out')
    await page.waitForURL('**/studio/sign-in')
  })

  test('g and then a letter leads to a room', async () => {
    const page = await atHome()
    for (const [key, path] of [
      ['f', '/studio/acme/flags'],
      ['w', '/studio/acme/web'],
      [',', '/studio/acme/settings'],
      ['h', '/studio/acme'],
    ] as const) {
      await untilIdle(page)
      // the letter has to follow soon, however long the page takes to answer
      await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)])
      await page.waitForURL(`**${path}`)
    }
  })

  test('? lists every shortcut', async () => {
    const page = await atHome()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Search or jump to').waitFor()
    await expect
      .poll(() => help.getByRole('listitem').filter({ hasText: 'Flags' }).textContent())
      .toContain('G then F')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  })

  test('a letter chooses the period, in the open menu too', async () => {
    const page = await openOwnerPage(await shared(browser))
    await visit(page, '/studio/acme/web')
    await page.keyboard.press('w')
    await page.waitForURL('**/studio/acme/web?period=7d')
    await page.getByRole('button', { name: 'Date range: Last 7 days' }).click()
    await page.getByRole('menuitem', { name: 'Yesterday E' }).waitFor()
    await page.keyboard.press('e')
    await page.waitForURL('**/studio/acme/web?period=yesterday')
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Custom date range' }).waitFor()
    await page.keyboard.press('Escape')
    await untilIdle(page)
    // the second key of a way to a section is no period
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('w')])
    await expect.poll(() => page.url()).toMatch(/\/studio\/acme\/web$/)
  })

  test('nothing of it happens to someone who is typing', async () => {
    const page = await openOwnerPage(await shared(browser))
    await visit(page, '/studio/acme/settings')
    await page.getByLabel('Name').fill('')
    await page.getByLabel('Name').pressSequentially('gf?')
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('gf?')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => pathOf(page)).toBe('/studio/acme/settings')
  })

  test('the first stop of Tab skips to the content', async () => {
    const page = await atHome()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  })
})

describe('on a phone', () => {
  const phone = { viewport: { width: 390, height: 844 } }

  test('the sidebar waits in a drawer, which closes once it led somewhere', async () => {
    const page = await openOwnerPage(await shared(browser), phone)
    await visit(page, '/studio/acme')
    await expect.poll(() => page.getByRole('link', { name: 'Flags' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Flags' }).click()
    await page.waitForURL('**/studio/acme/flags')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('the drawer takes the focus, begins with its way out, and returns the focus by Escape', async () => {
    const page = await openOwnerPage(await shared(browser), phone)
    await visit(page, '/studio/acme')
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.click()
    const close = page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Close' })
    const hasFocus = () => close.evaluate((button) => button === document.activeElement)
    await expect.poll(hasFocus).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true)
  })
})

describe('when the store fails', () => {
  const broken = 'alter table audit rename to audit_elsewhere'
  const repaired = 'alter table audit_elsewhere rename to audit'

  test('a page says on which side, where it is written down, and comes back when it can', async () => {
    const studio = await shared(browser)
    // React's words for "the server could not finish this part"
    const page = await openOwnerPage(studio, { foreseen: /React error #419/ })
    executeInStore(studio, broken)
    await page.goto('/studio/acme/settings/audit')
    await page.getByText('Application error: a server-side exception has occurred').waitFor()
    await page.getByText('See the server logs for more information.').waitFor()
    const [, digest = ''] =
      /Digest: (\S+)/.exec((await page.getByText(/^Digest: /).textContent()) ?? '') ?? []
    await expect.poll(() => studio.tilth.out + studio.tilth.err).toContain(`"digest":"${digest}"`)

    executeInStore(studio, repaired)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page
      .getByRole('button', { name: /signed in as/ })
      .first()
      .waitFor()
  })

  test('a form says so too, and loses nothing that was typed', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/acme/settings')
    executeInStore(studio, broken)
    await page.getByLabel('Name').fill('Acme Garden')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^The server failed\. Its log has the reason under the digest \S+\.$/).waitFor()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Acme Garden')

    executeInStore(studio, repaired)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project saved').waitFor()
  })
})

test('a form that cannot reach the server says so, and loses nothing that was typed', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/settings')
  await page.getByLabel('Name').fill('Acme Orchard')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The server did not respond. Check that it is running, then try again.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Project saved').waitFor()
})
