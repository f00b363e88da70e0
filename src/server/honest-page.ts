import type { IncomingMessage, ServerResponse } from 'node:http'
import { fallbackFor, frontPage } from '../ui/status-titles'
import statusPageStyle from '../ui/status-page.css' with { type: 'text' }
import tokens from '../ui/tokens.css' with { type: 'text' }
import { keptPagePolicy, securityHeaders } from './security-headers'

/** What stands in for an answer: drawn for a person, spelled out for a program. */
export interface HonestPage {
  status: number
  title: string
  advice: string
  /** When to ask again; a browser then does so by itself. */
  retryAfterSeconds?: number
  headers?: Record<string, string>
  /** A button that sends the same address back: what it says is then done. */
  ask?: string
  /** What the button sends along. */
  fields?: readonly AskedField[]
}

/** Without a label it is sent along unseen. */
export interface AskedField {
  name: string
  value: string
  label?: string | undefined
  /** What is wrong with it. */
  mistake?: string | undefined
  /** It may have several lines. */
  isLong?: boolean | undefined
}

const retrySoon = { status: 503, retryAfterSeconds: 2 }
const meanwhile = 'Events are being collected and flags decided all the while.'

/** Why there is no page at the moment, told by what the pages process is doing. */
export const unavailablePages = {
  starting: {
    ...retrySoon,
    title: 'The pages are starting',
    advice: `This takes a few seconds, then the page you asked for appears by itself. ${meanwhile}`,
  },
  restarting: {
    ...retrySoon,
    title: 'The pages are starting again',
    advice: `They stopped answering and are being started again. The page you asked for appears by itself. ${meanwhile}`,
  },
  stopped: {
    ...retrySoon,
    title: 'The pages have stopped',
    advice: `Tilth is shutting down, or its pages cannot be started; its log says which. ${meanwhile}`,
  },
  busy: {
    ...retrySoon,
    title: 'Too many pages are being asked for',
    advice: `This page is asked for again in a moment. ${meanwhile}`,
  },
  lost: {
    ...retrySoon,
    title: 'This page was lost on its way',
    advice: `The pages stopped while they were preparing it. It is asked for again in a moment. ${meanwhile}`,
  },
  late: {
    status: 504,
    title: 'This page takes too long',
    advice: `It did not begin within ten seconds. Load it again, or ask for less at once. ${meanwhile}`,
  },
} satisfies Record<string, HonestPage>

export type Unavailable = keyof typeof unavailablePages

/** What the front refuses before a page is asked for. Where Next knows the status too, the words are the same. */
export const refusedPages = {
  400: { status: 400, ...fallbackFor(400) },
  404: { status: 404, ...fallbackFor(404) },
  405: { status: 405, ...fallbackFor(405), headers: { allow: 'GET, HEAD' } },
  413: {
    status: 413,
    title: 'Content Too Large',
    advice: 'What was sent is larger than this address accepts. Send less at once.',
  },
  421: {
    status: 421,
    title: 'Misdirected Request',
    advice: 'Tilth does not answer under this host name. Name it in TILTH_URL to allow it.',
  },
  429: {
    status: 429,
    title: 'Too Many Requests',
    advice: 'Too much was asked for in a short time. Wait a moment, then try again.',
  },
  431: {
    status: 431,
    title: 'Request Header Fields Too Large',
    advice:
      "The browser sent more than is accepted along with the address. Clearing this site's cookies helps.",
  },
  500: { status: 500, ...fallbackFor(500) },
  503: {
    status: 503,
    title: 'Service Unavailable',
    advice: 'Tilth cannot answer this at the moment. Try again in a little while.',
    retryAfterSeconds: 5,
  },
} satisfies Record<number, HonestPage>

/** For somebody who asked for a page: drawn, unless only JSON is understood. */
export function answerRefused(request: IncomingMessage, response: ServerResponse, page: HonestPage) {
  const draws = !accepts(request, 'application/json') || accepts(request, 'text/html')
  answer(request, response, page, draws ? drawn(page) : spelledOut(page))
}

/** For anybody while pages are away: drawn for a person who looks, spelled out for scripts and payload requests. */
export function answerUnavailable(request: IncomingMessage, response: ServerResponse, why: Unavailable) {
  const page: HonestPage = unavailablePages[why]
  const draws = isReading(request) && accepts(request, 'text/html')
  answer(request, response, page, draws ? drawn(page) : spelledOut(page))
}

const accepts = (request: IncomingMessage, type: string) => request.headers.accept?.includes(type) ?? false

const isReading = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

interface Body {
  content: string
  headers: Record<string, string>
}

function answer(request: IncomingMessage, response: ServerResponse, page: HonestPage, body: Body) {
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

/** As RFC 9457 has it, so that programs need not learn a form of ours. */
const spelledOut = ({ status, title, advice }: HonestPage): Body => ({
  content: JSON.stringify({ title, status, detail: advice }),
  headers: { 'content-type': 'application/problem+json', 'content-security-policy': "default-src 'none'" },
})

const drawn = (page: HonestPage): Body => ({
  content: draw(page),
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
})

/** The same page as ui/StatusPage.tsx, needing nothing but itself: whatever it linked to might be what is missing. */
function draw({ status, title, advice, retryAfterSeconds, ask, fields }: HonestPage): string {
  return `<!doctype html>
<html lang="en">
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
<main class="status-page">
<div class="status-page-words">
${status < 400 ? '' : `<p class="status-page-code">${status}</p>`}
<h1>${asText(title)}</h1>
<p class="status-page-advice">${asText(advice)}</p>
${retryAfterSeconds ? waiting : ask ? question(ask, fields) : wayOn}
</div>
</main>
</body>
</html>
`
}

const asText = (words: string) => words.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const waiting = '<div class="status-page-waiting" role="progressbar" aria-label="Waiting to ask again"></div>'
const wayOn = `<p class="status-page-ways"><a href="${frontPage.address}">${frontPage.label}</a></p>`

const question = (label: string, fields: readonly AskedField[] = []) =>
  `<form method="post" class="status-page-ways">${fields.map(field).join('')}<button>${asText(label)}</button></form>`

function field({ name, value, label, mistake, isLong }: AskedField): string {
  const said = `name="${asText(name)}" value="${asText(value)}"`
  // about something that cannot be seen, a mistake is told all the same
  const told = mistake === undefined ? '' : `<p role="alert">${asText(mistake)}</p>`
  if (label === undefined) return `<input type="hidden" ${said}>${told}`
  const state = told && ' aria-invalid="true"'
  // a browser takes the first line break away
  const area = `<textarea name="${asText(name)}" rows="6"${state}>\n${asText(value)}</textarea>`
  return `<p><label>${asText(label)}<br>${isLong ? area : `<input ${said}${state}>`}</label></p>${told}`
}

const ground =
  'body{margin:0;background:var(--color-canvas);color:var(--color-ink);font-family:var(--font-sans);' +
  '-webkit-font-smoothing:antialiased}'

const style = [
  `:root{color-scheme:light dark;${tokensUsedBy(ground + statusPageStyle)}}`,
  ground,
  statusPageStyle,
].join('\n')

const policy = keptPagePolicy({ styles: [style] })

/** The tokens a style asks for by name, with the values the whole interface has. */
function tokensUsedBy(css: string): string {
  const used = new Set(Array.from(css.matchAll(/var\((--[\w-]+)\)/g), ([, name]) => name))
  return Array.from(tokens.matchAll(/^ {2}(--[\w-]+):([^;]+);/gm))
    .filter(([, name]) => used.has(name))
    .map(([, name, value]) => `${name}:${value?.replaceAll(/\s+/g, ' ').trim()}`)
    .join(';')
}
