const name = 'tilth_visitor='

/** Reads the visitor's id from the cookie that Tilth's own site and `@tilth/next` set. */
export const readVisitorCookie = (): string | undefined =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(name))
    ?.slice(name.length)

/** Returns undefined in browsers that keep no cookies, and on pages by plain http, which cannot create a uuid. */
export function createVisitorCookie(): string | undefined {
  const { protocol } = location
  const visitor = crypto.randomUUID?.()
  if (visitor)
    document.cookie = `${name}${visitor}; Path=/; Max-Age=31536000; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`
  return readVisitorCookie()
}
