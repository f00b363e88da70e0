import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import tailwind from '@tailwindcss/postcss'
import { build } from 'esbuild'
import postcss from 'postcss'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { Gallery, galleries, type GalleryName } from './gallery'

const here = import.meta.dirname

const isName = (name: string): name is GalleryName => Object.hasOwn(galleries, name)

const entry = `
import { createElement, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Gallery } from './gallery'
const root = document.getElementById('root')
const { name, nonce } = root.dataset
function HydratedGallery(props) {
  // after the effects of everything in it: from then on keys and clicks are heard
  useEffect(() => void (root.dataset.ready = 'true'), [])
  return createElement(Gallery, props)
}
hydrateRoot(root, createElement(HydratedGallery, { name, nonce }), {
  onRecoverableError(error) { console.error('hydration', error) },
})
`

/**
 * The gallery as a product page is served: drawn by the server, hydrated, under a policy that wants nonces. Its React is
 * that of development, which finds faults and takes twice as long, or the usual one with `?react=production`.
 */
export async function showGallery(): Promise<{ address: string; close: () => Promise<void> }> {
  const [development, production, style] = await Promise.all([
    bundle('development'),
    bundle('production'),
    stylesheet(),
  ])
  const fonts = join(here, '../../node_modules/@fontsource-variable/inter/files')

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gallery')
    const name = pathname.slice(1)
    if (name === 'development.js') response.setHeader('content-type', 'text/javascript').end(development)
    else if (name === 'production.js') response.setHeader('content-type', 'text/javascript').end(production)
    else if (name === 'gallery.css') response.setHeader('content-type', 'text/css').end(style)
    else if (name.endsWith('.woff2')) createReadStream(join(fonts, basename(name))).pipe(response)
    else if (isName(name)) answer(response, name, searchParams)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address of this shape.
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function answer(response: ServerResponse, name: GalleryName, chosen: URLSearchParams) {
  const nonce = randomBytes(12).toString('base64')
  response
    .setHeader('content-type', 'text/html; charset=utf-8')
    .setHeader('content-security-policy', policy(nonce))
    .end(document(name, nonce, chosen))
}

const policy = (nonce: string) =>
  [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src-elem 'self' 'nonce-${nonce}'`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data:`,
  ].join('; ')

function document(name: GalleryName, nonce: string, chosen: URLSearchParams): string {
  const script = chosen.get('react') === 'production' ? 'production' : 'development'
  const theme = chosen.get('theme')
  const themed = theme === 'dark' || theme === 'light' ? ` data-theme="${theme}"` : ''
  return `<!doctype html><html lang="en"${themed}><head><meta charset="utf-8"><title>Gallery: ${name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><link rel="stylesheet" href="/gallery.css"></head>
<body><div id="root" data-name="${name}" data-nonce="${nonce}">${renderToString(createElement(Gallery, { name, nonce }))}</div>
<script src="/${script}.js" nonce="${nonce}"></script></body></html>`
}

async function bundle(react: 'development' | 'production'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: here, loader: 'js' },
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': JSON.stringify(react) },
    minify: react === 'production',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** Font files are served from the root here; a framework would rewrite their addresses itself. */
async function stylesheet(): Promise<string> {
  const from = join(here, 'gallery.css')
  const { css } = await postcss([tailwind({ base: here, optimize: true })]).process(
    await readFile(from, 'utf8'),
    { from },
  )
  return css.replaceAll(/url\(["']?[^)"']*\/([\w-]+\.woff2)["']?\)/g, 'url(/$1)')
}
