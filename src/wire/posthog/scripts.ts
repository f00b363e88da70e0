import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { json, openToAll } from '../answers'
import type { WireAnswer, WireRequest } from '../dialect'
import { encoded, type Encoding, encodingFor } from '../encodings'

/** The scripts that browsers load, by their names in posthog-js's own package. The toolbar is not among them. */
export const scriptNames = [
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
export type ScriptName = (typeof scriptNames)[number]

export interface Scripts {
  answer: (request: WireRequest) => Promise<WireAnswer>
  /** The SDK with something for it to find when it starts. */
  answerAfter: (beginning: string, request: WireRequest) => Promise<WireAnswer>
}

/** posthog-js's scripts as the package brings them: read when first asked for, and compressed once. */
export function openScripts(): Scripts {
  const { folder, version } = installed()
  const packed = new Map<string, Promise<Uint8Array>>()

  function body(name: ScriptName, encoding: Encoding, beginning = ''): Promise<Uint8Array> {
    const key = `${encoding} ${name} ${beginning}`
    const known = packed.get(key)
    if (known) return known
    const text = beginning + readFileSync(join(folder, 'dist', name), 'utf8')
    const made = encoded[encoding](Buffer.from(text))
    packed.set(key, made)
    return made
  }

  return {
    async answer(request) {
      const asked = request.parts['version']
      const name = nameOf(request)
      if (!name || !isVersion(asked)) return missing
      const headers = headersOf(version, asked ?? request.query.get('v') ?? '')
      if (request.headers['if-none-match'] === headers.etag) return { status: 304, headers }
      const encoding = encodingFor(request.headers['accept-encoding'])
      return script(await body(name, encoding), headers, encoding)
    },

    async answerAfter(beginning, request) {
      const encoding = encodingFor(request.headers['accept-encoding'])
      return script(await body('array.js', encoding, beginning), briefly, encoding)
    },
  }
}

const script = (
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
  encoding: Encoding,
): WireAnswer => ({
  status: 200,
  headers: { ...headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) },
  body,
})

const isVersion = (asked: string | undefined): boolean =>
  asked === undefined || /^\d+(?:\.\d+){0,2}(?:-[\w.]+)?$/.test(asked)

function installed(): { folder: string; version: string } {
  const description = createRequire(import.meta.url).resolve('posthog-js/package.json')
  const { version }: { version: string } = JSON.parse(readFileSync(description, 'utf8'))
  return { folder: dirname(description), version }
}

function nameOf({ path, parts }: WireRequest): ScriptName | undefined {
  const wanted = parts['file'] ?? path.slice(path.lastIndexOf('/') + 1)
  return scriptNames.find((name) => name === wanted)
}

const always = {
  ...openToAll,
  'content-type': 'application/javascript; charset=utf-8',
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
} as const

/** A change of settings reaches visitors within a minute, and ten pages read in that minute ask once. */
export const briefly = { ...always, 'cache-control': 'public, max-age=60' } as const

/** What an SDK asks for by our own version never changes; by another, it gets what is here until we bring that one. */
const headersOf = (ours: string, asked: string) => ({
  ...always,
  'cache-control': asked === ours ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
  etag: `W/"${ours}"`,
})

const missing = json(404, {
  type: 'invalid_request',
  code: 'not_found',
  detail: 'posthog-js has no such script.',
  attr: null,
})
