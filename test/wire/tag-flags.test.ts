import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { flagsHead } from '#studio/connect/flags-head'
import { aFlag, aVariant } from '../random/random-flags'
import { inMainEnvironment, personProperty } from './flag-services'
import { aVisitor, openBrowser, openTrackedSite, type TrackedSite } from './trackers-browser'

const flags = [
  aFlag({ key: 'new-pricing', version: 7 }),
  aFlag({ key: 'closed', environments: {} }),
  aFlag({
    key: 'headline',
    variants: [aVariant('plain', 0), aVariant('bold', 100)],
    payloads: { bold: '{"x":1}' },
  }),
  aFlag({ key: 'held', environments: inMainEnvironment({}, { holdout: { id: 1, percentage: 100 } }) }),
  aFlag({
    key: 'pros',
    environments: inMainEnvironment({ conditions: [personProperty('distinct_id', 'ana')] }),
  }),
  aFlag({ key: '__proto__' }),
  aFlag({ key: 'limits', kind: 'config', payloads: { true: '[1,2]' } }),
]

/** The form for the head, which hides elements for as long as a busy machine may take to decide them. */
const patientHead = flagsHead.replace('animation:tilth .5s', 'animation:tilth 90s')

let browser: Browser
let site: TrackedSite
let page: Page
let troubles: string[]

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

beforeEach(async () => {
  site = await openTrackedSite({ flags })
  page = await aVisitor(browser)
  troubles = []
  page.on('pageerror', (problem) => troubles.push(String(problem)))
  page.on('console', (message) => void (message.type() === 'error' && troubles.push(message.text())))
  await page.addInitScript(watchFrames)
})
afterEach(async () => {
  expect(troubles).toEqual([])
  await Promise.all(browser.contexts().map((context) => context.close()))
  await site.close()
})

/** Notes in each frame which elements with an id are to be seen in it. */
function watchFrames(): void {
  const seen: Record<string, number> = {}
  Object.assign(window, { seen })
  const look = () => {
    for (const element of document.querySelectorAll('[data-tilth-flag][id]'))
      if (element.checkVisibility({ visibilityProperty: true }))
        seen[element.id] = (seen[element.id] ?? 0) + 1
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** The elements that were seen in any frame so far. */
const everSeen = (of = page): Promise<string[]> =>
  of.evaluate(() => Object.keys((window as { seen?: object }).seen ?? {}).sort())

/** The tag as another origin serves it. */
const tag = (attributes = '') =>
  `<script defer src="${site.elsewhere}/_tilth/script.js" data-project="key-1" ${attributes}></script>`
const html = (body: string, head = tag()) =>
  `<!doctype html><html><head><title>A page</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`

const variants = `<h1 id="plain" data-tilth-flag="headline" data-tilth-variant="plain">Plain</h1>
  <h1 id="bold" data-tilth-flag="headline" data-tilth-variant="bold" hidden>Bold</h1>`

async function open(path: string, body: string, head?: string) {
  site.show(path, html(body, head))
  await page.goto(site.address + path)
  await page.waitForFunction(() => window.tilth && !window.tilth.q)
}

const eventually = <Seen>(read: () => Seen | Promise<Seen>) => expect.poll(read, { interval: 50 })
const shown = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-tilth-flag][id]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map(({ id }) => id),
  )
const exposures = () =>
  site
    .events()
    .filter(({ name }) => name === '$feature_flag_called')
    .map(({ properties }) => [properties['$feature_flag'], properties['$feature_flag_response']])
const asked = (path: string) => site.responses.filter((each) => each.path === path).length
const kept = () => page.evaluate(() => localStorage.tilth_flags as string | undefined)

/** From now on, Tilth takes requests of these paths and never answers. */
const freeze = (paths = '**/_tilth/**') => page.route(paths, () => {})

test('a page without a flag loads nothing for flags, and keeps nothing', async () => {
  await open('/none', '<h1>None</h1>')
  await eventually(() => site.events().length).toBe(1)
  expect([asked('/_tilth/flags.js'), asked('/_tilth/flags')]).toEqual([0, 0])
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

test('an element is one line: shown where the flag is on, and who saw what is counted by itself, once', async () => {
  const body = `<div id="on" data-tilth-flag="new-pricing" hidden>New</div>
    <div id="not" data-tilth-flag="new-pricing" data-tilth-off>Old</div>
    <div id="closed" data-tilth-flag="closed" hidden>Closed</div>
    <div id="held" data-tilth-flag="held" hidden>Held</div>
    <div id="unknown" data-tilth-flag="unknown">As it is</div>${variants}`
  await open('/elements', body)
  await eventually(shown).toEqual(['on', 'unknown', 'bold'])
  const once = [
    ['new-pricing', true],
    ['closed', false],
    ['held', 'holdout-1'],
    ['headline', 'bold'],
  ]
  await eventually(exposures).toEqual(expect.arrayContaining(once))
  expect(exposures()).toHaveLength(once.length)
  expect(site.events().find(({ name }) => name === '$feature_flag_called')?.properties).toMatchObject({
    $feature_flag: 'new-pricing',
    $feature_flag_version: 7,
  })
  expect([asked('/_tilth/flags.js'), asked('/_tilth/flags')]).toEqual([1, 1])
  expect(site.responses.filter(({ method }) => method === 'OPTIONS')).toEqual([])

  await open('/next', body)
  await eventually(shown).toEqual(['on', 'unknown', 'bold'])
  await page.evaluate(() => window.tilth?.track('marker'))
  await eventually(() => site.events().some(({ name }) => name === 'marker')).toBe(true)
  expect(exposures()).toHaveLength(once.length)
  // the browser has kept the part for good
  expect(asked('/_tilth/flags.js')).toBe(1)
})

test('a call answers with the value, counts it, and is answered if it was made before the tag was there', async () => {
  const stub = `<script>
    window.tilth ||= { q: [] }
    for (const call of ['flag', 'payload'])
      tilth[call] ||= (key) => new Promise((answer) => { tilth.q.push([call, key, answer]); setTimeout(answer, 3000) })
    tilth.flag('headline').then((value) => (window.early = value))
  </script>`
  await open('/call', '', stub + tag())
  await page.waitForFunction(() => 'early' in window && window.early === 'bold')
  const answers = await page.evaluate(async () => {
    const { tilth } = window
    const keys = ['new-pricing', 'closed', 'headline', 'nothing', '__proto__', 'constructor', 'toString']
    const values = await Promise.all(keys.map(async (key) => await tilth?.flag(key)))
    const payloads = await Promise.all(
      ['headline', 'limits', 'closed', 'constructor'].map(async (key) => await tilth?.payload(key)),
    )
    return { values, payloads, known: tilth?.flags?.get('headline') }
  })
  expect(answers).toEqual({
    values: [true, false, 'bold', undefined, true, undefined, undefined],
    payloads: [{ x: 1 }, [1, 2], undefined, undefined],
    known: 'bold',
  })
  await eventually(() => new Set(exposures().map(([key]) => key))).toEqual(
    new Set(['__proto__', 'closed', 'headline', 'new-pricing']),
  )
  expect(exposures()).toHaveLength(4)
})

test('elements that are drawn later are decided too, where the tag says that there will be flags', async () => {
  await open('/app', '<main></main>', tag('data-flags'))
  await page.evaluate(
    (markup) => document.querySelector('main')?.insertAdjacentHTML('beforeend', markup),
    variants,
  )
  await eventually(shown).toEqual(['bold'])
  await page.evaluate(() => {
    const { id, outerHTML } = document.querySelector('#bold') ?? document.body
    document
      .querySelector(`#${id}`)
      ?.replaceWith(
        document
          .createRange()
          .createContextualFragment(outerHTML.replace(' data-tilth-was="true"', ' hidden')),
      )
  })
  await eventually(shown).toEqual(['bold'])
  expect(asked('/_tilth/flags')).toBe(1)
})

test('with the form for the head, what is not shown in the end is seen in no frame, and the next page knows at once', async () => {
  await open('/first', variants, patientHead + tag())
  await eventually(shown).toEqual(['bold'])
  expect(await everSeen()).toEqual(['bold'])

  // the values are in the browser: Tilth is not needed for them
  await freeze()
  site.show('/second', html(variants, flagsHead + tag()))
  await page.goto(`${site.address}/second`, { waitUntil: 'commit' })
  await eventually(shown).toEqual(['bold'])
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)))
  expect(await everSeen()).toEqual(['bold'])
})

test('a Tilth that never answers leaves the page as it is after half a second, and calls without an answer', async () => {
  await freeze('**/_tilth/flags')
  await open('/frozen', variants, flagsHead + tag())
  await eventually(shown).toEqual(['plain'])
  expect(await page.evaluate(() => window.tilth?.flag('headline'))).toBeUndefined()
  expect([await shown(), await everSeen()]).toEqual([['plain'], ['plain']])
  expect(exposures()).toEqual([])
  expect(await kept()).toBeUndefined()
})

test('a tag that never comes leaves the page as it is', async () => {
  await freeze()
  site.show('/blocked', html(variants, flagsHead + tag()))
  await page.goto(`${site.address}/blocked`, { waitUntil: 'commit' })
  await eventually(shown).toEqual(['plain'])
})

test('what is decided after the visitor may have read the default counts from the next page on', async () => {
  let release = () => {}
  const late = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/_tilth/flags', async (route) => {
    await late
    await route.continue()
  })
  await open('/late', variants, flagsHead + tag())
  await eventually(shown).toEqual(['plain'])
  release()
  await eventually(kept).toContain('bold')
  expect(await everSeen()).toEqual(['plain'])
  expect(exposures()).toEqual([])
  await open('/later', variants, patientHead + tag())
  await eventually(exposures).toEqual([['headline', 'bold']])
  expect(await everSeen()).toEqual(['bold'])
})

test('a person that the page names gets their own values, and the id is not kept', async () => {
  await open('/who', `<div id="pros" data-tilth-flag="pros" hidden>For pros</div>`)
  await eventually(exposures).toEqual([['pros', false]])
  await page.evaluate(() => window.tilth?.identify('ana'))
  await eventually(shown).toEqual(['pros'])
  await eventually(exposures).toEqual([
    ['pros', false],
    ['pros', true],
  ])
  expect(await kept()).not.toContain('ana')
  // the next page has not named them yet
  await open('/who', `<div id="pros" data-tilth-flag="pros" hidden>For pros</div>`)
  await eventually(shown).toEqual(['pros'])
  const requests = asked('/_tilth/flags')
  await page.evaluate(() => window.tilth?.identify('ben'))
  await eventually(shown).toEqual([])
  expect(asked('/_tilth/flags')).toBe(requests + 1)
})

test('who opted out has nothing kept and is not counted, and sees what the flag decides', async () => {
  await page.addInitScript(() => (localStorage.tilth_off = '1'))
  await open('/out', variants)
  await eventually(shown).toEqual(['bold'])
  expect([await kept(), exposures()]).toEqual([undefined, []])
})

test('a browser that does not want to be followed has nothing kept', async () => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true }),
  )
  await open('/private', variants)
  await eventually(shown).toEqual(['bold'])
  await eventually(exposures).toEqual([['headline', 'bold']])
  expect(await kept()).toBeUndefined()
})

test('keys and stored values that mean harm do none', async () => {
  await page.addInitScript(
    () =>
      (localStorage.tilth_flags =
        '{"until":1e15,"flags":[["headline","<img src=x onerror=alert(1)>"],["plain"]]'),
  )
  const bad = ['constructor', 'toString', '"]', '<img src=x onerror=alert(1)>', '']
  const elements = bad.map(
    (key, i) => `<b id="bad${i}" data-tilth-flag="${key.replaceAll('"', '&quot;')}">As it is</b>`,
  )
  await open('/bad', elements.join('') + variants, patientHead + tag())
  await eventually(shown).toEqual([...bad.map((_, i) => `bad${i}`), 'bold'])
})

test('ten thousand flags on a page are one request', async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `<i data-tilth-flag="k${i}"></i>`)
  await open('/many', many.join('') + variants)
  await eventually(shown).toEqual(['bold'])
  expect(asked('/_tilth/flags')).toBe(1)
})

test('a visitor in a page that is only prepared has seen nothing yet', async () => {
  await page.addInitScript(() =>
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }),
  )
  await open('/background', variants)
  await eventually(shown).toEqual(['bold'])
  expect(exposures()).toEqual([])
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'hidden')
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })
  await eventually(exposures).toEqual([['headline', 'bold']])
})
