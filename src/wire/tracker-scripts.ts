import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { WireResponse, WireRequest } from './dialect'
import { corsHeaders } from './internal/responses'

/** Parts of our own site's script, loaded only if a page needs them. The small script loads those of surveys too. */
export const siteParts = [
  'part-embed',
  'part-code',
  'part-diagram',
  'part-form',
  'part-islands',
  'part-surveys',
  'part-survey-moments',
  'part-survey-widget',
  'part-survey-more',
  'part-survey-form',
] as const

/** The scripts that pages load from us. */
export const trackerScriptNames = [
  'tilth',
  'flags',
  'site',
  'site-posthog',
  'site-dev',
  'site-decide',
  'site-files',
  'diagram-frame',
  ...siteParts,
  'vercel-insights',
  'vercel-speed',
  'plausible',
  'umami',
] as const
export type TrackerScriptName = (typeof trackerScriptNames)[number]

export interface TrackerScripts {
  text(name: TrackerScriptName): string
}

/** Serves the built scripts of a folder. Reads each on its first request. */
export function createTrackerScripts(folder: string): TrackerScripts {
  const known = new Map<TrackerScriptName, string>()
  return {
    text(name) {
      const text = known.get(name) ?? readFileSync(join(folder, `${name}.js`), 'utf8')
      known.set(name, text)
      return text
    },
  }
}

const compressors = {
  br: (text: string) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } }),
  gzip: (text: string) => gzipSync(text, { level: 9 }),
} as const
type ScriptEncoding = keyof typeof compressors

/** Caches compressed scripts: compressing takes longer than the rest of a response, and the scripts are few. */
const compressedScripts = new LRUCache<string, Uint8Array>({ max: 100 })

const cachedForAnHour = 'public, max-age=3600, stale-while-revalidate=86400'
const cachedForGood = 'public, max-age=31536000, immutable'

/** The length of the digest by which `tracker/build.js` addresses a part. */
const addressDigestLength = 4

/**
 * Responds with a script for any site's pages: cached for an hour, then revalidated by its tag. A part that is requested by
 * its digest is cached for good.
 */
export function scriptResponse(text: string, { headers, query }: WireRequest): WireResponse {
  const encoding = chooseScriptEncoding(headers['accept-encoding'] ?? '')
  const textDigest = digest(text)
  const etag = `"${textDigest}${encoding ? `-${encoding}` : ''}"`
  const responseHeaders = {
    ...corsHeaders,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': query.has(textDigest.slice(0, addressDigestLength)) ? cachedForGood : cachedForAnHour,
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    etag,
  }
  if (headers['if-none-match']?.includes(etag)) return { status: 304, headers: responseHeaders }
  if (!encoding) return { status: 200, headers: responseHeaders, body: text }
  return {
    status: 200,
    headers: { ...responseHeaders, 'content-encoding': encoding },
    body: compress(text, encoding, etag),
  }
}

const chooseScriptEncoding = (accepted: string): ScriptEncoding | undefined =>
  (['br', 'gzip'] as const).find((packing) =>
    new RegExp(`\\b${packing}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(accepted),
  )

function compress(text: string, packing: ScriptEncoding, etag: string): Uint8Array {
  const known = compressedScripts.get(etag)
  if (known) return known
  const bytes = compressors[packing](text)
  compressedScripts.set(etag, bytes)
  return bytes
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)
