import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { frontThat, pagesThat } from '../../test/pages-double'
import { openPageCache } from './page-cache'
import { passOn } from './pass-on'

const publicPage = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 's-maxage=60' }

/** Pages that number their answers, behind a cache. */
async function aSite(answer: RequestListener, { maxBytes = 1_000_000, variants = '' } = {}) {
  const { way } = await pagesThat(answer)
  const cache = openPageCache({
    pages: { serve: (request, response, passing) => passOn(request, response, { ...way, ...passing }) },
    maxBytes,
  })
  const visiting = { variants }
  const address = await frontThat((request, response) => cache.serve(request, response, visiting))
  const read = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const asked = await fetch(address + path, { method, headers: { accept: 'text/html', ...headers } })
    return { status: asked.status, headers: asked.headers, text: await asked.text() }
  }
  return { cache, read, visiting }
}

/** Every answer says which one it is. */
function numbered(headers: Record<string, string | string[]> = publicPage, status = 200): RequestListener {
  let number = 0
  return (_request, response) => {
    number += 1
    response.writeHead(status, headers).end(`<html data-weight="static"><body>${number}</body></html>`)
  }
}

const body = (text: string) => /<body>(.*)<\/body>/.exec(text)?.[1]

test('a public page is asked for once', async () => {
  const { read } = await aSite(numbered())

  const answers = [await read('/'), await read('/')]

  expect(answers.map(({ text }) => body(text))).toEqual(['1', '1'])
  expect(answers.map(({ headers }) => headers.get('x-tilth-cache'))).toEqual(['miss', 'hit'])
})

test.each<[string, Record<string, string | string[]>, number]>([
  ['says that it is for one person', { ...publicPage, 'cache-control': 'private, no-store' }, 200],
  ['says nothing about it', { 'content-type': 'text/html' }, 200],
  ['sets a cookie', { ...publicPage, 'set-cookie': 'a=1' }, 200],
  ['is not a document', { ...publicPage, 'content-type': 'text/plain' }, 200],
  ['was not found', publicPage, 404],
  ['is fresh for no time', { ...publicPage, 'cache-control': 's-maxage=0' }, 200],
])('an answer that %s is asked for each time', async (_why, headers, status) => {
  const { read } = await aSite(numbered(headers, status))

  const answers = [await read('/'), await read('/')]

  expect(answers.map(({ text }) => body(text))).toEqual(['1', '2'])
  expect(answers[1]?.status).toBe(status)
  expect(answers[1]?.headers.get('x-tilth-cache')).toBeNull()
})

describe('another page is', () => {
  test.each([
    ['another address', '/other', {}],
    ['another question', '/?page=2', {}],
    ['another host', '/', { 'x-forwarded-host': 'other.example' }],
    ['another protocol', '/', { 'x-forwarded-proto': 'https' }],
  ])('%s', async (_what, path, headers) => {
    const { read } = await aSite(numbered())
    await read('/')

    expect(body((await read(path, headers)).text)).toBe('2')
    expect(body((await read('/')).text)).toBe('1')
  })

  test('another variant', async () => {
    const { read, visiting } = await aSite(numbered())
    await read('/')
    visiting.variants = 'headline=b'

    expect(body((await read('/')).text)).toBe('2')
  })
})

test('HEAD says what GET would, and is never taken for the page itself', async () => {
  const { read } = await aSite(numbered())

  const beforehand = await read('/', {}, 'HEAD')
  const page = await read('/')
  const afterwards = await read('/', {}, 'HEAD')

  expect([beforehand.text, body(page.text), afterwards.text]).toEqual(['', '2', ''])
  expect(afterwards.headers.get('etag')).toBe(page.headers.get('etag'))
})

test('clearing forgets every page', async () => {
  const { cache, read } = await aSite(numbered())
  await read('/')
  cache.clear()

  expect(body((await read('/')).text)).toBe('2')
})

test('a page that was being rendered when all were cleared is shown, but not kept', async () => {
  const answer = numbered()
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const { cache, read } = await aSite((request, response) => {
    begun.resolve()
    void goOn.promise.then(() => answer(request, response))
  })

  const outdated = read('/')
  await begun.promise
  cache.clear()
  goOn.resolve()

  expect(body((await outdated).text)).toBe('1')
  expect(body((await read('/')).text)).toBe('2')
})

test('when memory is short, the page that nobody has asked for in the longest time goes first', async () => {
  const { read } = await aSite(numbered(), { maxBytes: 2600 })
  await read('/first')
  await read('/second')
  await read('/first')
  await read('/third')

  expect(body((await read('/first')).text)).toBe('1')
  expect(body((await read('/second')).text)).toBe('4')
})

test('a page that came compressed is kept in both forms', async () => {
  const { read } = await aSite((_request, response) => {
    response.writeHead(200, { ...publicPage, 'content-encoding': 'gzip' })
    response.end(gzipSync('<html data-weight="static"><script>gone</script>plain</html>'))
  })

  const zipped = await read('/', { 'accept-encoding': 'gzip' })
  const plain = await read('/', { 'accept-encoding': 'identity' })

  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect([zipped.text, plain.text]).toEqual(Array(2).fill('<html data-weight="static">plain</html>'))
})

test.each([
  ['a layout that promises nothing', '<html><script>work()</script></html>'],
  [
    'parts that wait for a script',
    '<html data-weight="static"><template id="B:0"></template><script>work()</script></html>',
  ],
])('%s keeps its scripts, and they alone may run', async (_what, html) => {
  const { read } = await aSite((_request, response) => response.writeHead(200, publicPage).end(html))

  const { text, headers } = await read('/')

  expect(text).toBe(html)
  // echo -n 'work()' | openssl dgst -sha256 -binary | base64
  expect(headers.get('content-security-policy')).toContain(
    "script-src 'self' 'sha256-uI2i6RfEypknILy+/c2ALBLfWFpZzeN3MeAoU2kWgwk='",
  )
})

test.each([
  ['the tag it was given', 304, (tag: string) => tag],
  ['several tags, ours among them', 304, (tag: string) => `"other", ${tag}`],
  ['any tag', 304, () => '*'],
  ['another tag', 200, () => '"other"'],
])('a browser that has %s is answered %i', async (_what, status, known) => {
  const { read } = await aSite(numbered())
  const { headers } = await read('/')

  const again = await read('/', { 'if-none-match': known(headers.get('etag') ?? '') })

  expect(again.status).toBe(status)
})

test('every request for a page rendered for one person has a nonce of its own, which the pages are told', async () => {
  const told: unknown[] = []
  const { read } = await aSite((request, response) => {
    told.push(request.headers['content-security-policy'])
    response.end()
  })

  const said = [await read('/'), await read('/')].map(({ headers }) => headers.get('content-security-policy'))

  expect(told).toEqual(said)
  expect(said[0]).not.toBe(said[1])
})
