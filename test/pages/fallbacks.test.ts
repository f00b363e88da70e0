import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisitor, openBrowser, untilAlive } from './browser'
import { aFront, type TestFront } from './fixture'

let site: TestFront
let browser: Browser

beforeAll(async () => {
  site = await aFront()
  browser = await openBrowser()
  await site.pages.ready()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const visit = (address: string) => (page: Page) => page.goto(address)

/** Sends a form that no script intercepts: the response is a document. */
const send = (address: string) => async (page: Page) => {
  await page.goto('/')
  const [answer] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === address),
    page.evaluate((action) => {
      const form = Object.assign(document.createElement('form'), { action, method: 'post' })
      document.body.append(form)
      form.submit()
    }, address),
  ])
  return answer
}

describe('a page that is not there to be shown', () => {
  test.each([
    ['for an unknown address', visit('/no/such/page'), 404, 'This page could not be found'],
    ['for a page that finds nothing', visit('/provoked/nothing'), 404, 'This page could not be found'],
    ['for a malformed address', visit('/blog/%E0%A4%A'), 400, 'Bad Request'],
    ['for a malformed unknown address', visit('/%E0%A4%A'), 400, 'Bad Request'],
    ['for something sent to a page', send('/blog'), 405, 'Method Not Allowed'],
    ['for something sent to a file', send('/robots.txt'), 405, 'Method Not Allowed'],
    ['for an exception of the old router', visit('/provoked/thrown'), 500, 'Internal Server Error'],
    [
      'for any other status',
      visit('/provoked/teapot'),
      418,
      'Application error: a client-side exception has occurred',
    ],
  ])('%s', async (_why, ask, status, title) => {
    const { page } = await aVisitor(browser, site.address)

    const answer = await ask(page)

    expect(answer?.status()).toBe(status)
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await expect.poll(() => page.title()).toBe(title)
    await expect.poll(() => page.getByText(String(status), { exact: true }).count()).toBe(1)
  })

  test.each(['PUT', 'DELETE', 'PATCH'])('is refused by its title for %s, too', async (method) => {
    const answer = await fetch(`${site.address}/blog`, { method })

    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
    expect(await answer.text()).toContain('<title>Method Not Allowed</title>')
  })

  test('is titled as long as it is shown, and no longer', async () => {
    const { page } = await aVisitor(browser, site.address)
    await page.goto('/provoked/links', { waitUntil: 'networkidle' })
    await untilAlive(page)

    await page.getByRole('link', { name: 'nothing' }).click()
    await expect.poll(() => page.title()).toBe('This page could not be found')
    await page.goBack()

    await page.getByRole('heading', { name: 'Links' }).waitFor()
    await expect.poll(() => page.title()).toBe('Provoked')
  })

  test('answers a program in its own form', async () => {
    const answer = await fetch(`${site.address}/blog`, {
      method: 'PUT',
      headers: { accept: 'application/json' },
    })

    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toMatchObject({ status: 405, title: 'Method Not Allowed' })
  })
})

describe('an exception', () => {
  const digestOn = async (page: Page) => /Digest:\s*(\S+)/.exec(await page.locator('main').innerText())?.[1]

  test('on the server is named as such, under a digest that stands in the log', async () => {
    const { page } = await aVisitor(browser, site.address)

    const answer = await page.goto('/provoked/exception?secret=1')
    await page
      .getByRole('heading', { name: 'Application error: a server-side exception has occurred' })
      .waitFor()

    expect(answer?.status()).toBe(500)
    await expect.poll(() => page.title()).toBe('Application error: a server-side exception has occurred')
    expect(await page.locator('main').innerText()).toContain('See the server logs for more information.')
    const digest = await digestOn(page)
    expect(digest).toMatch(/^\d+$/)
    await expect
      .poll(() => site.logged)
      .toContainEqual(
        expect.objectContaining({
          level: 'error',
          digest,
          method: 'GET',
          path: '/provoked/exception',
          requestId: answer?.headers()['x-request-id'],
          err: expect.objectContaining({ message: 'thrown while a page was rendered' }),
        }),
      )
  })

  test('on the server shows its digest on the way to a page, too', async () => {
    const { page } = await aVisitor(browser, site.address)
    await page.goto('/provoked/links', { waitUntil: 'networkidle' })
    await untilAlive(page)

    await page.getByRole('link', { name: 'exception' }).click()
    await page
      .getByRole('heading', { name: 'Application error: a server-side exception has occurred' })
      .waitFor()

    const digest = await digestOn(page)
    expect(digest).toMatch(/^\d+$/)
    await expect.poll(() => site.logged).toContainEqual(expect.objectContaining({ digest }))
  })

  test('in the browser is named as such, and has no digest', async () => {
    const { page } = await aVisitor(browser, site.address)
    await page.goto('/provoked/broken-island', { waitUntil: 'networkidle' })
    await untilAlive(page)

    await page.getByRole('button', { name: 'Break' }).click()
    await page
      .getByRole('heading', { name: 'Application error: a client-side exception has occurred' })
      .waitFor()

    await expect.poll(() => page.title()).toBe('Application error: a client-side exception has occurred')
    expect(await page.locator('main').innerText()).toContain('See the browser console for more information.')
    expect(await digestOn(page)).toBeUndefined()
  })

  test('can be left behind by loading the page again', async () => {
    const { page } = await aVisitor(browser, site.address)
    await page.goto('/provoked/broken-island', { waitUntil: 'networkidle' })
    await untilAlive(page)
    await page.getByRole('button', { name: 'Break' }).click()

    await page.getByRole('button', { name: 'Load this page again' }).click()

    await page.getByRole('button', { name: 'Break' }).waitFor()
  })
})

// The front draws its pages from a string, Next from a component. They must look the same.
test.each(['light', 'dark'] as const)(
  'pages of the front and of Next look the same in the %s',
  async (colorScheme) => {
    const look = async (address: string) => {
      const { page } = await aVisitor(browser, site.address, { colorScheme })
      await page.goto(address, { waitUntil: 'networkidle' })
      // Next draws this page in the browser, on a busy machine after the network has fallen silent
      await page.getByRole('heading', { level: 1 }).waitFor()
      return await page.evaluate(lookOf)
    }

    const ofNext = await look('/provoked/nothing')
    const ofFront = await look('/%E0%A4%A')

    expect(ofNext.h1?.['font-size']).toBe('22px')
    expect(ofFront).toEqual(ofNext)
  },
)

// Runs in the browser.
function lookOf(): Record<string, Record<string, string>> {
  const fixture = ['color', 'background-color', 'margin-top']
  const text = [
    ...fixture,
    'font-size',
    'font-weight',
    'line-height',
    'letter-spacing',
    'margin-bottom',
    'padding-top',
    'padding-left',
    'border-top-color',
    'border-top-width',
    'border-top-left-radius',
    'text-decoration-line',
    'display',
    'max-width',
  ]
  const parts = {
    body: fixture,
    main: text,
    'main > div': text,
    h1: text,
    p: text,
    'p + h1 + p': text,
    'main a': text,
  }
  return Object.fromEntries(
    Object.entries(parts).map(([part, properties]) => {
      const element = document.querySelector(part)
      const style = element && getComputedStyle(element)
      return [
        part,
        Object.fromEntries(properties.map((name) => [name, style?.getPropertyValue(name) ?? 'absent'])),
      ]
    }),
  )
}
