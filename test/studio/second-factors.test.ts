import { TOTP, URI, Secret } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import {
  openOwnerPage,
  aPerson,
  aStudio,
  accessibilityViolations,
  violationsInBothThemes,
  fitsWindow,
  owner,
  visit,
  aSharedStudio,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

/** In which no second factor is set up. */
const shared = aSharedStudio()

const pathOf = (page: Page) => new URL(page.url()).pathname

async function givePassword(page: Page) {
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('two-factor', () => {
  test('is set up with an app, asked for at the next sign-in, and stood in for by a recovery code', async () => {
    const studio = await aStudio(browser)
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/account/security')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const app = new TOTP({ secret: Secret.fromBase32(secret) })
    expect(URI.parse(app.toString())).toBeInstanceOf(TOTP)
    await page.getByLabel('Code', { exact: true }).fill(app.generate())
    await page.getByRole('button', { name: 'Confirm' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
    await dialog.getByRole('button', { name: 'I have saved them' }).waitFor()
    const codes = await dialog.getByRole('listitem').allInnerTexts()
    expect(codes).toHaveLength(10)
    expect(await violationsInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('10 of 10 are left.').waitFor()

    const phone = await aPerson(studio)
    await phone.setViewportSize({ width: 390, height: 800 })
    await phone.goto('/studio/sign-in?to=/studio/account')
    await givePassword(phone)
    await phone.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
    await fitsWindow(phone)
    expect(await violationsInBothThemes(phone)).toEqual([])
    await phone.getByLabel('Code', { exact: true }).fill('000000')
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
    await phone.getByText('This code is wrong, or has been used.').waitFor()
    await phone.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
    await phone.getByRole('heading', { name: 'Your account' }).waitFor()
  })

  test('without which a member is led to set one up, where every project asks for it', async () => {
    const page = await openOwnerPage(await aStudio(browser))
    await visit(page, '/studio/installation')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('switch', { name: 'Require two-factor authentication' }).click()
    await page.getByText('Saved').first().waitFor()
    await page.goto('/studio/acme/web')
    await expect.poll(() => pathOf(page)).toBe('/studio/account/security')
    await page.getByText('Some of your projects require it.').waitFor()
  })
})

describe('a passkey', () => {
  test('is added with recovery codes, and signs its member in without a password', async () => {
    const page = await openOwnerPage(await aStudio(browser))
    await withAuthenticator(page)
    await visit(page, '/studio/account/security')
    await page.getByLabel('Name of the passkey').fill('Key ring')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
    await dialog.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('10 of 10 are left.').waitFor()
    await page.getByRole('button', { name: 'Remove passkey Key ring' }).waitFor()
    await page.context().clearCookies()

    await visit(page, '/studio/sign-in?to=/studio/account/security')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL('**/studio/account/security')
    await page.getByText('last used').waitFor()
  })

  test('that was removed signs no one in', async () => {
    const page = await openOwnerPage(await aStudio(browser))
    await withAuthenticator(page)
    await visit(page, '/studio/account/security')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByRole('button', { name: 'Remove passkey My device' }).click()
    await page.getByRole('alertdialog').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByText('You have no recovery codes.').waitFor()
    await page.context().clearCookies()

    await visit(page, '/studio/sign-in')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('This passkey is not known here').waitFor()
    await expect.poll(() => pathOf(page)).toBe('/studio/sign-in')
  })

  test('is refused with the reason where the studio was opened under another name', async () => {
    const studio = await shared(browser)
    const page = await aPerson(studio)
    await withAuthenticator(page)
    await visit(page, `${studio.address.replace('localhost', '127.0.0.1')}/studio/sign-in`)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Passkeys work at localhost only').waitFor()
  })
})

/** Chromium's own: a device with a key store, which agrees to whatever it is asked. */
async function withAuthenticator(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
}

test('a forgotten password without a mail server leads to the command', async () => {
  const page = await aPerson(await shared(browser))
  await visit(page, '/studio/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByText('node bin/tilth.js member reset-link').waitFor()
})
