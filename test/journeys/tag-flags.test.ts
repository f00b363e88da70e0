import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { present } from '../product/fixture'
import { openBrowser } from '../pages/browser'
import { patienceMs } from '../running/patience'
import { anEvent, send, untilStored } from '../studio/collecting'
import { untilCounted } from '../studio/experiments'
import { openNextStep } from '../studio/new-experiment'
import {
  askApi,
  aStudio,
  chooseOption,
  isUsableInBothThemes,
  openDialog,
  openList,
  openOwnerPage,
  type TestStudio,
  visit,
} from '../studio/studio'
import { aSite } from '../wire/posthog-server'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('one line in a page of another origin: from the flag in the studio to the numbers of its experiment', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio, { permissions: ['clipboard-read', 'clipboard-write'] })
  const pages: Record<string, string> = {}
  const site = await aSite(pages, studio.tilth.port)

  // an event by another SDK, on which Code opens until there are events of the tag
  const sentBefore = Array.from({ length: 2 }, () =>
    anEvent({ event: 'signup', properties: { $lib: 'web' } }),
  )
  expect(await send(studio, sentBefore)).toBe(200)
  await untilStored(studio, sentBefore.length)
  await makeFlag(page)
  await visit(page, '/studio/acme/flags/new-pricing/code')
  await isOpenedOn(page, 'posthog-js')
  const [tag] = await copied(page, 'Tilth tag', ['In the head of every page'])
  const [element] = await copied(page, 'Tilth tag', ['Where the page shows the flag'])

  // a visitor sees it, in a page with what the studio shows and nothing else
  pages['/prices'] = `<!doctype html><head><title>Prices</title>${tag}</head><h1>Prices</h1>${element}`
  const first = await aVisitor(0)
  await first.goto(`${site}/prices`)
  await first.getByText('What it turns on').waitFor()
  // what a driven browser sends while it leaves a page has another user agent, and counts as a robot's
  await expect.poll(() => countOf(studio, '$feature_flag_called')).toBe(1)
  await leave(first)
  await expect
    .poll(async () => {
      await visit(page, '/studio/acme/flags/new-pricing/numbers')
      await page
        .getByText(/^(?:Values served|No evaluations yet)$/)
        .first()
        .waitFor()
      return await page.getByRole('row', { name: /^On/ }).count()
    })
    .toBeGreaterThan(0)

  const id = await makeExperiment(page)
  await visit(page, '/studio/acme/flags/headline/code')
  const parts = await copied(page, 'Tilth tag', [
    'Without flicker: in the head, before the tag',
    'In the head of every page',
    'Where the page shows the flag',
  ])
  await isUsableInBothThemes(page)
  const [half = '', experimentTag, headlines] = parts
  // what is no time for a visitor's machine may be too little for one that runs tests
  const head = half.replace('animation:tilth .5s', 'animation:tilth 90s')
  expect(head).not.toBe(half)
  const button = '<button data-tilth-event="signup">Sign up</button>'
  const pageWith = (inHead: string) =>
    `<!doctype html><head><title>Shop</title>${inHead}${experimentTag}</head>${headlines}${button}`
  Object.assign(pages, { '/': pageWith(head), '/again': pageWith(head), '/frozen': pageWith(half) })

  const seen = { control: 0, bold: 0 }
  const signedUp = { control: 0, bold: 0 }
  for (let number = 1; number <= visitors; number++) {
    const shop = await openShop(site, number)
    await expect.poll(() => countOf(studio, '$feature_flag_called')).toBe(1 + number)
    const { name } = shop
    seen[name]++
    if (name === 'bold' || seen.control % 2 === 0) {
      await shop.page.getByRole('button', { name: 'Sign up' }).click()
      signedUp[name]++
      await expect
        .poll(() => countOf(studio, 'signup'))
        .toBe(sentBefore.length + signedUp.control + signedUp.bold)
    }
    await returnTo(site, shop)
  }
  expect(Math.min(seen.control, seen.bold)).toBeGreaterThan(0)

  await untilCounted(
    studio,
    id,
    [seen.control, seen.bold],
    [signedUp.control / seen.control, signedUp.bold / seen.bold],
  )
  await visit(page, `/studio/acme/experiments/${id}`)
  const primary = page.getByRole('region', { name: 'Primary metrics' }).first()
  await primary.getByRole('row', { name: new RegExp(`^control .* of ${seen.control} Control`) }).waitFor()
  await primary.getByRole('row', { name: new RegExp(`^bold .* of ${seen.bold} `) }).waitFor()

  await visitFrozen(site)
  // most events come by the tag now
  await expect
    .poll(async () => {
      await visit(page, '/studio/acme/flags/headline/code')
      return await currentGuide(page).textContent()
    })
    .toBe('Tilth tag')
  expect(await countOf(studio, '$feature_flag_called')).toBe(1 + visitors)
})

/** Enough for both variants to have some. */
const visitors = 24

const currentGuide = (page: Page) =>
  page.getByRole('navigation', { name: 'Clients' }).locator('[aria-current]')
const isOpenedOn = (page: Page, guide: string) =>
  expect.poll(() => currentGuide(page).textContent()).toBe(guide)

/** The texts that a member has in their clipboard after copying each of these. */
async function copied(page: Page, guide: string, titles: readonly string[]): Promise<string[]> {
  await page.getByRole('navigation', { name: 'Clients' }).getByRole('link', { name: guide }).click()
  const texts: string[] = []
  for (const title of titles) {
    await page.getByRole('button', { name: `Copy ${title}` }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe(texts.at(-1) ?? '')
    texts.push(await page.evaluate(() => navigator.clipboard.readText()))
  }
  return texts
}

async function makeFlag(page: Page) {
  await visit(page, '/studio/acme/flags')
  await page.getByRole('link', { name: 'Create flag' }).click()
  await page.getByLabel('Key', { exact: true }).first().fill('new-pricing')
  await page.getByRole('button', { name: 'Create flag' }).click()
  await page.getByRole('heading', { name: 'new-pricing' }).waitFor()
  await page.getByRole('switch', { name: 'Off in production' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Turn new-pricing on in production?' })
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('new-pricing saved').waitFor()
}

async function makeExperiment(page: Page): Promise<string> {
  await visit(page, '/studio/acme/experiments')
  await page.getByRole('link', { name: 'Create an experiment' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Bolder headline')
  await openNextStep(page, 'Flag and variants')
  await page.getByRole('radio', { name: /^A new flag/ }).click()
  await page.getByLabel('Key of the flag').fill('headline')
  await page.getByLabel('Variant 2', { exact: true }).fill('bold')
  await openNextStep(page, 'Metrics')
  await page.getByRole('button', { name: 'Add a metric' }).click()
  const dialog = await openDialog(page, 'New metric')
  await openList(dialog.getByRole('combobox', { name: 'Event', exact: true }))
  await chooseOption(page, /^signup/)
  await dialog.getByLabel('Name', { exact: true }).fill('Sign-ups')
  await dialog.getByRole('button', { name: 'Add metric' }).click()
  await dialog.waitFor({ state: 'detached' })
  await openNextStep(page, 'Plan')
  await page.getByLabel('Minimum in each variant').fill('2')
  await page.getByRole('button', { name: 'Create experiment' }).click()
  await page.getByRole('heading', { name: 'Bolder headline', exact: true }).waitFor()
  await page.waitForURL(/experiments\/[^/]+\/settings/)
  const [, id = ''] = /experiments\/([^/]+)\/settings/.exec(page.url()) ?? []
  await page.getByRole('button', { name: 'Start…' }).click()
  const starting = await openDialog(page, 'Start Bolder headline?')
  await starting.getByRole('checkbox', { name: 'Turn the flag on in production' }).click()
  await starting.getByRole('button', { name: 'Start experiment' }).click()
  await page.getByText('Bolder headline is running').first().waitFor()
  await starting.waitFor({ state: 'detached' })
  return id
}

/** A browser of their own: without an id, visitors are told apart by what they use. */
async function aVisitor(number: number): Promise<Page> {
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + number}.0.0.0 Safari/537.36`
  const context = await browser.newContext({ userAgent })
  context.setDefaultTimeout(patienceMs)
  onTestFinished(() => context.close())
  await context.addInitScript(() => {
    const frames: Record<string, number> = {}
    Object.assign(window, { __tilth: true, frames })
    const look = () => {
      for (const element of document.querySelectorAll<HTMLElement>('[data-tilth-variant]'))
        if (element.checkVisibility({ visibilityProperty: true })) {
          const { tilthVariant = '' } = element.dataset
          frames[tilthVariant] = (frames[tilthVariant] ?? 0) + 1
        }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  return context.newPage()
}

/** Closes the page as a visitor does, which sends what is left to be sent. */
async function leave(page: Page) {
  await page.goto('about:blank')
  await page.context().close()
}

/** The variants that were to be seen in any frame of the page, the present one included, which may not be drawn yet. */
const variantsSeen = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise((drawn) => requestAnimationFrame(drawn))
    return Object.keys((window as { frames?: object }).frames ?? {})
  })

interface VisitedShop {
  page: Page
  name: 'control' | 'bold'
}

/** A visitor sees one variant from the first frame on. */
async function openShop(site: string, number: number): Promise<VisitedShop> {
  const page = await aVisitor(number)
  await page.goto(site)
  const decided = page.locator('[data-tilth-variant][data-tilth-was]:visible')
  await decided.waitFor()
  const name = (await decided.getAttribute('data-tilth-variant')) === 'bold' ? 'bold' : 'control'
  expect(await variantsSeen(page)).toEqual([name])
  return { page, name }
}

/** The next page shows the same variant at once, and reports nothing again. */
async function returnTo(site: string, { page, name }: VisitedShop) {
  await page.goto(`${site}/again`)
  await page.locator(`[data-tilth-variant="${name}"]:visible`).waitFor()
  await page.waitForFunction(() => window.tilth?.flags)
  expect(await variantsSeen(page)).toEqual([name])
  await leave(page)
}

/** A visit while Tilth takes requests and never answers. */
async function visitFrozen(site: string) {
  const shop = await aVisitor(99)
  const troubles: string[] = []
  shop.on('pageerror', (problem) => troubles.push(String(problem)))
  shop.on('console', (message) => void (message.type() === 'error' && troubles.push(message.text())))
  await shop.route('**/_tilth/**', () => {})
  await shop.goto(`${site}/frozen`, { waitUntil: 'commit' })
  await shop.getByText('As it is').waitFor()
  await expect.poll(() => variantsSeen(shop)).toEqual(['control'])
  // a page without an icon says so
  expect(troubles.filter((text) => !/404/.test(text))).toEqual([])
}

async function countOf(studio: TestStudio, event: string): Promise<number> {
  const sql = `select count() from events where event = '${event}'`
  const { rows } = await askApi<{ rows: unknown[][] }>(studio, 'POST', '/projects/acme/query?fresh', { sql })
  return Number(present(rows[0])[0])
}
