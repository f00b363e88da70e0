import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { assistantSignIns } from '../outside/assistant-sign-in'
import { aClientDocument, localhostCertificate } from '../outside/client-document'
import { openBrowser } from '../pages/browser'
import { aFolder } from '../product/fixture'
import { receiveCallbacks, returned } from './letting-in'
import { aPerson, aStudio, fitsWindow, isUsableInBothThemes, openOwnerPage, owner, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('an assistant is connected by the snippet, let in, answered, revoked in the settings, and then refused', async () => {
  const certificate = join(aFolder(), 'localhost.pem')
  writeFileSync(certificate, localhostCertificate)
  const studio = await aStudio(browser, {
    TILTH_OUTBOUND_ALLOW: 'localhost,127.0.0.0/8,::1/128',
    NODE_EXTRA_CA_CERTS: certificate,
  })
  const redirect_uris = ['http://127.0.0.1/callback']
  const document = await aClientDocument((client_id) => ({ client_id, client_name: 'Desk', redirect_uris }))
  const page = await openOwnerPage(studio)
  await receiveCallbacks(page)

  await visit(page, '/studio/acme/connect')
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.waitForURL('**/connect/agents')
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue()
  await page.getByText(`claude mcp add --transport http tilth ${address}`, { exact: true }).waitFor()
  await isUsableInBothThemes(page)

  const assistant = await assistantSignIns['2026-07-28'](
    new URL(address),
    async (consentPage) => {
      await visit(page, consentPage.pathname + consentPage.search)
      await page.getByRole('heading', { name: 'Let Desk in?' }).waitFor()
      await page.getByText(document).waitFor()
      await page.getByText('127.0.0.1:7777, a program on this computer').waitFor()
      await page.getByText(`${owner.name}, ${owner.email}`).waitFor()
      await isUsableInBothThemes(page)
      await fitsWindow(page)
      await page.getByRole('radio', { name: /^Propose/ }).check()
      await page.getByRole('button', { name: 'Let it in' }).click()
      return await returned(page)
    },
    document,
  )
  onTestFinished(() => assistant.close())
  expect(await assistant.call('get_project')).toContain('Acme')

  await visit(page, '/studio/acme/settings/agents')
  const row = page.getByRole('row', { name: /Desk/ })
  await row.getByText('Propose', { exact: true }).waitFor()
  await row.getByText('from this machine').waitFor()
  await isUsableInBothThemes(page)

  const accessSwitch = page.getByRole('switch', { name: 'Assistants may connect' })
  await accessSwitch.click()
  await page.getByText('Assistants are refused').first().waitFor()
  await expect(assistant.call('get_project')).rejects.toThrow(/may not connect/)
  await accessSwitch.click()
  await page.getByText('Assistants may connect').nth(1).waitFor()
  expect(await assistant.call('get_project')).toContain('Acme')

  await page.getByRole('button', { name: `Revoke Desk of ${owner.name}` }).click()
  await page.getByRole('button', { name: 'Revoke access' }).click()
  await page.getByText('No assistants yet').waitFor()
  await expect(assistant.call('get_project')).rejects.toThrow()
})

test('an assistant that registered itself leads through the sign-in, and a refusal tells it', async () => {
  const studio = await aStudio(browser)
  const page = await aPerson(studio)
  await receiveCallbacks(page)
  const consentPages: URL[] = []
  const signIn = assistantSignIns[2025](new URL('/mcp', studio.address), async (consentPage) => {
    consentPages.push(consentPage)
    await page.goto(consentPage.pathname + consentPage.search)
    await page.getByLabel('E-mail').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Let Claude Code in?' }).waitFor()
    await page.getByRole('button', { name: 'Let it in' }).click()
    return await returned(page)
  })
  const assistant = await signIn
  onTestFinished(() => assistant.close())
  expect(await assistant.tools()).toContain('web_overview')

  const [again] = consentPages
  await visit(page, `${again?.pathname}${again?.search}`)
  await page.getByRole('button', { name: 'Refuse' }).click()
  const { searchParams } = await returned(page)
  expect(searchParams.get('error')).toBe('access_denied')

  const elsewhere = new URL(String(again))
  elsewhere.searchParams.set('redirect_uri', 'https://evil.example/callback')
  await page.goto(elsewhere.pathname + elsewhere.search)
  await page.getByText('asks to be answered at an address that is not its own').waitFor()
  const { headers } = await fetch(new URL(elsewhere.pathname, studio.address), { redirect: 'manual' })
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})
