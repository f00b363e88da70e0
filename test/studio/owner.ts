import type { Page } from 'playwright-core'
import { visit } from './hydration'

export const owner = {
  name: 'ana',
  email: 'ana@example.com',
  password: 'lantern orchard violin',
} as const

export const secretKey = 'a-secret-key-of-enough-length'

export const writeKey = 'phc_0123456789abcdefghijABCDEFGHIJ0123456789'

/** A Tilth started with this belongs to Ana, and has the project Acme in it. */
export const ownedEnvironment = {
  TILTH_OWNER_EMAIL: owner.email,
  TILTH_OWNER_PASSWORD: owner.password,
  TILTH_PROJECT: 'Acme',
  TILTH_PROJECT_KEY: writeKey,
  TILTH_PROJECT_SECRET: secretKey,
}

export async function signIn(page: Page, { email, password }: { email: string; password: string } = owner) {
  await visit(page, '/studio/sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/studio/sign-in')
}
