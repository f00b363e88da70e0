'use server'

import { keepTheme } from './theme'

/** The cookie it sets makes Next render the page again, now with the theme chosen. */
export async function chooseTheme(theme: unknown): Promise<void> {
  await keepTheme(theme)
}
