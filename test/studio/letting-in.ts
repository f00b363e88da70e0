import type { Page } from 'playwright-core'
import type { AgentLevel } from '#agent-access/levels'
import { levelWords } from '#agent-access/levels'
import { visit } from './studio'

/** Stands in for the page of the program, to which a sign-in leads back. */
export const receiveCallbacks = (page: Page) =>
  page.route('http://127.0.0.1:7777/**', (route) => route.fulfill({ body: 'You may close this.' }))

export async function returned(page: Page): Promise<URL> {
  await page.waitForURL('http://127.0.0.1:7777/callback?*')
  return new URL(page.url())
}

/** A member who has signed in lets a program in, on the page that its sign-in leads to. */
export const letIn =
  (page: Page, { name, level }: { name: string; level: AgentLevel }) =>
  async ({ pathname, search }: URL): Promise<URL> => {
    await visit(page, pathname + search)
    await page.getByRole('heading', { name: `Let ${name} in?` }).waitFor()
    await page.getByRole('radio', { name: new RegExp(`^${levelWords[level].label}`) }).check()
    await page.getByRole('button', { name: 'Let it in' }).click()
    return await returned(page)
  }
