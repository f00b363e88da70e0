'use server'

import { storeTheme } from './theme'

/** The cookie it sets makes Next render the page again, now with the theme chosen. */
export async function chooseTheme(theme: unknown): Promise<void> {
  await storeTheme(theme)
}
