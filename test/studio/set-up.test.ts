import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { aTilth, aTilthForAll, type RunningTestTilth } from '../start/tilth'
import { aPerson, aStudio, visit, waitForHydration } from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

/** For tests after which it still has no owner. */
const unowned = aTilthForAll()

const codeIn = ({ out }: RunningTestTilth) => /^Set-up code: (\S+)$/m.exec(out)?.[1] ?? ''

async function fillIn(page: Page, code: string) {
  await page.getByLabel('Set-up code').fill(code)
  await page.getByLabel('Your name').fill('Ana Berg')
  await page.getByLabel('Your e-mail').fill('ana@example.com')
  await page.getByLabel('Password', { exact: true }).fill('lantern orchard violin')
  await page.getByLabel('First project').fill('Müller & Söhne')
}

const setUp = (page: Page) => page.getByRole('button', { name: 'Set up Tilth' }).click()

test('a visitor with the code becomes the owner, and is on the project’s page a moment later', async () => {
  const tilth = await aTilth()
  const page = await aPerson({ browser, address: tilth.address }, { timezoneId: 'Europe/Berlin' })
  await page.goto('/studio')
  await waitForHydration(page)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/studio/setup')

  await fillIn(page, 'AAAA-BBBB-CCCC')
  await page.getByText('URL: /studio/muller-sohne').waitFor()
  await setUp(page)
  await page.getByText('This is not the code.').waitFor()
  await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe('Ana Berg')

  await page.getByLabel('Set-up code').fill(codeIn(tilth).toLowerCase().replaceAll('-', ' '))
  await setUp(page)
  await page.waitForURL('**/studio/muller-sohne')
  await page.getByRole('heading', { name: 'Müller & Söhne' }).waitFor()
  await page.getByText('Time zone: Europe/Berlin').waitFor()
  await expect.poll(() => page.title()).toBe('Home · Müller & Söhne · Tilth')
})

test('the address of a site is shown with its host as browsers ask for it', async () => {
  const tilth = await unowned()
  const page = await aPerson({ browser, address: tilth.address })
  await visit(page, '/studio/setup')
  await page.getByLabel('Site address').fill('bücher.example')
  await page.getByText('Address: https://xn--bcher-kva.example/').waitFor()
})

test('it works without scripts', async () => {
  const tilth = await aTilth()
  const page = await aPerson({ browser, address: tilth.address }, { javaScriptEnabled: false })
  await page.goto('/studio/setup')
  await fillIn(page, 'AAAA-BBBB-CCCC')
  await setUp(page)
  await page.getByText('This is not the code.').waitFor()
  await fillIn(page, codeIn(tilth))
  await setUp(page)
  await page.waitForURL('**/studio/muller-sohne')
})

test('each field says what is wrong with it, and the first of them is where one goes on typing', async () => {
  const tilth = await unowned()
  const page = await aPerson({ browser, address: tilth.address })
  await visit(page, '/studio/setup')
  await page.getByLabel('Site address').fill('ftp://shop.example')
  await setUp(page)
  await page.getByText('Give a name.').waitFor()
  await page.getByText('The address of a site begins with https:// or http://.').waitFor()
  await page.getByText('This does not look like an e-mail address, such as ana@example.com.').waitFor()
  await page.getByText('Give the project a name.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name')
})

test('the rules for passwords are ticked off while one types, and what the list knows is told when it is sent', async () => {
  const tilth = await unowned()
  const page = await aPerson({ browser, address: tilth.address })
  await visit(page, '/studio/setup')
  const rule = (words: string) => page.getByRole('listitem').filter({ hasText: words })
  const isKept = (words: string) => expect.poll(() => rule(words).textContent()).toBe(`${words}: yes`)
  const isBroken = (words: string) => expect.poll(() => rule(words).textContent()).toBe(words)

  await page.getByLabel('Your name').fill('Ana Berg')
  await page.getByLabel('Password', { exact: true }).fill('AnaBerg2026!!')
  await isKept('At least 12 characters')
  await isBroken('Not your name or address with a few characters added')

  await page.getByRole('button', { name: 'Show password' }).click()
  await expect.poll(() => page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')

  await fillIn(page, codeIn(tilth))
  await page.getByLabel('Password', { exact: true }).fill('unbelievable2026')
  await setUp(page)
  await page.getByText('This password is on lists that attackers try first. Choose another.').waitFor()
})

test('a Tilth that is owned cannot be set up again', async () => {
  const studio = await aStudio(browser)
  const page = await aPerson(studio)
  await page.goto('/studio/setup')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/studio/sign-in')
})
