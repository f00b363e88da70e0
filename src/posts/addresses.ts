import { addressOf, type Post } from './post'

/** Addresses below /blog that are not posts. */
const reservedBlogWords = new Set([
  'tags',
  'authors',
  'series',
  'languages',
  'page',
  'search',
  'seen',
  'preview',
  'feed',
])

/** First parts of addresses that Tilth or a tracker uses itself. */
const reservedFirstWords = new Set([
  'api',
  'array',
  'batch',
  'blog',
  'capture',
  'dashboard',
  'decide',
  'e',
  'engage',
  'feed',
  'flags',
  'i',
  'identify',
  'ofrep',
  'preview',
  's',
  'search',
  'share',
  'static',
  'studio',
  'surveys',
  'track',
])

/** Addresses of files that Tilth writes itself. Those of feeds are tried by readers, which know other publishing systems. */
const ownFiles: ReadonlySet<string> = new Set([
  '/blog.json',
  '/feed.xml',
  '/llms.txt',
  '/robots.txt',
  '/rss.xml',
  '/sitemap.xml',
])

export const isOwnFile = (path: string): boolean => ownFiles.has(path)

const maxParts = 8

const partPattern = /^[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}][\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}_-]*$/u

const slugAdvice = 'Use lower-case letters, digits, "-" and "_", and begin with a letter or digit.'

/** Returns why an address is not allowed; undefined if it is. */
export function slugProblem(kind: Post['kind'], slug: string): string | undefined {
  if (kind === 'post') return postSlugProblem(slug)
  if (slug === '') return undefined
  const parts = slug.split('/')
  if (parts.length > maxParts) return `An address has at most ${maxParts} parts.`
  if (!parts.every((one) => partPattern.test(one)))
    return slug.startsWith('_') ? takenProblem(slug) : `${slugAdvice} Between two parts stands one "/".`
  return reservedFirstWords.has(parts[0] ?? '') ? takenProblem(parts[0] ?? '') : undefined
}

function postSlugProblem(slug: string): string | undefined {
  if (!partPattern.test(slug)) return slugAdvice
  return reservedBlogWords.has(slug)
    ? `The blog itself uses the address “/blog/${slug}”. Choose another.`
    : undefined
}

const takenProblem = (word: string) =>
  `Tilth itself uses addresses that begin with “/${word}”. Choose another.`

/** Normalises a path: decoded, without a trailing slash, a query or a fragment. */
export function pathOf(address: string): string {
  const [path = ''] = address.split(/[?#]/)
  const decoded = decodedOr(path).normalize('NFC').replace(/\/+$/, '')
  return decoded === '' ? '/' : decoded
}

function decodedOr(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Paths of Tilth itself, which must not be redirected. */
export const isReservedPath = (path: string): boolean => {
  const [, first = ''] = path.split('/')
  return first.startsWith('_') || (first !== 'blog' && reservedFirstWords.has(first)) || path === '/blog'
}

export const pathOfPost = (post: Pick<Post, 'kind' | 'slug'>): string => pathOf(addressOf(post))

const anyOrigin = 'http://site.invalid'

/**
 * Returns a path or a URL as a value for a Location header, which is ASCII. Undefined for a path that browsers would take
 * for another host, and for what is neither.
 */
export function asciiLocation(to: string): string | undefined {
  const url = URL.parse(to, anyOrigin)
  if (!to.startsWith('/')) return url?.href
  const path = url?.href.slice(anyOrigin.length)
  return url?.origin === anyOrigin && !path?.startsWith('//') ? path : undefined
}
