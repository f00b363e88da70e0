import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type * as Axe from 'axe-core'
import type { Browser, BrowserContextOptions, Cookie, Frame, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Role } from '#projects/access'
import { endAfterFile } from '../running/end-after-file'
import { aVisitor } from '../pages/browser'
import { aTilth, type EndLater, type RunningTestTilth, type TestEnvironment } from '../start/tilth'
import { reload, untilIdle, visit, waitForHydration } from './hydration'
import { anOwnedFolder, type OwnedProject } from './owned-folder'
import { owner, ownedEnvironment, secretKey, signIn, writeKey } from './owner'

export { owner, reload, signIn, untilIdle, visit, waitForHydration }

export interface TestStudio extends OwnedProject {
  tilth: RunningTestTilth
  address: string
  browser: Browser
  /** Of a browser that Ana has signed in with. */
  cookies: Cookie[]
  /** Further projects of Ana's, which no test has taken yet. */
  untouched: OwnedProject[]
}

/** A Tilth that Ana owns, with the project Acme in it. */
export async function aStudio(
  browser: Browser,
  environment: TestEnvironment = {},
  endLater: EndLater = onTestFinished,
): Promise<TestStudio> {
  const { data, cookies, projects } = await anOwnedFolder(endLater)
  const settings = { ...ownedEnvironment, TILTH_DATA: data, ...environment }
  const tilth = await aTilth(settings, endLater)
  return {
    tilth,
    address: tilth.address,
    browser,
    cookies,
    untouched: projects,
    slug: 'acme',
    writeKey,
    secretKey,
  }
}

/** The same Tilth with a project in which nothing has happened. What is sent counts for that project. */
export function inAnotherProject(studio: TestStudio): TestStudio {
  const project = studio.untouched.shift()
  if (!project) throw new Error('Every project has been taken: let owned-folder.ts make more.')
  return { ...studio, ...project }
}

/**
 * One Tilth for those tests of a file that do not get into each other's way: a start costs more than most tests. It
 * begins with the first test that asks for it, and `prepare` puts into it what every test finds there.
 */
export function aSharedStudio(
  prepare: (studio: TestStudio) => Promise<void> = async () => {},
  environment: TestEnvironment = {},
): (browser: Browser) => Promise<TestStudio> {
  let studio: Promise<TestStudio> | undefined
  const endLater = endAfterFile()
  const begin = async (browser: Browser): Promise<TestStudio> => {
    const begun = await aStudio(browser, environment, endLater)
    await prepare(begun)
    return begun
  }
  return (browser) => (studio ??= begin(browser))
}

/** A visitor with a browser of their own, in which only foreseen problems may occur. */
export async function aPerson(
  { browser, address }: Pick<TestStudio, 'browser' | 'address'>,
  { foreseen: expectedProblems, ...options }: BrowserContextOptions & { foreseen?: RegExp } = {},
) {
  const { page } = await aVisitor(browser, address, { reducedMotion: 'reduce', ...options })
  const unexpectedProblems: string[] = []
  page.on('pageerror', (problem) => unexpectedProblems.push(String(problem)))
  page.on('dialog', (dialog) => {
    unexpectedProblems.push(`a dialog said ${dialog.message()}`)
    void dialog.dismiss()
  })
  onTestFinished(() => expect(unexpectedProblems.filter((each) => !expectedProblems?.test(each))).toEqual([]))
  return page
}

/** Ana, signed in. */
export async function openOwnerPage(
  studio: TestStudio,
  options: Parameters<typeof aPerson>[1] = {},
): Promise<Page> {
  const page = await aPerson(studio, options)
  await page.context().addCookies(studio.cookies)
  return page
}

/** A member who has just joined Acme in this role, by a link. */
export async function aMember(studio: TestStudio, role: Role, name: string): Promise<Page> {
  const page = await aPerson(studio)
  const { token } = await askApi<{ token: string }>(studio, 'POST', '/projects/acme/invitations', { role })
  await page.goto(`/studio/join#${token}`)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Your e-mail').fill(`${name.toLowerCase()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('amber ridge canoe')
  await page.getByRole('button', { name: 'Create account and join' }).click()
  await page.waitForURL('**/studio/acme')
  return page
}

/** The response to a program with the project's secret key. */
export async function askApi<Answer>(
  { address }: Pick<TestStudio, 'address'>,
  method: string,
  path: string,
  body?: unknown,
  key = secretKey,
): Promise<Answer> {
  const answer = await fetch(`${address}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (!answer.ok)
    throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Answer // the API's own tests hold it to its description
}

/** Done to the store behind the back of the Tilth that runs on it. */
export function executeInStore({ tilth }: TestStudio, statement: string): void {
  const store = new DatabaseSync(join(tilth.folder, 'store.db'), { timeout: 20_000 })
  store.exec(statement)
  store.close()
}

/** Makes the password of each member long ago. */
export function forgetRecentPasswords(studio: TestStudio): void {
  executeInStore(studio, `update sessions set authenticated_at = '2020-01-01T00:00:00.000Z'`)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations of accessibility on this page that a program can find, or in this frame: by all rules of axe, or by these. */
export async function accessibilityViolations(
  page: Pick<Frame, 'evaluate' | 'waitForFunction'>,
  { within = 'html', rules }: { within?: string | undefined; rules?: readonly string[] } = {},
): Promise<string[]> {
  await animationsEnd(page)
  // Next draws the title of the next page some moments after the page
  await page.waitForFunction(
    () => document.title !== '' && !document.querySelector('[data-navigation-progress]'),
  )
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return await page.evaluate(
    async ({ include, chosen }) => {
      // put there a moment ago
      const { axe: tester } = window as unknown as { axe: typeof Axe }
      // Base UI's guards catch focus that would leave a layer, and hand it on before a screen reader announces them
      const exclude = ['[data-base-ui-focus-guard]']
      const { violations } = await tester.run(
        { include, exclude },
        { resultTypes: ['violations'], preload: false, ...(chosen && { runOnly: chosen }) },
      )
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
    },
    { include: within, chosen: rules && [...rules] },
  )
}

/** The rules of axe that colours decide: a document that is otherwise the same needs only these in another theme. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** The same in the light theme and in the dark one, of what is open now. It leaves the page in the light one. */
export async function violationsInBothThemes(page: Page, within?: string): Promise<string[]> {
  const light = await accessibilityViolations(page, { within })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const dark = await accessibilityViolations(page, { within, rules: colourRules })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light.map((one) => `light: ${one}`), ...dark.map((one) => `dark: ${one}`)]
}

/** A list that closes is still there for some frames, without its options; a colour that changes has less contrast. */
async function animationsEnd(page: Pick<Frame, 'waitForFunction'>) {
  await page.waitForFunction(
    () =>
      !document.querySelector('[data-starting-style], [data-ending-style]') &&
      document.getAnimations().every(({ effect }) => effect?.getComputedTiming().endTime === Infinity),
  )
}

/** The number of pixels by which the page is wider than the window, to be scrolled to sideways. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** Expects a page that does not scroll sideways: a tooltip follows its trigger some frames after a resize. */
export async function fitsWindow(page: Page, where?: string): Promise<void> {
  await expect.poll(() => horizontalOverflow(page), { message: where ?? page.url() }).toBeLessThanOrEqual(0)
}

/** No violation of accessibility, and nothing that scrolls sideways on a phone. */
export async function isUsable(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await fitsWindow(page)
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** The same in the dark theme and in the light one. Loads the page anew: colours change over some frames. */
export async function isUsableInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await visit(page, page.url())
  expect(await accessibilityViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await visit(page, page.url())
  await isUsable(page)
}

/** A dialog that is open and has the focus, which it would take later from what is typed into. */
export async function openDialog(page: Page, name: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name })
  await expect.poll(() => dialog.evaluate((opened) => opened.contains(document.activeElement))).toBe(true)
  return dialog
}

/** Opens a list once React hears clicks on it: its part of the page may come after the rest. */
export async function openList(box: Locator): Promise<void> {
  await expect
    .poll(() => box.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react'))))
    .toBe(true)
  await box.click()
}

/** Chooses from the open list. The list hears a press only after it has noticed where the mouse is. */
export async function chooseOption(page: Page, option: string | RegExp) {
  const wanted = page.getByRole('option', { name: option, exact: true }).first()
  let moves = 0
  await expect
    .poll(async () => {
      // an option that has just come under a resting mouse waits for a movement
      await wanted.hover({ position: { x: 8 + (moves++ % 2), y: 8 } })
      return wanted.getAttribute('data-highlighted')
    })
    .not.toBeNull()
  await wanted.click()
}
