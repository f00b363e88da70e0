import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { encoders, type Encoding, chooseEncoding } from '#wire/encodings'
import { securityHeaders } from './security-headers'

/**
 * Serves the scripts, styles and fonts of the pages from the front, so that they never wait for a page to be rendered.
 */
export interface BuiltFiles {
  has(path: string): boolean
  serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<void>
}

const builtFilesPath = '/_next/static'

const types: Record<string, string> = {
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Extensions of files that are compressed already. */
const alreadyCompressed = new Set(['.woff2'])

/** Reads and compresses each file on its first request and caches it: all of them are a few megabytes. */
export function openBuiltFiles(folder: string): BuiltFiles {
  const known = new Set(pathsIn(folder))
  const cached = new Map<string, Promise<Uint8Array>>()

  function bodyOf(path: string, encoding: Encoding): Promise<Uint8Array> {
    const key = `${encoding} ${path}`
    const body = cached.get(key) ?? bodyIn(join(folder, path.slice(builtFilesPath.length)), encoding)
    cached.set(key, body)
    return body
  }

  return {
    has: (path) => known.has(path),
    async serve(path, { method, headers }, response) {
      const kind = extname(path)
      const encoding = alreadyCompressed.has(kind) ? 'identity' : chooseEncoding(headers['accept-encoding'])
      const body = await bodyOf(path, encoding)
      response.writeHead(200, { ...headersOf(kind, encoding), 'content-length': body.length })
      response.end(method === 'HEAD' ? undefined : body)
    },
  }
}

/** The build stores the best encoding of most files. */
async function bodyIn(file: string, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'br' && existsSync(`${file}.br`)) return readFileSync(`${file}.br`)
  return await encoders[encoding](readFileSync(file))
}

const headersOf = (kind: string, encoding: Encoding) => ({
  ...securityHeaders,
  'content-type': types[kind],
  // the name of a file changes with its content
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'accept-encoding',
  ...(encoding !== 'identity' && { 'content-encoding': encoding }),
})

function pathsIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in types)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .map((name) => `${builtFilesPath}/${name}`)
}
