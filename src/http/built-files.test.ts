import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBuiltFiles } from './built-files'

const folder = mkdtempSync(join(tmpdir(), 'tilth-built-'))
const script = 'console.log("a");'.repeat(200)
const at = (name: string) => `/_next/static/${name}`

mkdirSync(join(folder, 'chunks'))
writeFileSync(join(folder, 'chunks/a.js'), script)
writeFileSync(join(folder, 'chunks/a.js.map'), '{}')
writeFileSync(join(folder, 'letters.woff2'), script)
const files = openBuiltFiles(folder)
const server = createServer((incoming, response) => void files.serve(incoming.url ?? '', incoming, response))
let address = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

/** `fetch` would unpack it. */
const asked = (name: string, headers: Record<string, string>) =>
  new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    request(`${address}${at(name)}`, { headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(parts) }))
    })
      .on('error', reject)
      .end()
  })

test.each([
  ['a browser of today', 'gzip, deflate, br', 'br', brotliDecompressSync],
  ['an old one', 'gzip', 'gzip', gunzipSync],
  ['one that does not want brotli', 'br;q=0, gzip', 'gzip', gunzipSync],
  ['a program', '', undefined, (body: Buffer) => body],
])('%s reads the same script', async (_who, accepted, encoding, unpack) => {
  const { headers, body } = await asked('chunks/a.js', { 'accept-encoding': accepted })
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'application/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  })
  expect(headers['content-encoding']).toBe(encoding)
  expect(unpack(body).toString()).toBe(script)
})

test('fonts are not packed twice', async () => {
  const { headers } = await asked('letters.woff2', { 'accept-encoding': 'br' })
  expect(headers['content-encoding']).toBeUndefined()
})

test('what the build has packed is given as it is', async () => {
  writeFileSync(join(folder, 'chunks/b.js.br'), brotliCompressSync('packed by the build'))
  writeFileSync(join(folder, 'chunks/b.js'), script)
  const again = openBuiltFiles(folder)
  server.removeAllListeners('request')
  server.on('request', (incoming, response) => void again.serve(incoming.url ?? '', incoming, response))
  const { body } = await asked('chunks/b.js', { 'accept-encoding': 'br' })
  expect(brotliDecompressSync(body).toString()).toBe('packed by the build')
})

test.each([at('chunks/c.js'), at('chunks/a.js.map'), at('../chunks/a.js'), at(''), '/_next/static'])(
  '%s is not among them',
  (path) => {
    expect(files.has(path)).toBe(false)
  },
)
