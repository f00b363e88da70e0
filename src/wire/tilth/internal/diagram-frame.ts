import { hash } from 'node:crypto'
import { chooseEncoding, type Encoding, encoders } from '../../encodings'
import type { WireRequest, WireResponse, WireRoute } from '../../dialect'
import type { TrackerScripts } from '../../tracker-scripts'

const script = 'diagram-frame.js'

/**
 * The policy of the frame, which is a page without an origin: 'self' is the server that it came from. It stands in the
 * page as well, for servers of files.
 */
const policy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'"

const frame = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagrams</title>
<meta http-equiv="content-security-policy" content="${policy}"><script src="${script}"></script></head><body></body></html>
`

const frameHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  // opened by itself, it is no page of the site either
  'content-security-policy': `${policy}; sandbox allow-scripts; frame-ancestors 'self'`,
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/** The frame in which diagrams are drawn, and its script, which is Mermaid. */
export function diagramFrameRoutes(scripts: TrackerScripts): WireRoute[] {
  const packed = new Map<Encoding, Promise<Uint8Array>>()
  let etag: string | undefined

  /** Compressed once, beside the loop: three megabytes take a part of a second. */
  function packedScript(encoding: Encoding): Promise<Uint8Array> {
    const known = packed.get(encoding)
    if (known) return known
    const made = encoders[encoding](Buffer.from(scripts.text('diagram-frame')))
    packed.set(encoding, made)
    return made
  }

  async function respondWithScript({ headers }: WireRequest): Promise<WireResponse> {
    etag ??= `"${hash('sha256', scripts.text('diagram-frame'), 'base64url').slice(0, 16)}"`
    const encoding = chooseEncoding(headers['accept-encoding'])
    const responseHeaders = {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      etag,
    }
    if (headers['if-none-match'] === etag) return { status: 304, headers: responseHeaders }
    return {
      status: 200,
      headers: { ...responseHeaders, ...(encoding !== 'identity' && { 'content-encoding': encoding }) },
      body: await packedScript(encoding),
    }
  }

  return [
    {
      methods: ['GET'],
      path: '/_tilth/diagram-frame.html',
      respond: () => ({ status: 200, headers: frameHeaders, body: frame }),
    },
    { methods: ['GET'], path: `/_tilth/${script}`, respond: respondWithScript },
  ]
}
