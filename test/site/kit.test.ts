import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endAfterFile } from '../running/end-after-file'
import { watchProblems } from '../product/page-problems'
import { aFolder, aTilth, type RunningTestTilth } from '../start/tilth'
import { ownedEnvironment, secretKey } from '../studio/owner'
import { patienceMs } from '../running/patience'
import { save } from './save'
import { aVisitor, islandsAreKnown, openBrowser } from './site-fixture'

/** A team's site from nothing: its own theme, a page in React with a client component, a layout, a post in MDX. */
let browser: Browser
let tilth: RunningTestTilth
let site: string
const endLater = endAfterFile()

beforeAll(async () => {
  site = aFolder(endLater)
  cpSync(join(import.meta.dirname, 'team-site'), site, { recursive: true })
  const [opened, started] = await Promise.all([
    openBrowser(),
    aTilth({ ...ownedEnvironment, TILTH_SITE: site }, endLater),
  ])
  browser = opened
  tilth = started
  await callApi('/flags', {
    key: 'pricing',
    kind: 'variants',
    variants: everyoneYearly,
    environments: { production: { isOn: true, conditions: [{}] } },
  })
  const survey = z.looseObject({ id: z.string() }).parse(
    await callApi('/surveys', {
      name: 'Seats',
      content: { questions: [{ id: 'score', kind: 'rating', text: 'Clear?', display: 'number', scale: 5 }] },
      placement: { kind: 'inline' },
    }),
  )
  await callApi(`/surveys/${survey.id}/launch`, {})
  await vi.waitFor(async () => expect((await read('/pricing')).text).toContain('Paid by the year'), often)
})
afterAll(() => browser?.close())

const often = { timeout: patienceMs, interval: 200 }
const everyoneYearly = [
  { key: 'control', percentage: 0 },
  { key: 'yearly', percentage: 100 },
]

async function callApi(path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${tilth.address}/api/v1/projects/acme${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect(answer.ok, `${path} was answered with ${answer.status}: ${text}`).toBe(true)
  return JSON.parse(text)
}

async function read(path: string) {
  const answer = await fetch(tilth.address + path, { headers: { accept: 'text/html' } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Visitors of the day are told apart by their browsers. */
const agentOf = (version: number): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`

/** Records the text of the page at each change, from its first element on. */
async function watchTexts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(window, { seenTexts: seen })
    // the parser may pause inside an element, whose text is still to come
    const isParsed = (node: Node | null): boolean =>
      document.readyState !== 'loading' ||
      (node !== null && (node.nextSibling !== null || isParsed(node.parentNode)))
    const look = () => {
      for (const shown of document.querySelectorAll('.price output, [data-flag] p'))
        if (isParsed(shown)) seen.add(shown.textContent ?? '')
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
  })
  return () =>
    page.evaluate(() => {
      const { seenTexts } = window as unknown as { seenTexts: Set<string> } // put there above
      return [...seenTexts].toSorted()
    })
}

const islandIsAlive = (page: Page) =>
  page.waitForFunction(() => {
    const button = document.querySelector('tilth-island button')
    return button !== null && Object.keys(button).some((key) => key.startsWith('__react'))
  })

const counted = z.looseObject({ rows: z.array(z.array(z.unknown())) })

/** The number of stored events by name, of the visitor with this version of the browser. */
async function countsOf(version: number): Promise<Record<string, number>> {
  const sql = `select event, count() from events where startsWith(browser_version, '${version}') group by event`
  const { rows } = counted.parse(await callApi('/query', { sql }))
  return Object.fromEntries(rows.map(([event, count]) => [String(event), Number(count)]))
}

test('a page in React is shown with its decision, comes alive without a flicker, and is counted once', async () => {
  const page = await aVisitor(browser, { userAgent: agentOf(141) })
  const problems = watchProblems(page)
  const seenTexts = await watchTexts(page)
  await page.goto(`${tilth.address}/pricing`)
  await islandIsAlive(page)
  expect(await seenTexts()).toEqual(['90 a year', 'Paid by the year.'])
  expect(await page.title()).toBe('Pricing · Acme')
  await page.getByText('Taxes are included.').waitFor()
  await page.getByRole('link', { name: 'Acme by the team' }).waitFor()
  await page.getByRole('heading', { name: 'How seats are counted' }).waitFor()

  await page.getByRole('button', { name: 'Add a seat' }).click()
  await expect.poll(() => page.locator('.price output').textContent()).toBe('180 a year')
  await expect
    .poll(() => countsOf(141), often)
    .toMatchObject({ $pageview: 1, $feature_flag_called: 1, $feature_flag_seen: 1, 'seat added': 1 })
  expect(problems).toEqual([])
})

test('the theme of the folder is the look of every page, and only what is interactive ships a script', async () => {
  const page = await aVisitor(browser, { userAgent: agentOf(142), colorScheme: 'light' })
  const scripts: string[] = []
  page.on(
    'request',
    (request) => request.resourceType() === 'script' && scripts.push(new URL(request.url()).pathname),
  )
  await page.goto(`${tilth.address}/quiet`)
  await page.waitForFunction(() => history.state?.tilth !== undefined)
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    'rgb(244, 241, 255)',
  )
  expect(
    await page.evaluate(() => getComputedStyle(document.querySelector('h1') as Element).fontFamily),
  ).toBe('Georgia, serif')
  expect(scripts).toEqual(['/_tilth/site.js'])
  for (const path of ['/quiet', '/blog']) {
    expect((await read(path)).text, path).not.toContain('<!--')
  }
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  expect(await (await page.request.get(tilth.address + icon)).text()).toBe(
    readFileSync(join(site, 'theme/favicon.svg'), 'utf8'),
  )
})

test('a press from before an island is alive reaches it once it is', async () => {
  const page = await aVisitor(browser, { userAgent: agentOf(145) })
  let letGo = (): void => {}
  const isHeld = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(/\/_tilth\/site\/\w+-\w+\.js$/, async (route) => {
    await isHeld
    await route.continue()
  })
  await page.goto(`${tilth.address}/pricing`, { waitUntil: 'commit' })
  await islandsAreKnown(page)
  // twice, as people do who see no answer
  await page.getByRole('button', { name: 'Add a seat' }).click({ clickCount: 2 })
  letGo()
  await expect.poll(() => page.locator('.price output').textContent()).toBe('180 a year')
  await page.getByRole('button', { name: 'Add a seat' }).click()
  await expect.poll(() => page.locator('.price output').textContent()).toBe('270 a year')
})

test('an island comes alive after a page was swapped in, and goes with its page', async () => {
  const page = await aVisitor(browser, { userAgent: agentOf(143) })
  await page.goto(`${tilth.address}/quiet`)
  await page.waitForFunction(() => history.state?.tilth !== undefined)
  await page.evaluate(() => void Object.assign(window, { isSameDocument: true }))
  await page.getByRole('link', { name: 'Pricing', exact: true }).first().click()
  await page.waitForURL('**/pricing')
  await islandIsAlive(page)
  await page.getByRole('button', { name: 'Add a seat' }).click()
  await expect.poll(() => page.locator('.price output').textContent()).toBe('180 a year')
  await page.goBack()
  await page.getByRole('heading', { name: 'Quiet' }).waitFor()
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
})

test('a page that never ends harms only itself', async () => {
  const [endless, pricing] = await Promise.all([read('/endless'), read('/quiet')])
  expect([endless.status, pricing.status]).toEqual([500, 200])
  expect((await read('/pricing')).status).toBe(200)
  expect((await fetch(`${tilth.address}/studio/sign-in`)).status).toBe(200)
})

test('a change is built and shown, and a mistake leaves the last build in use', async () => {
  const file = join(site, 'pages/quiet.tsx')
  const written = readFileSync(file, 'utf8')
  save(file, written.replace('<h1>Quiet</h1>', '<h1>Still quiet</h1>'))
  await expect.poll(async () => (await read('/quiet')).text, often).toContain('Still quiet')
  save(file, written.replace('<h1>Quiet</h1>', '<h1>Broken'))
  await tilth.waitForOutput(/pages\/quiet\.tsx/)
  expect((await read('/quiet')).text).toContain('Still quiet')
  save(file, written)
  await expect.poll(async () => (await read('/quiet')).text, often).toContain('<h1>Quiet</h1>')
})

test('a post in MDX holds components, an experiment and a survey, and feeds have its Markdown', async () => {
  const page = await aVisitor(browser, { userAgent: agentOf(144) })
  const seenTexts = await watchTexts(page)
  await page.goto(`${tilth.address}/blog/seats`)
  await islandIsAlive(page)
  expect(await seenTexts()).toEqual(['50 a year'])
  await page.getByText('You pay each year.').waitFor()
  await page.locator('article.team-post').getByRole('heading', { name: 'How seats are counted' }).waitFor()
  await page.getByRole('figure').filter({ hasText: 'It is that simple.' }).waitFor()
  await page.getByRole('region', { name: 'Seats' }).getByRole('radio', { name: '4 of 5' }).waitFor()
  await page.getByRole('button', { name: 'Add a seat' }).click()
  await expect.poll(() => page.locator('.price output').textContent()).toBe('100 a year')
  await expect.poll(() => countsOf(144), often).toMatchObject({ $pageview: 1, $feature_flag_called: 1 })
  expect((await read('/blog')).text).toContain('<h1>1 by the team</h1>')
  expect((await read('/sitemap.xml')).text).toContain('/pricing</loc>')
  const { text } = await read('/blog.json')
  expect(text).toContain('Everybody who signs in is <strong>one seat</strong>.')
  // readers of feeds get the original of an experiment
  expect(text).toContain('You pay each month.')
  expect(text).not.toContain('You pay each year.')
})

test('the same components run on Preact by one setting, with a fifth of the script', async () => {
  const loadedBytes = async (version: number): Promise<number> => {
    const page = await aVisitor(browser, { userAgent: agentOf(version) })
    const problems = watchProblems(page)
    await page.goto(`${tilth.address}/pricing`)
    await islandsAreKnown(page)
    await page.getByRole('button', { name: 'Add a seat' }).click()
    await expect.poll(() => page.locator('.price output').textContent()).toBe('180 a year')
    await page.getByRole('button', { name: 'Add a seat' }).click()
    await expect.poll(() => page.locator('.price output').textContent()).toBe('270 a year')
    expect(problems).toEqual([])
    return await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.startsWith('/_tilth/site/'))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    )
  }
  const onReact = await loadedBytes(146)
  const builtOf = async () => /data-module="([^"]+)"/.exec((await read('/pricing')).text)?.[1]
  const built = await builtOf()
  save(join(site, 'package.json'), '{ "tilth": { "islands": "preact" } }')
  await expect.poll(builtOf, often).not.toBe(built)
  expect(await loadedBytes(147)).toBeLessThan(onReact / 5)
})
