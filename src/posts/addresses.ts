import { addressOf, type Post } from './post'

/** What stands below /blog beside posts. */
const besidePosts = new Set(['tags', 'authors', 'series', 'page', 'search', 'seen', 'preview', 'feed'])

/** What an address of the site may not begin with: Tilth answers there itself, or a tracker's own paths are there. */
const notPages = new Set([
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

const mostParts = 8

const part = /^[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}][\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}_-]*$/u

const howToWrite = 'Use lower-case letters, digits, "-" and "_", and begin with a letter or digit.'

/** Why nothing may stand there; undefined where something may. */
export function objectionToSlug(kind: Post['kind'], slug: string): string | undefined {
  if (kind === 'post') return objectionToPostSlug(slug)
  if (slug === '') return undefined
  const parts = slug.split('/')
  if (parts.length > mostParts) return `An address has ${mostParts} parts at most.`
  if (!parts.every((one) => part.test(one)))
    return slug.startsWith('_') ? taken(slug) : `${howToWrite} Between two parts stands one "/".`
  return notPages.has(parts[0] ?? '') ? taken(parts[0] ?? '') : undefined
}

function objectionToPostSlug(slug: string): string | undefined {
  if (!part.test(slug)) return howToWrite
  return besidePosts.has(slug)
    ? `The blog itself uses the address “/blog/${slug}”. Choose another.`
    : undefined
}

const taken = (word: string) => `Tilth itself uses addresses that begin with “/${word}”. Choose another.`

/** The same place, however it was written: decoded, without a slash at the end, without what follows "?" or "#". */
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

/** Where something published must not be redirected away from. */
export const isOurs = (path: string): boolean => {
  const [, first = ''] = path.split('/')
  return first.startsWith('_') || (first !== 'blog' && notPages.has(first)) || path === '/blog'
}

export const placeOf = (post: Pick<Post, 'kind' | 'slug'>): string => pathOf(addressOf(post))
