import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe, { type RunOptions } from 'axe-core'
import type { Browser, BrowserContext, Locator, Page, PageScreenshotOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { patienceMs } from '../running/patience'
import { openBrowser } from './browser'
import type { GalleryName } from './gallery'
import { showGallery } from './show-gallery'

let browser: Browser
let calm: BrowserContext
let gallery: Awaited<ReturnType<typeof showGallery>>
let saved: string

beforeAll(async () => {
  saved = await mkdtemp(join(tmpdir(), 'tilth-gallery-'))
  ;[browser, gallery] = await Promise.all([openBrowser(), showGallery()])
  calm = await browser.newContext({ reducedMotion: 'reduce' })
})

afterEach(() =>
  Promise.all(browser.contexts().flatMap((context) => context.pages().map((page) => page.close()))),
)

afterAll(async () => {
  await browser?.close()
  await gallery?.close()
  await rm(saved, { recursive: true, force: true })
})

/** Screenshots are for people, who name a folder for them: drawing one takes longer than most tests. */
const shots = process.env.GALLERY_SHOTS

async function takeScreenshot(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`), ...options })
}

type View = { name?: GalleryName; theme?: 'light' | 'dark'; width?: number; react?: 'development' }

/** A page of the gallery, alive on 21 November 2026, and the complaints in its console, where React finds faults. */
async function open({ name = 'layers', theme = 'light', width = 1280, react }: View = {}) {
  const complaints: string[] = []
  const page = await calm.newPage()
  page.setDefaultTimeout(patienceMs)
  // Drawing a gallery takes its time on a busy machine.
  page.setDefaultNavigationTimeout(60_000)
  await page.setViewportSize({ width, height: 900 })
  await page.clock.setFixedTime('2026-11-21T12:00:00Z')
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(`${gallery.address}/${name}?theme=${theme}&react=${react ?? 'production'}`)
  await page.locator('#root[data-ready]').waitFor({ state: 'attached' })
  return { page, complaints, press: (keys: string) => pressAll(page, keys) }
}

/** Presses named keys one after the other: `Tab Enter`. */
async function pressAll(page: Page, keys: string) {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}

/** Reads until it is so. */
const eventually = <Seen>(read: () => Seen | Promise<Seen>) => expect.poll(read)

/** Waits for what fades or slides in to arrive. */
const settled = (page: Page) =>
  page.waitForFunction(
    () =>
      !document.querySelector('[data-starting-style]') &&
      document
        .getAnimations()
        .every((one) => one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Infinity),
  )

/** The focused element as a screen reader would name it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute('aria-label') ?? (element?.textContent || element?.tagName)
  })

/** Waits until a layer has taken the focus: it would take it from what a test focuses before. */
const untilFocused = (layer: Locator) =>
  eventually(() => layer.evaluate((popup) => popup.contains(document.activeElement))).toBe(true)

const looks = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
] as const
const views = (['parts', 'charts', 'chart-edges', 'page'] as const).flatMap((name) =>
  looks.map((look) => ({ name, ...look })),
)

test.each(views)(
  '$name in $theme at $width can be used by everyone, hydrates as served, keeps its policy, stays inside the screen',
  async ({ name, theme, width }) => {
    const { page, complaints } = await open({ name, theme, width, react: 'development' })
    await page.evaluate(() => document.fonts.ready)
    await settled(page)
    await takeScreenshot(page, `${name}-${theme}-${width}`, { fullPage: true })

    expect(await barriers(page)).toEqual([])
    expect(complaints).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  },
)

type Shown = { on?: GalleryName; press: (page: Page) => Locator; shows: (page: Page) => Locator }
const pressing = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name })
const showing = (role: 'dialog' | 'alertdialog' | 'menu' | 'listbox') => (page: Page) => page.getByRole(role)

const layers: Record<string, Shown> = {
  dialog: { press: pressing('Open dialog'), shows: showing('dialog') },
  alert: { press: pressing('Delete…'), shows: showing('alertdialog') },
  menu: { press: pressing('Open menu'), shows: showing('menu') },
  popover: { press: pressing('Open popover'), shows: showing('dialog') },
  palette: { press: pressing('Open palette'), shows: showing('dialog') },
  combobox: { on: 'fields', press: (page) => page.getByLabel('Countries'), shows: showing('listbox') },
  select: { on: 'fields', press: (page) => page.getByLabel('Time zone'), shows: showing('listbox') },
  toast: { press: pressing('Show toast'), shows: (page) => page.getByRole('button', { name: 'Undo' }) },
}

test.each(Object.entries(layers))(
  'an open %s can be used by everyone and keeps the policy',
  async (name, layer) => {
    const { page, complaints } = await open({ name: layer.on, theme: 'dark', react: 'development' })
    await layer.press(page).click()
    await layer.shows(page).waitFor()
    await settled(page)
    await takeScreenshot(page, `layer-${name}`)

    expect(await barriers(page, theLayerAlone)).toEqual([])
    expect(complaints).toEqual([])
  },
)

/**
 * The page under a layer is checked without the layer. Base UI puts stops around a layer that send focus back into it;
 * axe takes them for things that can be focused but not heard.
 */
const theLayerAlone = { context: { exclude: ['#root'] }, rules: { 'aria-hidden-focus': { enabled: false } } }

type Scope = { context?: { exclude: string[] }; rules?: RunOptions['rules'] }

async function barriers(page: Page, scope: Scope = {}): Promise<string[]> {
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async ({ context, rules = {} }: Scope) => {
    // Put there by the line above.
    const { axe: checker } = window as unknown as { axe: typeof axe }
    return (await checker.run(context ?? document, { resultTypes: ['violations'], rules })).violations
  }, scope)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
    )
}

describe('a dialog', () => {
  test('takes focus to its first field, keeps it, and gives it back on Escape', async () => {
    const { page, press } = await open()
    await page.getByRole('button', { name: 'Open dialog' }).focus()
    await press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Invite a member' })
    await eventually(() =>
      dialog.getByLabel('E-mail address').evaluate((field) => field === document.activeElement),
    ).toBe(true)

    for (let step = 0; step < 8; step++) {
      await press('Tab')
      await untilFocused(dialog)
    }
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => focused(page)).toBe('Open dialog')
  })

  test('that destroys something waits for its name to be typed', async () => {
    const { page, press } = await open()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const alert = page.getByRole('alertdialog', { name: 'Delete this project?' })
    const confirm = alert.getByRole('button', { name: 'Delete project' })
    await eventually(() => confirm.getAttribute('aria-disabled')).toBe('true')

    // until then "Enter" still presses the button that opened it
    await eventually(() =>
      alert.getByRole('textbox').evaluate((field) => field === document.activeElement),
    ).toBe(true)
    await press('Enter')
    expect(await page.getByText('Nothing chosen yet').count()).toBe(1)

    await page.keyboard.type('acme-shop')
    await confirm.click()
    await alert.waitFor({ state: 'detached' })
    await page.getByText('Deleted', { exact: true }).waitFor()
  })
})

describe('a menu', () => {
  test('is walked by arrows and first letters, into submenus and out', async () => {
    const { page, press } = await open()
    await page.getByRole('button', { name: 'Open menu' }).focus()
    await press('Enter')
    await eventually(() => focused(page)).toMatch(/^Edit/)

    await press('t')
    await eventually(() => focused(page)).toMatch(/^Theme/)
    await press('ArrowRight')
    await page.getByRole('menuitemradio', { name: 'As the system', checked: true }).waitFor()
    await eventually(() => focused(page)).toBe('As the system')
    await press('ArrowDown')
    await eventually(() => focused(page)).toBe('Light')
    await press('Enter')
    await page.getByRole('menu').first().waitFor({ state: 'detached' })
    await eventually(() => focused(page)).toBe('Open menu')

    await press('Enter')
    await eventually(() => focused(page)).toMatch(/^Edit/)
    await press('ArrowDown')
    await eventually(() => focused(page)).toMatch(/^Duplicate/)
    await press('Enter')
    await page.getByRole('status').getByText('Duplicate').waitFor()
  })

  test('shows what cannot be done now and why, and does not do it', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Open menu' }).click()
    const archive = page.getByRole('menuitem', { name: 'Archive It still runs' })
    expect(await archive.getAttribute('aria-disabled')).toBe('true')
  })
})

describe('a combobox', () => {
  test('narrows its list by what is typed and takes the first', async () => {
    const { page, press } = await open({ name: 'fields' })
    const box = page.getByRole('combobox', { name: 'Country', exact: true })
    await box.fill('jap')
    await eventually(() => page.locator('[role=option][data-highlighted]').allTextContents()).toEqual([
      'JapanJP',
    ])
    await press('Enter')
    await eventually(() => box.inputValue()).toBe('Japan')
  })

  test('says that nothing matches', async () => {
    const { page } = await open({ name: 'fields' })
    await page.getByRole('combobox', { name: 'Country', exact: true }).fill('atlantis')
    await page.getByText('No results for “atlantis”').waitFor()
  })

  test('with several keeps chips, accepts what is not listed, and Backspace takes the last away', async () => {
    const { page, press } = await open({ name: 'fields' })
    const chips = page.getByRole('toolbar').locator('[aria-label^="Remove"]')
    const names = () =>
      chips.evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))
    await page.getByRole('combobox', { name: 'Countries' }).fill('Atlantis')
    await page.locator('[role=option][data-highlighted]', { hasText: 'Atlantis' }).waitFor()
    await press('Enter')
    await eventually(names).toEqual(['Remove Germany', 'Remove Japan', 'Remove Atlantis'])
    await press('Backspace')
    await eventually(names).toEqual(['Remove Germany', 'Remove Japan'])
  })
})

test('a combobox opens its list only after a word that an input method composes', async () => {
  const { page } = await open({ name: 'fields' })
  const box = page.getByRole('combobox', { name: 'Country', exact: true })
  await box.press('ControlOrMeta+a')
  const keyboard = await page.context().newCDPSession(page)
  const compose = (text: string) =>
    keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await compose('j')
  await compose('ja')
  await compose('jap')
  await eventually(() => box.inputValue()).toBe('jap')
  expect(await box.getAttribute('aria-expanded')).toBe('false')

  await keyboard.send('Input.insertText', { text: 'jap' })
  await eventually(() => page.getByRole('option').allTextContents()).toEqual(['JapanJP'])
  await eventually(() => box.inputValue()).toBe('jap')
})

test('Enter in a number presses the submit button, which may refuse', async () => {
  const { page, press } = await open({ name: 'fields' })
  const rollout = page.getByRole('textbox', { name: 'Rollout' })
  const events = await rollout.evaluateHandle((input) => {
    const seen: string[] = []
    const form = input.closest('form')
    form?.addEventListener('submit', (event) => {
      seen.push('submit')
      event.preventDefault()
    })
    const button = form?.querySelector('button[type=submit]')
    button?.addEventListener('click', (event) => seen.push('click') === 1 && event.preventDefault())
    return seen
  })
  await rollout.focus()
  await press('Enter')
  await eventually(() => events.jsonValue()).toEqual(['click'])
  await press('Enter')
  await eventually(() => events.jsonValue()).toEqual(['click', 'click', 'submit'])
})

test('a select is opened, moved through and chosen from by keyboard', async () => {
  const { page, press } = await open({ name: 'fields' })
  const select = page.getByRole('combobox', { name: 'Time zone' })
  await select.focus()
  await press('Enter')
  // keys go to the list once its chosen option has the focus
  await page.locator('[role=option]:focus', { hasText: 'Berlin' }).waitFor()
  await press('ArrowDown ArrowDown')
  await page.locator('[role=option]:focus', { hasText: 'Tokyo' }).waitFor()
  await press('Enter')
  await eventually(() => select.textContent()).toContain('Tokyo')
  await eventually(() => select.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('tabs follow the arrows, and Tab leads into the panel', async () => {
  const { page, press } = await open({ name: 'views' })
  await page.getByRole('tab', { name: 'Rules' }).focus()
  await press('ArrowRight')
  await page.getByRole('tabpanel', { name: /Usage/ }).waitFor()
  await press('End')
  await eventually(() => page.getByRole('tabpanel').allTextContents()).toEqual(['Who changed it.'])
  await press('Tab')
  await eventually(() => focused(page)).toBe('Who changed it.')
})

describe('a table', () => {
  const firstCells = (page: Page) =>
    page.getByRole('table', { name: 'Sources' }).locator('tbody td:first-child').allTextContents()

  test('says how it is sorted and sorts when its headers are pressed', async () => {
    const { page, press } = await open({ name: 'tables' })
    const header = (name: string) =>
      page.getByRole('table', { name: 'Sources' }).getByRole('columnheader', { name })
    expect(await header('Visitors').getAttribute('aria-sort')).toBe('descending')

    await header('Source').getByRole('button').focus()
    await press('Enter')
    await eventually(() => header('Source').getAttribute('aria-sort')).toBe('ascending')
    expect(await header('Visitors').getAttribute('aria-sort')).toBe('none')
    await eventually(async () => (await firstCells(page)).slice(0, 2)).toEqual(['chatgpt.com', 'Direct'])

    await press('Enter')
    await eventually(() => header('Source').getAttribute('aria-sort')).toBe('descending')
  })

  test('opens a row by a press anywhere in it, by keyboard too, but not by its menu', async () => {
    const { page, press } = await open({ name: 'tables' })
    const row = page.getByRole('row', { name: /github\.com/ })
    await row.getByRole('button', { name: 'More about github.com' }).click()
    await page.getByRole('menuitem', { name: 'Exclude' }).waitFor()
    await press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await page.getByText('Opened', { exact: false }).count()).toBe(0)

    await row.click({ position: { x: 700, y: 10 } })
    await page.getByText('Opened github.com').waitFor({ state: 'attached' })

    await page.getByRole('button', { name: 'google.com', exact: true }).focus()
    await press('Enter')
    await page.getByText('Opened google.com').waitFor({ state: 'attached' })
  })
})

test('a button that cannot be pressed is reached, says why, and does nothing', async () => {
  const { page, press } = await open({ name: 'buttons' })
  const create = page.getByRole('button', { name: 'Create', exact: true })
  await create.focus()
  await page.getByText('Fill in the name first').last().waitFor()
  const described = await create.evaluate(
    (button) => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent,
  )
  expect(described).toBe('Fill in the name first')
  await press('Enter')
  expect(await create.getAttribute('aria-disabled')).toBe('true')
})

test('a field ties its hint and its error to its control', async () => {
  const { page } = await open({ name: 'fields' })
  const wired = (label: string) =>
    page.getByLabel(label).evaluate((input) => ({
      says: (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent),
      invalid: input.getAttribute('aria-invalid'),
    }))
  expect(await wired('Name')).toEqual({
    says: ['As your members see it. It can be changed later.'],
    invalid: null,
  })
  expect(await wired('Address')).toEqual({
    says: ['shop.example.com belongs to another project. Choose another address.'],
    invalid: 'true',
  })
})

describe('the command palette', () => {
  test('opens by its shortcut, finds by any word, and runs what is chosen', async () => {
    const { page, press } = await open()
    await press('Control+k')
    await eventually(() => focused(page)).toBe('Search commands')
    await page.keyboard.type('colleague')
    const highlighted = page.locator('[role=option][data-highlighted]')
    await eventually(() => page.getByRole('option').allTextContents()).toEqual(['Invite a member'])
    await eventually(() => highlighted.allTextContents()).toEqual(['Invite a member'])
    await press('Enter')
    await page.getByRole('status').getByText('Invite', { exact: true }).waitFor()
  })

  test('follows links, and Escape leaves it', async () => {
    const { page, press } = await open()
    await press('Control+k')
    await eventually(() => focused(page)).toBe('Search commands')
    await page.keyboard.type('insights')
    await eventually(() => page.getByRole('option').count()).toBe(1)
    await page.locator('[role=option][data-highlighted]').waitFor()
    await press('Enter')
    await page.waitForURL(/#insights$/)
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await press('Control+k')
    await eventually(() => focused(page)).toBe('Search commands')
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('a chart', () => {
  const reading = (page: Page) => page.locator('[popover]:popover-open')

  test('is read by the pointer: every series at the nearest point, and what is behind it', async () => {
    const { page } = await open({ name: 'charts' })
    const slider = page.getByRole('slider', { name: 'Visitors, point by point' })
    const box = await slider.boundingBox()
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.52, (box?.y ?? 0) + 100)
    await eventually(() => reading(page).locator('p').allInnerTexts()).toEqual([
      'Sat, 7 Nov 2026, and Thu, 8 Oct 2026',
      expect.stringMatching(/^Visitors\s+[\d,]+$/),
      expect.stringMatching(/^Visitors, Previous period\s+[\d,]+$/),
      'Click for details',
    ])
    await takeScreenshot(page, 'chart-read')
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * 0.52, (box?.y ?? 0) + 100)
    await eventually(() => page.url()).toMatch(/#day-2026-11-07$/)
    await page.mouse.move(5, 5)
    await eventually(() => reading(page).count()).toBe(0)
  })

  test('is read by keyboard, point by point and series by series, and Enter leads on', async () => {
    const { page, press } = await open({ name: 'charts' })
    const slider = page.getByRole('slider', { name: 'Visitors by source, point by point' })
    const announcement = () => slider.getAttribute('aria-valuetext')
    await slider.focus()
    await press('ArrowRight')
    await eventually(announcement).toMatch(/^Fri, 23 Oct 2026: Direct \d+, Search \d+/)
    await press('ArrowRight ArrowDown')
    await eventually(announcement).toMatch(/^Sat, 24 Oct 2026: Search \d+, Direct \d+/)
    await press('End')
    await eventually(announcement).toMatch(/^Sat, 21 Nov 2026 \(in progress\): Search/)
    await press('Enter')
    await page.getByText('Picked Search at 29').waitFor({ state: 'attached' })
    await press('ArrowUp Enter')
    await eventually(() => page.url()).toMatch(/#2026-11-21$/)
    await press('Escape')
    await eventually(() => reading(page).count()).toBe(0)
  })

  test.each([
    // the chart, and the marks that are lit: of paths, all on the way through the one that is read
    ['Visitors by country', 1],
    ['Devices', 1],
    ['Visitors by hour of the week', 1],
    ['Paths from the front page', 5],
  ])('%s is read by keyboard too', async (name, lit) => {
    const { page, press } = await open({ name: 'charts' })
    const slider = page.getByRole('slider', { name: `${name}, point by point` })
    await slider.focus()
    await press('ArrowRight ArrowRight')
    await eventually(() => slider.inputValue()).toBe('2')
    await eventually(() => reading(page).count()).toBe(1)
    await eventually(() => page.locator('[data-read]').count()).toBe(lit)
    await takeScreenshot(page, `chart-read-${name.split(' ').at(-1)}`)
  })

  test('shows what happened at a point when its flag is focused, and leads there', async () => {
    const { page, press } = await open({ name: 'charts' })
    const flag = page.getByRole('link', { name: 'Version 2 released' }).first()
    const words = flag.locator('..').getByText('Version 2 released').last()
    expect(await words.locator('..').evaluate((box) => getComputedStyle(box).opacity)).toBe('0')
    await flag.focus()
    await eventually(() => words.locator('..').evaluate((box) => getComputedStyle(box).opacity)).toBe('1')
    await takeScreenshot(page, 'chart-flag')
    await press('Enter')
    await eventually(() => page.url()).toMatch(/#annotation$/)
  })

  test('leaves out what its legend switches off, from the drawing and from what is said', async () => {
    const { page, press } = await open({ name: 'charts' })
    const figure = page.getByRole('figure', { name: /^Visitors by source/ })
    await figure.getByRole('checkbox', { name: 'Direct' }).focus()
    await press('Space')
    await eventually(() => figure.locator('svg [data-series="0"]').isVisible()).toBe(false)
    const slider = figure.getByRole('slider')
    await slider.focus()
    await press('ArrowRight')
    await eventually(() => slider.getAttribute('aria-valuetext')).toMatch(/: Search \d+, Social/)
  })

  test.each(['charts', 'chart-edges'] as const)('%s can all be had as tables', async (name) => {
    const { page } = await open({ name, width: 390 })
    await page.evaluate(() => {
      for (const one of document.querySelectorAll<HTMLInputElement>('.as-table')) one.click()
    })
    await settled(page)
    await takeScreenshot(page, `${name}-tables`, { fullPage: true })
    await eventually(() =>
      page.locator('.chart-frame .chart-drawing').filter({ visible: true }).count(),
    ).toBe(0)
    expect(await barriers(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })

  test('is there without script, with its words', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false })
    page.setDefaultTimeout(patienceMs)
    await page.goto(`${gallery.address}/charts`)
    expect(await page.getByRole('img', { name: 'Visitors', exact: true }).isVisible()).toBe(true)
    await page.getByText('Show as table').first().click({ force: true })
    await page.getByRole('table', { name: 'Visitors', exact: true }).waitFor()
    await page.getByRole('img', { name: 'Visitors', exact: true }).waitFor({ state: 'hidden' })
  })

  test.each([
    // what is chosen, how the file is called, how it begins
    ['Vector image (SVG)', 'Visitors.svg', '<svg xmlns="http://www.w3.org/2000/svg"'],
    ['Image (PNG)', 'Visitors.png', '\u0089PNG'],
  ])('is saved as %s, under its name, with its words and in its colours', async (entry, name, beginning) => {
    const { page, complaints } = await open({ name: 'charts', theme: 'dark', react: 'development' })
    await page.getByRole('button', { name: 'Save' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: entry }).click(),
    ])
    expect(download.suggestedFilename()).toBe(name)
    const path = join(saved, name)
    await download.saveAs(path)
    const file = await readFile(path, 'latin1')
    expect(file.slice(0, beginning.length)).toBe(beginning)
    if (name.endsWith('.svg')) {
      expect(file).toContain('>23 Oct<')
      expect(file).toContain('#7da659')
      expect(file).not.toMatch(/var\(|light-dark|color-mix|oklab/)
    }
    expect(complaints).toEqual([])
  })
})

test('a toast offers the way back', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'Show toast' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  await page.getByText('Flag archived').first().waitFor({ state: 'detached' })
})

describe('the frame', () => {
  test('lets a keyboard skip to the content', async () => {
    const { page, press } = await open({ name: 'page' })
    await press('Tab Enter')
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  })

  test('keeps the sidebar in a drawer on a narrow screen, until a link in it is followed', async () => {
    const { page } = await open({ name: 'page', width: 390 })
    expect(await page.getByRole('link', { name: 'Flags' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog').waitFor()
    await settled(page)
    await takeScreenshot(page, 'layer-drawer')
    await page.getByRole('link', { name: 'Flags' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await eventually(() => page.url()).toMatch(/#flags$/)
  })
})

test.each([
  // what the page chose, what the system prefers, what is drawn
  ['light', 'dark', 'rgb(248, 247, 244)'],
  ['dark', 'light', 'rgb(19, 18, 16)'],
  ['', 'dark', 'rgb(19, 18, 16)'],
  ['', 'light', 'rgb(248, 247, 244)'],
] as const)(
  'a page that chose "%s" on a %s system is drawn on %s',
  async (theme, colorScheme, background) => {
    const page = await browser.newPage({ colorScheme })
    page.setDefaultTimeout(patienceMs)
    await page.goto(`${gallery.address}/page?theme=${theme}`)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background)
  },
)

test('Inter is served by ourselves, and only the alphabets in use are fetched', async () => {
  const page = await browser.newPage()
  page.setDefaultTimeout(patienceMs)
  const fonts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(new URL(request.url()).pathname)
  })
  await page.goto(`${gallery.address}/page`)
  await page.evaluate(() => document.fonts.ready)
  expect(fonts).toEqual(['/inter-latin-wght-normal.woff2'])
})
