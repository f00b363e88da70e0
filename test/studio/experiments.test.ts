import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aHook } from '../outside/hook'
import { openBrowser } from '../pages/browser'
import { patienceMs } from '../running/patience'
import { anEvent, send } from './collecting'
import { meetCheckout } from './experiments'
import { openNextStep } from './new-experiment'
import {
  aMember,
  askApi,
  aStudio,
  chooseOption,
  isUsable,
  openDialog,
  openList,
  openOwnerPage,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('an experiment is set up with a flag of its own and two metrics, started, changed and archived', async () => {
  const studio = await aStudio(browser)
  await askApi(studio, 'POST', '/projects/acme/insights', {
    name: 'Weekly orders',
    question: { kind: 'trend', series: [{ event: 'ordered' }] },
  })
  await askApi(studio, 'POST', '/projects/acme/insights', { name: 'Ways', question: { kind: 'paths' } })
  const page = await openOwnerPage(studio)
  await openForm(page)
  await nameFlag(page)
  await addMetrics(page)
  await create(page)
  await start(page)
  await changeRunning(page)
  await changeAtOnce(studio, page)
  await copyAndArchive(page)

  const ben = await aMember(studio, 'viewer', 'Ben')
  await visit(ben, '/studio/acme/experiments')
  await ben.getByRole('link', { name: /Shorter checkout \(copy\)/ }).click()
  await ben.getByLabel('Name', { exact: true }).fill('Ben’s')
  const save = ben.getByRole('button', { name: 'Save changes' })
  await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
})

async function openForm(page: Page) {
  await visit(page, '/studio/acme/experiments')
  await page.getByText('No experiments yet').waitFor()
  await isUsable(page)
  await page.getByRole('link', { name: 'Create an experiment' }).click()
  await page.getByRole('heading', { name: 'New experiment' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Shorter checkout')
  await page.getByLabel('Hypothesis').fill('Fewer fields bring more orders.')
  await isUsable(page)
}

async function nameFlag(page: Page) {
  await openNextStep(page, 'Flag and variants')
  await page.getByRole('radio', { name: /^A new flag/ }).click()
  await page.getByLabel('Key of the flag').fill('checkout')
  await page.getByLabel('Variant 2', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Add a variant' }).click()
  await page.getByText('Together 100%.').waitFor()
  await page.getByText('control 33.34% · short 33.33% · test-2 33.33%').waitFor()
  await page.getByRole('button', { name: 'Remove variant 3' }).click()
  await page.getByText('Together 66.67%').waitFor()
  await page.getByRole('button', { name: 'Share equally' }).click()
  await page.getByText('control 50% · short 50%').waitFor()
}

async function addMetrics(page: Page) {
  await openNextStep(page, 'Metrics')
  await page.getByRole('button', { name: 'Add a metric' }).click()
  const dialog = await openDialog(page, 'New metric')
  await openList(dialog.getByRole('combobox', { name: 'From a saved insight' }))
  await chooseOption(page, /^Ways/)
  await dialog.getByText('Only trends, funnels and retention can become metrics.').waitFor()
  await dialog.getByRole('combobox', { name: 'From a saved insight' }).fill('Weekly')
  await chooseOption(page, /^Weekly orders/)
  await expect.poll(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Weekly orders')
  await dialog.getByLabel('Name', { exact: true }).fill('Orders')
  await dialog.getByLabel('Window', { exact: true }).fill('7')
  await isUsable(page)
  await dialog.getByRole('button', { name: 'Add metric' }).click()
  const metrics = page.getByRole('region', { name: 'Metrics' })
  await metrics.getByText('Number of “ordered”, within 7 days · Higher is better').waitFor()

  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add a metric' }).click()
  await openDialog(page, 'New metric')
  await openList(dialog.getByRole('combobox', { name: 'Type' }))
  await chooseOption(page, /^Web vital/)
  await dialog.getByLabel('Name', { exact: true }).fill('Loading')
  await dialog.getByRole('radio', { name: /^Guardrail/ }).click()
  await dialog.getByLabel('Margin').fill('10')
  await dialog.getByRole('button', { name: 'Add metric' }).click()
  await metrics
    .getByText(/75th percentile of “Largest contentful paint.*Lower is better · margin 10%/)
    .waitFor()
}

async function create(page: Page) {
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Flag' }).click()
  await page.getByText('control 50% · short 50%').waitFor()
  await page.getByRole('radio', { name: /^Another event/ }).click()
  await openList(page.getByRole('combobox', { name: 'Fill in for' }))
  await chooseOption(page, /^Amplitude/)
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Exposure event', exact: true }).inputValue())
    .toBe('$exposure')
  await isUsable(page)
  await page.goBack()
  await page.getByRole('region', { name: 'Metrics' }).getByText('Orders', { exact: true }).waitFor()
  await openNextStep(page, 'Plan')
  await page.getByText('There were no events in the last 28 days, so nothing can be planned.').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Create experiment' }).click()
  await page.getByText('This experiment is a draft').waitFor()
  await page.getByRole('heading', { name: 'Shorter checkout', exact: true }).waitFor()
  await isUsable(page)
}

async function start(page: Page) {
  await page.getByRole('button', { name: 'Start…' }).click()
  const dialog = await openDialog(page, 'Start Shorter checkout?')
  await dialog.getByText('The flag is off in production').waitFor()
  await isUsable(page)
  await dialog.getByRole('checkbox', { name: 'Turn the flag on in production' }).click()
  await dialog.getByRole('button', { name: 'Start experiment' }).click()
  await page.getByText('Shorter checkout is running').first().waitFor()
  await page.getByText('This experiment is a draft').waitFor({ state: 'detached' })
}

async function changeRunning(page: Page) {
  await page.getByText('Who is exposed cannot change once the experiment has started').waitFor()
  await page.getByText('Event “$exposure”, variant in “variant”').waitFor()
  await page.getByRole('button', { name: 'Edit Orders' }).click()
  const dialog = await openDialog(page, 'Metric Orders')
  await openList(dialog.getByRole('combobox', { name: 'Goal' }))
  await chooseOption(page, /^Lower is better/)
  await dialog.getByRole('button', { name: 'Keep metric' }).click()
  await page.getByText('The primary metrics differ from those of the start').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByLabel('Hypothesis').fill('Fewer fields bring more orders and fewer questions.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
}

async function changeAtOnce(studio: TestStudio, page: Page) {
  const id = new URL(page.url()).pathname.split('/')[4] ?? ''
  await page.getByLabel('Hypothesis').fill('Mine')
  await askApi(studio, 'PATCH', `/projects/acme/experiments/${id}`, { hypothesis: 'Theirs' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/^(?!Another member).+ changed this experiment$/).waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Hypothesis$/ })
    .first()
    .waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await expect.poll(() => page.getByLabel('Hypothesis').inputValue()).toBe('Theirs')
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
}

async function copyAndArchive(page: Page) {
  await visit(page, '/studio/acme/experiments?status=running')
  const table = page.getByRole('table', { name: 'Experiments' })
  await table.getByText('No one has been exposed yet.').filter({ visible: true }).waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'More about Shorter checkout' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByRole('heading', { name: 'Shorter checkout (copy)', exact: true }).waitFor()

  await visit(page, '/studio/acme/experiments?status=draft')
  await page.getByRole('button', { name: 'More about Shorter checkout (copy)' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByText('No draft experiments').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await table.getByRole('link', { name: /Shorter checkout \(copy\)/ }).waitFor()
}

test('metrics come from a template, are saved, found by their tag in another experiment, and managed', async () => {
  const studio = await aStudio(browser)
  await askApi(studio, 'POST', '/projects/acme/flags', {
    key: 'checkout',
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 50 },
      { key: 'test', percentage: 50 },
    ],
  })
  const page = await openOwnerPage(studio)
  await startFromTemplate(page)
  await saveAsMetric(page)
  const draft = await addSavedMetric(page)
  await manageSavedMetrics(page)

  const ben = await aMember(studio, 'viewer', 'Ben')
  await visit(ben, draft)
  const save = ben.getByRole('button', { name: 'Save Pages per visitor as metric' })
  await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
  await visit(ben, '/studio/acme/experiments/saved-metrics')
  const remove = ben.getByRole('button', { name: 'Remove Exceptions' })
  await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true')
})

async function startFromTemplate(page: Page) {
  await visit(page, '/studio/acme/experiments')
  await page.getByRole('link', { name: 'Revenue', exact: true }).click()
  await page.getByRole('heading', { name: 'New experiment' }).waitFor()
  await expect.poll(() => page.getByLabel('Hypothesis').inputValue()).toBe('Visitors spend more.')
  await openList(page.getByRole('combobox', { name: 'Start from a template' }))
  await chooseOption(page, /^Page speed/)
  await page.getByLabel('Name', { exact: true }).fill('Faster checkout')
  await openNextStep(page, 'Flag and variants')
  await openList(page.getByRole('combobox', { name: 'Flag', exact: true }))
  await chooseOption(page, /^checkout/)
  await openNextStep(page, 'Metrics')
  const metrics = page.getByRole('region', { name: 'Metrics' })
  await metrics.getByText('Largest contentful paint (75%)').waitFor()
  await expect.poll(() => metrics.getByText('Revenue per visitor').count()).toBe(0)
  await isUsable(page)
}

async function saveAsMetric(page: Page) {
  await page.getByRole('button', { name: 'Save Errors as metric' }).click()
  const dialog = await openDialog(page, 'Save as metric')
  await dialog.getByLabel('Description').fill('Exceptions of one person.')
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('health')
  await chooseOption(page, /^health/)
  await isUsable(page)
  await dialog.getByRole('button', { name: 'Save metric' }).click()
  await page.getByText('Errors saved').waitFor()
  await dialog.waitFor({ state: 'detached' })
}

async function addSavedMetric(page: Page) {
  await page.getByRole('button', { name: 'Remove Errors' }).click()
  await page.getByRole('button', { name: 'Add a metric' }).click()
  const dialog = await openDialog(page, 'New metric')
  await dialog.getByRole('combobox', { name: 'From a saved metric' }).fill('health')
  await chooseOption(page, /^Errors/)
  await dialog.getByText('Exceptions of one person.').waitFor()
  await expect.poll(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Errors')
  await isUsable(page)
  await dialog.getByRole('button', { name: 'Add metric' }).click()
  const metrics = page.getByRole('region', { name: 'Metrics' })
  await metrics.getByText('Saved metric', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Edit Errors' }).click()
  const edited = page.getByRole('dialog', { name: 'Metric Errors' })
  await edited.getByText('this experiment uses its own copy').waitFor()
  await edited.getByRole('button', { name: 'Cancel' }).click()
  await edited.waitFor({ state: 'detached' })

  await openNextStep(page, 'Plan')
  await page.getByRole('button', { name: 'Create experiment' }).click()
  await page.getByText('This experiment is a draft').waitFor()
  await metrics.getByText('Saved metric', { exact: true }).waitFor()
  return new URL(page.url()).pathname
}

async function manageSavedMetrics(page: Page) {
  await visit(page, '/studio/acme/experiments')
  await page.getByRole('link', { name: 'Saved metrics' }).click()
  await page.getByRole('heading', { name: 'Saved metrics' }).waitFor()
  const list = page.getByRole('list', { name: 'Saved metrics' })
  await list.getByText('Exceptions of one person.').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Edit Errors' }).click()
  const dialog = await openDialog(page, 'Edit saved metric')
  await dialog.getByLabel('Name', { exact: true }).fill('Exceptions')
  await dialog.getByRole('button', { name: 'Save metric' }).click()
  await list.getByText('Exceptions', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove Exceptions' }).click()
  await page.getByText('No saved metrics yet').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await list.getByText('Exceptions', { exact: true }).waitFor()
  await list.getByText('health', { exact: true }).waitFor()
}

test('an experiment notifies the webhook of its settings that its split is off, and no webhook of alerts', async () => {
  const [own, other] = [await aHook(), await aHook()]
  const studio = await aStudio(browser, { TILTH_OUTBOUND_ALLOW: '127.0.0.1' })
  await askApi(studio, 'POST', '/projects/acme/alerts', {
    name: 'Orders',
    watched: { type: 'event', event: 'ordered' },
    condition: { type: 'threshold', is: 'above', value: 1_000_000, interval: 'day' },
    recipients: [{ by: 'webhook', url: other.url }],
  })
  const { id, begin } = await anUnevenDraft(studio)
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/experiments/${id}/settings`)
  const notify = page.getByRole('region', { name: 'Notify' })
  await notify.getByLabel('E-mail address or webhook URL').fill('http://10.0.0.1/hook')
  await notify.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await notify.getByText('10.0.0.1 is not on the open internet').waitFor()
  await notify.getByRole('button', { name: 'Remove 10.0.0.1' }).click()
  await notify.getByLabel('E-mail address or webhook URL').fill(own.url)
  await notify.getByRole('button', { name: 'Add', exact: true }).click()
  await isUsable(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })

  await begin()
  await expect.poll(() => own.calls.length, { timeout: 2 * patienceMs }).toBe(1)
  expect(JSON.parse(own.calls[0]?.body ?? '')).toMatchObject({
    type: 'experiment.split',
    experiment: { id, name: 'New checkout' },
  })
  expect(other.calls).toEqual([])
})

/** A draft of which twice as many people met the control already; they count once it has started. */
async function anUnevenDraft(studio: TestStudio) {
  const at = new Date().toISOString()
  await askApi(studio, 'POST', '/projects/acme/flags', {
    key: 'checkout',
    kind: 'variants',
    variants: ['control', 'new'].map((key) => ({ key, percentage: 50 })),
    environments: { production: { isOn: true, conditions: [{}] } },
  })
  await meetCheckout(studio, 'new')
  const properties = { $feature_flag: 'checkout', $feature_flag_response: 'control' }
  const more = Array.from({ length: 100 }, (_, i) =>
    anEvent({ distinct_id: `late-${i}`, event: '$feature_flag_called', properties }),
  )
  expect(await send(studio, more)).toBe(200)
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/experiments', {
    name: 'New checkout',
    flag: 'checkout',
    metrics: [
      {
        name: 'Errors',
        goal: 'decrease',
        measured: { type: 'conversion', happening: { event: '$exception' } },
      },
    ],
  })
  return { id, begin: () => askApi(studio, 'POST', `/projects/acme/experiments/${id}/start`, { at }) }
}
