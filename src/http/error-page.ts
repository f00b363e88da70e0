import type { IncomingMessage, ServerResponse } from 'node:http'
import { isReserved } from '#projects/slug'
import { sectionAddress, studioSections } from '#ui/page/sections'
import { fallbackFor, frontPage, type StatusPageLink } from '#ui/page/status-titles'
import statusPageStyle from '#ui/status-page.css' with { type: 'text' }
import tokens from '#ui/tokens.css' with { type: 'text' }
import { cachedPagePolicy, securityHeaders } from './security-headers'

/** An error response: rendered as a page for people, as JSON for programs. */
export interface ErrorPage {
  status: number
  title: string
  advice: string
  /** The language of the texts; English if absent. */
  language?: string
  /** The time until a retry; a browser does so by itself. */
  retryAfterSeconds?: number
  headers?: Record<string, string>
  /** Whether the same address may be asked again by hand. */
  canBeRetried?: boolean
  /** The label of a button that submits the page's fields to the same address. */
  submitLabel?: string
  /** The fields that the button submits. */
  fields?: readonly ErrorPageField[]
}

/** A field without a label is hidden. */
export interface ErrorPageField {
  name: string
  value: string
  label?: string | undefined
  /** The error of the field. */
  error?: string | undefined
  /** Whether it has several lines. */
  isLong?: boolean | undefined
}

const retrySoonResponse = { status: 503, retryAfterSeconds: 2 }
const meanwhileAdvice = 'Events and flags keep working.'

/** Why no page can be shown at the moment, by the state of the pages process. */
export const unavailablePages = {
  starting: {
    ...retrySoonResponse,
    title: 'The pages are starting',
    advice: `The page reloads automatically in a few seconds. ${meanwhileAdvice}`,
  },
  restarting: {
    ...retrySoonResponse,
    title: 'The pages are restarting',
    advice: `They stopped responding and are being restarted. The page reloads automatically. ${meanwhileAdvice}`,
  },
  stopped: {
    ...retrySoonResponse,
    title: 'The pages have stopped',
    advice: `Tilth is shutting down, or its pages cannot start. See the log. ${meanwhileAdvice}`,
  },
  busy: {
    ...retrySoonResponse,
    title: 'Too many page requests',
    advice: `This page reloads in a moment. ${meanwhileAdvice}`,
  },
  lost: {
    ...retrySoonResponse,
    title: 'This page could not be loaded',
    advice: `The pages stopped while preparing it. It reloads automatically. ${meanwhileAdvice}`,
  },
  store: {
    ...retrySoonResponse,
    title: 'The store does not answer',
    advice: 'The page reloads automatically until it does. Flags keep working.',
  },
  late: {
    status: 504,
    title: 'This page takes too long',
    advice: `There was no response within ten seconds. Try again, or choose a shorter date range. ${meanwhileAdvice}`,
    canBeRetried: true,
  },
  failed: { status: 500, ...fallbackFor(500), canBeRetried: true },
} satisfies Record<string, ErrorPage>

export type UnavailableReason = keyof typeof unavailablePages

/** The page after a form or an action that the pages could not read. */
export const unreadableForm: ErrorPage = {
  status: 400,
  title: fallbackFor(400).title,
  advice:
    'The form arrived incomplete or in a format that cannot be read. Go back, reload the page and send it again.',
}

/** Pages for refusals by the front. For statuses that Next uses too, the texts are the same. */
export const refusedPages = {
  400: { status: 400, ...fallbackFor(400) },
  404: { status: 404, ...fallbackFor(404) },
  405: { status: 405, ...fallbackFor(405), headers: { allow: 'GET, HEAD' } },
  413: {
    status: 413,
    title: 'Content Too Large',
    advice: 'The request is larger than this URL accepts. Send less at once.',
  },
  421: {
    status: 421,
    title: 'Misdirected Request',
    advice: 'Tilth does not serve this hostname. Add it to TILTH_URL to allow it.',
  },
  429: {
    status: 429,
    title: 'Too Many Requests',
    advice: 'Too many requests in a short time. Wait a moment, then try again.',
  },
  431: {
    status: 431,
    title: 'Request Header Fields Too Large',
    advice: 'The request headers are too large. Clear the cookies of this site, then try again.',
  },
  500: { status: 500, ...fallbackFor(500) },
  503: {
    status: 503,
    title: 'Service Unavailable',
    advice: 'Tilth cannot respond at the moment. Try again shortly.',
    retryAfterSeconds: 5,
  },
} satisfies Record<number, ErrorPage>

/** Answers a request with an error page, or with JSON if the client accepts only that. */
export function answerRefused(request: IncomingMessage, response: ServerResponse, page: ErrorPage) {
  const draws = !accepts(request, 'application/json') || accepts(request, 'text/html')
  sendRendered(request, response, page, draws ? asHtml(page, request.url) : asProblemJson(page))
}

/** Answers any request while the pages process is down: as a page for people, as JSON for scripts. */
export function answerUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  reason: UnavailableReason,
) {
  const page: ErrorPage = unavailablePages[reason]
  const draws = isReading(request) && accepts(request, 'text/html')
  sendRendered(request, response, page, draws ? asHtml(page, request.url) : asProblemJson(page))
}

const accepts = (request: IncomingMessage, type: string) => request.headers.accept?.includes(type) ?? false

const isReading = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

interface RenderedError {
  content: string
  headers: Record<string, string>
}

function sendRendered(
  request: IncomingMessage,
  response: ServerResponse,
  page: ErrorPage,
  body: RenderedError,
) {
  if (response.headersSent) {
    response.destroy()
    return
  }

  response.writeHead(page.status, {
    ...securityHeaders,
    ...body.headers,
    ...page.headers,
    ...(page.retryAfterSeconds && { 'retry-after': String(page.retryAfterSeconds) }),
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body.content),
  })
  response.end(request.method === 'HEAD' ? undefined : body.content)
}

/** RFC 9457, a format that programs know. */
const asProblemJson = ({ status, title, advice }: ErrorPage): RenderedError => ({
  content: JSON.stringify({ title, status, detail: advice }),
  headers: { 'content-type': 'application/problem+json', 'content-security-policy': "default-src 'none'" },
})

const asHtml = (page: ErrorPage, address: string | undefined): RenderedError => ({
  content: renderHtml(page, address),
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentPolicy },
})

/** Renders the same page as ui/page/StatusPage.tsx without any linked file: those might be unavailable too. */
function renderHtml(page: ErrorPage, address: string | undefined): string {
  const { status, title, advice, language = 'en', retryAfterSeconds, submitLabel, fields } = page
  const home = homeOf(address)
  const links = page.canBeRetried ? [retryLink, home] : [home]
  // while a page is late, the other rooms of its project may answer
  const slug = page.canBeRetried && slugIn(address)
  return `<!doctype html>
<html lang="${asText(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${retryAfterSeconds ? `<meta http-equiv="refresh" content="${retryAfterSeconds}">` : ''}
<link rel="icon" href="data:,">
<title>${asText(title)}</title>
<style>${style}</style>
</head>
<body>
${slug ? sectionsHtml(slug) : ''}<main class="status-page">
<div class="status-page-words">
${status < 400 ? '' : `<p class="status-page-code">${status}</p>`}
<h1>${asText(title)}</h1>
<p class="status-page-advice">${asText(advice)}</p>
${retryAfterSeconds ? waitingIndicator : submitLabel ? formHtml(submitLabel, fields) : linksHtml(links)}
</div>
</main>
</body>
</html>
`
}

const asText = (words: string) => words.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const waitingIndicator =
  '<div class="status-page-waiting" role="progressbar" aria-label="Waiting to reload"></div>'

/** An empty address is that of the page itself. */
const retryLink: StatusPageLink = { address: '', label: 'Try again' }

const studio: StatusPageLink = { address: '/studio', label: 'Go to the studio' }

/** The project that an address of the studio is about. */
function slugIn(address = ''): string | undefined {
  const slug = /^\/studio\/([\w-]+)(?:[/?]|$)/.exec(address)?.[1]
  return slug === undefined || isReserved(slug) ? undefined : slug
}

const sectionsHtml = (slug: string): string =>
  `<nav class="status-page-rooms" aria-label="Rooms">${Object.values(studioSections)
    .map((section) => `<a href="${sectionAddress(slug, section)}">${section.label}</a>`)
    .join('')}</nav>\n`

const homeOf = (address = ''): StatusPageLink => (/^\/studio(?:[/?]|$)/.test(address) ? studio : frontPage)

const linksHtml = (links: readonly StatusPageLink[]) =>
  `<p class="status-page-ways">${links.map(({ address, label }) => `<a href="${address}">${label}</a>`).join('')}</p>`

const formHtml = (label: string, fields: readonly ErrorPageField[] = []) =>
  `<form method="post" class="status-page-ways">${fields.map(field).join('')}<button>${asText(label)}</button></form>`

function field({ name, value, label, error, isLong }: ErrorPageField): string {
  const attributes = `name="${asText(name)}" value="${asText(value)}"`
  // the error of a hidden field is shown too
  const alert = error === undefined ? '' : `<p role="alert">${asText(error)}</p>`
  if (label === undefined) return `<input type="hidden" ${attributes}>${alert}`
  const state = alert && ' aria-invalid="true"'
  // browsers drop the first line break
  const area = `<textarea name="${asText(name)}" rows="6"${state}>\n${asText(value)}</textarea>`
  return `<p><label>${asText(label)}<br>${isLong ? area : `<input ${attributes}${state}>`}</label></p>${alert}`
}

const pageStyle =
  'body{margin:0;background:var(--color-canvas);color:var(--color-ink);font-family:var(--font-sans);' +
  '-webkit-font-smoothing:antialiased}'

const style = [
  `:root{color-scheme:light dark;${tokensUsedBy(pageStyle + statusPageStyle)}}`,
  pageStyle,
  statusPageStyle,
].join('\n')

const contentPolicy = cachedPagePolicy({ styles: [style] })

/** The design tokens that a style uses, with the values of the whole interface. */
function tokensUsedBy(css: string): string {
  const used = new Set(Array.from(css.matchAll(/var\((--[\w-]+)\)/g), ([, name]) => name))
  return Array.from(tokens.matchAll(/^ {2}(--[\w-]+):([^;]+);/gm))
    .filter(([, name]) => used.has(name))
    .map(([, name, value]) => `${name}:${value?.replaceAll(/\s+/g, ' ').trim()}`)
    .join(';')
}
