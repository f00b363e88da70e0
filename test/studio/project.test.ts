import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import {
  aMember,
  aSharedStudio,
  askApi,
  aStudio,
  chooseOption,
  forgetRecentPasswords,
  openList,
  openOwnerPage,
  owner,
  violationsInBothThemes,
  reload,
  untilIdle,
  visit,
} from './studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

/** In which the password was given long ago. */
const forgetful = aSharedStudio()

/** In which only what a test does is written down. */
const audited = aSharedStudio()

const pathOf = (page: Page) => new URL(page.url()).pathname

async function confirmItIsMe(page: Page, password: string = owner.password) {
  await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Confirm' }).click()
}

describe('general settings', () => {
  test('change name and time zone in place, and the page moves with the address part', async () => {
    const page = await openOwnerPage(await aStudio(browser))
    await visit(page, '/studio/acme/settings')
    await page.getByLabel('Name').fill('Acme Garden')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('new york')
    await chooseOption(page, /^America\/New York/)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project saved').waitFor()
    await page.getByRole('button', { name: 'Acme Garden. Switch project' }).waitFor()

    await page.getByLabel('URL slug').fill('Not An Address')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use 1 to 48 lower-case letters').waitFor()
    await page.getByLabel('URL slug').fill('garden')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/studio/garden/settings')
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Time zone' }).inputValue())
      .toBe('America/New York')
    await expect.poll(() => page.title()).toBe('Settings · Acme Garden · Tilth')
  })

  test('renew the write key once someone is sure and has proved to be who they are', async () => {
    const studio = await forgetful(browser)
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/acme/settings')
    const key = page.getByRole('textbox', { name: 'Write key' })
    const before = await key.inputValue()
    forgetRecentPasswords(studio)

    await page.getByRole('button', { name: 'Renew key…' }).click()
    await page.getByRole('button', { name: 'Renew key', exact: true }).click()
    await confirmItIsMe(page, 'not my password')
    await page.getByText('This is not your password.').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await confirmItIsMe(page)
    await page.getByText('Write key renewed').waitFor()
    await expect.poll(() => key.inputValue()).not.toBe(before)
  })

  test('nothing is changed when the password is not given', async () => {
    const studio = await forgetful(browser)
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/acme/settings')
    const before = await page.getByRole('textbox', { name: 'Write key' }).inputValue()
    forgetRecentPasswords(studio)
    await page.getByRole('button', { name: 'Renew key…' }).click()
    await page.getByRole('button', { name: 'Renew key', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Confirm your identity' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await reload(page)
    await expect.poll(() => page.getByRole('textbox', { name: 'Write key' }).inputValue()).toBe(before)
  })

  test('archive after its name was typed, and restore it with one press', async () => {
    const page = await openOwnerPage(await shared(browser))
    await visit(page, '/studio/acme/settings')
    await page.getByRole('button', { name: 'Archive project…' }).click()
    const archive = page.getByRole('alertdialog').getByRole('button', { name: 'Archive project' })
    await expect.poll(() => archive.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('textbox', { name: 'Type Acme to confirm' }).fill('Acme')
    await archive.click()
    await page.getByText('This project is archived').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Project restored').waitFor()
    await expect.poll(() => page.getByText('This project is archived').count()).toBe(0)
  })
})

describe('a new project', () => {
  test('gets its address from its name, and is a choice from then on', async () => {
    const page = await openOwnerPage(await shared(browser))
    await visit(page, '/studio/acme')
    await page.getByRole('button', { name: 'Acme. Switch project' }).click()
    await page.getByRole('link', { name: 'New project' }).click()
    await page.getByLabel('Name').fill('Side Garden')
    await expect.poll(() => page.getByLabel('URL slug').inputValue()).toBe('side-garden')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL('**/studio/side-garden')

    await page.getByRole('button', { name: 'Side Garden. Switch project' }).click()
    const search = page.getByLabel('Find a project')
    await search.fill('ac')
    await page.getByRole('link', { name: 'Side Garden' }).waitFor({ state: 'detached' })
    await search.press('Enter')
    await page.waitForURL('**/studio/acme')
    await page.getByRole('heading', { name: 'Acme' }).waitFor()

    // an effect of the page remembers the project that the member was in, and opens it when they return
    await untilIdle(page)
    await page.goto('/studio')
    await expect.poll(() => pathOf(page)).toBe('/studio/acme')
  })

  test('is not for someone who owns none', async () => {
    const carl = await aMember(await shared(browser), 'admin', 'Carl')
    await visit(carl, '/studio/projects/new')
    await carl.getByText('Only project owners can create projects.').waitFor()
  })
})

describe('members', () => {
  test('change roles, with a way back', async () => {
    const studio = await forgetful(browser)
    await aMember(studio, 'viewer', 'Ben')
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/acme/settings/members')
    forgetRecentPasswords(studio)
    await openList(page.getByRole('combobox', { name: 'Role of Ben' }))
    await chooseOption(page, /^Admin/)
    await confirmItIsMe(page)
    await page.getByText('Ben is now admin').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Ben is now viewer').waitFor()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Role of Ben' }).textContent())
      .toContain('Viewer')
  })

  test('are removed for good, and are told as much as anybody without the project', async () => {
    const studio = await shared(browser)
    const dora = await aMember(studio, 'viewer', 'Dora')
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/acme/settings/members')
    await page.getByRole('button', { name: 'Remove Dora' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Dora removed').waitFor()
    const answer = await dora.goto('/studio/acme')
    expect(answer?.status()).toBe(404)
    await expect.poll(() => dora.title()).toBe('This page could not be found')
  })

  test('the last owner stays', async () => {
    const page = await openOwnerPage(await shared(browser))
    await visit(page, '/studio/acme/settings/members')
    await openList(page.getByRole('combobox', { name: 'Role of ana' }))
    await chooseOption(page, /^Viewer/)
    await page.getByText('A project needs an owner. Make another member an owner first.').first().waitFor()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Role of ana' }).textContent())
      .toContain('Owner')
  })
})

describe('a role that may not', () => {
  test('sees what it could do, and why it cannot', async () => {
    const studio = await shared(browser)
    const eva = await aMember(studio, 'viewer', 'Eva')
    const why = 'This requires the role admin; yours is viewer.'

    await visit(eva, '/studio/acme/settings/members')
    const invite = eva.getByRole('button', { name: 'Invite…' })
    await expect.poll(() => invite.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => describedBy(invite)).toBe(why)
    await expect.poll(() => eva.getByRole('combobox', { name: 'Role of ana' }).isDisabled()).toBe(true)
    await expect
      .poll(() => eva.getByRole('button', { name: 'Remove ana' }).getAttribute('aria-disabled'))
      .toBe('true')
    await invite.click({ force: true })
    await expect.poll(() => eva.getByRole('dialog').count()).toBe(0)

    await visit(eva, '/studio/acme/settings')
    await expect.poll(() => describedBy(eva.getByRole('button', { name: 'Save' }))).toBe(why)
    await expect.poll(() => eva.getByLabel('Name').getAttribute('readonly')).not.toBeNull()
    await expect
      .poll(() => describedBy(eva.getByRole('button', { name: 'Archive project…' })))
      .toBe('This requires the role owner; yours is viewer.')
  })

  test('is told so in the place of keys, audit log and system', async () => {
    const finn = await aMember(await shared(browser), 'editor', 'Finn')
    for (const part of ['keys', 'audit', 'system']) {
      await visit(finn, `/studio/acme/settings/${part}`)
      await finn.getByText('Your role has no access to this page').waitFor()
      await finn.getByText('This requires the role admin. Ask a project owner.').waitFor()
    }
  })

  test('an admin has no say about owners', async () => {
    const gina = await aMember(await shared(browser), 'admin', 'Gina')
    await visit(gina, '/studio/acme/settings/members')
    await expect.poll(() => gina.getByRole('combobox', { name: 'Role of ana' }).isDisabled()).toBe(true)
    await expect
      .poll(() => describedBy(gina.getByRole('button', { name: 'Remove ana' })))
      .toBe('Only owners can remove owners.')
    await gina.getByRole('button', { name: 'Invite…' }).click()
    await expect
      .poll(() => gina.getByRole('radio', { name: /^Owner/ }).getAttribute('aria-disabled'))
      .toBe('true')
  })
})

const describedBy = (button: ReturnType<Page['getByRole']>) =>
  button.evaluate((each) => document.getElementById(each.getAttribute('aria-describedby') ?? '')?.textContent)

describe('secret keys', () => {
  async function createKey(page: Page, name: string, scopes: string[]): Promise<string> {
    await page.getByRole('button', { name: 'New key…' }).click()
    await page.getByLabel('Name').fill(name)
    for (const scope of scopes) await page.getByRole('checkbox', { name: scope }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    const text = await page.getByRole('textbox', { name: 'Secret key' }).inputValue()
    await page.getByRole('checkbox', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    return text
  }

  test('open the management API as far as their scopes go, until they are revoked', async () => {
    const studio = await shared(browser)
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/acme/settings/keys')
    const text = await createKey(page, 'Deploy script', ['project:read'])
    expect(text).toMatch(/^tilth_\w{50}$/)
    await page.getByText(`tilth_…${text.slice(-4)}`).waitFor()

    const acme = await askApi<{ name: string }>(studio, 'GET', '/projects/acme', undefined, text)
    expect(acme.name).toBe('Acme')
    await expect(askApi(studio, 'GET', '/projects/acme/audit', undefined, text)).rejects.toThrow('403')
    await reload(page)
    await page
      .getByRole('row', { name: /Deploy script/ })
      .getByText('just now')
      .last()
      .waitFor()

    await page.getByRole('button', { name: 'Revoke Deploy script' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Deploy script revoked').waitFor()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await expect(askApi(studio, 'GET', '/projects/acme', undefined, text)).rejects.toThrow('401')
  })

  test('are shown once, and not taken away before someone says to have copied it', async () => {
    const page = await openOwnerPage(await shared(browser))
    await visit(page, '/studio/acme/settings/keys')
    await page.getByRole('button', { name: 'New key…' }).click()
    await page.getByLabel('Name').fill('Warehouse')
    await page.getByRole('switch', { name: 'All scopes' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    const text = await page.getByRole('textbox', { name: 'Secret key' }).inputValue()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('textbox', { name: 'Secret key' }).isVisible()).toBe(true)
    await page.getByRole('checkbox', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await reload(page)
    expect(await page.content()).not.toContain(text)
  })

  test('need a name and a scope', async () => {
    const page = await openOwnerPage(await shared(browser))
    await visit(page, '/studio/acme/settings/keys')
    await page.getByRole('button', { name: 'New key…' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Name the key.').waitFor()
    await page.getByText('Choose at least one scope.').waitFor()
  })
})

describe('the audit log', () => {
  test('shows what was before, what is now and where it came from', async () => {
    const studio = await audited(browser)
    const page = await openOwnerPage(studio)
    await askApi(studio, 'PATCH', '/projects/acme', { timeZone: 'Asia/Kathmandu' })
    await visit(page, '/studio/acme/settings/audit')
    await page.getByRole('button', { name: /changed the project Acme/ }).click()
    const entry = page.getByRole('dialog')
    await entry.getByText('time zone').waitFor()
    await expect.poll(() => entry.getByRole('deletion').textContent()).toBe('UTC')
    await expect.poll(() => entry.getByRole('insertion').textContent()).toBe('Asia/Kathmandu')
    await entry.getByText('127.0.0.0/24').waitFor()
    await entry
      .getByText(/Asia\/Kathmandu$/)
      .first()
      .waitFor()
  })

  test('is narrowed in the address, so that going back undoes it', async () => {
    const studio = await audited(browser)
    const page = await openOwnerPage(studio)
    await visit(page, '/studio/acme/settings/audit')
    await openList(page.getByRole('combobox', { name: 'Action' }))
    await chooseOption(page, /^Signed in as …/)
    await page.waitForURL('**/audit?action=sign-in')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('combobox', { name: 'Actor' }).fill('environment')
    await chooseOption(page, /From the environment/)
    await page.getByText('No matching entries').waitFor()
    await page.goBack()
    await page.goBack()
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(3)
  })

  test('is turned like pages, and says nothing to an address that makes no sense', async () => {
    const studio = await audited(browser)
    const page = await openOwnerPage(studio)
    for (let change = 1; change <= 55; change++) {
      await askApi(studio, 'PATCH', '/projects/acme', { name: `Acme ${change}` })
    }
    await visit(page, '/studio/acme/settings/audit')
    await expect.poll(() => page.getByRole('row').count()).toBe(51)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.waitForURL('**/audit?before=*')
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(20)
    await page.getByRole('link', { name: 'Previous' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(51)

    await page.goto('/studio/acme/settings/audit?before=-1&action=nonsense&actor=a&actor=b')
    await expect.poll(() => page.getByRole('row').count()).toBe(51)
  })
})

test('the system page says what it knows, and looks again when asked', async () => {
  const page = await openOwnerPage(await shared(browser))
  await visit(page, '/studio/acme/settings/system')
  await page.getByText(/^answered in \d+\.\d ms$/).waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Checked just now').waitFor()
})
