import { expect, test } from 'vitest'
import { engineError } from '#engine/failures'
import { forwardToPages, renderFromPages } from '#http/forward'
import { StoreBusy, StoreUnavailable } from '#store/store'
import { startTestFront, startTestPages } from '#test/test-pages'
import { PageFailures } from './page-failures'

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute))

test('a failure of the engine is found by its digest, with the time since when it has been seen', () => {
  const failures = new PageFailures()
  failures.note('7', engineError('corrupted'), at(0))
  failures.note('7', engineError('corrupted'), at(8))
  failures.note('7', engineError('corrupted'), at(16))

  expect(failures.find('7')).toMatchObject({
    engine: 'corrupted',
    since: at(0),
    message: expect.stringContaining('damaged'),
  })
})

test('the same failure after a quiet time is a new one', () => {
  const failures = new PageFailures()
  failures.note('7', new StoreBusy(), at(0))
  failures.note('7', new StoreBusy(), at(30))

  expect(failures.find('7')).toMatchObject({ engine: undefined, since: at(30) })
})

test('what any other exception says is for the log alone', () => {
  const failures = new PageFailures()
  failures.note('7', new Error('password=secret'), at(0))

  expect(failures.find('7')).toBeUndefined()
})

test('only the last two hundred are kept', () => {
  const failures = new PageFailures()
  for (let each = 0; each <= 200; each++) failures.note(String(each), engineError('failed'), at(0))

  expect(failures.find('0')).toBeUndefined()
  expect(failures.find('200')).toBeDefined()
})

test('a page that the store failed is announced to the front, which answers 503 with Retry-After and not 500', async () => {
  const failures = new PageFailures()
  const { way } = await startTestPages(
    failures.markedBy((request, response) => {
      const error = request.url === '/away' ? new StoreUnavailable('away') : new Error('a mistake')
      failures.note('7', error, at(0), String(request.headers['x-request-id']))
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
