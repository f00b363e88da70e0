import { hash } from 'node:crypto'
import type { WireServices, ForcedFlags, WireResponse, WireRequest } from '../../dialect'
import { forcedFlagsToken, forcedFlagsCookie } from '../../forced-flags'

/**
 * The page that a preview link opens. It stores the link in a cookie of this site until the link expires, reports
 * that, and offers to end it.
 */
export function respondWithForcedFlagsPage(request: WireRequest, services: WireServices): WireResponse {
  const { query } = request
  if (query.has('end')) return page(200, endedText, cookie('', 0))
  const token = query.get('link') ?? forcedFlagsToken(request)
  const forced = token === null || token === undefined ? undefined : services.findForcedFlags(token)
  if (token === undefined || !forced) return page(404, invalidLinkText)
  const seconds = Math.ceil((forced.until.getTime() - request.receivedAt.getTime()) / 1000)
  return page(200, activeText(forced), cookie(token, seconds))
}

/** The cookie is limited to this site's addresses and hidden from scripts. */
const cookie = (token: string, seconds: number): string =>
  `${forcedFlagsCookie}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`

interface PageText {
  title: string
  body: string
}

const endedText: PageText = {
  title: 'This browser is as any other again',
  body: '<p>Flags are decided here as for every visitor. Close this page, or reload your site.</p>',
}

const invalidLinkText: PageText = {
  title: 'This link does not work',
  body: '<p>It is over, was cut short on its way, or is of another Tilth. Make a new one on the flag’s page.</p>',
}

const activeText = ({ values, until }: ForcedFlags): PageText => ({
  title: 'This browser tries flags out',
  body: `<dl>${Object.entries(values).map(flagLine).join('')}</dl>
<p>Until ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC, and in this browser alone. It works where your site
reaches Tilth through an address of its own: browsers send nothing of this to another one.</p>
<p><a href="?end">End it now</a></p>`,
})

const flagLine = ([flag, value]: [string, boolean | string]): string =>
  `<dt>${escapeHtml(flag)}</dt><dd>${typeof value === 'string' ? escapeHtml(value) : value ? 'on' : 'off'}</dd>`

const escapeHtml = (words: string) => words.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}' +
  'dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dt{font-family:monospace}dd{margin:0;font-weight:600}'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}

const page = (status: number, { title, body }: PageText, setCookie?: string): WireResponse => ({
  status,
  headers: { ...headers, ...(setCookie !== undefined && { 'set-cookie': setCookie }) },
  body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>
`,
})
