import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { aMailServer } from '../outside/smtp'
import { owner } from './owner'
import { aPerson, aStudio, isUsableInBothThemes, openOwnerPage, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const login = { user: 'tilth@example.com', password: 'a long secret' }

test('an owner sets the mail server, tests it, and the next password reset goes out without a restart', async () => {
  const mail = await aMailServer({ login })
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/alerts')
  await page.getByText('E-mail isn’t set up').waitFor()
  await page.getByRole('link', { name: 'Settings → E-mail' }).click()
  await page.waitForURL('**/studio/acme/settings/email')

  await fillIn(page, { port: mail.port, password: 'wrong' })
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText(/127\.0\.0\.1 refuses the user or the password: .*535 5\.7\.8/).waitFor()
  await isUsableInBothThemes(page)

  await page.getByLabel('Password', { exact: true }).fill(login.password)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Mail server saved').first().waitFor()
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText(`It is on its way to ${owner.email}.`).waitFor()
  expect(mail.letters.map(({ to }) => to)).toEqual([[owner.email]])

  await visit(page, '/studio/acme/settings/email')
  await expect.poll(() => page.getByLabel('Host', { exact: true }).inputValue()).toBe('127.0.0.1')
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
  expect(await page.content()).not.toContain(login.password)
  await visit(page, '/studio/acme/alerts')
  await page.getByRole('heading', { name: 'Alerts' }).waitFor()
  expect(await page.getByText('E-mail isn’t set up').count()).toBe(0)

  const stranger = await aPerson(studio)
  await visit(stranger, '/studio/forgot')
  await stranger.getByLabel('E-mail').fill(owner.email)
  await stranger.getByRole('button', { name: 'Send link' }).click()
  await expect.poll(() => mail.letters.length).toBe(2)
  expect(mail.letters[1]).toMatchObject({
    to: [owner.email],
    raw: expect.stringContaining('Subject: Reset your Tilth password'),
  })
})

async function fillIn(page: Page, { port, password }: { port: number; password: string }) {
  await page.getByLabel('Host', { exact: true }).fill('127.0.0.1')
  await page.getByLabel('Port', { exact: true }).fill(String(port))
  await page.getByLabel('User', { exact: true }).fill(login.user)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Sender', { exact: true }).fill('Tilth <tilth@example.com>')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Mail server saved').first().waitFor()
}

test('a mail server of the environment is shown, without its password, and not changed here', async () => {
  const studio = await aStudio(browser, {
    TILTH_SMTP: 'smtp://tilth:secret-of-smtp@smtp.example.com',
    TILTH_MAIL_FROM: 'Tilth <tilth@shop.example>',
  })
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/settings/email')
  await page.getByText('Set by TILTH_SMTP and TILTH_MAIL_FROM').waitFor()
  await page.getByText('smtp.example.com', { exact: true }).waitFor()
  expect(await page.getByLabel('Host', { exact: true }).count()).toBe(0)
  expect(await page.content()).not.toContain('secret-of-smtp')
})
