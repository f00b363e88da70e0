import { isClickId, isSecretName, isSecretValue } from './secrets'
import { remembering } from './memo'
import { cut } from './step'

/** Where something happened, without anything that is nobody's business. */
export interface PageAddress {
  /** The whole of it, as it may be kept. */
  text: string
  host: string
  path: string
  /** Its query as it came, for the campaign in it; absent without one. Never kept. */
  query: URLSearchParams | undefined
}

const longestAddress = 2000
/** Nobody types a longer query; beyond it only its absence is kept. */
const longestQuery = 8192

/** A query without its secrets: '' or with its question mark. What remains is as it was written. */
export function cleanQuery(query: string): string {
  if (query.length < 2 || query.length > longestQuery) return ''
  const kept = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isSecret(pair))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

function isSecret(pair: string): boolean {
  const middle = pair.indexOf('=')
  const name = decoded(middle === -1 ? pair : pair.slice(0, middle))
  if (isSecretName(name) || isClickId(name) || isSecretValue(name)) return true
  return middle !== -1 && isSecretValue(decoded(pair.slice(middle + 1)))
}

/** As often as it was encoded, within reason: `%2540` is an `@` to whoever reads it in the end. */
function decoded(text: string): string {
  let plain = text
  for (let round = 0; round < 3 && plain.includes('%'); round++) plain = decodedOnce(plain)
  return plain
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // a stray % does not hide what is encoded properly beside it
    return text.replaceAll(/(?:%[0-7][0-9a-f])+/gi, (encoded) => decodeURIComponent(encoded))
  }
}

type Fragment = 'kept' | 'dropped'

/** An address of any kind, relative ones too, without its secrets. `dropped` takes the part after `#` away entirely. */
export function cleanAddress(address: string, fragment: Fragment): string {
  const hashAt = address.indexOf('#')
  const beforeHash = hashAt === -1 ? address : address.slice(0, hashAt)
  const queryAt = beforeHash.indexOf('?')
  const place = withoutUser(queryAt === -1 ? beforeHash : beforeHash.slice(0, queryAt))
  const query = queryAt === -1 ? '' : cleanQuery(beforeHash.slice(queryAt))
  const hash = hashAt === -1 || fragment === 'dropped' ? '' : cleanFragment(address.slice(hashAt))
  return place + query + hash
}

/** A fragment can be a whole address of its own (`#/reset?token=…`), or the answer of a sign-in (`#access_token=…`). */
function cleanFragment(hash: string): string {
  const queryAt = hash.indexOf('?')
  if (queryAt !== -1) return cleanFragment(hash.slice(0, queryAt)) + cleanQuery(hash.slice(queryAt))
  return isSecretValue(decoded(hash.slice(1))) ? '' : hash
}

/** `https://name:password@host/` is an address one can sign in with. */
function withoutUser(place: string): string {
  const start = place.indexOf('//')
  if (start === -1 || !place.includes('@', start)) return place
  const slash = place.slice(start + 2).search(/[/\\]/)
  const authorityEnd = slash === -1 ? place.length : start + 2 + slash
  const at = place.lastIndexOf('@', authorityEnd - 1)
  return at < start ? place : place.slice(0, start + 2) + place.slice(at + 1)
}

/** Where a page address ends in the midst of other text. */
const endOfAddress = /[\s"'<>`\\]/g

/** Any text, with the secrets of the addresses in it left out. */
export function withoutSecrets(text: string): string {
  let found = text.indexOf('://')
  if (found === -1) return text
  let clean = ''
  let from = 0
  while (found !== -1) {
    const begin = beginOfScheme(text, found, from)
    endOfAddress.lastIndex = found
    const end = endOfAddress.exec(text)?.index ?? text.length
    clean += text.slice(from, begin) + cleanAddress(text.slice(begin, end), 'kept')
    from = end
    found = text.indexOf('://', end)
  }
  return clean + text.slice(from)
}

function beginOfScheme(text: string, colon: number, least: number): number {
  let begin = colon
  while (begin > least && colon - begin < 30 && /[a-z0-9+.-]/i.test(text.charAt(begin - 1))) begin--
  return begin
}

/** Schemes that name something to run or to show, never a place. */
const noPlaces = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'about:', 'view-source:'])

/** No name is longer, in any network. */
const longestHost = 260

function placeAt(text: string): URL | undefined {
  const url = text.includes('://') ? URL.parse(text) : null
  const isPlace = url && url.host !== '' && url.host.length <= longestHost && !noPlaces.has(url.protocol)
  return isPlace ? url : undefined
}

/** A page's address; undefined when the text is none. One without query and fragment has nothing to hide, and comes again. */
export const readPage = (text: string, hashRouting: boolean): PageAddress | undefined =>
  /[?#@]/.test(text) ? pageAt(text, hashRouting) : knownPage(text).page

const knownPage = remembering(10_000, (text) => ({ page: pageAt(text, false) }))

function pageAt(text: string, hashRouting: boolean): PageAddress | undefined {
  const url = placeAt(text)
  if (!url) return undefined
  const fragment = hashRouting ? cleanFragment(url.hash) : ''
  const query = cleanQuery(url.search)
  return {
    text: cut(`${url.protocol}//${url.host}${url.pathname}${query}${fragment}`, longestAddress),
    host: url.host,
    path: cut(url.pathname + fragment, longestAddress),
    query: url.search === '' ? undefined : url.searchParams,
  }
}

interface Elsewhere {
  text: string
  host: string
  path: string
}

/** What may be known of a page elsewhere: which one it was. Its query was meant for others. */
export const originAndPath = (text: string): Elsewhere | undefined =>
  /[?#@]/.test(text) ? elsewhereAt(text) : knownElsewhere(text).place

const knownElsewhere = remembering(10_000, (text) => ({ place: elsewhereAt(text) }))

function elsewhereAt(text: string): Elsewhere | undefined {
  const url = placeAt(text)
  return (
    url && {
      text: cut(`${url.protocol}//${url.host}${url.pathname}`, longestAddress),
      host: url.host,
      path: url.pathname,
    }
  )
}
