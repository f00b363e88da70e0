import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request as ask } from 'node:http'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestFront, startTestPages } from '#test/product/test-pages'
import { forwardToPages, renderFromPages } from './forward'

test('a request arrives as it was sent, without what spoke of the connection only', async () => {
  let arrived: { method?: string; url?: string; headers: IncomingHttpHeaders } | undefined
  const { way } = await startTestPages(({ method, url, headers }, response) => {
    arrived = { method, url, headers }
    response.end()
  })
  const front = await startTestFront((request, response) =>
    forwardToPages(request, response, { ...way, headers: { 'x-ours': 'yes' } }),
  )

  const sent = ask(`${front}/a%20b?c=d`, {
    method: 'DELETE',
    headers: {
      'x-theirs': 'too',
      'x-hop': 'no',
      connection: 'x-hop',
      te: 'trailers',
      'proxy-authorization': 'no',
    },
  }).end()
  await once(sent, 'response')

  expect(arrived).toMatchObject({
    method: 'DELETE',
    url: '/a%20b?c=d',
    headers: { 'x-theirs': 'too', 'x-ours': 'yes' },
  })
  expect(Object.keys(arrived?.headers ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:x-hop|te|proxy-authorization)$/)]),
  )
})

test('an answer comes back as it was given, cookies and all', async () => {
  const { way } = await startTestPages((_request, response) => {
    response.writeHead(201, {
      'set-cookie': ['a=1', 'b=2'],
      'keep-alive': 'timeout=1',
      'content-type': 'text/plain',
    })
    response.end('created')
  })
  const front = await startTestFront((request, response) => forwardToPages(request, response, way))

  const answer = await fetch(front)

  expect(answer.status).toBe(201)
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(answer.headers.get('keep-alive')).not.toBe('timeout=1')
  expect(await answer.text()).toBe('created')
})

test('what is sent is passed on while it is still coming, and so is what is answered', async () => {
  const { way } = await startTestPages((request, response) => void request.pipe(response))
  const front = await startTestFront((request, response) => forwardToPages(request, response, way))

  const sent = ask(front, { method: 'POST' })
  sent.write('first')
  const [answer] = await once(sent, 'response')
  const [first] = await once(answer, 'data')
  sent.end('second')
  const [second] = await once(answer, 'data')

  expect([String(first), String(second)]).toEqual(['first', 'second'])
})

test('a page is asked for without the body of its request, however slowly that arrives', async () => {
  const heads: IncomingHttpHeaders[] = []
  const { way } = await startTestPages((request, response) => {
    heads.push(request.headers)
    request.resume().once('end', () => response.end('a page'))
  })
  const front = await startTestFront((request, response) => forwardToPages(request, response, way))

  const sent = ask(front, { method: 'GET', headers: { 'content-length': 1000 } })
  sent.write('a')
  const [answer] = (await once(sent, 'response')) as [IncomingMessage] // the event's arguments
  expect(answer.statusCode).toBe(200)
  expect(heads[0]).not.toHaveProperty('content-length')
  sent.destroy()
})

test.each([[undefined], ['text/plain; charset=utf-8']])(
  'a failure of the router, which says so in a line (%s), is answered with our page',
  async (type) => {
    const { way } = await startTestPages((_request, response) => {
      response.writeHead(500, type === undefined ? {} : { 'content-type': type })
      response.end('Internal Server Error')
    })
    const front = await startTestFront((request, response) => forwardToPages(request, response, way))

    const answer = await fetch(front, { headers: { accept: 'text/html' } })

    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain('<title>Internal Server Error')
    expect(await renderFromPages({ path: '/', headers: {} }, way)).toBe('lost')
  },
)

test('a page whose client disconnected is aborted', async () => {
  const asked = Promise.withResolvers<void>()
  const { server, way } = await startTestPages(() => asked.resolve())
  const givenUp = once(server, 'connection').then(([connection]) => once(connection, 'close'))
  const front = await startTestFront((request, response) => forwardToPages(request, response, way))

  const sent = ask(front).end()
  sent.on('error', () => {})
  await asked.promise
  sent.destroy()

  await givenUp
})

const turnOfLoop = promisify(setImmediate)

describe('a page that does not begin', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
      }),
  )
  afterEach(() => void vi.useRealTimers())

  test('within ten seconds is not waited for', async () => {
    const arrived = Promise.withResolvers<void>()
    const { way } = await startTestPages(() => arrived.resolve())
    const front = await startTestFront((request, response) => forwardToPages(request, response, way))

    const answered = fetch(front, { headers: { accept: 'text/html' } })
    await arrived.promise
    vi.advanceTimersByTime(10_000)
    const answer = await answered

    expect(answer.status).toBe(504)
    expect(await answer.text()).toContain('<title>This page takes too long</title>')
  })

  test.each([
    ['a process that is not busy', () => false, 10_000],
    ['a busy process', () => true, 60_000],
  ])('is rendered by %s only for so long', async (_name, isBusy, ms) => {
    const arrived = Promise.withResolvers<void>()
    const { way } = await startTestPages(() => arrived.resolve())
    const rendered = renderFromPages({ path: '/', headers: {} }, { ...way, isBusy })
    await arrived.promise
    vi.advanceTimersByTime(ms - 1)
    const isOver = Promise.race([rendered, turnOfLoop().then(() => 'rendering')])
    expect(await isOver).toBe('rendering')
    vi.advanceTimersByTime(1)
    expect(await rendered).toBe('late')
  })

  test('is waited for as long as the browser is still sending', async () => {
    const arrived = Promise.withResolvers<IncomingMessage>()
    const { way } = await startTestPages((request, response) => {
      request.once('end', () => response.end())
      arrived.resolve(request)
    })
    const front = await startTestFront((request, response) => forwardToPages(request, response, way))

    const sent = ask(front, { method: 'POST' })
    const answered = once(sent, 'response')
    for (let sentence = 0; sentence < 4; sentence += 1) {
      sent.write('a sentence')
      await once(await arrived.promise, 'data')
      vi.advanceTimersByTime(9_000)
    }
    sent.end()

    const [answer] = await answered
    expect(answer.statusCode).toBe(200)
  })
})

test.each([
  ['that goes away before it has answered', ''],
  ['that is not there', '.gone'],
])('a process %s is answered for', async (_which, suffix) => {
  const { way } = await startTestPages((request) => request.socket.destroy())
  const socket = way.socket + suffix
  const front = await startTestFront((request, response) =>
    forwardToPages(request, response, { ...way, socket }),
  )

  const answer = await fetch(front, { headers: { accept: 'text/html' } })

  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('<title>This page could not be loaded</title>')
})

test('a page that breaks off looks broken to the browser, too', async () => {
  const { way } = await startTestPages((request, response) => {
    response.write('half', () => request.socket.destroy())
  })
  const front = await startTestFront((request, response) => forwardToPages(request, response, way))

  const answer = await fetch(front)

  await expect(answer.text()).rejects.toThrow()
})
