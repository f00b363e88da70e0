import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import {
  accessibilityViolations,
  aMember,
  askApi,
  aStudio,
  chooseOption,
  isUsable,
  openOwnerPage,
  type TestStudio,
  visit,
} from './studio'
import { anEvent, send, untilStored } from './collecting'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const pro = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
const checkout = {
  key: 'checkout',
  tags: ['pay'],
  environments: { production: { isOn: true, conditions: [{ conditions: [pro] }, { percentage: 10 }] } },
}

const make = (studio: TestStudio, flag: object = checkout) =>
  askApi(studio, 'POST', '/projects/acme/flags', flag)
const kept = (studio: TestStudio, key = 'checkout') =>
  askApi<{ environments: Record<string, { isOn: boolean; conditions: { percentage: number }[] }> }>(
    studio,
    'GET',
    `/projects/acme/flags/${key}`,
  )

test('flags are created, let out, restored and archived, or come from elsewhere', async () => {
  const studio = await aStudio(browser)
  const page = await openOwnerPage(studio)
  await create(page)
  await letOut(studio, page)
  await bringBack(studio, page)
  await seeCode(page)
  await archive(studio, page)
  await importSome(page)
  await keepEnvironments(page)
  await keepHoldouts(page)
})

test('a list turns flags and explains them, and what two change at once is no one’s loss', async () => {
  const studio = await aStudio(browser)
  await askApi(studio, 'POST', '/projects/acme/environments', { name: 'staging' })
  await make(studio)
  await make(studio, { key: 'prices', kind: 'config', payloads: { true: '{"pro":9}' } })
  const page = await openOwnerPage(studio)
  await turn(studio, page)
  await explain(page)
  await changeAtOnce(studio, page)
  await keepOnEscape(page)
  await leaveUnsaved(page)
  await plan(page)

  const ben = await aMember(studio, 'viewer', 'Ben')
  await visit(ben, '/studio/acme/flags/checkout')
  await ben.getByLabel('Description').fill('Ben’s')
  const save = ben.getByRole('button', { name: 'Save changes' })
  await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
})

test('a flag is duplicated under another key, and starts off', async () => {
  const studio = await aStudio(browser)
  await make(studio)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/flags/checkout')
  await page.getByRole('button', { name: 'More about checkout' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Duplicate checkout' })
  const key = dialog.getByLabel('Key')
  await expect.poll(() => key.inputValue()).toBe('checkout-copy')
  expect(await accessibilityViolations(page)).toEqual([])

  await key.fill('check out')
  await dialog.getByRole('button', { name: 'Duplicate' }).click()
  await dialog.getByText('letters, digits, dots, dashes and underscores').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })

  // an earlier refusal is not that of a new attempt
  await page.getByRole('button', { name: 'More about checkout' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click()
  await expect.poll(() => key.inputValue()).toBe('checkout-copy')
  expect(await dialog.getByText('letters, digits, dots, dashes and underscores').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByRole('heading', { name: 'checkout-copy' }).waitFor()
  await page.getByText('Off in production').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/studio/acme/flags/checkout-copy')
  const { conditions } = (await kept(studio)).environments['production'] ?? {}
  expect((await kept(studio, 'checkout-copy')).environments['production']).toMatchObject({
    isOn: false,
    conditions,
  })
})

test('a setting is copied to the environment it is compared with, and taken back', async () => {
  const studio = await aStudio(browser)
  await askApi(studio, 'POST', '/projects/acme/environments', { name: 'staging' })
  await make(studio)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/flags/checkout')
  await page.getByRole('link', { name: 'Compare' }).click()
  const row = page.getByRole('row').filter({ hasText: 'checkout' })
  await row.getByText('Different').waitFor()
  await row.getByRole('button', { name: 'Copy the setting of checkout' }).click()
  await page.getByRole('menuitem', { name: 'Copy production to staging…' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Copy checkout from production to staging?' })
  await dialog.getByText('turned on').waitFor()
  await dialog.getByText('If plan is pro, everyone gets it.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const { production } = (await kept(studio)).environments
  expect((await kept(studio)).environments['staging']).toBeUndefined()
  await dialog.getByRole('button', { name: 'Copy to staging' }).click()

  // the message stays while the mouse is on it
  await page.getByText('checkout copied to staging').hover()
  await row.getByText('Different').waitFor({ state: 'detached' })
  expect((await kept(studio)).environments['staging']).toEqual(production)
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.getByText('Different').waitFor()
  expect((await kept(studio)).environments['staging']).toBeUndefined()
  await isUsable(page)
})

test('an explanation finds its person by name, and takes any id', async () => {
  const studio = await aStudio(browser)
  await make(studio)
  const cleo = { name: 'Cleo Marsh', email: 'cleo@example.com', plan: 'pro' }
  await send(studio, anEvent({ event: '$identify', distinct_id: 'user-42', properties: { $set: cleo } }))
  await send(studio, anEvent({ distinct_id: 'user-42' }))
  await untilStored(studio, 2)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/flags/checkout/explain')
  const visitor = page.getByRole('combobox', { name: 'Person or distinct id' })
  await visitor.pressSequentially('marsh')
  await page.getByRole('option', { name: /^Cleo Marsh/ }).click()
  await expect.poll(() => visitor.inputValue()).toBe('Cleo Marsh')
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('If plan is pro, everyone gets it.').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('visitor')).toBe('user-42')
  await isUsable(page)

  // an id that does not exist and that begins as another one: what is typed counts, not what is found
  for (const leave of ['Enter', 'Tab'] as const) {
    await visit(page, '/studio/acme/flags/checkout/explain')
    await visitor.pressSequentially('user-4')
    await page.getByRole('option', { name: /^Cleo Marsh/ }).waitFor()
    await visitor.press(leave)
    if (leave === 'Tab') await page.getByRole('button', { name: 'Explain' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('visitor')).toBe('user-4')
    await expect.poll(() => visitor.inputValue()).toBe('user-4')
  }
})

async function create(page: Page) {
  await visit(page, '/studio/acme/flags')
  await page.getByText('No flags yet').waitFor()
  await page.getByRole('link', { name: 'Create flag' }).click()

  await page.getByLabel('Key', { exact: true }).first().fill('head line')
  await page.getByRole('radio', { name: /^Multivariate/ }).click()
  await page.getByRole('button', { name: 'Add variant' }).click()
  await page.getByRole('group', { name: 'Variant 3' }).getByLabel('Share').fill('1')
  await page.getByText('Together 101%: 1% too many.').waitFor()
  await page.getByRole('button', { name: 'Share equally' }).click()
  await page.getByText('Together 100%.').waitFor()
  await page.getByLabel('Payload of test', { exact: true }).fill('blue')
  await page.getByText('Quote a string: "blue"').waitFor()
  await page.getByLabel('Payload of test', { exact: true }).fill('"blue"')
  await page.getByRole('button', { name: 'Create flag' }).click()
  await page.getByText('A flag’s key has 1 to 200 letters').waitFor()
  await page.getByLabel('Key', { exact: true }).first().fill('headline')
  await page.getByRole('button', { name: 'Create flag' }).click()
  await page.getByRole('heading', { name: 'headline' }).waitFor()
  await page.getByText('Off in production').first().waitFor()
}

async function letOut(studio: TestStudio, page: Page) {
  await page.getByRole('switch', { name: 'Off in production' }).click()
  await page.getByText('production: turned on').waitFor()
  await page.getByLabel('Condition set 1: percentage', { exact: true }).fill('12.34')
  await page.getByText('12.34% of everyone get it.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Duplicate condition set 1' }).click()
  await page.getByRole('region', { name: 'Condition set 2' }).getByLabel('Serve').click()
  await chooseOption(page, 'Always control')
  await page.getByText('12.34% of everyone get “control”.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Move condition set 2 up' }).click()
  await page.getByLabel('Change note').fill('A first look')
  await isUsable(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Turn headline on in production?' })
  await dialog.getByText('12.34%').waitFor()
  expect((await kept(studio, 'headline')).environments['production']?.isOn).toBe(false)
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('headline saved').waitFor()
  await expect
    .poll(async () => (await kept(studio, 'headline')).environments['production'])
    .toMatchObject({
      isOn: true,
      conditions: [{ percentage: 12.34, variant: 'control' }, { percentage: 12.34 }],
    })
}

async function bringBack(studio: TestStudio, page: Page) {
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByText('A first look').waitFor()
  await page.getByText('production: turned on').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('button', { name: 'Restore version' }).click()
  await page.getByText('Back to version 1.').waitFor()
  await expect.poll(async () => (await kept(studio, 'headline')).environments['production']?.isOn).toBe(false)
}

async function seeCode(page: Page) {
  await page.getByRole('link', { name: 'Code' }).click()
  await page.getByText('/_tilth/script.js" data-project=').waitFor()
  await page.getByText(`window.tilth?.flag('headline')) === 'test'`).waitFor()
  await page.getByRole('link', { name: 'posthog-js' }).click()
  await page.getByText(`posthog.getFeatureFlag('headline') === 'test'`).waitFor()
  await page.getByRole('link', { name: 'OpenFeature, server' }).click()
  await page.getByText(`client.getStringValue('headline'`).waitFor()
}

async function archive(studio: TestStudio, page: Page) {
  const input = {
    name: 'Headline',
    flag: 'headline',
    metrics: [{ name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }],
  }
  const { id } = await askApi<{ id: string }>(studio, 'POST', '/projects/acme/experiments', input)
  const experiment = `/projects/acme/experiments/${id}`
  await askApi(studio, 'POST', `${experiment}/start`, { turnsFlagOn: true })
  await page.getByRole('button', { name: 'More about headline' }).click()
  await page.getByRole('menuitem', { name: 'Archive…' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Archive headline?' })
  await dialog.getByRole('button', { name: 'Archive flag' }).click()
  // of what cannot be done anyway, that is not offered
  await dialog.getByText(/The experiment “Headline” runs/).waitFor()
  expect(await dialog.getByRole('button', { name: 'Archive anyway' }).count()).toBe(0)
  await askApi(studio, 'POST', `${experiment}/end`, { outcome: 'undecided' })
  await dialog.getByRole('button', { name: 'Archive flag' }).click()
  await page.getByText('This flag is archived').waitFor()
  await visit(page, '/studio/acme/flags?show=archived')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('No archived flags').waitFor()
}

async function turn(studio: TestStudio, page: Page) {
  await visit(page, '/studio/acme/flags')
  await page.getByText('plan is pro: everyone; others: 10%').waitFor()
  await page.getByRole('switch', { name: 'checkout in production' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Turn checkout off in production?' })
  await dialog.getByText('plan is pro: everyone; others: 10%').waitFor()
  expect((await kept(studio)).environments['production']?.isOn).toBe(true)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  // the message stays while the mouse is on it
  await page.getByText('checkout is off in production').hover()
  await expect.poll(async () => (await kept(studio)).environments['production']?.isOn).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('checkout is on in production').waitFor()
  await expect.poll(async () => (await kept(studio)).environments['production']?.isOn).toBe(true)
  await isUsable(page)
  await page.getByLabel('Find a flag').fill('pay')
  await page.getByRole('link', { name: 'prices' }).waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('pay')
}

async function explain(page: Page) {
  await page.getByRole('link', { name: /^checkout/ }).click()
  await page.getByRole('heading', { name: 'checkout', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Explain' }).click()
  await page.getByRole('combobox', { name: 'Person or distinct id' }).fill('ana')
  await page.getByLabel('Properties').fill('{"plan": "pro"}')
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('A condition set matched.', { exact: true }).waitFor()
  await page.getByText('If plan is pro, everyone gets it.').waitFor()
  await isUsable(page)
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect.poll(() => page.getByLabel('Link', { exact: true }).inputValue()).toContain('/_tilth/qa?link=')

  await visit(page, '/studio/acme/flags/explain?visitor=ana&environment=staging')
  await page.getByText('The flag is off in this environment.').first().waitFor()
}

async function changeAtOnce(studio: TestStudio, page: Page) {
  await visit(page, '/studio/acme/flags/checkout')
  await writeDuringSave(studio, page)
  await page.getByLabel('Description').fill('Mine')
  await askApi(studio, 'PATCH', '/projects/acme/flags/checkout', { description: 'Theirs', tags: ['new'] })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/^(?!Another member).+ changed this flag$/).waitFor()
  await page.getByText('Tags: pay → new').waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByText('Description: “Theirs” → “Mine”').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('checkout saved').waitFor()
  await expect.poll(() => kept(studio)).toMatchObject({ description: 'Mine' })
}

/** The change is saved next, and the fields that were not touched are those of the save. */
async function writeDuringSave(studio: TestStudio, page: Page) {
  const release = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const isSave = (url: URL) => url.pathname === new URL(page.url()).pathname
  await page.route(isSave, async (route) => {
    if (route.request().method() === 'POST') {
      held.resolve()
      await release.promise
    }
    await route.continue()
  })
  await page.getByLabel('Description').fill('Saved')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await held.promise
  await page.getByRole('checkbox', { name: 'Persist across login' }).click()
  release.resolve()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByText('1 change', { exact: true }).waitFor()
  await expect.poll(() => kept(studio)).toMatchObject({ description: 'Saved', keepsThroughSignIn: false })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  await expect.poll(() => kept(studio)).toMatchObject({ description: 'Saved', keepsThroughSignIn: true })
}

/** An emptied condition would let all visitors in. */
async function keepOnEscape(page: Page) {
  const remove = page.getByRole('button', { name: 'Remove pro' })
  await remove.waitFor()
  const values = page.getByRole('combobox').and(page.getByLabel(/value/i)).first()
  await values.fill('fre')
  await values.press('Escape')
  await values.press('Escape')
  await values.press('Escape')
  await expect.poll(() => remove.count()).toBe(1)
  await expect.poll(() => values.inputValue()).toBe('')
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
}

async function leaveUnsaved(page: Page) {
  await page.getByRole('link', { name: 'Explain' }).click()
  await page.getByRole('combobox', { name: 'Person or distinct id' }).waitFor()
  await page.getByRole('link', { name: 'Rules' }).click()
  await page.getByLabel('Description').fill('Not yet')
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })

  await page.getByRole('link', { name: 'History' }).click()
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.evaluate(() => history.back())
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Not yet')

  // on reload and close the browser asks by itself, where the page says that something would be lost
  const mayReload = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
  await expect.poll(mayReload).toBe(false)
  await page.evaluate(() => history.back())
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('combobox', { name: 'Person or distinct id' }).waitFor()
  await expect.poll(mayReload).toBe(true)
  await visit(page, '/studio/acme/flags/checkout')
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Mine')
}

async function plan(page: Page) {
  await page.getByRole('button', { name: 'Schedule…' }).click()
  await page.getByLabel('Step 1: when').fill('2099-05-01T10:00')
  await page.getByRole('button', { name: /^Ramp by day/ }).click()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText('turn on, rollout 50% in every set').waitFor()
}

async function importSome(page: Page) {
  await visit(page, '/studio/acme/flags')
  await page.getByRole('button', { name: 'Import…' }).click()
  const foreign = {
    key: 'imported',
    active: true,
    filters: { groups: [{ properties: [], rollout_percentage: 30 }] },
  }
  await page
    .getByLabel('Flags as JSON')
    .fill(JSON.stringify([foreign, { key: 'no good', active: true, filters: {} }]))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('1 created, 0 changed, 1 refused').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('30% of everyone').waitFor()
}

async function keepEnvironments(page: Page) {
  await visit(page, '/studio/acme/flags/environments')
  await page.getByRole('button', { name: 'New environment…' }).click()
  await page.getByLabel('Name').fill('Staging!')
  await page.getByRole('button', { name: 'Create environment' }).click()
  await page.getByText('Use 1 to 40 lower-case letters').waitFor()
  await page.getByLabel('Name').fill('staging')
  await page.getByRole('button', { name: 'Create environment' }).click()
  await page.getByRole('textbox', { name: 'Write key of staging' }).waitFor()
}

async function keepHoldouts(page: Page) {
  await visit(page, '/studio/acme/flags/holdouts')
  await page.getByRole('button', { name: 'New holdout…' }).click()
  await page.getByLabel('Name').fill('First quarter')
  await page.getByRole('button', { name: 'Create holdout' }).click()
  await page.getByText('5%', { exact: true }).waitFor()
}
