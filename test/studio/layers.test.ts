import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import {
  aSharedStudio,
  askApi,
  chooseOption,
  isUsableInBothThemes,
  openList,
  openOwnerPage,
  visit,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** For tests that each make things of their own. */
const shared = aSharedStudio()

const variants = [
  { key: 'control', percentage: 50 },
  { key: 'test', percentage: 50 },
]

test('a layer is made, flags take slices beside each other, and the page lists them', async () => {
  const studio = await shared(browser)
  for (const key of ['headline', 'button'])
    await askApi(studio, 'POST', '/projects/acme/flags', { key, kind: 'variants', variants })
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/flags/holdouts')
  await page.getByText('No layers yet').waitFor()
  await page.getByRole('button', { name: 'New layer…' }).click()
  await page.getByLabel('Name').fill('Front page')
  await page.getByRole('button', { name: 'Create layer' }).click()
  await page.getByRole('cell', { name: 'Front page', exact: true }).waitFor()

  const takeSlice = async (flag: string, from: string, until: string) => {
    await visit(page, `/studio/acme/flags/${flag}`)
    await openList(page.getByRole('combobox', { name: 'Layer' }))
    await chooseOption(page, 'Front page')
    await page.getByLabel('Slice from').fill(from)
    await page.getByLabel('Slice until').fill(until)
    await page.getByRole('button', { name: 'Save changes' }).click()
  }
  await takeSlice('headline', '0', '50')
  await page.getByText('headline saved').waitFor()
  await takeSlice('button', '40', '100')
  await page
    .getByText('“headline” has 0 to 50 percent of this layer. Choose a slice beside it.')
    .first()
    .waitFor()
  await page.getByLabel('Slice from').fill('50')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('button saved').waitFor()
  await isUsableInBothThemes(page)

  await visit(page, '/studio/acme/flags/holdouts')
  const layers = page.getByRole('table', { name: 'Layers' })
  await layers.getByText('headline: 0 to 50% in production').waitFor()
  await layers.getByText('button: 50 to 100% in production').waitFor()
  await isUsableInBothThemes(page)
})

test('changes of pages are written for each variant, and are fixed once the experiment runs', async () => {
  const studio = await shared(browser)
  const environments = { production: { isOn: true, conditions: [{}] } }
  await askApi(studio, 'POST', '/projects/acme/flags', {
    key: 'hero',
    kind: 'variants',
    variants,
    environments,
  })
  const measured = { type: 'conversion', happening: { event: 'ordered' } }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/experiments', {
    name: 'Headline',
    flag: 'hero',
    metrics: [{ name: 'Orders', measured }],
  })
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByRole('link', { name: 'Page changes' }).click()
  const changes = page.getByRole('region', { name: 'Changes of test' })
  await changes.getByRole('button', { name: 'Add a change to test' }).click()
  await changes.getByLabel('Elements').fill('#hero h1')
  await page.getByRole('button', { name: 'Save page changes' }).click()
  await page.getByText('Give the markup (html) or the style (css) of the elements.').first().waitFor()
  await changes.getByLabel('Markup').fill('<b>Half the price</b>')
  await page.getByRole('button', { name: 'Save page changes' }).click()
  await page.getByText('The page changes are saved').waitFor()
  const kept = () => askApi<{ web: unknown }>(studio, 'GET', `/projects/acme/experiments/${id}`)
  await expect
    .poll(async () => (await kept()).web)
    .toEqual({
      assignedBy: 'flag',
      previewsDraft: false,
      variants: { test: { transforms: [{ selector: '#hero h1', html: '<b>Half the price</b>' }] } },
    })
  await isUsableInBothThemes(page)

  await askApi(studio, 'POST', `/projects/acme/experiments/${id}/start`, {})
  await visit(page, `/studio/acme/experiments/${id}/web`)
  const save = page.getByRole('button', { name: 'Save page changes' })
  await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
})
