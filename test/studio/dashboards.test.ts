import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send } from './collecting'
import { anotherSite } from './other-site'
import {
  aMember,
  openOwnerPage,
  aPerson,
  askApi,
  accessibilityViolations,
  fitsWindow,
  openDialog,
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

/** A studio with one view of a page, so that charts have something to draw. */
const shared = aSharedStudio(async (studio) => {
  await send(studio, anEvent({ distinct_id: 'ana' }))
  const query = { kind: 'trend', series: [{ event: '$pageview' }] }
  const views = () =>
    askApi<{ answer: { lines: { total: number }[] } }>(studio, 'POST', '/projects/acme/query?fresh=1', {
      question: query,
    })
  await expect.poll(async () => (await views()).answer.lines[0]?.total).toBe(1)
})

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

/** A saved insight, by the name of its page. */
async function anInsight(studio: TestStudio, name: string): Promise<string> {
  const query = { kind: 'trend', series: [{ event: '$pageview' }] }
  const { id } = await askApi<Made>(studio, 'POST', '/projects/acme/insights', { name, question: query })
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
  await expect.poll(() => page.getByText('The query failed').count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])
})

describe('a layout', () => {
  test('is changed by the keyboard, said aloud, undone, saved, and restored', async () => {
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
    // the message, and the Undo on it, stay while the mouse is on it
    await page.getByText('Layout saved').first().hover()

    await expect.poll(() => placesOf(studio, id)).toMatchObject({ left: { y: 7, w: 6 }, words: { y: 5 } })
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
    await expect.poll(() => save.getAttribute('aria-disabled')).not.toBe('true')
    await save.click()
    await page.getByText('Layout saved').first().waitFor()

    await expect
      .poll(() => placesOf(studio, id))
      .toMatchObject({ right: { x: 0, y: 0 }, left: { x: 0, y: 5 } })
  })

  test('is not for those who may only look', async () => {
    const studio = await shared(browser)
    const id = await aDashboard(studio)
    const vera = await aMember(studio, 'viewer', 'Vera')
    await visit(vera, `/studio/acme/dashboards/${id}?edit=yes`)

    await expect
      .poll(() => vera.getByRole('button', { name: 'Share…' }).getAttribute('aria-disabled'))
      .toBe('true')
    expect(await vera.getByRole('button', { name: /^Move / }).count()).toBe(0)
  })
})

async function drag(page: Page, handle: ReturnType<Page['getByRole']>, by: { x: number; y: number }) {
  const box = await handle.boundingBox()
  if (!box) throw new Error('There is no handle to drag.')
  await page.mouse.move(box.x + 8, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + 8 + by.x, box.y + 8 + by.y, { steps: 6 })
  // a drop is where the drag was drawn last, and a busy browser draws later than it hears
  await page.waitForFunction(() => {
    const cell = document.querySelector('[data-dragged]')?.parentElement
    return cell?.style.getPropertyValue('--columns').startsWith('1 / ')
  })
  await page.mouse.up()
  // dnd-kit ignores clicks until a timer of 50 ms of its own has fired, which this later one follows
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 51)))
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

  await expect.poll(() => page.getByRole('heading', { name: 'Read me' }).count()).toBe(1)
  await expect.poll(() => page.getByText('<b>not bold</b>').count()).toBe(1)
  await page.getByRole('button', { name: 'Annotations', exact: true }).click()
  await page.getByRole('button', { name: 'Add annotation…' }).click()
  const dialog = await openDialog(page, 'New annotation')
  await dialog.getByLabel('What happened').fill('Released 2.0')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Annotation saved').first().waitFor()
  await page.getByRole('button', { name: 'Annotations 1' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Released 2.0' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a dashboard is built from nothing, shared with a password and embedded', async () => {
  const studio = await shared(browser)
  const newspaper = await anotherSite()
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/dashboards?create=yes')
  const asked = await openDialog(page, 'New dashboard')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  await page.waitForURL(/\/dashboards$/)
  await page.getByRole('button', { name: 'New dashboard…' }).click()
  const creation = await openDialog(page, 'New dashboard')
  await creation.getByLabel('Name', { exact: true }).fill('Launch')
  await creation.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('This dashboard is empty').waitFor()

  await page.getByRole('link', { name: 'Add card' }).click()
  await addVisitorsCard(page, 'Visitors')
  await addVisitorsCard(page, 'Visitors again')
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  const first = page.getByRole('region', { name: 'Visitors', exact: true })
  const second = page.getByRole('region', { name: 'Visitors again' })
  await Promise.all([first.waitFor(), second.waitFor()])
  // the page of before stands until that without editing has come
  await expect
    .poll(async () => {
      const [left, right] = [await first.boundingBox(), await second.boundingBox()]
      return left && right && left.y === right.y && left.height === right.height
    })
    .toBe(true)

  await page.getByRole('button', { name: 'Share…' }).click()
  const sharing = await openDialog(page, 'Share Launch')
  await sharing.getByLabel('Password', { exact: true }).fill('open sesame')
  await sharing.getByLabel('Allowed embed domains').fill(newspaper.origin)
  await sharing.getByRole('button', { name: 'Create link' }).click()
  const link = await sharing.getByLabel('Link', { exact: true }).inputValue()
  newspaper.publish((await sharing.locator('pre[aria-label="Embed code"]').textContent()) ?? '')

  const guest = await aPerson(studio)
  await guest.goto(newspaper.origin)
  const frame = guest.frameLocator(`iframe[src="${link}"]`)
  await frame.getByLabel('Password', { exact: true }).fill('open sesame')
  await frame.getByRole('button', { name: 'Open' }).click()
  await frame.getByRole('heading', { name: 'Launch' }).waitFor()
  await frame.getByRole('region', { name: 'Visitors again' }).waitFor()
})

async function addVisitorsCard(page: Page, title: string) {
  await page.getByRole('button', { name: 'Add card' }).click()
  await page.getByRole('menuitem', { name: 'New insight…' }).click()
  const dialog = await openDialog(page, 'Add insight card')
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByRole('combobox', { name: 'Chart type' }).waitFor()
  await dialog.getByRole('button', { name: 'Add card' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('a card is as high as its content needs: text less than its rows, a chart all of them', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  const sizes = { name: 'Sizes', cards: [cards[1], { ...cards[2], place: { x: 0, y: 5, w: 12, h: 6 } }] }
  const { id } = await askApi<Made>(studio, 'POST', '/projects/acme/dashboards', sizes)
  await visit(page, `/studio/acme/dashboards/${id}`)
  await answered(page)
  const heightOf = async (name: string) =>
    (await page.getByRole('region', { name, exact: true }).boundingBox())?.height

  // five rows of 4 rem and the gaps between them
  await expect.poll(() => heightOf('Views')).toBe(384)
  await expect.poll(() => heightOf('Text')).toBeLessThan(144)
})

describe('an insight is added to a dashboard', () => {
  test('from its page, and a new one is made for it', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    const id = await anInsight(studio, 'Views by day')
    await visit(page, `/studio/acme/insights/${id}`)
    await page.getByRole('button', { name: 'Add to dashboard…' }).click()
    const dialog = await openDialog(page, 'Add Views by day to a dashboard')
    await dialog.getByRole('combobox', { name: 'Dashboard' }).click()
    await page.getByRole('option', { name: 'New dashboard' }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('Name the dashboard.').waitFor()
    await dialog.getByLabel('Name of the new dashboard').fill('Daily figures')
    expect(await accessibilityViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Added to Daily figures').first().hover()
    await page.getByRole('button', { name: 'Open dashboard' }).click()

    await page.getByRole('heading', { level: 1, name: 'Daily figures' }).waitFor()
    await page.getByRole('region', { name: 'Views by day' }).waitFor()
  })

  test('from its menu in the list, onto one that exists', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    const insight = await anInsight(studio, 'Views from the list')
    const wanted = { name: 'Wall', cards: [] }
    const { id } = await askApi<Made>(studio, 'POST', '/projects/acme/dashboards', wanted)
    await visit(page, '/studio/acme/insights')
    await page.getByRole('button', { name: 'More about Views from the list' }).click()
    await page.getByRole('menuitem', { name: 'Add to dashboard…' }).click()
    const dialog = await openDialog(page, 'Add Views from the list to a dashboard')
    await dialog.getByRole('combobox', { name: 'Dashboard' }).click()
    await page.getByRole('option', { name: 'Wall' }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Added to Wall').first().waitFor()

    const { cards: kept } = await askApi<{ cards: object[] }>(
      studio,
      'GET',
      `/projects/acme/dashboards/${id}`,
    )
    expect(kept).toMatchObject([{ content: { type: 'insight', insight } }])
  })
})

test('a chosen dashboard is Home', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  const id = await aDashboard(studio)
  await askApi(studio, 'POST', `/projects/acme/dashboards/${id}/home`)
  await visit(page, '/studio/acme')

  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Growth')
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
    await expect.poll(() => guest.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await accessibilityViolations(guest)).toEqual([])
    await guest.getByLabel('Password', { exact: true }).fill('let me in')
    await guest.getByRole('button', { name: 'Open' }).click()
    await guest.getByText('The password is wrong.').waitFor()
    await guest.getByLabel('Password', { exact: true }).fill('open sesame')
    await guest.getByRole('button', { name: 'Open' }).click()
    await guest.getByRole('heading', { name: 'Growth' }).waitFor()
    await answered(guest)

    await expect.poll(() => guest.locator('main a').count()).toBe(0)
    await fitsWindow(guest)
    expect(await accessibilityViolations(guest)).toEqual([])
    expect(await guest.context().cookies()).toMatchObject([{ name: 'share', path, httpOnly: true }])
    await guest.getByRole('button', { name: /^Date range/ }).click()
    await guest.getByRole('button', { name: 'Last 7 days' }).click()
    await guest.waitForURL(/period=7d/)
  })

  test('is gone once it is revoked, and framed by no one', async () => {
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
    await page.getByRole('button', { name: 'Create link' }).click()
    const preview = page.frameLocator('iframe')
    await preview.getByRole('heading', { name: 'Growth' }).waitFor()

    await expect
      .poll(() => page.getByLabel('Link', { exact: true }).inputValue())
      .toMatch(/\/share\/[\dA-Za-z]{43}$/)
    expect(await accessibilityViolations(page)).toEqual([])
  })
})

test('embed code is there once its site is named, and the maker of a link copies it again', async () => {
  const studio = await shared(browser)
  const page = await openOwnerPage(studio)
  const id = await aDashboard(studio)
  await visit(page, `/studio/acme/dashboards/${id}`)
  await page.getByRole('button', { name: 'Share…' }).click()
  const sharing = await openDialog(page, 'Share Growth')
  await sharing.getByRole('button', { name: 'Create link' }).click()
  const link = sharing.getByLabel('Link', { exact: true })
  const made = await link.inputValue()
  const code = sharing.locator('pre[aria-label="Embed code"]')
  await sharing.getByRole('button', { name: 'Get embed code' }).waitFor()
  expect(await code.count()).toBe(0)
  await sharing.getByLabel('Allowed embed domains').fill('blog.example')
  await sharing.getByRole('button', { name: 'Get embed code' }).click()
  await code.waitFor()
  expect(await code.textContent()).toContain(made)
  expect(policyOf((await page.request.get(made)).headers())).toContain("frame-ancestors 'self' blog.example;")

  await sharing.getByRole('button', { name: 'Done' }).click()
  await sharing.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => link.inputValue()).toBe(made)
  await code.waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  const eda = await aMember(studio, 'editor', 'Eda')
  await visit(eda, `/studio/acme/dashboards/${id}`)
  await eda.getByRole('button', { name: 'Share…' }).click()
  const hers = await openDialog(eda, 'Share Growth')
  const copies = hers.getByRole('button', { name: 'Copy link' })
  await expect.poll(() => copies.getAttribute('aria-disabled')).toBe('true')
})

const policyOf = (headers: Record<string, string> = {}): string =>
  `${headers['content-security-policy'] ?? ''};`
