import { describe, expect, test } from 'vitest'
import { engineError } from '#engine/failures'
import { forwardToPages, renderFromPages } from '#http/forward'
import { StoreBusyError, StoreUnavailableError } from '#store/store'
import { startTestFront, startTestPages } from '#test/product/test-pages'
import { PageFailures } from './page-failures'

const shown = (digest: string, id = 'a request') => ({ id, method: 'GET', digest })
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute))

test('a failure of the engine is found by its digest, with the time since when it has been seen', () => {
  const failures = new PageFailures()
  failures.note(engineError('corrupted'), shown('7'), at(0))
  failures.note(engineError('corrupted'), shown('7'), at(8))
  failures.note(engineError('corrupted'), shown('7'), at(16))

  expect(failures.find('7')).toMatchObject({
    engine: 'corrupted',
    since: at(0),
    message: expect.stringContaining('damaged'),
  })
})

test('the same failure after a quiet time is a new one', () => {
  const failures = new PageFailures()
  failures.note(new StoreBusyError(), shown('7'), at(0))
  failures.note(new StoreBusyError(), shown('7'), at(30))

  expect(failures.find('7')).toMatchObject({ engine: undefined, since: at(30) })
})

test('what any other exception says is for the log alone', () => {
  const failures = new PageFailures()
  failures.note(new Error('password=secret'), shown('7'), at(0))

  expect(failures.find('7')).toBeUndefined()
})

test('only the last two hundred are kept', () => {
  const failures = new PageFailures()
  for (let each = 0; each <= 200; each++) failures.note(engineError('failed'), shown(String(each)), at(0))

  expect(failures.find('0')).toBeUndefined()
  expect(failures.find('200')).toBeDefined()
})

test('a page that the store failed is announced to the front, which answers 503 with Retry-After and not 500', async () => {
  const failures = new PageFailures()
  const { way } = await startTestPages(
    failures.markedBy((request, response) => {
      const error = request.url === '/away' ? new StoreUnavailableError('away') : new Error('a mistake')
      failures.note(error, shown('7', String(request.headers['x-request-id'])), at(0))
      response.statusCode = 500
      response.setHeader('content-type', 'text/html')
      response.end('<h1>Next says so</h1>')
    }),
  )
  const front = await startTestFront((request, response) => forwardToPages(request, response, way))
  const page = (path: string) =>
    fetch(`${front}${path}`, { headers: { 'x-request-id': path, accept: 'text/html' } })

  const away = await page('/away')
  expect({ status: away.status, retryAfter: away.headers.get('retry-after') }).toEqual({
    status: 503,
    retryAfter: '2',
  })
  expect(await away.text()).toContain('The store does not answer')
  expect(await renderFromPages({ path: '/away', headers: { 'x-request-id': 'one' } }, way)).toBe('store')
  expect((await page('/mistake')).status).toBe(500)
})

describe('what Next itself could not read', () => {
  const thrownAt = (...frames: string[]): Error =>
    Object.assign(new SyntaxError('Unexpected end of JSON input'), {
      stack: ['SyntaxError: Unexpected end of JSON input', ...frames.map((frame) => `    at ${frame}`)].join(
        '\n',
      ),
    })
  const reader = '/tilth/node_modules/next/dist/compiled/next-server/app-page-turbo.runtime.prod.js:15:70523'
  const ofReader = ['JSON.parse (<anonymous>)', `tI (${reader})`, `tg.value [as then] (${reader})`]
  const causeOf = (error: Error, method = 'POST') =>
    new PageFailures().note(error, { ...shown('7'), method }, at(0))

  test('was malformed', () => {
    expect(causeOf(thrownAt(...ofReader))).toBe('input')
    expect(causeOf(thrownAt('parsingError (node:internal/deps/undici/undici:6736:14)'))).toBe('input')
  })

  test('is a mistake of Tilth where any code of ours ran, or where nothing was sent', () => {
    expect(causeOf(thrownAt('JSON.parse (<anonymous>)', 'x (/tilth/.next/server/chunks/a.js:1:2)'))).toBe(
      undefined,
    )
    expect(causeOf(thrownAt(...ofReader, 'async x (/tilth/dist/pages.js:1:2)'))).toBe(undefined)
    expect(causeOf(thrownAt())).toBe(undefined)
    expect(causeOf(thrownAt(...ofReader), 'GET')).toBe(undefined)
  })

  test('is refused by the front, whatever Next has answered', async () => {
    const failures = new PageFailures()
    const { way } = await startTestPages(
      failures.markedBy((request, response) => {
        failures.note(thrownAt(...ofReader), { id: '1', method: 'POST', digest: undefined }, at(0))
        response.statusCode = 500
        response.setHeader('content-type', String(request.headers['x-type']))
        response.end('0:{}')
      }),
    )
    const front = await startTestFront((request, response) => forwardToPages(request, response, way))
    for (const type of ['text/x-component', 'text/plain']) {
      const headers = { 'x-request-id': '1', 'x-type': type, accept: 'text/html' }
      const answer = await fetch(front, { method: 'POST', headers })
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('Bad Request')])
    }
  })
})
