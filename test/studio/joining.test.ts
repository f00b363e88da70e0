import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import {
  aMember,
  openOwnerPage,
  aPerson,
  askApi,
  signIn,
  type TestStudio,
  visit,
  aSharedStudio,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

/** In which no invitation is open but those that a test sees to. */
const invited = aSharedStudio()

/** As Ana does it: by the dialog on the members page. */
async function invite(page: Page, { role, email }: { role: string; email?: string }): Promise<string> {
  await visit(page, '/studio/acme/settings/members')
  await page.getByRole('button', { name: 'Invite…' }).click()
  await page.getByRole('radio', { name: new RegExp(`^${role}`) }).click()
  if (email) await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  return link
}

const linkFor = async (studio: TestStudio, invitation: { role: string; email?: string }): Promise<string> => {
  const { token } = await askApi<{ token: string }>(studio, 'POST', '/projects/acme/invitations', invitation)
  return `/studio/join#${token}`
}

async function fillIn(page: Page, email: string) {
  await page.getByLabel('Your name').fill('Ben')
  await page.getByLabel('Your e-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('amber ridge canoe')
  await page.getByRole('button', { name: 'Create account and join' }).click()
}

test('an invitation says what it offers, and brings in one person once', async () => {
  const studio = await invited(browser)
  const page = await openOwnerPage(studio)
  const link = await invite(page, { role: 'Editor' })
  await page.getByRole('cell', { name: 'Anyone with the link', exact: true }).waitFor()

  const ben = await aPerson(studio)
  await ben.goto(link)
  await ben.getByRole('heading', { name: 'Join Acme' }).waitFor()
  await ben.getByText('ana invites you as editor.').waitFor()
  await fillIn(ben, 'ben@example.com')
  await ben.waitForURL('**/studio/acme')
  await ben.getByText('Editors create and change everything').waitFor()

  const late = await aPerson(studio)
  await late.goto(link)
  await late.getByText('This invitation is no longer valid').waitFor()

  await visit(page, '/studio/acme/settings/members')
  await page.getByRole('cell', { name: 'ben@example.com' }).first().waitFor()
  await page.getByText('No open invitations').waitFor()
})

test('an invitation for one address is for that address alone', async () => {
  const studio = await shared(browser)
  const link = await linkFor(studio, { role: 'viewer', email: 'zoe@example.com' })
  const page = await aPerson(studio)
  await page.goto(link)
  const address = page.getByLabel('Your e-mail')
  await address.waitFor()
  await expect.poll(() => address.inputValue()).toBe('zoe@example.com')
  await expect.poll(() => address.getAttribute('readonly')).not.toBeNull()

  const other = await aMember(studio, 'viewer', 'Carl')
  await other.goto(link)
  await other.getByText('This invitation is for zoe@example.com').waitFor()
})

test('a member who is signed in joins with a press, one who is not by signing in', async () => {
  const studio = await shared(browser)
  const dora = await aMember(studio, 'viewer', 'Dora')
  await leave(dora)
  await dora.goto(await linkFor(studio, { role: 'editor' }))
  await dora.getByText('You are signed in as Dora').waitFor()
  await dora.getByRole('button', { name: 'Accept the invitation' }).click()
  await dora.waitForURL('**/studio/acme')
  await leave(dora)

  const elsewhere = await aPerson(studio)
  await elsewhere.goto(await linkFor(studio, { role: 'admin' }))
  await elsewhere.getByRole('tab', { name: 'Sign in' }).click()
  await elsewhere.getByLabel('E-mail').fill('dora@example.com')
  await elsewhere.getByLabel('Password', { exact: true }).fill('amber ridge canoe')
  await elsewhere.getByRole('button', { name: 'Sign in and join' }).click()
  await elsewhere.waitForURL('**/studio/acme')
  await elsewhere.getByText('Admins manage settings').waitFor()
})

async function leave(page: Page) {
  await visit(page, '/studio/acme/settings/members')
  await page.getByRole('button', { name: 'Leave this project…' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByText('No projects yet').waitFor()
}

test('an address that has an account already is sent to sign in', async () => {
  const studio = await shared(browser)
  await aMember(studio, 'viewer', 'Eva')
  const page = await aPerson(studio)
  await page.goto(await linkFor(studio, { role: 'viewer' }))
  await fillIn(page, 'eva@example.com')
  await page.getByText('This address already has an account. Sign in, then open the link again.').waitFor()
})

test('an invitation that was taken back opens nothing', async () => {
  const studio = await invited(browser)
  const page = await openOwnerPage(studio)
  const link = await invite(page, { role: 'Viewer', email: 'zoe@example.com' })
  await page.getByRole('button', { name: 'Revoke invitation for zoe@example.com' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No open invitations').waitFor()
  const zoe = await aPerson(studio)
  await zoe.goto(link)
  await zoe.getByText('This invitation is no longer valid').waitFor()
})

test('the token stays in the browser: no address that is asked for holds it', async () => {
  const studio = await shared(browser)
  const link = await linkFor(studio, { role: 'viewer' })
  const token = link.split('#')[1] ?? ''
  const page = await aPerson(studio)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url(), JSON.stringify(request.headers())))
  await page.goto(link)
  await page.getByRole('heading', { name: 'Join Acme' }).waitFor()
  await fillIn(page, 'finn@example.com')
  await page.waitForURL('**/studio/acme')
  expect(requests.filter((each) => each.split('#')[0]?.includes(token))).toEqual([])
})

test('without scripts the page says why it cannot go on', async () => {
  const page = await aPerson(await shared(browser), { javaScriptEnabled: false })
  await page.goto('/studio/join#anything')
  const sentence = page.locator('noscript p')
  await sentence.waitFor()
  await expect.poll(() => sentence.textContent()).toContain('This page needs JavaScript')
})

test('a member of no project is told so', async () => {
  const studio = await shared(browser)
  const gina = await aMember(studio, 'viewer', 'Gina')
  await leave(gina)
  const again = await aPerson(studio)
  await signIn(again, { email: 'gina@example.com', password: 'amber ridge canoe' })
  await again.goto('/studio')
  await again.getByText('No projects yet').waitFor()
})
