import { cookies, headers } from 'next/headers'

const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const cookie = 'theme'
const yearSeconds = 365 * 24 * 60 * 60

const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value)

/** Read on the server, so that a page never shows itself in one theme and then in another. */
export async function chosenTheme(): Promise<Theme> {
  const kept = (await cookies()).get(cookie)?.value
  return isTheme(kept) ? kept : 'system'
}

export async function storeTheme(theme: unknown): Promise<void> {
  if (!isTheme(theme)) return
  const secure = (await headers()).get('x-forwarded-proto') === 'https'
  const jar = await cookies()
  jar.set(cookie, theme, { secure, httpOnly: true, sameSite: 'lax', path: '/', maxAge: yearSeconds })
}
