import { hash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { cutAtSlot } from '../visits/slot'
import { keepHeader, missedHeader, usesHeader } from '../visits/visit'
import { addBrotli, packSlotted, packWhole, type PackedPage } from './packed-page'
import type { Answered } from './pass-on'
import { keptPagePolicy, securityHeaders } from './security-headers'

const unzip = promisify(gunzip)

/** A page in memory that is the same for everybody who gets it, but for what its slot says. */
export interface KeptPage {
  status: number
  /** Of what is the same for everybody. */
  stem: string
  headers: OutgoingHttpHeaders
  body: PackedPage
  isDocument: boolean
  title: string
  /** The decisions it shows: visits that agree in them get this page. */
  uses: readonly string[]
  /** For how long others may be shown it; 0 where it is for one visit alone. */
  keepSeconds: number
}

/** What a page takes up in memory, near enough: plain, and what it is packed to. */
export const sizeOf = ({ body, uses }: KeptPage): number => {
  const plain = body.kind === 'whole' ? body.plain.length : body.before.length + body.after.length
  return 2 * plain + 64 * uses.length + 1024
}

const usuallyKeptSeconds = 3600

/** Of what Next said with a page, what is about the page and not about how Next came by it. */
const worthKeeping = [
  'access-control-allow-origin',
  'content-disposition',
  'content-language',
  'content-type',
  'last-modified',
  'link',
  'location',
  'x-robots-tag',
  'x-tilth-product',
]

export async function keep(answer: Answered): Promise<KeptPage> {
  const { headers, trailers } = answer
  const said = (name: string): string | undefined => {
    const text = trailers[name] ?? headers[name]
    return Array.isArray(text) ? text.join() : text
  }
  const uses = (said(usesHeader) ?? '').split(',').filter(Boolean).map(decodeURIComponent)
  const body = headers['content-encoding'] === 'gzip' ? await unzip(answer.body) : answer.body
  const type = headers['content-type'] ?? ''
  const kept = type.startsWith('text/html') ? await document(body) : await file(body, type)
  const about = Object.fromEntries(
    worthKeeping.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
  return {
    status: said(missedHeader) === 'yes' ? 404 : answer.status,
    stem: hash('sha256', kept.text, 'base64url').slice(0, 22),
    ...kept.page,
    headers: { ...securityHeaders, ...about, ...howToKeep(kept.page, headers, uses), ...kept.headers },
    uses,
    keepSeconds: 'set-cookie' in headers ? 0 : secondsOf(said(keepHeader)),
  }
}

const secondsOf = (said: string | undefined): number =>
  said === undefined ? usuallyKeptSeconds : said === 'no' ? 0 : Math.max(0, Number(said) || 0)

interface Packed {
  /** What it is known again by. */
  text: string | Buffer
  page: Pick<KeptPage, 'body' | 'isDocument' | 'title'>
  headers: OutgoingHttpHeaders
}

async function document(body: Buffer): Promise<Packed> {
  const asRendered = String(body)
  const html = isLight(asRendered) ? stripScripts(asRendered) : asRendered
  const parts = cutAtSlot(html)
  const policy = keptPagePolicy({
    styles: inline(html, 'style'),
    scripts: inline(html, 'script'),
    frames: framesIn(html),
  })
  const packed = parts
    ? await packSlotted(Buffer.from(parts[0]), Buffer.from(parts[1]))
    : await packWhole(Buffer.from(html), true)
  return {
    text: html,
    page: { body: packed, isDocument: true, title: titleIn(html) },
    headers: { 'content-security-policy': policy },
  }
}

const packable = /^(?:text\/|image\/svg|application\/(?:[\w.+-]*(?:json|xml)|javascript))/

async function file(body: Buffer, type: string): Promise<Packed> {
  const page = await packWhole(body, packable.test(type))
  return {
    text: body,
    page: { body: page, isDocument: false, title: '' },
    headers: { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" },
  }
}

/** Packs it as well as it goes, once it is clear that others will ask for it. */
export const packBetter = ({ body }: KeptPage): Promise<void> => addBrotli(body)

/**
 * Browsers must ask each time, since the next visitor on the same line may get another variant; the tag makes that cheap.
 * A file may say itself that it stays as it is.
 */
function howToKeep(
  { isDocument, body }: Packed['page'],
  { 'cache-control': said = '' }: Answered['headers'],
  uses: readonly string[],
): OutgoingHttpHeaders {
  const isOneVisitors = uses.length > 0 || body.kind === 'slotted'
  const isLasting = !isDocument && /(?:^|[\s,])max-age=[1-9]/.test(said)
  return {
    'cache-control': isLasting ? said : isOneVisitors ? 'private, no-cache' : 'no-cache',
    vary: 'accept, accept-encoding, rsc',
  }
}

/** The layout's promise that nothing on the page needs a script, unless parts of it still wait for one to put them in place. */
const isLight = (html: string) =>
  /<html\b[^>]*\sdata-weight="static"/.test(html) && !html.includes('<template id="B:')

// These patterns read only what React has written: it escapes `<` in text and `"` in attributes.
const scripts = /<script\b([^>]*)>[^]*?<\/script>/g
const links = /<link\b[^>]*>/g
const title = /<title\b[^>]*>([^<]*)<\/title>/

/**
 * Takes the framework out of a page that does without: its scripts, the data they would have started from, and the
 * hints to fetch them early. What is not its own stays: structured data for search engines, and other scripts of ours.
 */
export function stripScripts(html: string): string {
  return html
    .replaceAll(scripts, (script, attributes: string) => (isFrameworks(attributes) ? '' : script))
    .replaceAll(links, (link) => (isNeedlessHint(link) ? '' : link))
}

function isFrameworks(attributes: string): boolean {
  const source = /\ssrc="([^"]*)"/.exec(attributes)?.[1]
  return source === undefined ? !isData(attributes) : source.startsWith('/_next/')
}

const isData = (attributes: string) => /\stype="application\/(?:ld\+)?json"/.test(attributes)

/** Next names the style sheets of its error pages as well; the page's own are there without a hint. */
const isNeedlessHint = (link: string) =>
  /\srel="(?:preload|modulepreload)"/.test(link) &&
  /\sas="(?:script|style)"|modulepreload/.test(link) &&
  !/\shref="\/_tilth\//.test(link)

/** What stands between the tags of one kind. */
const inline = (html: string, tag: 'script' | 'style') =>
  Array.from(html.matchAll(new RegExp(`<${tag}\\b([^>]*)>([^]*?)</${tag}>`, 'g')))
    .filter(([, attributes = '']) => !/\ssrc=/.test(attributes) && !isData(attributes))
    .map(([, , content = '']) => content)

/** Of what is loaded into a frame once somebody asks for it. */
const framesIn = (html: string): string[] => {
  const named = Array.from(
    html.matchAll(/\sdata-embed="([^"]*)"/g),
    ([, to = '']) => URL.parse(to)?.origin ?? '',
  )
  return [...new Set(named)]
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" }

const titleIn = (html: string): string =>
  (title.exec(html)?.[1] ?? '').replaceAll(/&([#\w]+);/g, (entity, name: string) => entities[name] ?? entity)
