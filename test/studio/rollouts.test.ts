import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { openNextStep } from './new-experiment'
import { meetCheckout, untilCounted } from './experiments'
import {
  askApi,
  aStudio,
  executeInStore,
  isUsable,
  isUsableInBothThemes,
  openDialog,
  openOwnerPage,
  type TestStudio,
  visit,
} from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const errors = {
  id: 'errors',
  name: 'Errors',
  role: 'guardrail',
  goal: 'decrease',
  margin: 20,
  measured: { type: 'conversion', happening: { event: '$exception' } },
}

test('a rollout is set up and started, takes a step, is paused and resumed, and goes back by itself with the reason', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio)
  const id = await setUp(page)
  await askApi(studio, 'PATCH', `/projects/acme/experiments/${id}`, { metrics: [errors] })
  await start(page, id)
  await visit(page, `/studio/acme/experiments/${id}`)
  const rollout = page.getByRole('region', { name: 'Guarded rollout' })
  await rollout.getByText('10% are let in.').first().waitFor()
  await rollout.getByText('1 of 2 steps').waitFor()
  await isUsableInBothThemes(page)

  await rollout.getByRole('button', { name: 'Pause' }).click()
  await rollout.getByText('Paused', { exact: true }).waitFor()
  await rollout.getByRole('button', { name: 'Resume' }).click()
  await rollout.getByRole('button', { name: 'Pause' }).waitFor()

  await meetCheckout(studio, 'new')
  await untilCounted(studio, id, [100, 100])
  await untilRolledBack(studio, id)
  await visit(page, `/studio/acme/experiments/${id}`)
  await page.getByText('The rollout was rolled back').waitFor()
  const reason = /^Errors: \d+\.\d% for those who get it, 0\.0% for the others\./
  await rollout.getByText(reason).first().waitFor()
  await page
    .getByRole('region', { name: 'Watched' })
    .getByText('Worse than its margin', { exact: true })
    .waitFor()
  await rollout.getByText('What happened when').click()
  await isUsableInBothThemes(page)
  const flag = await askApi<{ environments: { production: { isOn: boolean } } }>(
    studio,
    'GET',
    '/projects/acme/flags/checkout',
  )
  expect(flag.environments.production.isOn).toBe(false)
  // the job looks once a minute
})

async function setUp(page: Page): Promise<string> {
  await visit(page, '/studio/acme/experiments/new')
  await page.getByLabel('Name', { exact: true }).fill('New checkout')
  await page.getByRole('radio', { name: /^Guarded rollout/ }).click()
  await page.getByRole('button', { name: 'Remove step 2' }).click()
  await page.getByRole('button', { name: 'Remove step 2' }).click()
  await expect.poll(() => page.getByLabel('Step 2: people').inputValue()).toBe('100')
  await page.getByLabel('Step 1: at least').fill('1')
  await openNextStep(page, 'Flag and variants')
  await page.getByRole('radio', { name: /^A new flag/ }).click()
  await page.getByLabel('Key of the flag').fill('checkout')
  await page.getByLabel('Variant 2', { exact: true }).fill('new')
  await isUsable(page)
  await openNextStep(page, 'Metrics')
  await openNextStep(page, 'Plan')
  await page.getByText('Nothing decides yet').waitFor()
  await page.getByRole('button', { name: 'Create experiment' }).click()
  await page.getByText('This rollout is a draft').waitFor()
  await page.waitForURL(/experiments\/[^/]+\/settings/)
  return /experiments\/([^/]+)\/settings/.exec(page.url())?.[1] ?? ''
}

async function start(page: Page, id: string) {
  await visit(page, `/studio/acme/experiments/${id}/settings`)
  await page.getByRole('button', { name: 'Start…' }).click()
  const dialog = await openDialog(page, 'Start New checkout?')
  await dialog.getByText('The first step begins at once').waitFor()
  await isUsable(page)
  await dialog.getByRole('button', { name: 'Start rollout' }).click()
  await page.getByText('New checkout is running').first().waitFor()
  await page.getByText('This rollout is a draft').waitFor({ state: 'detached' })
  await page.getByText('The steps cannot change once the rollout has started.').waitFor()
}

/** The figures of an experiment are read every five minutes. */
function nextLookIsDue(studio: TestStudio) {
  executeInStore(studio, 'update flag_guards set looked_at = null')
}

async function untilRolledBack(studio: TestStudio, id: string) {
  const state = async () => {
    // again and again: a look that began before the errors were stored is written down after it
    nextLookIsDue(studio)
    const { guard } = await askApi<{ guard: { state: string } }>(
      studio,
      'GET',
      `/projects/acme/experiments/${id}/rollout`,
    )
    return guard.state
  }
  await expect.poll(state, { interval: 1000 }).toBe('rolled-back')
}
