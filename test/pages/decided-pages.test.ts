import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operator } from '#projects/access'
import { aVisitor, openBrowser } from './browser'
import { aFront, type TestFront } from './fixture'

let site: TestFront
let browser: Browser

const always = (environments: object, more: object) => ({
  ...more,
  environments: { production: environments },
})
const forEverybody = { isOn: true, conditions: [{ conditions: [], percentage: 100 }] }

beforeAll(async () => {
  site = await aFront()
  const { product, projectId } = site
  const halves = ['a', 'b'].map((key) => ({ key, percentage: 50 }))
  for (const flag of [
    always(forEverybody, { key: 'headline', kind: 'variants', variants: halves }),
    always(forEverybody, { key: 'for-servers', servedTo: 'servers' }),
  ]) {
    const outcome = await product.flags.create(projectId, flag, operator('tests'))
    if (!outcome.done) throw new Error(JSON.stringify(outcome.problems))
  }
  await product.flags.definitions.caughtUp()
  browser = await openBrowser()
  await site.pages.ready()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** Visitors of a day are told apart by their browser: one who is given that variant. */
async function agentGiven(variant: string): Promise<string> {
  for (let n = 0; n < 100; n++) {
    const agent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.${n}.0 Safari/537.36`
    const answer = await fetch(`${site.address}/provoked/decided`, {
      headers: { accept: 'text/html', 'user-agent': agent },
    })
    if ((await answer.text()).includes(`data-variant="${variant}"`)) return agent
  }
  throw new Error(`Nobody is given ${variant}.`)
}

test.each([
  ['a', 'The headline'],
  ['b', 'The other headline'],
])('who is given %s sees it from the first frame on, and everything agrees', async (variant, words) => {
  const { page } = await aVisitor(browser, site.address, { userAgent: await agentGiven(variant) })
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (problem) => complaints.push(problem.message))
  // requests of posthog-js are not answered: its knowledge comes from the page
  await page.route(/\/(?:flags|decide|e|i|array|s)\/(?!.*provoked)/, (route) =>
    route.fulfill({ status: 503, body: '' }),
  )
  await page.addInitScript(takeFrames)

  await page.goto('/provoked/decided')
  await expect.poll(() => page.locator('[data-of=posthog]').textContent()).toBe(variant)

  expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([words])
  expect(await page.locator('[data-of=useFlag]').textContent()).toBe(variant)
  expect(await page.locator('[data-of=Variant]').count()).toBe(variant === 'b' ? 1 : 0)
  expect(await page.locator('[data-of=servers]').textContent()).toBe('false')
  // put there by what runs before anything else
  const frames = await page.evaluate(() => (window as unknown as { taken: string[] }).taken)
  expect(frames.length).toBeGreaterThan(0)
  expect(new Set(frames)).toEqual(new Set([`${words} ${variant}`]))
  expect(complaints.filter((text) => /hydrat|react|did not match|#4\d\d/i.test(text))).toEqual([])
})

// Runs in the browser, before anything else does: what every frame shows, from the first that shows something.
function takeFrames() {
  const frames: string[] = []
  Object.assign(window, { taken: frames })
  const take = (): void => {
    const shown = document.querySelector('h1')?.textContent
    const flag = document.querySelector('[data-of=useFlag]')?.textContent
    if (shown && flag) frames.push(`${shown} ${flag}`)
    requestAnimationFrame(take)
  }
  requestAnimationFrame(take)
}

test('one kept page is each visitor’s own where it tells them who they are, and Chromium reads what was joined', async () => {
  const agents = [await agentGiven('a'), await agentGiven('b')]
  const ids: string[] = []
  for (const userAgent of agents) {
    const { page } = await aVisitor(browser, site.address, { userAgent })
    await page.route(/\/(?:flags|decide|e|i|array|s)\//, (route) => route.abort())
    // a page rendered within two seconds of a change is kept until they are over
    await expect
      .poll(async () => (await page.goto('/provoked/decided'))?.headers())
      .toMatchObject({ 'content-encoding': 'gzip', 'x-tilth-cache': 'hit' })
    const told = await page.locator('#tilth-visit').textContent()
    // the front has written it
    ids.push((JSON.parse(told ?? '{}') as { distinctID: string }).distinctID)
  }
  expect(ids).toEqual([expect.stringMatching(/^cookieless_/), expect.stringMatching(/^cookieless_/)])
  expect(ids[0]).not.toBe(ids[1])
})

test('a link for trying flags out decides on rendered pages, too, and no one else is shown what it shows', async () => {
  const { product, projectId, noted } = site
  const made = await product.flags.overrideLinks.make(
    projectId,
    { values: { headline: 'b' } },
    operator('tests'),
  )
  if (!made.done) throw new Error('There is no link.')
  const token = new URL(made.link.path, site.address).searchParams.get('link')
  const before = noted.length
  const answer = await fetch(`${site.address}/provoked/decided`, {
    headers: { accept: 'text/html', cookie: `tilth_trying=${token}`, 'user-agent': await agentGiven('a') },
  })
  expect(await answer.text()).toContain('The other headline')
  expect([answer.headers.get('cache-control'), answer.headers.get('server-timing')]).toEqual([
    'private, no-store',
    null,
  ])
  const later = noted.slice(before).flatMap(({ events }) => events)
  expect(later.every(({ properties }) => properties['$feature_flag_response'] !== 'b')).toBe(true)
})
