import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { startTestPages } from '#test/product/test-pages'
import { fetchOwnPages, ownPagesOrigin, ownPagesVariable } from './own-pages-fetch'

const require = createRequire(import.meta.url)

test('a request of Next to its own pages stays on their socket, whole, and says which page is asked for', async () => {
  const { way } = await startTestPages((request, response) => {
    const { method, url, headers } = request
    response.writeHead(200, { 'content-type': 'text/x-component', 'x-seen': ['1', '2'] })
    const respond = (body: string) => response.end(JSON.stringify({ method, url, body, headers }))
    text(request).then(respond, () => response.destroy())
  })
  const elsewhere = vi.fn<typeof fetch>()
  const ask = fetchOwnPages(way.socket, elsewhere)
  const answer = await ask(new URL(`${ownPagesOrigin}/studio/acme?_rsc=1`), {
    method: 'POST',
    body: 'an action',
    headers: { host: 'tilth.example', cookie: 'a=b', 'x-tilth-address': '/studio/old' },
  })

  expect(answer.headers.get('content-type')).toBe('text/x-component')
  expect(answer.headers.get('x-seen')).toBe('1, 2')
  expect(await answer.json()).toMatchObject({
    method: 'POST',
    url: '/studio/acme?_rsc=1',
    body: 'an action',
    headers: { host: 'tilth.example', cookie: 'a=b', 'x-tilth-address': '/studio/acme?_rsc=1' },
  })
  expect(elsewhere).not.toHaveBeenCalled()
})

test('an answer without a body, and pages that are gone, are told as fetch tells them', async () => {
  const { way, server } = await startTestPages((_request, response) => void response.writeHead(204).end())
  const ask = fetchOwnPages(way.socket, fetch)
  expect((await ask(`${ownPagesOrigin}/x`)).status).toBe(204)
  server.close()
  await expect(ask(`${ownPagesOrigin}/x`)).rejects.toThrow()
})

test('every other request goes where it went before', async () => {
  const answer = new Response('elsewhere')
  const elsewhere = vi.fn<typeof fetch>().mockResolvedValue(answer)
  const ask = fetchOwnPages('/nowhere', elsewhere)

  expect(await ask('https://example.com/x', { method: 'PUT' })).toBe(answer)
  expect(elsewhere).toHaveBeenCalledWith('https://example.com/x', { method: 'PUT' })
})

test('the installed Next reads its own origin where it is set, in both places that ask its own pages', () => {
  const handler = readFileSync(require.resolve('next/dist/server/app-render/action-handler.js'), 'utf8')
  expect(handler.match(/await fetch\(fetchUrl/g)).toHaveLength(2)
  expect(handler.match(new RegExp(`let origin = process\\.env\\.${ownPagesVariable};`, 'g'))).toHaveLength(2)
})
