import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { WireAnswer, WireRequest } from '../dialect'
import { openToAll } from '../answers'

/** What our own site's script loads where a page has something for it. */
export const siteParts = ['part-embed', 'part-code', 'part-form'] as const

/** The scripts that pages load from us. */
export const scriptNames = [
  'tilth',
  'site',
  'site-posthog',
  ...siteParts,
  'vercel-insights',
  'vercel-speed',
  'plausible',
  'umami',
] as const
export type ScriptName = (typeof scriptNames)[number]

export interface Scripts {
  text(name: ScriptName): string
}

/** As the build left them in a folder; read when first asked for. */
export function scriptsIn(folder: string): Scripts {
  const known = new Map<ScriptName, string>()
  return {
    text(name) {
      const text = known.get(name) ?? readFileSync(join(folder, `${name}.js`), 'utf8')
      known.set(name, text)
      return text
    },
  }
}

const packings = {
  br: (text: string) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } }),
  gzip: (text: string) => gzipSync(text, { level: 9 }),
} as const
type Packing = keyof typeof packings

/** Packing takes longer than everything else about an answer, and the scripts are few. */
const packed = new LRUCache<string, Uint8Array>({ max: 100 })

/** A script for any site's pages: an hour in caches, then asked for again by its tag. */
export function scriptAnswer(text: string, { headers }: WireRequest): WireAnswer {
  const packing = packingFor(headers['accept-encoding'] ?? '')
  const etag = `"${digest(text)}${packing ? `-${packing}` : ''}"`
  const said = {
    ...openToAll,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    etag,
  }
  if (headers['if-none-match']?.includes(etag)) return { status: 304, headers: said }
  if (!packing) return { status: 200, headers: said, body: text }
  return { status: 200, headers: { ...said, 'content-encoding': packing }, body: pack(text, packing, etag) }
}

const packingFor = (accepted: string): Packing | undefined =>
  (['br', 'gzip'] as const).find((packing) =>
    new RegExp(`\\b${packing}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(accepted),
  )

function pack(text: string, packing: Packing, etag: string): Uint8Array {
  const known = packed.get(etag)
  if (known) return known
  const bytes = packings[packing](text)
  packed.set(etag, bytes)
  return bytes
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)
