import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { kitAssetsPath } from '#site-kit/kit-manifest'
import type { SourceExcerpt } from '#site-kit/source-excerpt'
import { chooseEncoding, encoders, type Encoding } from '#wire/encodings'
import { answerJson } from './json-response'
import { securityHeaders } from './security-headers'
import type { Exchange } from './trusted-request'

/** Scripts, styles, fonts and pictures that a build of the site folder has made. */
export interface KitFiles {
  has(path: string): boolean
  serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}
const compressible = new Set(['.js', '.css', '.svg'])
const mostCachedBytes = 20_000_000

export function openKitFiles(folder: string): KitFiles {
  const cached = new LRUCache<string, Uint8Array>({
    maxSize: mostCachedBytes,
    sizeCalculation: (bytes) => bytes.length + 1,
  })

  async function bodyOf(name: string, encoding: Encoding): Promise<Uint8Array> {
    const key = `${encoding} ${name}`
    const known = cached.get(key)
    if (known) return known
    const body = await encoders[encoding](readFileSync(join(folder, name)))
    cached.set(key, body)
    return body
  }

  return {
    has: (path) => {
      const name = nameIn(path)
      return name !== undefined && existsSync(join(folder, name))
    },
    async serve(path, { method, headers }, response) {
      const name = nameIn(path) ?? ''
      const kind = extname(name)
      const encoding = compressible.has(kind) ? chooseEncoding(headers['accept-encoding']) : 'identity'
      const body = await bodyOf(name, encoding)
      response.writeHead(200, {
        ...securityHeaders,
        'content-type': types[kind],
        // the name of a file changes with its content
        'cache-control': 'public, max-age=31536000, immutable',
        // a picture of the team may hold scripts, which run only where it is opened by itself
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        vary: 'accept-encoding',
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
        'content-length': body.length,
      })
      response.end(method === 'HEAD' ? undefined : body)
    },
  }
}

const kitChangesPath = '/_tilth/site-changes'
const kitSourcePath = '/_tilth/site-source'

/** Whether only a team at work on its site folder has the address. */
export const isKitWorkPath = (path: string): boolean => path === kitChangesPath || path === kitSourcePath

/** The site folder while a team is at work on it. */
export interface KitChanges {
  onChange: (listener: () => void) => () => void
  fingerprint: () => string
  /** The lines around a mistake. */
  excerptAt: (query: URLSearchParams) => Promise<SourceExcerpt | undefined>
}

/** Answers the script of pages that a team is at work on. */
export function answerKitWork(
  { request, response, trustedRequest: { path } }: Exchange,
  changes: KitChanges,
  streams: Set<() => void>,
): void | Promise<void> {
  return path === kitChangesPath
    ? streamKitChanges(changes, streams, request, response)
    : answerSourceExcerpt(changes, request, response)
}

/** Tells a browser of each change until it leaves, and at once where it shows an earlier state. */
function streamKitChanges(
  { onChange, fingerprint }: KitChanges,
  streams: Set<() => void>,
  { url = '' }: IncomingMessage,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(': open\n\n')
  // the pages process learns of the change at the same time
  const tell = (): unknown => setTimeout(() => response.write('data: changed\n\n'), pagesLearnMs)
  const stop = onChange(tell)
  if (queryOf(url).get('shown') !== fingerprint()) tell()
  const end = (): void => void response.end()
  streams.add(end)
  response.once('close', () => {
    stop()
    streams.delete(end)
  })
}

const pagesLearnMs = 100

const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.slice(url.indexOf('?') + 1))

async function answerSourceExcerpt(
  { excerptAt }: KitChanges,
  { url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const excerpt = await excerptAt(queryOf(url))
  answerJson(response, excerpt ? 200 : 404, excerpt ?? {})
}

/** The name of the file, which never leads to another folder. */
function nameIn(path: string): string | undefined {
  const name = path.startsWith(`${kitAssetsPath}/`) ? path.slice(kitAssetsPath.length + 1) : ''
  return /^[\w@-][\w@.-]*\.\w+$/.test(name) && extname(name) in types ? name : undefined
}
