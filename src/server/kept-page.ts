import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { keptPagePolicy } from './security-headers'

const zip = promisify(gzip)
const unzip = promisify(gunzip)

/** A page in memory that is the same for everybody who gets it. */
export interface KeptPage {
  tag: string
  headers: OutgoingHttpHeaders
  html: Buffer
  zipped: Buffer
  freshForMs: number
}

/** What a page takes up in memory, near enough. */
export const sizeOf = ({ html, zipped }: KeptPage) => html.length + zipped.length + 1024

/** Pages say themselves that they may be kept: `s-maxage` speaks to shared caches only, and we are one. */
export const isPublic = ({ statusCode, headers }: IncomingMessage) =>
  statusCode === 200 &&
  !!headers['content-type']?.startsWith('text/html') &&
  secondsFresh(headers) > 0 &&
  !('set-cookie' in headers)

const secondsFresh = ({ 'cache-control': said = '' }: IncomingMessage['headers']) =>
  Number(/\bs-maxage=(\d+)/.exec(said)?.[1] ?? 0)

/** Browsers must ask each time, since the next visitor on the same line may get another variant; the tag makes that cheap. */
const askEachTime = { 'cache-control': 'no-cache', vary: 'accept-encoding, rsc' }

/** Of what Next said with a page, what is about the page and not about how Next came by it. */
const worthKeeping = ['content-type', 'x-tilth-product']

export async function keep(answer: IncomingMessage): Promise<KeptPage> {
  const body = await buffer(answer)
  const asRendered = String(answer.headers['content-encoding'] === 'gzip' ? await unzip(body) : body)
  const html = isLight(asRendered) ? stripScripts(asRendered) : asRendered
  const tag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
  const policy = keptPagePolicy({ styles: inline(html, 'style'), scripts: inline(html, 'script') })
  const said = worthKeeping.map((name) => [name, answer.headers[name]])

  return {
    tag,
    headers: { ...Object.fromEntries(said), ...askEachTime, 'content-security-policy': policy, etag: tag },
    html: Buffer.from(html),
    zipped: await zip(html),
    freshForMs: secondsFresh(answer.headers) * 1000,
  }
}

/** The layout's promise that nothing on the page needs a script, unless parts of it still wait for one to put them in place. */
const isLight = (html: string) =>
  /<html\b[^>]*\sdata-weight="static"/.test(html) && !html.includes('<template id="B:')

// Both patterns read only what React has written: it escapes `<` in text and `"` in attributes.
const scripts = /<script\b([^>]*)>[^]*?<\/script>/g
const links = /<link\b[^>]*>/g

/**
 * Takes the framework out of a page that does without: its scripts, the data they would have started from, and the
 * hints to fetch them early. What is not its own stays: structured data for search engines, and other scripts of ours.
 */
export function stripScripts(html: string): string {
  return html
    .replaceAll(scripts, (script, attributes: string) => (isFrameworks(attributes) ? '' : script))
    .replaceAll(links, (link) => (isScriptHint(link) ? '' : link))
}

function isFrameworks(attributes: string): boolean {
  const source = /\ssrc="([^"]*)"/.exec(attributes)?.[1]
  return source === undefined ? !isData(attributes) : source.startsWith('/_next/')
}

const isData = (attributes: string) => /\stype="application\/(?:ld\+)?json"/.test(attributes)

const isScriptHint = (link: string) =>
  /\srel="(?:preload|modulepreload)"/.test(link) && /\sas="script"|modulepreload/.test(link)

/** What stands between the tags of one kind. */
const inline = (html: string, tag: 'script' | 'style') =>
  Array.from(html.matchAll(new RegExp(`<${tag}\\b([^>]*)>([^]*?)</${tag}>`, 'g')))
    .filter(([, attributes = '']) => !/\ssrc=/.test(attributes) && !isData(attributes))
    .map(([, , content = '']) => content)
