import type { Page } from 'playwright-core'

/** Opens the next step of a new experiment. */
export async function openNextStep(page: Page, name: 'Flag and variants' | 'Metrics' | 'Plan') {
  await page.getByRole('button', { name: `Next: ${name}` }).click()
  await page.getByRole('group', { name: new RegExp(`^Step \\d of 4: ${name}$`) }).waitFor()
}
