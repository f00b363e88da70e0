import { isClickId, isSecretName, isSecretValue } from './secrets'
import { memoize, memoizeRepeated } from './memoize'
import { truncate } from './step'

/** The part of `URLSearchParams` that reads: the same query serves every view of a page. */
export type PageQuery = Pick<URLSearchParams, 'get' | typeof Symbol.iterator>

/** The address of a page without secrets or personal data. */
export interface PageAddress {
  /** The whole address, safe to store. */
  text: string
  host: string
  path: string
  /** The original query, from which the campaign is read; undefined without one. It is never stored. */
  query: PageQuery | undefined
}

const longestAddress = 2000
/** A longer query is dropped entirely. */
const longestQuery = 8192

/** Removes secrets from a query. Returns '' or a query with its question mark; the remaining text is unchanged. */
function cleanQuery(query: string): string {
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

/** Decodes repeatedly, up to a limit: a site may read `%2540` as an `@`. */
function decoded(text: string): string {
  let plain = text
  for (let round = 0; round < 3 && plain.includes('%'); round++) plain = decodedOnce(plain)
  return plain
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // an invalid % must not prevent decoding the valid escapes beside it
    return text.replaceAll(/(?:%[0-7][0-9a-f])+/gi, (encoded) => decodeURIComponent(encoded))
  }
}

type FragmentHandling = 'kept' | 'dropped'

/** Removes secrets from an address of any kind, relative ones included. `dropped` removes the fragment entirely. */
export function cleanAddress(address: string, fragment: FragmentHandling): string {
  const hashAt = address.indexOf('#')
  const beforeHash = hashAt === -1 ? address : address.slice(0, hashAt)
  const queryAt = beforeHash.indexOf('?')
  const location = withoutUser(queryAt === -1 ? beforeHash : beforeHash.slice(0, queryAt))
  const query = queryAt === -1 ? '' : cleanQuery(beforeHash.slice(queryAt))
  const hash = hashAt === -1 || fragment === 'dropped' ? '' : cleanFragment(address.slice(hashAt))
  return location + query + hash
}

/** A fragment may contain an address (`#/reset?token=…`) or a sign-in response (`#access_token=…`). */
function cleanFragment(hash: string): string {
  const queryAt = hash.indexOf('?')
  if (queryAt !== -1) return cleanFragment(hash.slice(0, queryAt)) + cleanQuery(hash.slice(queryAt))
  return isSecretValue(decoded(hash.slice(1))) ? '' : hash
}

/** Removes credentials, as in `https://name:password@host/`. */
function withoutUser(address: string): string {
  const start = address.indexOf('//')
  if (start === -1 || !address.includes('@', start)) return address
  const slash = address.slice(start + 2).search(/[/\\]/)
  const authorityEnd = slash === -1 ? address.length : start + 2 + slash
  const at = address.lastIndexOf('@', authorityEnd - 1)
  return at < start ? address : address.slice(0, start + 2) + address.slice(at + 1)
}

/** The characters that end a page address within other text. */
const endOfAddress = /[\s"'<>`\\]/g

/** Removes the secrets of all addresses in a text. */
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

/** Schemes of code or embedded content, which name no location. */
const nonLocationSchemes = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'about:', 'view-source:'])

/** No host name is longer, in any network. */
const longestHost = 260

function parseLocationUrl(text: string): URL | undefined {
  const url = text.includes('://') ? URL.parse(text) : null
  const isPlace =
    url && url.host !== '' && url.host.length <= longestHost && !nonLocationSchemes.has(url.protocol)
  return isPlace ? url : undefined
}

/**
 * Parses the address of a page; undefined if the text is not one. Pages are viewed again and again, also with the query
 * of a campaign, so they are cached: those with a query apart and when they come again, because most queries never do.
 * The cache is in memory only; queries may contain secrets.
 */
export function parsePageUrl(text: string, hashRouting: boolean): PageAddress | undefined {
  if (hashRouting && text.includes('#')) return parsePageUrlUncached(text, true)
  return (/[?#@]/.test(text) ? parsePageWithQuery(text) : parsePageWithoutQuery(text)).page
}

const parsePage = (text: string) => ({ page: parsePageUrlUncached(text, false) })
const parsePageWithoutQuery = memoize(10_000, parsePage)
const parsePageWithQuery = memoizeRepeated(2000, parsePage)

function parsePageUrlUncached(text: string, hashRouting: boolean): PageAddress | undefined {
  const url = parseLocationUrl(text)
  if (!url) return undefined
  const fragment = hashRouting ? cleanFragment(url.hash) : ''
  const query = cleanQuery(url.search)
  return {
    text: truncate(`${url.protocol}//${url.host}${url.pathname}${query}${fragment}`, longestAddress),
    host: url.host,
    path: truncate(url.pathname + fragment, longestAddress),
    query: url.search === '' ? undefined : url.searchParams,
  }
}

interface ExternalPage {
  text: string
  host: string
  path: string
}

/** Parses the address of a page on another site. Its query is dropped, because it was meant for that site. */
export const parseExternalUrl = (text: string): ExternalPage | undefined =>
  /[?#@]/.test(text) ? parseExternalUrlUncached(text) : parseExternalUrlCached(text).place

const parseExternalUrlCached = memoize(10_000, (text) => ({ place: parseExternalUrlUncached(text) }))

function parseExternalUrlUncached(text: string): ExternalPage | undefined {
  const url = parseLocationUrl(text)
  return (
    url && {
      text: truncate(`${url.protocol}//${url.host}${url.pathname}`, longestAddress),
      host: url.host,
      path: url.pathname,
    }
  )
}
