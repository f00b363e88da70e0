import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { jsonResponse, corsHeaders } from '../../internal/responses'
import type { WireResponse, WireRequest } from '../../dialect'
import { encoders, type Encoding, chooseEncoding } from '../../encodings'

/** The scripts that browsers load, by their names in posthog-js's own package. The toolbar is not among them. */
export const posthogScriptNames = [
  'array.js',
  'array.full.js',
  'array.full.es5.js',
  'array.no-external.js',
  'array.full.no-external.js',
  'conversations.js',
  'crisp-chat-integration.js',
  'dead-clicks-autocapture.js',
  'element-inference.js',
  'exception-autocapture.js',
  'external-scripts-loader.js',
  'intercom-integration.js',
  'lazy-recorder.js',
  'logs.js',
  'posthog-recorder.js',
  'product-tours.js',
  'product-tours-preview.js',
  'recorder.js',
  'recorder-v2.js',
  'surveys.js',
  'surveys-preview.js',
  'tracing-headers.js',
  'web-vitals.js',
  'web-vitals-soft-navs.js',
  'web-vitals-with-attribution.js',
  'web-vitals-with-attribution-soft-navs.js',
] as const
type PosthogScriptName = (typeof posthogScriptNames)[number]

export interface PosthogScripts {
  respond: (request: WireRequest) => Promise<WireResponse>
  /** Responds with the SDK, preceded by a text that it reads at its start. */
  respondWithPrefix: (beginning: string, request: WireRequest) => Promise<WireResponse>
}

/** Serves posthog-js's scripts from its package. Reads each on its first request, and compresses it once. */
export function createPosthogScripts(): PosthogScripts {
  const { folder, version } = findPackage()
  const packed = new Map<string, Promise<Uint8Array>>()

  function body(name: PosthogScriptName, encoding: Encoding, beginning = ''): Promise<Uint8Array> {
    const key = `${encoding} ${name} ${beginning}`
    const known = packed.get(key)
    if (known) return known
    const text = beginning + readFileSync(join(folder, 'dist', name), 'utf8')
    const made = encoders[encoding](Buffer.from(text))
    packed.set(key, made)
    return made
  }

  return {
    async respond(request) {
      const asked = request.parts['version']
      const name = scriptNameOf(request)
      if (!name || !isVersion(asked)) return notFoundResponse
      const headers = headersOf(version, asked ?? request.query.get('v') ?? '')
      if (request.headers['if-none-match'] === headers.etag) return { status: 304, headers }
      const encoding = chooseEncoding(request.headers['accept-encoding'])
      return scriptResponse(await body(name, encoding), headers, encoding)
    },

    async respondWithPrefix(beginning, request) {
      const encoding = chooseEncoding(request.headers['accept-encoding'])
      return scriptResponse(await body('array.js', encoding, beginning), briefCacheHeaders, encoding)
    },
  }
}

const scriptResponse = (
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
  encoding: Encoding,
): WireResponse => ({
  status: 200,
  headers: { ...headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) },
  body,
})

const isVersion = (asked: string | undefined): boolean =>
  asked === undefined || /^\d+(?:\.\d+){0,2}(?:-[\w.]+)?$/.test(asked)

/** The build copies the scripts beside the programs; tests read those of the installed package. */
function findPackage(): { folder: string; version: string } {
  const copied = fileURLToPath(new URL('posthog-js/package.json', import.meta.url))
  const description = existsSync(copied)
    ? copied
    : createRequire(import.meta.url).resolve('posthog-js/package.json')
  const { version }: { version: string } = JSON.parse(readFileSync(description, 'utf8'))
  return { folder: dirname(description), version }
}

function scriptNameOf({ path, parts }: WireRequest): PosthogScriptName | undefined {
  const wanted = parts['file'] ?? path.slice(path.lastIndexOf('/') + 1)
  return posthogScriptNames.find((name) => name === wanted)
}

const scriptHeaders = {
  ...corsHeaders,
  'content-type': 'application/javascript; charset=utf-8',
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
} as const

/** A change of settings reaches visitors within a minute, and ten pages read in that minute send one request. */
export const briefCacheHeaders = { ...scriptHeaders, 'cache-control': 'public, max-age=60' } as const

/**
 * Caches a script permanently if the SDK requests it by the bundled version. Other versions get the bundled script, for
 * a day.
 */
const headersOf = (ours: string, asked: string) => ({
  ...scriptHeaders,
  'cache-control': asked === ours ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
  etag: `W/"${ours}"`,
})

const notFoundResponse = jsonResponse(404, {
  type: 'invalid_request',
  code: 'not_found',
  detail: 'posthog-js has no such script.',
  attr: null,
})
