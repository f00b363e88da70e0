import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { aMailServer, type TestMailServer } from '../outside/smtp'
import {
  askApi,
  aStudio,
  isUsableInBothThemes,
  openOwnerPage,
  type TestStudio,
  visit,
} from '../studio/studio'
import { patienceMs } from '../running/patience'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test('a visitor signs up and confirms, gets a post by e-mail, clicks, and leaves by one click', async () => {
  const mail = await aMailServer()
  const studio = await aStudio(browser, {
    TILTH_SMTP: `smtp://127.0.0.1:${mail.port}`,
    TILTH_MAIL_FROM: 'Tilth <tilth@shop.example>',
  })
  await publish(studio, { title: 'Join us', slug: 'join', body: ':::signup\nOne a month.\n:::' })
  await publish(studio, { title: 'Big news', slug: 'news', body: 'We **moved**. [See](/blog/join)' })

  await signUp(studio, 'Ana@Example.com')
  const confirmation = await letterNumber(mail, 1)
  expect(confirmation).toContain('Subject: Confirm your subscription to Newsletter')
  await confirm(studio, linkIn(confirmation, 'confirm'))

  const owner = await openOwnerPage(studio)
  await visit(owner, '/studio/acme/site/newsletter')
  await owner.getByLabel('Postal address').fill('Acme, 1 Main Street')
  await owner.getByRole('button', { name: 'Save settings' }).click()
  await owner.getByText('Settings saved').first().waitFor()
  await send(owner, 'Big news', async () => {
    expect(await letterNumber(mail, 2)).toMatch(/^Subject: \[Test\] Big news\r$/m)
  })
  const letter = await letterNumber(mail, 3)
  expect(mail.letters[2]?.to).toEqual(['ana@example.com'])
  expect(letter).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  expect(letter).toMatch(/^List-ID: <newsletter\.\d+\.[\w.-]+>\r$/im)

  const clicked = await fetch(linkIn(letter, 'click'), {
    redirect: 'manual',
    headers: { 'user-agent': agent },
  })
  expect([clicked.status, clicked.headers.get('location')]).toEqual([
    302,
    `${studio.address}/blog/join?utm_source=newsletter&utm_medium=email&utm_campaign=news`,
  ])
  const leave = linkIn(letter, 'unsubscribe')
  expect(await (await fetch(leave)).text()).toContain('Unsubscribe from Newsletter?')
  const oneClick = await fetch(leave, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
  expect([oneClick.status, await oneClick.text()]).toEqual([200, expect.stringContaining('Unsubscribed')])

  await figuresAre(owner, { Delivered: '1', Clicked: '1 (100%)', Unsubscribed: '1 (100%)' })
  await isUsableInBothThemes(owner)
  await visit(owner, '/studio/acme/site/newsletter/lists/newsletter')
  await owner.getByRole('row', { name: /Address removed.*Unsubscribed/ }).waitFor()
  await visit(owner, '/studio/acme/site/newsletter/new')
  await owner.getByRole('button', { name: 'Review' }).click()
  await owner.getByText('0 subscribers').first().waitFor()
  await owner.getByRole('button', { name: /^Send to/ }).click()
  await owner.getByRole('button', { name: 'Send now' }).click()
  await owner.getByText('No one on this list has confirmed yet.').waitFor()
  expect(mail.letters).toHaveLength(3)

  await expect
    .poll(() => letterEvents(studio))
    .toEqual([
      ['$letter_clicked', 1],
      ['$letter_delivered', 1],
      ['$letter_subscribed', 1],
      ['$letter_unsubscribed', 1],
    ])
  await publishAndSend(owner, studio, mail)
})

/** In the dialog that publishes a draft, which names how many people it is sent to. */
async function publishAndSend(owner: Page, studio: TestStudio, mail: TestMailServer) {
  await askApi(studio, 'POST', '/projects/acme/letter-lists/newsletter/import', {
    addresses: 'ben@example.com',
    consent: 'Signed up at the fair',
  })
  const post = { title: 'Second thoughts', slug: 'second', body: 'We **stay**.' }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/posts', post)
  await visit(owner, `/studio/acme/site/posts/${id}`)
  await owner.getByRole('button', { name: 'Publish…' }).click()
  await owner.getByRole('radio', { name: /^Later/ }).click()
  await owner.getByLabel('Send as newsletter').waitFor({ state: 'detached' })
  await owner.getByRole('radio', { name: /^Now/ }).click()
  await owner.getByLabel('Send as newsletter').check()
  await owner.getByRole('combobox', { name: 'List' }).waitFor()
  await owner.getByRole('button', { name: 'Publish and send to 1 subscriber' }).click()
  await owner.getByText('“Second thoughts” is published and being sent').waitFor()
  expect(await letterNumber(mail, 4)).toMatch(/^Subject: Second thoughts\r$/m)
  expect(mail.letters[3]?.to).toEqual(['ben@example.com'])
  const status = async () => (await fetch(`${studio.address}/blog/second.md`)).status
  await expect.poll(status).toBe(200)
}

async function publish(studio: TestStudio, post: { title: string; slug: string; body: string }) {
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/posts', post)
  await askApi(studio, 'POST', `/projects/acme/posts/${id}/publish`, {})
  const status = async () => (await fetch(`${studio.address}/blog/${post.slug}.md`)).status
  await expect.poll(status).toBe(200)
}

/** Without a script, as any browser can. */
async function signUp({ address }: TestStudio, email: string) {
  const context = await browser.newContext({ javaScriptEnabled: false, userAgent: agent })
  context.setDefaultTimeout(patienceMs)
  const visitor = await context.newPage()
  await visitor.goto(`${address}/blog/join`)
  await visitor.getByLabel('e-mail').fill(email)
  await visitor.getByRole('button', { name: 'Sign up' }).click()
  await visitor.getByText('Check your inbox.').waitFor()
  expect(await visitor.getByText('Thank you.').isVisible()).toBe(false)
  await context.close()
}

async function confirm({ address }: TestStudio, link: string) {
  expect(link.startsWith(address)).toBe(true)
  const context = await browser.newContext()
  context.setDefaultTimeout(patienceMs)
  const visitor = await context.newPage()
  await visitor.goto(link)
  await visitor.getByRole('button', { name: 'Confirm subscription' }).click()
  await visitor.getByRole('heading', { name: 'Subscription confirmed' }).waitFor()
  await visitor.goto(link)
  await visitor.getByRole('heading', { name: 'This link does not work' }).waitFor()
  await context.close()
}

async function send(owner: Page, title: string, testArrives: () => Promise<void>) {
  await owner.getByRole('link', { name: 'New newsletter' }).first().click()
  await owner.getByRole('heading', { name: 'New newsletter' }).waitFor()
  await expect.poll(() => owner.getByLabel('Subject', { exact: true }).inputValue()).toBe(title)
  await owner.getByRole('button', { name: 'Send test to me' }).click()
  await testArrives()
  await owner.getByRole('button', { name: 'Review' }).click()
  await owner.frameLocator('iframe').getByRole('heading', { name: title }).waitFor()
  await owner.getByRole('radio', { name: 'Plain text' }).check()
  await owner.getByText(`Read online: `).waitFor()
  await owner.getByRole('button', { name: 'Send to 1 subscriber…' }).click()
  await owner.getByRole('button', { name: 'Send now' }).click()
  await owner.getByRole('heading', { name: title }).waitFor()
  await owner.getByRole('heading', { name: 'Deliveries' }).waitFor()
}

/** The letter's page is asked anew until its figures are these. */
async function figuresAre(owner: Page, figures: Readonly<Record<string, string>>) {
  const shown = async () => {
    await owner.reload()
    const terms = await owner.locator('dt').allTextContents()
    const values = await owner.locator('dd').allTextContents()
    const all = new Map(terms.map((term, index) => [term, values[index]]))
    return Object.fromEntries(Object.keys(figures).map((name) => [name, all.get(name)]))
  }
  await expect.poll(shown).toEqual(figures)
}

/** A letter as it arrived, with its quoted-printable lines joined. */
async function letterNumber(mail: TestMailServer, number: number): Promise<string> {
  await expect.poll(() => mail.letters.length).toBeGreaterThanOrEqual(number)
  const raw = mail.letters[number - 1]?.raw ?? ''
  return raw
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** The last link of a kind in the plain text, which comes first. */
function linkIn(letter: string, kind: 'confirm' | 'click' | 'unsubscribe'): string {
  const [text = ''] = letter.split('<!doctype html>')
  const links = Array.from(text.matchAll(new RegExp(`https?://\\S+/_tilth/newsletter/${kind}/[\\w.-]+`, 'g')))
  return links.at(-1)?.[0] ?? ''
}

async function letterEvents(studio: TestStudio): Promise<unknown[]> {
  const { rows } = await askApi<{ rows: unknown[] }>(studio, 'POST', '/projects/acme/query?fresh', {
    sql: "select event, count() from events where startsWith(event, '$letter') group by event order by event",
  })
  return rows
}
