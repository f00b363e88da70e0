/** The answer of a page in place of its own contents. */
export type PageExit = { status: 404 } | { status: 307 | 308; location: string }

/** Is thrown through the components of a page, which ends its rendering. */
export class PageExitError extends Error {
  override readonly name = 'PageExitError'
  constructor(readonly exit: PageExit) {
    super(
      `${exit.status === 404 ? 'notFound()' : 'redirect()'} works in server components of the folder pages/ only.`,
    )
  }
}

const maxLocationLength = 2000
const ownOrigin = 'http://site.invalid'

/** Returns a path or an http(s) URL as it may stand in a Location header; undefined for every other text. */
export function locationOf(text: string): string | undefined {
  if (text.length > maxLocationLength) return undefined
  const isPath = text.startsWith('/')
  const url = isPath ? URL.parse(text, ownOrigin) : URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  if (!isPath) return url.href
  const path = url.href.slice(url.origin.length)
  // to browsers, an address that begins with two slashes is one of another host
  return url.origin === ownOrigin && !path.startsWith('//') ? path : undefined
}
