import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patienceMs } from '../running/patience'
import { openBrowser } from '../pages/browser'
import { aMailServer } from '../outside/smtp'
import {
  accessibilityViolations,
  askApi,
  aStudio,
  chooseOption,
  isUsable,
  openList,
  openOwnerPage,
  reload,
  visit,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('a response is e-mailed to a member, opens from the e-mail, and no longer comes after unsubscribing', async () => {
  const mail = await aMailServer()
  const studio = await aStudio(browser, {
    TILTH_SMTP: `smtp://127.0.0.1:${mail.port}`,
    TILTH_MAIL_FROM: 'tilth@shop.example',
  })
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/surveys', {
    name: 'Fit',
    placement: { kind: 'hosted' },
    content: { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] },
  })
  await askApi(studio, 'POST', `/projects/acme/surveys/${id}/launch`, {})

  const page = await openOwnerPage(studio)
  const share = `/studio/acme/surveys/${id}/share`
  await visit(page, share)
  const notify = page.getByRole('region', { name: 'Notify' })
  await openList(notify.getByRole('combobox', { name: 'Add member' }))
  await chooseOption(page, /^ana/)
  await notify.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Recipients saved').first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await isUsable(page)

  await answer('Figs <b>daily</b>')
  await expect.poll(() => mail.letters.length, { timeout: patienceMs }).toBe(1)
  const { to, raw = '' } = mail.letters[0] ?? {}
  expect(to).toEqual(['ana@example.com'])
  expect(raw).toMatch(/^Subject: New response: Fit/m)
  expect(raw).toContain('Figs <b>daily</b>')
  const response = linkAfter('Open response: ', raw)
  // the e-mail may come before the engine has the answer
  await expect
    .poll(async () => (await page.goto(response), page.getByRole('main').innerText()), {
      timeout: patienceMs,
    })
    .toContain('Figs <b>daily</b>')

  const reader = await browser.newPage()
  await reader.goto(linkAfter('Unsubscribe from this survey: ', raw))
  await reader.getByRole('button', { name: 'Unsubscribe' }).click()
  await reader.getByText('You will no longer get these e-mails').waitFor()
  await reader.close()
  await answer('Dates')
  await visit(page, share)
  await expect
    .poll(
      async () => {
        await reload(page)
        return page.getByRole('table', { name: 'Notifications' }).innerText()
      },
      { timeout: patienceMs },
    )
    .toContain('The recipient unsubscribed.')
  await notify.getByText('Unsubscribed').waitFor()
  expect(mail.letters).toHaveLength(1)

  async function answer(text: string) {
    const visitor = await browser.newPage({ userAgent })
    await visitor.goto(`${studio.address}/s/${id}`)
    await visitor.getByRole('textbox').fill(text)
    await visitor.getByRole('button', { name: 'Submit' }).click()
    await visitor.getByText('Thank you').waitFor()
    await visitor.close()
  }
})

/** A headless browser is a robot otherwise, whose answers do not count. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The URL behind these words in the plain text, whose lines are folded as mail wants them. */
function linkAfter(words: string, raw: string): string {
  const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const [, url = ''] = new RegExp(`${words}(\\S+)`).exec(text) ?? []
  return url
}
