import { hash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { splitAtSlot } from '#visits/slot'
import { contentHeader, keepHeader, missedHeader, readContent, usesHeader } from '#visits/visit'
import { joinKitParts } from './kit-parts'
import { addBrotli, compressSlotted, compressWhole, type CompressedPage } from './compressed-page'
import type { RenderResponse } from '#http/forward'
import { cachedPagePolicy, securityHeaders } from '#http/security-headers'

const unzip = promisify(gunzip)

/** A rendered page in memory. It is the same for all visitors who get it, except for the content of its slot. */
export interface CachedPage {
  status: number
  /** The stem of the entity tag, from the shared part. */
  stem: string
  headers: OutgoingHttpHeaders
  body: CompressedPage
  isDocument: boolean
  title: string
  /** The decisions it shows: visits that agree in them get this page. */
  uses: readonly string[]
  /** The parts of the content that it shows, with their fingerprints; undefined if it did not name them. */
  content: ReadonlyMap<string, string> | undefined
  /** The time for which it may be shared; 0 for the page of a single visit. */
  keepSeconds: number
}

/** The approximate size in memory: plain and compressed. */
export const sizeOf = ({ body, uses, content }: CachedPage): number => {
  const plain = body.kind === 'whole' ? body.plain.length : body.before.length + body.after.length
  return 2 * plain + 64 * uses.length + 128 * (content?.size ?? 0) + 1024
}

const usualKeepSeconds = 3600

/** Next's response headers that describe the page, without those about the rendering. */
const cachedHeaders = [
  'access-control-allow-origin',
  'content-disposition',
  'content-language',
  'content-type',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'x-robots-tag',
  'x-tilth-product',
]

/** `nonce` was sent to the pages process for this rendering only. */
export async function toCachedPage(answer: RenderResponse, nonce: string): Promise<CachedPage> {
  const { headers, trailers } = answer
  const headerOf = (name: string): string | undefined => {
    const text = trailers[name] ?? headers[name]
    return Array.isArray(text) ? text.join() : text
  }
  const uses = (headerOf(usesHeader) ?? '').split(',').filter(Boolean).map(decodeURIComponent)
  const body = headers['content-encoding'] === 'gzip' ? await unzip(answer.body) : answer.body
  const type = headers['content-type'] ?? ''
  const prepared = type.startsWith('text/html')
    ? await prepareDocument(body, nonce)
    : await prepareFile(body, type)
  const about = Object.fromEntries(
    cachedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
  return {
    status: headerOf(missedHeader) === 'yes' ? 404 : answer.status,
    stem: hash('sha256', prepared.text, 'base64url').slice(0, 22),
    ...prepared.page,
    headers: {
      ...securityHeaders,
      ...about,
      ...cachingHeaders(prepared.page, headers, uses),
      ...prepared.headers,
    },
    uses,
    content: readContent(headerOf(contentHeader)),
    keepSeconds: 'set-cookie' in headers ? 0 : parseSeconds(headerOf(keepHeader)),
  }
}

const parseSeconds = (text: string | undefined): number =>
  text === undefined ? usualKeepSeconds : text === 'no' ? 0 : Math.max(0, Number(text) || 0)

interface PreparedBody {
  /** The entity tag. */
  text: string | Buffer
  page: Pick<CachedPage, 'body' | 'isDocument' | 'title'>
  headers: OutgoingHttpHeaders
}

async function prepareDocument(body: Buffer, nonce: string): Promise<PreparedBody> {
  const rendered = withoutNonce(String(body), nonce)
  const isWithout = needsNoScripts(rendered.html)
  const html = joinKitParts(isWithout ? stripFramework(rendered.html) : rendered.html)
  const parts = splitAtSlot(html)
  const policy = cachedPagePolicy({
    styles: inline(html, 'style').map(({ content }) => content),
    scripts: isWithout ? [] : rendered.scripts,
    frames: framesIn(html),
    allowsStyleAttributes: hasSiteFolder(html),
  })
  const packed = parts
    ? await compressSlotted(Buffer.from(parts[0]), Buffer.from(parts[1]))
    : await compressWhole(Buffer.from(html), true)
  return {
    text: html,
    page: { body: packed, isDocument: true, title: titleIn(html) },
    headers: { 'content-security-policy': policy },
  }
}

const compressibleType = /^(?:text\/|image\/svg|application\/(?:[\w.+-]*(?:json|xml)|javascript))/

async function prepareFile(body: Buffer, type: string): Promise<PreparedBody> {
  const page = await compressWhole(body, compressibleType.test(type))
  return {
    text: body,
    page: { body: page, isDocument: false, title: '' },
    headers: { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" },
  }
}

/** Compresses the page with brotli; called once it is clear that others request it. */
export const compressWithBrotli = ({ body }: CachedPage): Promise<void> => addBrotli(body)

/**
 * Browsers revalidate each time, because the next visitor behind a shared cache may get another variant; the entity tag
 * makes that cheap. A file keeps its own cache headers.
 */
function cachingHeaders(
  { isDocument, body }: PreparedBody['page'],
  { 'cache-control': cacheControl = '' }: RenderResponse['headers'],
  uses: readonly string[],
): OutgoingHttpHeaders {
  const isOneVisitors = uses.length > 0 || body.kind === 'slotted'
  const isLasting = !isDocument && /(?:^|[\s,])max-age=[1-9]/.test(cacheControl)
  return {
    'cache-control': isLasting ? cacheControl : isOneVisitors ? 'private, no-cache' : 'no-cache',
    vary: 'accept, accept-encoding, rsc',
  }
}

/** Whether the layout declares that the page needs no script, unless parts of it still wait for one. */
const needsNoScripts = (html: string) =>
  /<html\b[^>]*\sdata-weight="static"/.test(html) && !html.includes('<template id="B:')

// these patterns read only what React has written: it escapes `<` in text and `"` in attributes
const scripts = /<script\b([^>]*)>[^]*?<\/script>/g
const links = /<link\b[^>]*>/g
const textSeparators = /<!-- -->/g
const suspenseMarkers = /<!--\/?\$-->/g
const title = /<title\b[^>]*>([^<]*)<\/title>/

/**
 * Removes the framework from a page that does not need it: its scripts, their data, the preload hints, and the comments by
 * which React would find its place. Other scripts stay, for example structured data for search engines.
 */
export function stripFramework(html: string): string {
  const stripped = html
    .replaceAll(scripts, (script, attributes: string) => (isFrameworks(attributes) ? '' : script))
    .replaceAll(links, (link) => (isNeedlessHint(link) ? '' : link))
    .replaceAll(textSeparators, '')
  // islands are hydrated, and have separators of their own
  return stripped.includes('<tilth-island') ? stripped : stripped.replaceAll(suspenseMarkers, '')
}

function isFrameworks(attributes: string): boolean {
  const source = /\ssrc="([^"]*)"/.exec(attributes)?.[1]
  return source === undefined ? !isData(attributes) : source.startsWith('/_next/')
}

const isData = (attributes: string) => /\stype="application\/(?:ld\+)?json"/.test(attributes)

/** Next also preloads the style sheets of its error pages; those of the page are linked anyway, whether a hint came first or not. */
const isNeedlessHint = (link: string) =>
  /\srel="(?:preload|modulepreload)"/.test(link) &&
  (/\sas="style"/.test(link) ||
    (/\sas="script"|modulepreload/.test(link) && !/\shref="\/_tilth\//.test(link)))

/**
 * Removes the nonce of the rendering, which would be public, and returns the inline scripts that had it: those of the
 * renderer. Any other script has no nonce and may not run.
 */
function withoutNonce(html: string, nonce: string): { html: string; scripts: string[] } {
  const mark = ` nonce="${nonce}"`
  const without = (text: string): string => text.replaceAll(mark, '').replaceAll(nonce, '')
  const ofRenderer = inline(html, 'script')
    .filter(({ attributes }) => attributes.includes(mark))
    .map(({ content }) => without(content))
  return { html: without(html), scripts: ofRenderer }
}

/** The contents of all elements of a kind. */
const inline = (html: string, tag: 'script' | 'style') =>
  Array.from(
    html.matchAll(new RegExp(`<${tag}\\b([^>]*)>([^]*?)</${tag}>`, 'g')),
    ([, attributes = '', content = '']) => ({ attributes, content }),
  ).filter(({ attributes }) => !/\ssrc=/.test(attributes) && !isData(attributes))

/**
 * Components of a team set style attributes. All pages of one site agree in this, because they swap within one document.
 */
const hasSiteFolder = (html: string): boolean => /<html\b[^>]*\sdata-kit=/.test(html)

/** The addresses of embeds that load into a frame after a click. */
const framesIn = (html: string): string[] =>
  Array.from(html.matchAll(/\sdata-embed="([^"]*)"/g), ([, address = '']) => address)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" }

const titleIn = (html: string): string =>
  (title.exec(html)?.[1] ?? '').replaceAll(/&([#\w]+);/g, (entity, name: string) => entities[name] ?? entity)
