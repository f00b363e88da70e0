import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isMarked, markWindow } from '../pages/browser'
import { aTilthForAll, type RunningTestTilth } from '../start/tilth'
import { ownedEnvironment, secretKey } from '../studio/owner'
import { aVisitor, openBrowser } from '../site/site-fixture'
import { patienceMs } from '../running/patience'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const ask = async (tilth: RunningTestTilth, path: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${tilth.address}/api/v1/projects/acme${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.ok, `${path} was answered with ${answer.status}`).toBe(true)
  // every answer of the API is an object
  return (await answer.json()) as Record<string, unknown>
}

async function publish(tilth: RunningTestTilth, slug: string, body: string): Promise<void> {
  const post = await ask(tilth, '/posts', { kind: 'post', title: `About ${slug}`, slug, body })
  await ask(tilth, `/posts/${String(post['id'])}/publish`, {})
  // the pages process hears of a change within a quarter of a second
  const status = async () => (await fetch(`${tilth.address}/blog/${slug}.md`)).status
  await expect.poll(status).toBe(200)
}

const form = ':::signup{name="newsletter" button="Send it to me" thanks="See you soon."}\nOne a month.\n:::'

/** Of the events so far, each with its path, in order. */
async function events(tilth: RunningTestTilth): Promise<unknown[]> {
  const { rows } = await ask(tilth, '/query', {
    sql: "select event, path(properties['$current_url']) from events where event in ('$pageview', 'signed up') order by timestamp",
  })
  return rows as unknown[]
}

const shared = aTilthForAll(ownedEnvironment)

test('a visit of the real site is counted page by page, whichever process answered, and a form of it is kept', async () => {
  const tilth = await shared()
  await publish(tilth, 'apples', form)
  await publish(tilth, 'pears', 'Words.')
  const visitor = await aVisitor(browser, { userAgent: agent })

  await visitor.goto(`${tilth.address}/blog`)
  await visitor.waitForFunction(() => history.state?.tilth !== undefined)
  await markWindow(visitor)
  await visitor.getByRole('link', { name: 'About apples' }).first().click()
  await visitor.getByRole('heading', { name: 'About apples' }).waitFor()
  // without the script for forms, which comes after the page, the form would be sent by loading a document
  await visitor.evaluate('import("/_tilth/part-form.js").then(() => true)')
  await visitor.getByLabel('e-mail').fill('ana@example.com')
  await visitor.getByRole('button', { name: 'Send it to me' }).click()
  await visitor.getByText('See you soon.').waitFor()
  await visitor.goBack()
  await visitor.getByRole('link', { name: 'About pears' }).first().click()
  await visitor.getByRole('heading', { name: 'About pears' }).waitFor()
  expect(await isMarked(visitor)).toBe(true)

  await expect
    .poll(() => events(tilth), { interval: 250 })
    .toEqual([
      ['$pageview', '/blog'],
      ['$pageview', '/blog/apples'],
      ['signed up', '/blog/apples'],
      ['$pageview', '/blog'],
      ['$pageview', '/blog/pears'],
    ])
  const { rows } = await ask(tilth, '/query', {
    sql: "select properties['email'] from persons where properties['email'] != ''",
  })
  expect(rows).toEqual([['ana@example.com']])
})

test('without a script the same form leads back to its page, which says thank you', async () => {
  const tilth = await shared()
  await publish(tilth, 'plums', form)
  const visitor = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  visitor.setDefaultTimeout(patienceMs)
  await visitor.goto(`${tilth.address}/blog/plums`)
  await visitor.getByLabel('e-mail').fill('ben@example.com')
  await visitor.getByRole('button', { name: 'Send it to me' }).click()
  await visitor.getByText('See you soon.').waitFor()
  expect(visitor.url()).toBe(`${tilth.address}/blog/plums?sent=newsletter#form-newsletter`)
  await visitor.context().close()
})

const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
