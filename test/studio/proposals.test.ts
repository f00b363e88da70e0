import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { aTilth, childrenOf } from '../start/tilth'
import { ownedEnvironment } from './owner'
import {
  askApi,
  aStudio,
  executeInStore,
  fitsWindow,
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

/** An official client with a key that may read and propose, and nothing else. */
async function anAssistant(studio: TestStudio) {
  const { text: key } = await askApi<{ text: string }>(studio, 'POST', '/projects/acme/keys', {
    name: 'Claude',
    scopes: ['project:read', 'events:read', 'proposals:write'],
  })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', studio.address), { requestInit }))
  onTestFinished(() => client.close())
  return async (name: string, given: object) => {
    const result = await client.callTool({ name, arguments: { ...given } })
    // what `agent-server` answers
    const { content, structuredContent } = result as {
      content: { text: string }[]
      structuredContent: { sentence: string; link: string }
    }
    return { ...structuredContent, text: content.map(({ text }) => text).join('\n') }
  }
}

/** The value that any SDK gets of a flag. */
async function servedValue({ address, writeKey }: TestStudio, flag: string): Promise<unknown> {
  const answer = await fetch(`${address}/flags/?v=2`, {
    method: 'POST',
    body: JSON.stringify({ token: writeKey, distinct_id: 'ana' }),
  })
  const { flags } = (await answer.json()) as { flags: Record<string, { enabled: boolean }> }
  return flags[flag]?.enabled
}

const launched = { key: 'new-price', environments: { production: { isOn: true, conditions: [{}] } } }

test('an assistant proposes a flag, a member approves it, and visitors get it', async () => {
  const studio = await aStudio(browser)
  const call = await anAssistant(studio)
  const page = await openOwnerPage(studio)
  await visit(page, '/studio/acme/agents/proposals')
  await page.getByText('No open proposals').waitFor()

  const { link } = await call('create_flag', {
    ...launched,
    reason: 'Half of the visitors leave at the price.',
  })
  expect(await servedValue(studio, 'new-price')).toBeUndefined()
  await visit(page, '/studio/acme')
  await page.getByRole('navigation').getByRole('link', { name: 'Proposals 1' }).click()
  await page.getByRole('link', { name: 'Create the flag new-price.' }).click()
  await page.waitForURL(link)
  await page.getByText('production: turned on').waitFor()
  await page.getByText('“Half of the visitors leave at the price.”').waitFor()
  expect(await violationsInBothThemes(page)).toEqual([])
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await fitsWindow(page)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved, and done').waitFor()
  expect(await page.getByRole('link', { name: 'Proposals 1' }).count()).toBe(0)

  await page.getByRole('link', { name: 'Open it' }).click()
  await page.getByRole('heading', { name: 'new-price' }).waitFor()
  await expect.poll(() => servedValue(studio, 'new-price')).toBe(true)
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByText('(proposed by Claude)').waitFor()
})

test('what was changed meanwhile cannot be approved, and is refused with a reason', async () => {
  const studio = await aStudio(browser)
  await askApi(studio, 'POST', '/projects/acme/flags', { key: 'checkout' })
  const call = await anAssistant(studio)
  const page = await openOwnerPage(studio)
  const { link } = await call('change_flag', { flag: 'checkout', environments: launched.environments })
  await visit(page, '/studio/acme/flags/checkout')
  await page.getByText('Claude proposes a change').waitFor()
  await page.getByRole('link', { name: 'Look at it' }).click()
  await page.waitForURL(link)
  await askApi(studio, 'PATCH', '/projects/acme/flags/checkout', { description: 'Mine' })
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('It was changed after this was proposed.').first().waitFor()
  await page.reload()
  await page.getByText('This proposal cannot be approved').waitFor()

  await page.getByRole('button', { name: 'Refuse…' }).click()
  await page.getByLabel('Why').fill('Not before May.')
  await page.getByRole('button', { name: 'Refuse', exact: true }).click()
  await page.getByText('Reason of the refusal').waitFor()
  const id = new URL(link).pathname.split('/').at(-1)
  expect((await call('read_proposal', { id })).sentence).toMatch(/The proposal is refused/)
  await visit(page, '/studio/acme/agents/proposals?state=refused')
  await page.getByRole('link', { name: 'Change the flag checkout.' }).waitFor()
})

/** A write of a flag that never ends, so that a process can be killed between an approval and its change. */
const endlessWrites = `
  create view endless_numbers as
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers) select n from numbers;
  create trigger endless_write before insert on flags begin select max(n) from endless_numbers; end`

/** The state of the only proposal: what writes would wait behind the endless one. */
function storedState({ tilth }: TestStudio): unknown {
  const store = new DatabaseSync(join(tilth.folder, 'store.db'), { readOnly: true })
  const { state } = store.prepare('select state from proposals').get() ?? {}
  store.close()
  return state
}

/** The processes of a Tilth end at once, as with a machine that loses its power. */
async function killAll({ tilth }: TestStudio): Promise<void> {
  const children = childrenOf(tilth.pid)
  tilth.kill('SIGKILL')
  for (const { pid } of children) process.kill(pid, 'SIGKILL')
  await tilth.ended
}

test('a Tilth that is killed while it approves says that the outcome is not known, and makes no second change', async () => {
  const studio = await aStudio(browser)
  const call = await anAssistant(studio)
  const page = await openOwnerPage(studio)
  const { link } = await call('create_flag', launched)
  const { pathname } = new URL(link)
  const id = pathname.split('/').at(-1)
  await visit(page, link)
  executeInStore(studio, endlessWrites)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect.poll(() => storedState(studio)).toBe('approved')
  await page.close()
  await killAll(studio)
  executeInStore(studio, 'drop trigger endless_write; drop view endless_numbers')

  const tilth = await aTilth({ ...ownedEnvironment, TILTH_DATA: studio.tilth.folder })
  const again = { ...studio, tilth, address: tilth.address }
  const later = await openOwnerPage(again)
  await visit(later, pathname)
  await later.getByText('Approved, and its outcome is not known').waitFor()
  expect(await later.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  expect(await violationsInBothThemes(later)).toEqual([])
  expect(await servedValue(again, 'new-price')).toBeUndefined()
  const read = await anAssistant(again)
  expect((await read('read_proposal', { id })).text).toMatch(/Its outcome is not known/)
  // the same is proposed once more
  const { link: next } = await read('create_flag', launched)
  await visit(later, new URL(next).pathname)
  await later.getByRole('button', { name: 'Approve' }).click()
  await later.getByText('Approved, and done').waitFor()
  await expect.poll(() => servedValue(again, 'new-price')).toBe(true)
})
