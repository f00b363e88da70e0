import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anOidcProvider, type ProviderClaims } from '../outside/real-oidc-provider'
import {
  openOwnerPage,
  aPerson,
  aStudio,
  forgetRecentPasswords,
  accessibilityViolations,
  owner,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

/** A Tilth of Ana's whose members may also come in by Acme ID. */
async function aStudioWithProvider(claims: ProviderClaims, settings: Record<string, string> = {}) {
  let address = ''
  const provider = await anOidcProvider(() => `${address}/studio/oidc/callback`, claims)
  const studio = await aStudio(browser, {
    TILTH_OIDC_ISSUER: provider.origin,
    TILTH_OIDC_CLIENT_ID: 'tilth',
    TILTH_OIDC_CLIENT_SECRET: 'a secret of the client',
    TILTH_OIDC_NAME: 'Acme ID',
    TILTH_OIDC_JOIN: 'yes',
    TILTH_OUTBOUND_ALLOW: provider.origin.replace('http://', ''),
    ...settings,
  })
  address = studio.address
  return { studio, provider }
}

async function signInByProvider(studio: TestStudio): Promise<Page> {
  const page = await aPerson(studio)
  await visit(page, '/studio/sign-in')
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  return page
}

test('a user of the provider comes in with the role that their group gives, and loses it with the group', async () => {
  const { studio, provider } = await aStudioWithProvider(
    { email: 'rosa@acme.example', name: 'Rosa Roth', groups: ['analysts'] },
    { TILTH_OIDC_ROLES: 'analysts=acme:viewer' },
  )
  const page = await signInByProvider(studio)
  await page.waitForURL('**/studio/acme')

  const boss = await openOwnerPage(studio)
  await visit(boss, '/studio/installation')
  await boss.getByText('analysts').waitFor()
  await visit(boss, '/studio/acme/settings/members')
  await boss
    .getByRole('row', { name: /Rosa Roth/ })
    .getByText('Viewer')
    .first()
    .waitFor()

  provider.user['groups'] = []
  await page.context().clearCookies()
  await visit(page, '/studio/sign-in')
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await page.waitForURL('**/studio')
  await visit(boss, '/studio/acme/settings/members')
  await expect.poll(() => boss.getByRole('row', { name: /Rosa Roth/ }).count()).toBe(0)
})

test('a member links their account after the right password; a wrong one keeps them where they are', async () => {
  const { studio } = await aStudioWithProvider({ email: owner.email })
  const stranger = await signInByProvider(studio)
  await stranger.getByText('A member has your e-mail address already.').waitFor()

  const page = await openOwnerPage(studio)
  forgetRecentPasswords(studio)
  await visit(page, '/studio/account/security')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Link your account at Acme ID' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('This is not your password.').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/studio/account/security')
  await dialog.getByLabel('Your password').fill(owner.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Your account is linked.').waitFor()

  const again = await signInByProvider(studio)
  await again.waitForURL('**/studio/acme')
})

test('an account of another address is not linked, and the page says why', async () => {
  const { studio } = await aStudioWithProvider({ email: 'other@acme.example' })
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/account/security')
  await page.getByRole('button', { name: 'Link your account at Acme ID' }).click()
  await page.getByText('Acme ID has not verified the e-mail address that you use here.').waitFor()
  await page.getByRole('heading', { name: 'Security', exact: true }).waitFor()
})

test('a member without a password confirms a change by signing in with the provider again', async () => {
  const { studio, provider } = await aStudioWithProvider({ email: 'rosa@acme.example', name: 'Rosa Roth' })
  const page = await signInByProvider(studio)
  await page.waitForURL('**/studio')
  forgetRecentPasswords(studio)
  await visit(page, '/studio/account/security')
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await dialog.getByText('You have no password.').waitFor()
  await expect.poll(() => dialog.getByLabel('Your password').count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])
  // the way over the provider ends at the address it began at, so the address alone does not tell its end
  const returned = page.waitForEvent('framenavigated', (frame) =>
    frame.url().endsWith('/studio/account/security'),
  )
  await dialog.getByRole('button', { name: 'Sign in with Acme ID again' }).click()
  await returned
  await page.getByText('Your account is linked.').waitFor()
  expect(provider.prompts).toContain('login')
  await visit(page, '/studio/account/security')
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  await page.getByLabel('Secret', { exact: true }).waitFor()
})
