import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { html_text as hostile } from '../vectors/security-inputs.json'
import { openBrowser } from '../pages/browser'
import { inside, outside } from './fixed-pages'
import {
  aMember,
  openOwnerPage,
  aPerson,
  askApi,
  accessibilityViolations,
  fitsWindow,
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

const looks: [name: string, member: string, options: BrowserContextOptions][] = [
  ['light, on a desk', 'Ben', { colorScheme: 'light' }],
  ['dark, on a phone', 'Carl', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
]

async function troublesOf(page: Page, pages: readonly (readonly [path: string, title: string])[]) {
  const found: string[] = []
  for (const [path, title] of pages) {
    await visit(page, path)
    await expect.poll(() => page.title()).toBe(`${title} · Tilth`)
    await fitsWindow(page, path)
    for (const obstacle of await accessibilityViolations(page)) found.push(`${path}: ${obstacle}`)
  }
  return found
}

describe.each(looks)('%s', (_name, member, options) => {
  test('every page can be used by everyone, and fits', async () => {
    const studio = await shared(browser)
    await askApi(studio, 'POST', '/projects/acme/invitations', { role: 'viewer' })
    await aMember(studio, 'editor', member)
    expect(await troublesOf(await openOwnerPage(studio, options), inside)).toEqual([])
    expect(await troublesOf(await aPerson(studio, options), outside)).toEqual([])
  })

  test('every layer that opens can be used by everyone, and fits', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio, options)
    for (const [path, open] of layers) {
      await visit(page, path)
      await open(page)
      expect(await accessibilityViolations(page), path).toEqual([])
      await fitsWindow(page, path)
    }
  })
})

/** Opens the dialog behind a button; its program may come after the press. */
const press = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).first().click()
  await page.locator('[role=dialog], [role=alertdialog]').waitFor()
}

const layers: [path: string, open: (page: Page) => Promise<unknown>][] = [
  ['/studio/acme', (page) => page.keyboard.press('Control+k').then(() => page.getByRole('dialog').waitFor())],
  ['/studio/acme', (page) => page.keyboard.press('?').then(() => page.getByRole('dialog').waitFor())],
  [
    '/studio/acme',
    async (page) => {
      await page.getByRole('button', { name: /^Theme/ }).click()
      await page.getByRole('menu').waitFor()
    },
  ],
  ['/studio/acme/web', press('Share…')],
  ['/studio/acme/web/goals', press('New goal…')],
  ['/studio/acme/insights/new', press('Save…')],
  ['/studio/acme/dashboards', press('New dashboard…')],
  ['/studio/acme/people/cohorts', press('From a list…')],
  ['/studio/acme/flags', press('Import…')],
  ['/studio/acme/flags/environments', press('New environment…')],
  ['/studio/acme/flags/holdouts', press('New holdout…')],
  ['/studio/acme/flags/holdouts', press('New layer…')],
  ['/studio/acme/site/newsletter', press('New list…')],
  ['/studio/acme/site/newsletter/lists/newsletter', press('Import…')],
  ['/studio/acme/site/posts/authors', press('New author…')],
  ['/studio/acme/site/design/redirects', press('New redirect…')],
  ['/studio/acme/settings', press('Renew key…')],
  ['/studio/acme/settings', press('Archive project…')],
  ['/studio/acme/settings/members', press('Invite…')],
  ['/studio/acme/settings/members', press('Leave this project…')],
  ['/studio/acme/settings/keys', press('New key…')],
  [
    '/studio/acme/settings/audit',
    async (page) => {
      await page
        .getByRole('button', { name: /signed in as/ })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  ],
]

describe('someone who does not belong', () => {
  const within = inside.filter(([path]) => path.startsWith('/studio/acme')).map(([path]) => path)

  test('is told of another’s project what is told of one that is not there', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/projects/new')
    await page.getByLabel('Name').fill('Secret garden')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL('**/studio/secret-garden')

    const dora = await aMember(studio, 'admin', 'Dora')
    for (const path of within) {
      const [foreignPage, nowhere] = await Promise.all([
        dora.request.get(path.replace('acme', 'secret-garden')),
        dora.request.get(path.replace('acme', 'no-such-garden')),
      ])
      expect([path, foreignPage.status(), nowhere.status()]).toEqual([path, 404, 404])
      const text = await foreignPage.text()
      expect(text).toContain('This page could not be found')
      expect(text).not.toContain('Secret garden')
    }
  })

  test('gets no further by repeating what someone else’s browser sent', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    const eva = await aMember(studio, 'viewer', 'Eva')
    await visit(page, '/studio/acme/settings')
    const sent = page.waitForRequest((request) => 'next-action' in request.headers())
    await page.getByLabel('Name').fill('Taken over')
    await page.getByRole('button', { name: 'Save' }).click()
    const request = await sent
    await page.getByText('Project saved').waitFor()
    await askApi(studio, 'PATCH', '/projects/acme', { name: 'Acme' })

    const { cookie: _, ...headers } = request.headers()
    const repeat = { headers, data: request.postDataBuffer() ?? '', maxRedirects: 0 }
    const asViewer = await eva.request.post('/studio/acme/settings', repeat)
    expect(await asViewer.text()).toContain('This requires the role admin. Ask a project owner.')
    const nobody = await aPerson(studio)
    const asNobody = await nobody.request.post('/studio/acme/settings', repeat)
    expect(asNobody.headers()['x-action-redirect']).toContain('/studio/sign-in')
    const fromElsewhere = await page.request.post('/studio/acme/settings', {
      ...repeat,
      headers: { ...headers, origin: 'https://evil.example' },
    })
    expect(fromElsewhere.status()).toBe(403)
    expect(await askApi(studio, 'GET', '/projects/acme')).toMatchObject({ name: 'Acme' })
  })

  test('is sent to sign in from every page', async () => {
    const studio = await shared(browser)
    for (const [path] of inside) {
      const answer = await fetch(`${studio.address}${path}`, { redirect: 'manual' })
      expect([path, answer.status]).toEqual([path, 307])
      expect(answer.headers.get('location')).toBe(`/studio/sign-in?to=${encodeURIComponent(path)}`)
    }
  })
})

/** Hostile words in every field with open input, seen on every page that shows them. */
test('what people type is text', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  for (const words of hostile.payloads) {
    await writeEverywhere(studio, page, words)
    for (const path of ['', '/settings/members', '/settings/audit']) {
      await expect.poll(() => titleOf(page, `/studio/acme${path}`)).toContain(shown(words))
      expect(await foreignElements(page), `${words} on ${path}`).toEqual([])
    }
    await page
      .getByRole('button', { name: /changed the project/ })
      .first()
      .click()
    await expect.poll(() => page.getByRole('insertion').first().textContent()).toContain(shown(words))
    expect(await foreignElements(page), `${words} in the audit log`).toEqual([])
  }
  // these pages show all that was ever written
  for (const path of ['/settings', '/settings/keys']) {
    await visit(page, `/studio/acme${path}`)
    expect(await foreignElements(page), path).toEqual([])
  }
})

async function writeEverywhere(studio: TestStudio, page: Page, words: string) {
  await visit(page, '/studio/account')
  await page.getByLabel('Your name').fill(words)
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText('Name saved').first().waitFor()
  await askApi(studio, 'PATCH', '/projects/acme', { name: words })
  await askApi(studio, 'POST', '/projects/acme/keys', { name: words, scopes: ['project:read'] })
}

/** Word of a change made elsewhere reaches the pages within a second. */
async function titleOf(page: Page, path: string): Promise<string> {
  await visit(page, path)
  return await page.title()
}

/** Names begin and end without white space. */
const shown = (words: string) => words.trim()

/** Scripts without our nonce, and elements that only such words could have made. */
const foreignElements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('script, a[href^="javascript:"], a[href^="data:"], iframe, object')]
      .filter((each) => !(each instanceof HTMLScriptElement && (each.nonce || each.src)))
      .map((each) => each.outerHTML.slice(0, 200)),
  )
