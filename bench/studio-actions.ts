import type { Page } from 'playwright-core'

/** A frequent action of members, on the page where they do it. */
export interface StudioAction {
  name: string
  /** Below the address of the project. */
  at: string
  act: (page: Page) => Promise<void>
}

const link = (name: string) => (page: Page) => page.getByRole('link', { name, exact: true }).first().click()
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

function pressKeys(...keys: string[]) {
  return async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key)
  }
}

async function typeInPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').pressSequentially('fla')
}

const typeInSearch = (page: Page) => page.getByRole('searchbox').first().pressSequentially('ab')

const openCombobox = (name: string) => (page: Page) => page.getByRole('combobox', { name }).click()

const firstRowLink = (page: Page) => page.locator('main').getByRole('row').locator('a').first().click()

/** The twenty commonest, each beginning on a page that has just been loaded. */
export const studioActions: readonly StudioAction[] = [
  { name: 'open Flags from the sidebar', at: '', act: link('Flags') },
  { name: 'open Web analytics from the sidebar', at: '', act: link('Web analytics') },
  { name: 'open Insights by G and I', at: '', act: pressKeys('g', 'i') },
  { name: 'open the command palette', at: '', act: pressKeys('Control+k') },
  { name: 'type in the command palette', at: '', act: typeInPalette },
  { name: 'open the project switcher', at: '', act: button(/Switch project/) },
  { name: 'open the theme menu', at: '', act: button(/^Theme/) },
  { name: 'open the period menu', at: '/web', act: button(/^Period|^Date range/) },
  { name: 'narrow web analytics to a row', at: '/web', act: firstRowLink },
  { name: 'type in the search of the flags', at: '/flags', act: typeInSearch },
  { name: 'open the state filter of the flags', at: '/flags', act: openCombobox('State') },
  { name: 'open a flag', at: '/flags', act: firstRowLink },
  { name: 'open the menu of an insight', at: '/insights', act: button(/^More about/) },
  { name: 'turn a flag', at: '/flags', act: (page) => page.getByRole('switch').first().click() },
  { name: 'begin a new flag', at: '/flags', act: link('New flag') },
  { name: 'open an insight', at: '/insights', act: firstRowLink },
  { name: 'make an insight a favourite', at: '/insights', act: button(/favourite/) },
  {
    name: 'open a list in the insight builder',
    at: '/insights/new',
    act: (page) => page.locator('main').getByRole('combobox').first().click(),
  },
  { name: 'open the filters of People', at: '/people', act: button('Filter') },
  {
    name: 'type a name in Settings',
    at: '/settings',
    act: (page) => page.getByLabel('Name').first().pressSequentially('ab'),
  },
]
