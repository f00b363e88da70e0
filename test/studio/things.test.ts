import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { studioPageScripts } from '../running/built-scripts'
import { openBrowser } from '../pages/browser'
import { inside, outside } from './fixed-pages'
import { type Things, oneOfEach } from './one-of-each'
import {
  accessibilityViolations,
  aSharedStudio,
  openOwnerPage,
  type TestStudio,
  violationsInBothThemes,
  visit,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

let things: Things
const shared = aSharedStudio(async (studio) => {
  things = await oneOfEach(studio)
})

/** The names that are pressed one after another until the layer is open: buttons, tabs, switches, entries of menus. */
type Presses = readonly (string | RegExp)[]

/** A page of one thing, by its address in the project, and the layers that open on it. */
type ThingPage = readonly [address: string, ...layers: Presses[]]

const ofAnalysis: readonly ThingPage[] = [
  [
    'dashboards/:dashboard',
    ['Annotations 1', 'Remove “Released”'],
    ['More about Growth', 'Rename…'],
    ['Version history'],
    ['Share…'],
    ['Share…', 'Revoke share'],
  ],
  ['dashboards/:dashboard?edit=yes', ['Add card', 'Saved insight…']],
  [
    'insights/:insight',
    ['More about Orders by day', 'Rename, move, tag…'],
    ['More about Orders by day', 'Archive'],
  ],
  ['web?period=7d&page=/pricing', ['Save as segment…'], [/^Date range/, 'Custom range… C']],
  ['web/rows?of=page'],
  ['web/goals', ['Remove Ordered'], ['Remove Germans']],
  ['alerts/:alert', ['More about Quiet', 'Remove…']],
  ['alerts/reports/:report', ['Remove Our week']],
  ['live', [/ordered/]],
]

const ofPeople: readonly ThingPage[] = [
  ['people', ['Lists', 'Save as new list…']],
  ['people/:person', ['Add to cohort…'], ['Erase…'], ['Split laptop off…']],
  ['people/behind?question=:question&point={"series":0}', ['Save as cohort…']],
  ['people/group?type=company&key=x-ray'],
  ['people/cohorts/:cohort', ['Remove…']],
]

const ofFlags: readonly ThingPage[] = [
  ['flags/:flag', ['More about dark-mode', 'Archive…'], ['Schedule…'], ['Remove schedule'], ['Start…']],
  ['flags/:guarded', ['Stop…']],
  ['flags/:flag/code'],
  ['flags/:flag/explain'],
  ['flags/:flag/history', ['Restore']],
  ['flags/:flag/numbers'],
  ['flags/:flag/people'],
  ['flags', ['dark-mode in production']],
  ['flags/environments', ['Renew write key of staging'], ['Remove staging']],
  ['flags/environments/compare'],
  ['flags/holdouts', ['Remove Spring'], ['Remove Front page']],
]

const ofExperiments: readonly ThingPage[] = [
  ['experiments/:running', ['End experiment…'], ['Ship a variant…']],
  ['experiments/:draft/settings', ['Start…']],
  ['surveys/:survey', ['Launch', 'Stop']],
  ['surveys/:survey/results'],
  ['surveys/:survey/responses'],
  ['surveys/:survey/share', ['New links…'], ['Revoke the link of no recipient']],
]

const ofPosts: readonly ThingPage[] = [
  ['site/posts/:post', ['More about How we rebuilt checkout', 'Preview link…']],
  ['site/posts/:draftPost', ['Publish…']],
  ['site/posts/:post?panel=headlines', ['Stop…'], ['Pick a winner', 'Variant B…']],
  ['site/posts/history/:post?version=1', ['Restore']],
  ['site/comments', ['Remove Ben’s comment']],
  ['site/posts/authors', ['Remove Zoë Lima']],
  ['site/design/redirects', ['Remove redirect from /old']],
]

const ofSettings: readonly ThingPage[] = [
  ['settings/events', ['Define ordered']],
  ['settings/members', ['Remove Ben'], ['Revoke invitation for anyone with the link']],
  ['settings/keys', ['Revoke Deploy']],
  ['../account/security', ['End the session on Firefox on Linux'], ['End all others…']],
]

const pagesOfThings = {
  analysis: ofAnalysis,
  persons: ofPeople,
  flags: ofFlags,
  'experiments and surveys': ofExperiments,
  posts: ofPosts,
  settings: ofSettings,
}

/** Pages that are held to the same in another file, or need none of it. */
const elsewhere: Readonly<Record<string, string>> = {
  '/studio': 'It leads to the last project.',
  '/studio/setup': 'first-minutes.test.ts',
  '/studio/sign-in/assistant': 'assistants.test.ts',
  '/studio/sign-in/step': 'second-factors.test.ts',
  '/studio/:project/:unknown': 'shell.test.ts',
  '/studio/:project/agents/proposals/:proposal': 'proposals.test.ts',
  '/studio/:project/experiments/:experiment/explore': 'experiment-results.test.ts',
  '/studio/:project/experiments/:experiment/exposures': 'experiment-results.test.ts',
  '/studio/:project/experiments/:experiment/exposures/people': 'A list of people as under people/behind.',
  '/studio/:project/experiments/:experiment/notes': 'experiment-results.test.ts',
  '/studio/:project/experiments/:experiment/plan': 'experiment-plan.test.ts',
  '/studio/:project/experiments/:experiment/web': 'layers.test.ts',
  '/studio/:project/site/newsletter/:letter': 'letters.test.ts',
  '/studio/:project/site/newsletter/lists/:list': 'everywhere.test.ts opens that of the newsletter.',
  '/studio/:project/surveys/:survey/response': 'surveys.test.ts',
}

test('every page of the studio is opened in both themes, or says where', () => {
  const named = (path: string) => path.replace(/[?#].*/, '').replaceAll(/:\w+/g, ':id')
  const ofThings = Object.values(pagesOfThings)
    .flat()
    .map(([address]) => `/studio/acme/${address}`)
  const opened = [...inside, ...outside].map(([path]) => path)
  const seen = new Set(
    [...opened, ...ofThings].map((path) => named(path).replace('/studio/acme', '/studio/:id')),
  )
  const routes = studioPageScripts().map(({ page }) =>
    page
      .replaceAll(/\/\([^)]+\)/g, '')
      .replace(/\/page$/, '')
      .replaceAll(/\[[^\]]+\]/g, ':id'),
  )
  const unseen = routes.filter((route) => !seen.has(route))
  expect(unseen.toSorted()).toEqual(Object.keys(elsewhere).map(named).toSorted())
})

test.each(Object.entries(pagesOfThings))(
  'pages of %s, and the layers on them, can be used by everyone in both themes',
  async (_, pages) => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    const found: string[] = []
    for (const [address, ...layers] of pages) {
      const path = pathOf(address)
      await visit(page, path)
      await expect
        .poll(() => page.getByText('This page could not be found').count(), { message: path })
        .toBe(0)
      if (!isFixed(path)) found.push(...(await violationsInBothThemes(page)).map((one) => `${path}: ${one}`))
      for (const presses of layers) {
        await open(page, presses)
        const violations = await violationsInBothThemes(page, layerRoles)
        found.push(...violations.map((one) => `${path}, ${presses.join(', ')}: ${one}`))
        await closeLayers(page)
      }
    }
    expect(found).toEqual([])
  },
)

/** Looked at with the others that need no thing, by everywhere.test.ts. */
const isFixed = (path: string): boolean => inside.some(([fixed]) => fixed === path)

const pathOf = (address: string): string =>
  `/studio/acme/${address.replaceAll(/:([a-z]\w*)/gi, (_, name: string) => things[name] ?? name)}`

const layerRoles = '[role=dialog], [role=alertdialog]'
const layersOf = (page: Page) => page.locator(layerRoles)

/** A page behind an open layer is hidden from the roles. */
async function open(page: Page, presses: Presses): Promise<void> {
  for (const name of presses) {
    const named = { name, exact: true }
    const wanted = page
      .getByRole('button', named)
      .or(page.getByRole('menuitem', named))
      .or(page.getByRole('switch', named))
      .or(page.getByRole('tab', named))
    await wanted.first().click()
  }
  await layersOf(page).first().waitFor()
}

/** Escape closes the uppermost. */
async function closeLayers(page: Page): Promise<void> {
  const closed = async () => {
    if ((await layersOf(page).count()) > 0) await page.keyboard.press('Escape')
    return await layersOf(page).count()
  }
  await expect.poll(closed).toBe(0)
}

test('a shared dashboard can be used by everyone in both themes', async () => {
  const studio: TestStudio = await shared(browser)
  const page = await openOwnerPage(studio)
  for (const theme of ['light', 'dark']) {
    await visit(page, `${things['share']}?theme=${theme}`)
    await page.getByRole('heading', { name: 'Growth' }).waitFor()
    expect(await accessibilityViolations(page), theme).toEqual([])
  }
})
