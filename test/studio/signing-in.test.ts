import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { openOwnerPage, aPerson, aStudio, owner, signIn, visit, aSharedStudio } from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

const pathOf = (page: Page) => new URL(page.url()).pathname

async function typeIn(page: Page, password: string = owner.password) {
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('signing in', () => {
  test('leads back to where someone was going', async () => {
    const page = await aPerson(await shared(browser))
    await visit(page, '/studio/acme/settings/audit?action=sign-in')
    await expect.poll(() => pathOf(page)).toBe('/studio/sign-in')
    await expect
      .poll(() => page.getByLabel('E-mail').evaluate((field) => field === document.activeElement))
      .toBe(true)
    await typeIn(page)
    await page.waitForURL('**/studio/acme/settings/audit?action=sign-in')
  })

  test('leads nowhere but to pages of ours', async () => {
    const page = await aPerson(await shared(browser))
    await visit(page, `/studio/sign-in?to=${encodeURIComponent('/.//evil.example')}`)
    await typeIn(page)
    await page.waitForURL('**/studio/acme')
  })

  test('with a wrong password says no more than that, and keeps the address', async () => {
    const page = await aPerson(await shared(browser))
    await visit(page, '/studio/sign-in')
    await typeIn(page, 'not my password')
    await page.getByRole('alert').getByText('The address or the password is wrong.').waitFor()
    await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/studio/acme')
  })

  test('works without scripts', async () => {
    const page = await aPerson(await shared(browser), { javaScriptEnabled: false })
    await page.goto('/studio/sign-in?to=/studio/account')
    await typeIn(page)
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
  })

  test('keeps a cookie that scripts cannot read, bound to the host where the connection is safe', async () => {
    const studio = await aStudio(browser, { TILTH_TRUST_PROXY: 'loopback' })
    const plain = await aPerson(studio)
    await signIn(plain)
    const [cookie] = (await plain.context().cookies()).filter(({ name }) => name === 'sid')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', secure: false })

    const page = await aPerson(studio)
    await visit(page, '/studio/sign-in')
    const behindTls = await page.request.post('/studio/sign-in', {
      headers: { 'x-forwarded-proto': 'https', origin: studio.address.replace('http:', 'https:') },
      multipart: { ...(await hiddenFields(page)), email: owner.email, password: owner.password },
      maxRedirects: 0,
    })
    expect(behindTls.headers()['set-cookie']).toMatch(
      /^__Host-sid=\w{43}; Path=\/; Expires=[^;]+; Secure; HttpOnly; SameSite=lax$/im,
    )
  })
})

/** The fields of the form besides the visible ones: they name its action. */
const hiddenFields = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries(
    await page
      .locator('form input[type=hidden]')
      .evaluateAll((inputs) =>
        inputs.map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
      ),
  )

describe('signing out', () => {
  test('ends the session and loads a new document', async () => {
    const page = await aPerson(await shared(browser))
    await signIn(page)
    const cookies = await page.context().cookies()
    await visit(page, '/studio/acme')
    await page.getByRole('button', { name: 'Account of ana' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/studio/sign-in')
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('sid')

    // a copy of the cookie is worthless
    await page.context().addCookies(cookies)
    await page.goto('/studio/acme')
    await expect.poll(() => pathOf(page)).toBe('/studio/sign-in')
  })
})

describe('the account', () => {
  test('lists sessions, and ends the others', async () => {
    const studio = await shared(browser)
    const laptop = await openOwnerPage(studio)
    const phone = await aPerson(studio)
    await signIn(phone)
    await visit(laptop, '/studio/account/security')
    await laptop.getByText('This one').waitFor()
    await laptop.getByRole('button', { name: 'End all others…' }).click()
    await laptop.getByRole('button', { name: 'End others' }).click()
    await laptop.getByText('Other sessions ended').waitFor()

    await phone.goto('/studio/account/security')
    await expect.poll(() => pathOf(phone)).toBe('/studio/sign-in')
    await laptop.goto('/studio/account/security')
    await expect.poll(() => pathOf(laptop)).toBe('/studio/account/security')
  })

  test('ends one session by itself, though not the one it is used from', async () => {
    const studio = await shared(browser)
    const laptop = await openOwnerPage(studio)
    const phone = await aPerson(studio)
    await signIn(phone)
    await visit(laptop, '/studio/account/security')
    const ends = laptop.getByRole('button', { name: 'End the session on Chrome on Linux' })
    await expect
      .poll(() => ends.evaluateAll((buttons) => buttons.map((each) => each.ariaDisabled)))
      .toEqual(expect.arrayContaining(['true', null]))
    await laptop
      .locator('tr', { hasNotText: 'This one' })
      .getByRole('button', { name: /^End the session/ })
      .click()
    await laptop.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click()
    await laptop.getByText('Session ended').waitFor()
    await phone.goto('/studio')
    await expect.poll(() => pathOf(phone)).toBe('/studio/sign-in')
  })

  test('changes name, e-mail and password', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/account')
    await page.getByLabel('Your name').fill('Ana Berg')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('button', { name: 'Account of Ana Berg' }).waitFor()

    await page.getByLabel('Your e-mail').fill('berg@example.com')
    await page.getByRole('button', { name: 'Save e-mail' }).click()
    await page.getByText('E-mail saved').waitFor()

    await visit(page, '/studio/account/security')
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Use at least 12 characters.').waitFor()
    await page.getByLabel('New password').fill('amber ridge canoe')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed, other sessions ended').waitFor()

    const elsewhere = await aPerson(studio)
    await signIn(elsewhere, { email: 'berg@example.com', password: 'amber ridge canoe' })
    await elsewhere.waitForURL('**/studio/acme')
  })
})
