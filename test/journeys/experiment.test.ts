import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { present } from '../product/fixture'
import { openBrowser } from '../pages/browser'
import { openNextStep } from '../studio/new-experiment'
import { patienceMs } from '../running/patience'
import { aMailServer } from '../outside/smtp'
import { anEvent, send, untilStored, writeKey } from '../studio/collecting'
import { untilCounted } from '../studio/experiments'
import {
  aMember,
  aPerson,
  askApi,
  aStudio,
  chooseOption,
  isUsable,
  isUsableInBothThemes,
  openDialog,
  openList,
  openOwnerPage,
  type TestStudio,
  visit,
} from '../studio/studio'
import { aSite, installedPage, installedScript } from '../wire/posthog-server'
import { browser as agent } from '../wire/tilth-fixture'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const dayMs = 86_400_000

test('a winner is read, questioned, shipped, and everyone gets it', async () => {
  const studio = await aStudio(browser)
  const id = await aRunningExperiment(studio)
  await sendVisitors(studio)
  const page = await openOwnerPage(studio)
  const address = `/studio/acme/experiments/${id}`
  await untilCounted(studio, id, [200, 200], [0.1, 0.25])

  await visit(page, address)
  await page.getByText(/^Ship “test”: Orders \+/).waitFor()
  const primary = page.getByRole('region', { name: 'Primary metrics' }).first()
  await primary.getByRole('row', { name: /^control 10\.00% of 200 Control/ }).waitFor()
  await primary.getByRole('row', { name: /^test 25\.00% of 200 \+150%/ }).waitFor()
  await primary.getByRole('img', { name: /^Orders, test: \+150% \(95% interval/ }).waitFor()
  await primary.getByRole('cell', { name: '>99.9%' }).waitFor()
  await primary.getByText('Better', { exact: true }).waitFor()
  await page
    .getByRole('region', { name: 'Guardrail metrics' })
    .first()
    .getByText('Safe', { exact: true })
    .waitFor()
  await isUsableInBothThemes(page)

  await primary.getByText('Details of Orders').click()
  await primary.getByText(/^Share of exposed units with “ordered”/).waitFor()
  await primary.getByRole('link', { name: 'Open as insight' }).waitFor()

  await page.getByRole('link', { name: 'Absolute' }).click()
  await page.waitForURL('**?effects=absolute')
  await primary.getByText('+15 points', { exact: true }).waitFor()

  await seeExposures(page)
  await explore(page)
  await writeNotes(page)
  await ship(page, studio, address)
})

test('from the plan to the message that it is decided, a dashboard, the ship and its taking back: met by posthog-js', async () => {
  const mail = await aMailServer()
  const studio = await aStudio(browser, {
    TILTH_SMTP: `smtp://127.0.0.1:${mail.port}`,
    TILTH_MAIL_FROM: 'Tilth <tilth@shop.example>',
  })
  // an order of before, by which the form knows the event
  expect(await send(studio, anEvent({ event: 'ordered', distinct_id: 'earlier' }))).toBe(200)
  await untilStored(studio, 1)
  const page = await openOwnerPage(studio)
  const id = await setUp(page)
  await launch(page)

  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByText(`Decides once, when every variant has ${perVariant} people.`).waitFor()
  const shop = await aShop(studio)
  const visitors = await visitorsByVariant(studio)
  await shop.isVisitedBy(visitors)
  await untilCounted(
    studio,
    id,
    [perVariant, perVariant],
    [ordering.control / perVariant, ordering.short / perVariant],
  )

  await expect.poll(() => mail.letters.length, { timeout: 4 * patienceMs }).toBe(1)
  const [letter] = mail.letters
  expect(present(letter).to).toEqual(['ana@example.com'])
  expect(present(letter).raw).toContain('Subject: Decided: Shorter checkout (Acme)')

  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByText(/^Ship “short”: Orders \+140% .*\)\.$/).waitFor()
  await page.getByText(/^Counts until .*, when it was decided\.$/).waitFor()
  await putOnDashboard(studio, page, id)
  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByRole('button', { name: 'Ship “short”…' }).click()
  const dialog = await openDialog(page, 'Ship “short”')
  await dialog.getByRole('button', { name: 'Ship it to everyone' }).click()
  await page.getByText('“short” was shipped').waitFor()
  await page.getByText('Ended', { exact: true }).waitFor()

  await expect.poll(() => flagsOf(studio)).toEqual(Array(10).fill('short'))
  // also who was given the other one before
  const [returning = ''] = visitors.control
  await expect.poll(() => shop.buttonFor(returning)).toBe('Buy at once')

  await page.getByRole('button', { name: 'Take back…' }).click()
  const back = page.getByRole('alertdialog', { name: 'Take back “short”?' })
  await back.getByRole('button', { name: 'Take back' }).click()
  await page.getByText('Shorter checkout is running again').waitFor()
  await page.getByText('Running', { exact: true }).first().waitFor()
  await expect.poll(() => shop.buttonFor(returning)).toBe('Buy now')
})

/** From the page of the result to a dashboard, which says the same to its member, to a viewer and by a public link. */
async function putOnDashboard(studio: TestStudio, page: Page, experiment: string) {
  const sentence = await page.getByText(/^Ship “short”: Orders/).textContent()
  const effect = await page.getByRole('img', { name: /^Orders, short: / }).getAttribute('aria-label')
  const saysTheSame = async (reader: Page) => {
    const card = reader.getByRole('region', { name: 'Shorter checkout' }).first()
    await card.getByText(present(sentence), { exact: true }).waitFor()
    await card.getByRole('img', { name: present(effect), exact: true }).waitFor()
    const variants = card.getByRole('list', { name: 'Orders' }).getByRole('listitem')
    await variants.filter({ hasText: /^control50 exposed40\.00%Control$/ }).waitFor()
    await variants.filter({ hasText: /^short50 exposed96\.00%\+140%/ }).waitFor()
    await card.getByText(/^Counts until .*, when it was decided\.$/).waitFor()
    return card
  }

  await page.getByRole('button', { name: 'Add to dashboard…' }).click()
  const placing = await openDialog(page, 'Add Shorter checkout to a dashboard')
  await placing.getByLabel('Name of the new dashboard').fill('Growth')
  await placing.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Open dashboard' }).click()
  await page.getByRole('heading', { name: 'Growth' }).waitFor()
  await saysTheSame(page)
  await isUsableInBothThemes(page)
  const [, dashboard = ''] = /dashboards\/([^/?]+)/.exec(page.url()) ?? []
  await choosesOnDashboard(page)
  const inApi = `/projects/acme/dashboards/${dashboard}`
  const { cards } = await askApi<{ cards: { content: object }[] }>(studio, 'GET', inApi)
  expect(cards.map(({ content }) => content)).toEqual([
    { type: 'experiment', experiment },
    { type: 'experiment', experiment, metric: expect.any(String) },
  ])
  const unknown = [{ content: { type: 'experiment', experiment: 'none' } }]
  await expect(askApi(studio, 'PATCH', inApi, { cards: unknown })).rejects.toThrow(
    'There is no such experiment in this project.',
  )

  const viewer = await aMember(studio, 'viewer', 'Vera')
  await visit(viewer, `/studio/acme/dashboards/${dashboard}`)
  const card = await saysTheSame(viewer)
  await card.getByRole('link', { name: 'Shorter checkout' }).waitFor()
  const subject = { kind: 'dashboard', id: dashboard }
  const { path } = await askApi<{ path: string }>(studio, 'POST', '/projects/acme/shares', { subject })
  const guest = await aPerson(studio)
  await guest.goto(path)
  await saysTheSame(guest)
  expect(await guest.locator('main a').count()).toBe(0)
  await isUsable(guest)
  await guest.goto(`${path}?theme=dark`)
  await saysTheSame(guest)
  await isUsable(guest)
}

/** The same experiment once more, chosen on the dashboard, with its metric; removed, and restored. */
async function choosesOnDashboard(page: Page) {
  const cards = page.getByRole('region', { name: 'Shorter checkout' })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Add card' }).click()
  await page.getByRole('menuitem', { name: 'Result of an experiment…' }).click()
  const choosing = await openDialog(page, 'Add experiment card')
  await openList(choosing.getByRole('combobox', { name: 'Experiment' }))
  await chooseOption(page, 'Shorter checkout')
  await openList(choosing.getByRole('combobox', { name: 'Metric' }))
  await chooseOption(page, 'Orders')
  await choosing.getByRole('button', { name: 'Add card' }).click()
  await choosing.waitFor({ state: 'detached' })
  await expect.poll(() => cards.count()).toBe(2)
  await page.getByRole('button', { name: 'More about Shorter checkout' }).last().click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect.poll(() => cards.count()).toBe(1)
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect.poll(() => cards.count()).toBe(2)
  await page.getByRole('button', { name: 'Done', exact: true }).click()
}

async function setUp(page: Page): Promise<string> {
  await visit(page, '/studio/acme/experiments')
  await page.getByRole('link', { name: 'Create an experiment' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Shorter checkout')
  await page.getByLabel('Hypothesis').fill('Fewer fields bring more orders.')
  await openNextStep(page, 'Flag and variants')
  await page.getByRole('radio', { name: /^A new flag/ }).click()
  await page.getByLabel('Key of the flag').fill('checkout')
  await page.getByLabel('Variant 2', { exact: true }).fill('short')
  await openNextStep(page, 'Metrics')
  await page.getByRole('button', { name: 'Add a metric' }).click()
  const dialog = await openDialog(page, 'New metric')
  await openList(dialog.getByRole('combobox', { name: 'Event', exact: true }))
  await chooseOption(page, /^ordered/)
  await dialog.getByLabel('Name', { exact: true }).fill('Orders')
  await dialog.getByRole('button', { name: 'Add metric' }).click()
  await dialog.waitFor({ state: 'detached' })
  await openNextStep(page, 'Plan')
  await page.getByLabel('Minimum in each variant').fill('20')
  await page.getByRole('radio', { name: /^At the planned size/ }).click()
  await page.getByLabel('People in each variant').fill(String(perVariant))
  await page.getByRole('button', { name: 'Create experiment' }).click()
  await page.getByText('This experiment is a draft').waitFor()
  const [, id = ''] = /experiments\/([^/]+)\/settings/.exec(page.url()) ?? []
  return id
}

/** From the checklist, which says what is missing. */
async function launch(page: Page) {
  await page.getByRole('link', { name: 'Plan', exact: true }).click()
  const checklist = page.getByRole('region', { name: 'Checklist' })
  await checklist.getByText('The flag "checkout" is off in production. Turn it on first.').waitFor()
  await checklist.getByText('Decided by “Orders”.').waitFor()
  await page.getByRole('button', { name: 'Start…' }).click()
  const dialog = await openDialog(page, 'Start Shorter checkout?')
  await dialog.getByRole('checkbox', { name: 'Turn the flag on in production' }).click()
  await dialog.getByRole('button', { name: 'Start experiment' }).click()
  await page.getByText('This experiment is a draft').waitFor({ state: 'detached' })
  await checklist.getByText('The flag is on in production.').waitFor()
}

const perVariant = 50
/** The number of visitors of each variant who order. */
const ordering = { control: 20, short: 48 }
type Visitors = Record<'control' | 'short', string[]>

/** As many ids of each variant as are to come. */
async function visitorsByVariant(studio: TestStudio): Promise<Visitors> {
  const ids = Array.from({ length: 200 }, (_, number) => `visitor-${number}`)
  // the front hears of the start from the pages process
  await expect.poll(() => variantFor(studio, 'visitor-0')).toBeDefined()
  const given = await Promise.all(ids.map((id) => variantFor(studio, id)))
  const of = (variant: string) => ids.filter((_, i) => given[i] === variant).slice(0, perVariant)
  const visitors = { control: of('control'), short: of('short') }
  expect([visitors.control.length, visitors.short.length]).toEqual([perVariant, perVariant])
  return visitors
}

/** A shop with posthog-js, which names its button after the variant. Each visitor has an address with their name. */
async function aShop(studio: TestStudio) {
  const pages: Record<string, string> = { '/installed.js': await installedScript() }
  const site = await aSite(pages, studio.tilth.port)
  const context = await browser.newContext({ userAgent: agent })
  context.setDefaultTimeout(patienceMs)
  onTestFinished(() => context.close())
  const open = async (tab: Page, id: string) => {
    const config = { bootstrap: { distinctID: id, isIdentifiedID: true }, persistence: 'memory' }
    // each event is sent when it is captured, and before its visitor leaves
    const atOnce = {
      advanced_disable_feature_flags_on_first_load: false,
      request_batching: false,
      disable_compression: true,
    }
    pages[`/${id}`] = `${installedPage(studio.writeKey, '/ingest', { ...config, ...atOnce })}${shopScript}`
    await tab.goto(`${site}/${id}`)
    await tab.locator('#buy[data-ready]').waitFor()
  }
  return {
    async isVisitedBy({ control, short }: Visitors) {
      const orders = new Set([...control.slice(0, ordering.control), ...short.slice(0, ordering.short)])
      // in turns: the split of those who came so far is that of all, whenever the experiment is looked at
      const waiting = control.flatMap((id, i) => [id, present(short[i])])
      const visitInTab = async () => {
        const tab = await context.newPage()
        const sending = new Set<Request>()
        tab.on('request', (request) => void sending.add(request))
        tab.on('requestfinished', (request) => void sending.delete(request))
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          await open(tab, id)
          if (orders.has(id)) await tab.click('#buy')
          await expect.poll(() => sending.size, { interval: 10 }).toBe(0)
        }
        await tab.close()
      }
      await Promise.all([visitInTab(), visitInTab(), visitInTab()])
    },
    async buttonFor(id: string) {
      const tab = await context.newPage()
      await open(tab, id)
      const text = await tab.textContent('#buy')
      await tab.close()
      return text
    },
  }
}

const shopScript = `<script>
  const button = document.querySelector('#buy')
  button.onclick = () => posthog.capture('ordered')
  posthog.onFeatureFlags(() => {
    button.textContent = posthog.getFeatureFlag('checkout') === 'short' ? 'Buy at once' : 'Buy now'
    button.dataset.ready = ''
  })
</script>`

const variantOf = (number: number) => (number % 2 === 0 ? 'control' : 'test')

async function aRunningExperiment(studio: TestStudio): Promise<string> {
  await askApi(studio, 'POST', '/projects/acme/flags', {
    key: 'checkout',
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 50 },
      { key: 'test', percentage: 50 },
    ],
    environments: { production: { isOn: true, conditions: [{}] } },
  })
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/experiments', {
    name: 'New checkout',
    flag: 'checkout',
    metrics: [
      { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } },
      {
        name: 'Clicks',
        role: 'guardrail',
        margin: 20,
        measured: { type: 'total', amount: { happening: { event: 'clicked' } } },
      },
    ],
  })
  const at = new Date(Date.now() - 3 * dayMs).toISOString()
  await askApi(studio, 'POST', `/projects/acme/experiments/${id}/start`, { at })
  return id
}

/** 400 persons: one in ten orders with the control, one in four with the new checkout, and all of them click. */
async function sendVisitors(studio: TestStudio) {
  const events = Array.from({ length: 400 }, (_, number) => {
    const exposedAt = Date.now() - 2.5 * dayMs + number * 60_000 * 6
    const base = { api_key: writeKey, distinct_id: `person-${number}` }
    const at = (minutes: number) => ({ timestamp: new Date(exposedAt + minutes * 60_000).toISOString() })
    const rank = Math.floor(number / 2)
    const orders = variantOf(number) === 'test' ? rank % 4 === 0 : rank % 10 === 0
    return [
      {
        ...anEvent({
          ...base,
          event: '$feature_flag_called',
          properties: {
            $feature_flag: 'checkout',
            $feature_flag_response: variantOf(number),
            plan: rank % 2 === 0 ? 'free' : 'pro',
          },
        }),
        ...at(0),
      },
      ...Array.from({ length: 2 + (rank % 3) }, (__, click) => ({
        ...anEvent({ ...base, event: 'clicked' }),
        ...at(1 + click),
      })),
      ...(orders ? [{ ...anEvent({ ...base, event: 'ordered' }), ...at(10) }] : []),
    ]
  }).flat()
  // a person who saw both variants counts in neither
  const both = (['control', 'test'] as const).map((variant, i) => ({
    ...anEvent({
      event: '$feature_flag_called',
      distinct_id: 'both',
      properties: { $feature_flag: 'checkout', $feature_flag_response: variant },
    }),
    timestamp: new Date(Date.now() - dayMs + i * 1000).toISOString(),
  }))
  const all = [...events, ...both]
  expect(await send(studio, all)).toBe(200)
  await untilStored(studio, all.length)
}

async function seeExposures(page: Page) {
  await page.getByRole('link', { name: 'Exposures', exact: true }).click()
  const split = page.getByRole('region', { name: 'Split' }).first()
  await split.getByRole('row', { name: /^control 200 50% 50%/ }).waitFor()
  await page.getByRole('row', { name: /^Saw several variants: .* control and test 1$/ }).waitFor()
  await isUsableInBothThemes(page)
}

async function explore(page: Page) {
  await page.getByRole('link', { name: 'Explore', exact: true }).click()
  await page.getByLabel('Property', { exact: true }).fill('plan')
  await page.getByRole('button', { name: 'Show results' }).click()
  await page.waitForURL('**key=plan**')
  const table = page.getByRole('table', { name: 'Orders by plan' })
  await table
    .getByRole('rowheader', { name: /^test .* of 100$/ })
    .first()
    .waitFor()
  await expect.poll(() => table.getByRole('rowheader', { name: /^(free|pro)$/ }).count()).toBe(2)
  await isUsableInBothThemes(page)
}

async function writeNotes(page: Page) {
  await page.getByRole('link', { name: 'Notes', exact: true }).click()
  await page.getByLabel('Notes and learnings').fill('# Learned\n\nA **shorter** form helps.')
  await page.getByRole('region', { name: 'Preview of the notes' }).getByText('shorter').waitFor()
  await page.getByRole('button', { name: 'Save notes' }).click()
  await page.getByText('The notes are saved').waitFor()
  await isUsableInBothThemes(page)
}

async function ship(page: Page, studio: TestStudio, address: string) {
  await visit(page, address)
  await page.getByRole('button', { name: 'Ship a variant…' }).click()
  const dialog = await openDialog(page, 'Ship a variant')
  await openList(dialog.getByLabel('Variant', { exact: true }))
  await chooseOption(page, 'test')
  await dialog.getByLabel('Why').fill('More orders')
  await dialog.getByRole('button', { name: 'Ship it to everyone' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('“test” was shipped').waitFor()
  await page.getByText('More orders').waitFor()
  await page.getByText('Ended', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'End experiment…' }).count()).toBe(0)
  await expect.poll(() => flagsOf(studio)).toEqual(Array(10).fill('test'))
}

/** The variants that ten new visitors get. */
const flagsOf = (studio: TestStudio): Promise<unknown[]> =>
  Promise.all(Array.from({ length: 10 }, (_, number) => variantFor(studio, `new-${number}`)))

async function variantFor({ address }: TestStudio, id: string): Promise<unknown> {
  const answer = await fetch(`${address}/flags/?v=2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: writeKey, distinct_id: id }),
  })
  const { flags } = (await answer.json()) as { flags: Record<string, { variant?: string }> }
  return flags['checkout']?.variant
}
