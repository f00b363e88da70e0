/** Addresses of Tilth itself, which are no pages. */
const notPages = /^\/(?:_|(?:studio|share|api|s)(?:\/|$))/

/** Whether a path is that of a page: its file is the `index.html` of a folder. */
export const isPagePath = (path: string): boolean => !notPages.test(path) && !/\.\w+$/.test(path)

/** The path of a page as servers of files answer it without a redirect. */
export const staticPath = (path: string): string =>
  isPagePath(path) && !path.endsWith('/') ? `${path}/` : path

/** The file of a path, below the folder of the site. Undefined for a path that is not well encoded. */
export function fileOf(path: string): string | undefined {
  try {
    const file = decodeURIComponent(staticPath(path)).slice(1)
    return file === '' || file.endsWith('/') ? `${file}index.html` : file
  } catch {
    return undefined
  }
}

/** React writes attributes with double quotes, and escapes those in values. */
const attribute = /(\s[\w-]+=")(\/(?!\/)[^"?#\s]*)([?#][^"\s]*)?(?=")/g
const sourceSet = /\s(?:image)?srcset="([^"]*)"/gi

/** Everything up to what ends an address in HTML, XML, JSON and Markdown. */
const absoluteAddress = (origin: string): RegExp =>
  new RegExp(`${origin.replaceAll(/[.[\]]/g, String.raw`\$&`)}(/[^\\s"'<>()\\[\\]\\\\?#&]*)?`, 'g')

/** Ends the paths of pages with a slash, and drops queries of links to pages: servers of files read none. */
export function withStaticLinks(text: string, origin: string, isHtml: boolean): string {
  const absolute = text.replaceAll(
    absoluteAddress(origin),
    (_, path?: string) => origin + (path === undefined ? '' : staticPath(path)),
  )
  if (!isHtml) return absolute
  return absolute.replaceAll(attribute, (_, name: string, path: string, end = '') => {
    const kept = isPagePath(path) ? end.replace(/^\?[^#]*/, '') : end
    return `${name}${staticPath(path)}${kept}`
  })
}

const pictureCopy = /(\/_tilth\/images\/[\da-f]{32})\.\w+\?w=(\d+)/g

/** Names narrower copies of pictures by paths instead of queries; `copies` receives where each comes from. */
export const withPictureCopies = (html: string, copies: Map<string, string>): string =>
  html.replaceAll(pictureCopy, (address, picture: string, width: string) => {
    const path = `${picture}-${width}.webp`
    copies.set(path, address)
    return path
  })

/** The paths of this site that a file names, without queries. */
export function linksIn(text: string, type: string, at: string, origin: string): Set<string> {
  const urls = addressesIn(text, type, origin).map((address) =>
    URL.parse(address.replaceAll('&amp;', '&'), origin + at),
  )
  return new Set(urls.flatMap((url) => (url?.origin === origin ? [url.pathname] : [])))
}

const ofStyles = /url\(["']?([^"')]+)["']?\)/g
/** Scripts of the site folder name their shared parts and pictures from the root. */
const ofScripts = /["'`](\.\.?\/[\w./-]+\.(?:js|css)|\/_tilth\/site\/[\w.-]+)["'`]/g

function addressesIn(text: string, type: string, origin: string): string[] {
  if (type.startsWith('text/css')) return firstGroups(text, ofStyles)
  if (type.includes('javascript')) return firstGroups(text, ofScripts)
  const absolute = text.match(absoluteAddress(origin)) ?? []
  if (!type.startsWith('text/html')) return absolute
  const ofAttributes = Array.from(text.matchAll(attribute), ([, , path = '']) => path)
  const sources = firstGroups(text, sourceSet).flatMap((sourceList) => sourceList.split(/,\s+/))
  return [...absolute, ...ofAttributes, ...sources.map((source) => source.trim().split(/\s/, 1)[0] ?? '')]
}

const firstGroups = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, group = '']) => group)
