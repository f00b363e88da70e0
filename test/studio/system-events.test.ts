import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { anEvent, send, untilStored } from './collecting'
import { aSharedStudio, askApi, isUsableInBothThemes, openOwnerPage, visit } from './studio'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const sent = ['signup', '$web_vitals', '$pageleave', '$autocapture']

const shared = aSharedStudio(async (studio) => {
  await send(
    studio,
    sent.map((event) => anEvent({ event, properties: { $lib: 'web', $session_id: 'of-ana' } })),
  )
  await untilStored(studio, sent.length)
})

test('system events are folded in settings, and unfolded by a press and by the address', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/settings/events')
  const vitals = page.getByRole('row', { name: /^Web vitals/ })
  await page.getByRole('row', { name: /^signup/ }).waitFor()
  expect(await vitals.count()).toBe(0)
  await page.getByRole('link', { name: '3 system events' }).click()
  await vitals.waitFor()
  expect(new URL(page.url()).searchParams.get('system')).toBe('shown')
  await isUsableInBothThemes(page)
  await page.getByRole('link', { name: 'Hide 3 system events' }).click()
  await vitals.waitFor({ state: 'detached' })
  await page.getByLabel('Find an event').fill('vitals')
  await vitals.waitFor()
})

test('system events are folded in the panel of behaviour', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/web')
  const panel = page.getByRole('region', { name: 'Behaviour' })
  await panel.getByText('signup').first().waitFor()
  expect(await panel.getByText('Web vitals').count()).toBe(0)
  await panel.getByRole('link', { name: '3 system events' }).click()
  await panel.getByText('Web vitals').first().waitFor()
  expect(new URL(page.url()).searchParams.get('system')).toBe('shown')
})

test('system events are folded in the sessions of a person', async () => {
  const studio = await shared(browser)
  const { persons } = await askApi<{ persons: { id: string }[] }>(studio, 'GET', '/projects/acme/persons')
  const page = await openOwnerPage(studio)
  await visit(page, `/studio/acme/people/${persons[0]?.id}`)
  const sessions = page.getByRole('list', { name: 'Sessions, latest first' })
  await sessions.getByText('signup').waitFor()
  expect(await sessions.getByText('Page leave').count()).toBe(0)
  await sessions.getByRole('link', { name: '3 system events' }).click()
  await sessions.getByText('Page leave').waitFor()
  expect(new URL(page.url()).searchParams.get('system')).toBe('shown')
})
