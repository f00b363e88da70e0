import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type * as Axe from 'axe-core'
import type { Browser, BrowserContextOptions, Cookie, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import type { Role } from '#projects/access'
import { aVisitor } from '../pages/browser'
import { aTilth, type EndLater, type RunningTestTilth, type TestEnvironment } from '../start/tilth'
import { anOwnedFolder, type OwnedProject } from './owned-folder'
import { owner, ownedEnvironment, secretKey, signIn, writeKey } from './owner'

export { owner, signIn }

export interface TestStudio extends OwnedProject {
  tilth: RunningTestTilth
  address: string
  browser: Browser
  /** Of a browser that Ana has signed in with. */
  cookies: Cookie[]
  /** Further projects of Ana's, which no test has taken yet. */
  untouched: OwnedProject[]
}

/** Node is given its heap at once, which saves the start of a second process in place of the first. */
const startedOnce = { NODE_OPTIONS: '--max-old-space-size=800' }

/** A Tilth that Ana owns, with the project Acme in it. */
export async function aStudio(
  browser: Browser,
  environment: TestEnvironment = {},
  endLater: EndLater = onTestFinished,
): Promise<TestStudio> {
  const { data, cookies, projects } = await anOwnedFolder(browser, endLater)
  const settings = { ...ownedEnvironment, ...startedOnce, TILTH_DATA: data, ...environment }
  const tilth = await aTilth(settings, endLater)
  return { tilth, address: tilth.address, browser, cookies, untouched: projects, slug: 'acme', writeKey }
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
): (browser: Browser) => Promise<TestStudio> {
  let studio: Promise<TestStudio> | undefined
  const ends: (() => void | Promise<void>)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  const begin = async (browser: Browser): Promise<TestStudio> => {
    const begun = await aStudio(browser, {}, (end) => void ends.push(end))
    await prepare(begun)
    return begun
  }
  return (browser) => (studio ??= begin(browser))
}

/** Somebody with a browser of their own, in which nothing may go wrong unseen but what is foreseen. */
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

/** Somebody who has just joined Acme in this role, by a link. */
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

/** What a program with the project's secret key is told. */
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
  const store = new DatabaseSync(join(tilth.folder, 'store.db'))
  store.exec(statement)
  store.close()
}

/** As if everybody had given their password long ago. */
export function forgetRecentPasswords(studio: TestStudio): void {
  executeInStore(studio, `update sessions set authenticated_at = '2020-01-01T00:00:00.000Z'`)
}

/** Ticks, chooses and presses are only heard once React has taken the page over, all that has come of it. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isAlive = (element: Element) => Object.keys(element).some((key) => key.startsWith('__react'))
    const own = [...document.querySelectorAll('main button, main a, form')]
    return own.length > 0 ? own.every(isAlive) : [...document.querySelectorAll('a')].some(isAlive)
  })
}

export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What would keep somebody from using this page, as far as a program can tell. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return await page.evaluate(async () => {
    // put there a moment ago
    const { axe: tester } = window as unknown as { axe: typeof Axe }
    // Base UI's guards catch focus that would leave a layer, and hand it on before anybody hears of them
    const exclude = ['[data-base-ui-focus-guard]']
    const { violations } = await tester.run({ include: ['html'], exclude }, { resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}

/** How many pixels of the page stick out of the window, to be scrolled to sideways. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
