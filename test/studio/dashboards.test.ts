import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import {
  aMember,
  openOwnerPage,
  aPerson,
  askApi,
  accessibilityViolations,
  horizontalOverflow,
  type TestStudio,
  waitForHydration,
  visit,
  aSharedStudio,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

interface Made {
  id: string
}

/** Two cards beside each other, and words below them. */
const cards = [
  {
    id: 'left',
    place: { x: 0, y: 0, w: 6, h: 5 },
    content: { type: 'question', title: 'Visits', question: { kind: 'totals' } },
  },
  {
    id: 'right',
    place: { x: 6, y: 0, w: 6, h: 5 },
    content: {
      type: 'question',
      title: 'Views',
      question: { kind: 'trend', series: [{ event: '$pageview' }] },
    },
  },
  {
    id: 'words',
    place: { x: 0, y: 5, w: 12, h: 2 },
    content: { type: 'text', text: '# Read **me**\n<b>not bold</b>' },
  },
]

async function aDashboard(studio: TestStudio): Promise<string> {
  const { id } = await askApi<Made>(studio, 'POST', '/projects/acme/dashboards', { name: 'Growth', cards })
  return id
}

async function answered(page: Page) {
  await page.waitForFunction(() => !document.querySelector('main [aria-busy=true]'))
  await waitForHydration(page)
}

test('a dashboard is made from a template, and every card of it is answered', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/dashboards')
  await page.getByRole('button', { name: 'New dashboard…' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Our site')
  await page.getByRole('radio', { name: /^Website/ }).click()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { name: 'Our site' }).waitFor()
  await answered(page)

  await expect.poll(() => page.getByRole('heading', { name: 'Overview' }).count()).toBe(1)
  expect(await page.getByText('The query failed').count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])
})

describe('a layout', () => {
  test('is changed by the keyboard, said aloud, undone, saved, and brought back', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    const id = await aDashboard(studio)
    await visit(page, `/studio/acme/dashboards/${id}?edit=yes`)
    await answered(page)
    const handle = page.getByRole('button', { name: /^Move Visits/ })
    await handle.press('ArrowDown')
    await expect.poll(() => page.getByText(/^Visits: column 1, row 8/).count()).toBe(1)
    await handle.press('Shift+ArrowRight')
    await expect.poll(() => page.getByText(/7 columns wide/).count()).toBe(1)
    await page.keyboard.press('Control+z')
    await page.getByRole('button', { name: 'Save layout' }).click()
    await page.getByText('Layout saved').first().waitFor()

    expect(await placesOf(studio, id)).toMatchObject({ left: { y: 7, w: 6 }, words: { y: 5 } })
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await expect.poll(() => placesOf(studio, id)).toMatchObject({ left: { x: 0, y: 0, w: 6 } })
  })

  test('is changed by dragging', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    const id = await aDashboard(studio)
    await visit(page, `/studio/acme/dashboards/${id}?edit=yes`)
    await answered(page)
    await page.waitForLoadState('networkidle')
    await drag(page, page.getByRole('button', { name: /^Move Views/ }), { x: -600, y: 0 })
    const save = page.getByRole('button', { name: 'Save layout' })
    await expect.poll(() => save.getAttribute('aria-disabled'), { timeout: 10_000 }).not.toBe('true')
    await save.click()
    await page.getByText('Layout saved').first().waitFor()

    expect(await placesOf(studio, id)).toMatchObject({ right: { x: 0, y: 0 }, left: { x: 0, y: 5 } })
  })

  test('is not for those who may only look', async () => {
    const studio = await shared(browser)
    const id = await aDashboard(studio)
    const vera = await aMember(studio, 'viewer', 'Vera')
    await visit(vera, `/studio/acme/dashboards/${id}?edit=yes`)

    expect(await vera.getByRole('button', { name: /^Move / }).count()).toBe(0)
    expect(await vera.getByRole('button', { name: 'Share…' }).getAttribute('aria-disabled')).toBe('true')
  })
})

async function drag(page: Page, handle: ReturnType<Page['getByRole']>, by: { x: number; y: number }) {
  const box = await handle.boundingBox()
  if (!box) throw new Error('There is no handle to drag.')
  await page.mouse.move(box.x + 8, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + 8 + by.x, box.y + 8 + by.y, { steps: 6 })
  // a busy browser draws a drag later than it hears of it
  await page.waitForFunction(() =>
    document.querySelector('[data-dragged]')?.parentElement?.style.cssText.includes('1 / span'),
  )
  await page.mouse.up()
}

interface Place {
  x: number
  y: number
  w: number
  h: number
}

async function placesOf(studio: TestStudio, id: string): Promise<Record<string, Place>> {
  const { cards: kept } = await askApi<{ cards: { id: string; place: Place }[] }>(
    studio,
    'GET',
    `/projects/acme/dashboards/${id}`,
  )
  return Object.fromEntries(kept.map((card) => [card.id, card.place]))
}

test('words are words, and a note stands on the page once it was written', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  const id = await aDashboard(studio)
  await visit(page, `/studio/acme/dashboards/${id}`)

  expect(await page.getByRole('heading', { name: 'Read me' }).count()).toBe(1)
  expect(await page.getByText('<b>not bold</b>').count()).toBe(1)
  await page.getByRole('button', { name: 'Add annotation…' }).click()
  await page.getByLabel('What happened').fill('Released 2.0')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Annotation saved').first().waitFor()
  await expect.poll(() => page.getByRole('cell', { name: 'Released 2.0', exact: true }).count()).toBe(1)
})

test('a chosen dashboard is Home', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  const id = await aDashboard(studio)
  await askApi(studio, 'POST', `/projects/acme/dashboards/${id}/home`)
  await visit(page, '/studio/acme')

  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Growth')
})

describe('a share', () => {
  test('shows a dashboard behind a password, to read and no more', async () => {
    const studio = await shared(browser)
    const subject = { kind: 'dashboard', id: await aDashboard(studio) }
    const settings = { subject, password: 'open sesame', mayChangePeriod: true, frameHosts: ['a.example'] }
    const { path } = await askApi<{ path: string }>(studio, 'POST', '/projects/acme/shares', settings)
    const guest = await aPerson(studio, { viewport: { width: 390, height: 844 } })
    const answer = await guest.goto(`${path}?theme=dark`)

    expect(answer?.headers()).toMatchObject({ 'x-robots-tag': 'noindex, nofollow' })
    expect(policyOf(answer?.headers())).toContain("frame-ancestors 'self' a.example;")
    expect(await guest.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await accessibilityViolations(guest)).toEqual([])
    await guest.getByLabel('Password', { exact: true }).fill('let me in')
    await guest.getByRole('button', { name: 'Open' }).click()
    await guest.getByText('The password is wrong.').waitFor()
    await guest.getByLabel('Password', { exact: true }).fill('open sesame')
    await guest.getByRole('button', { name: 'Open' }).click()
    await guest.getByRole('heading', { name: 'Growth' }).waitFor()
    await answered(guest)

    expect(await guest.locator('main a').count()).toBe(0)
    expect(await horizontalOverflow(guest)).toBe(0)
    expect(await accessibilityViolations(guest)).toEqual([])
    expect(await guest.context().cookies()).toMatchObject([{ name: 'share', path, httpOnly: true }])
    await guest.getByRole('button', { name: /^Period/ }).click()
    await guest.getByRole('button', { name: 'Last 7 days' }).click()
    await guest.waitForURL(/period=7d/)
  })

  test('is gone once it is revoked, and framed by nobody', async () => {
    const studio = await shared(browser)
    const wanted = { subject: { kind: 'web' }, frameHosts: ['a.example'] }
    const { share, path } = await askApi<{ share: Made; path: string }>(
      studio,
      'POST',
      '/projects/acme/shares',
      wanted,
    )
    const guest = await aPerson(studio)
    expect((await guest.goto(path))?.status()).toBe(200)
    await askApi(studio, 'DELETE', `/projects/acme/shares/${share.id}`)
    const answer = await guest.goto(path)

    expect(answer?.status()).toBe(404)
    expect(policyOf(answer?.headers())).toContain("frame-ancestors 'none'")
  })

  test('is made in the studio, and shown in a frame there at once', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    const id = await aDashboard(studio)
    await visit(page, `/studio/acme/dashboards/${id}`)
    await page.getByRole('button', { name: 'Share…' }).click()
    await page.getByRole('button', { name: 'Make the link' }).click()
    const preview = page.frameLocator('iframe')
    await preview.getByRole('heading', { name: 'Growth' }).waitFor()

    expect(await page.getByLabel('Link', { exact: true }).inputValue()).toMatch(/\/share\/[\dA-Za-z]{43}$/)
    expect(await accessibilityViolations(page)).toEqual([])
  })
})

const policyOf = (headers: Record<string, string> = {}): string =>
  `${headers['content-security-policy'] ?? ''};`
