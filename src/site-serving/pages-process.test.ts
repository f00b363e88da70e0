import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { UnavailableReason } from '#http/error-page'
import type { RenderResponse } from '#http/forward'
import type { ChildHealth } from '#processes/supervise'
import { pagesOf } from './pages-process'
import type { PagesWorker } from './internal/pages-worker'

const rendered = (by: string): RenderResponse => ({
  status: 200,
  headers: {},
  trailers: {},
  body: Buffer.from(by),
})

function aWorker(name: string, render: () => RenderResponse | UnavailableReason = () => rendered(name)) {
  const state = { status: 'ready' as ChildHealth['status'], activeCount: 0, served: 0, rendered: 0 }
  const worker: PagesWorker = {
    activeCount: () => state.activeCount,
    serve: () => void (state.served += 1),
    render: async () => {
      state.rendered += 1
      return state.status === 'ready' ? render() : state.status
    },
    send: () => {},
    health: () => ({ status: state.status, since: new Date(0), restarts: 0 }),
    ready: async () => {},
    stop: async () => {},
  }
  return { worker, state }
}

const textOf = (found: RenderResponse | UnavailableReason): string =>
  typeof found === 'string' ? found : String(found.body)

const page = { path: '/', headers: {} }

// the workers of these tests do not look at it
const exchange = async () => {
  const { promise, resolve } = Promise.withResolvers<[IncomingMessage, ServerResponse]>()
  const server = createServer((request, response) => {
    response.end()
    resolve([request, response])
  }).listen(0)
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('There is no port.')
  await fetch(`http://127.0.0.1:${address.port}`)
  server.close()
  return await promise
}

test('the first process serves the studio, and the least busy of the others renders the site', async () => {
  const [studio, one, two] = [aWorker('studio'), aWorker('one'), aWorker('two')]
  one.state.activeCount = 2
  const pages = pagesOf([studio, one, two].map(({ worker }) => worker))
  pages.serve(...(await exchange()))
  expect(studio.state.served).toBe(1)
  expect(textOf(await pages.render(page))).toBe('two')
  two.state.status = 'restarting'
  expect(textOf(await pages.render(page))).toBe('one')
  one.state.status = 'restarting'
  expect(textOf(await pages.render(page))).toBe('studio')
})

test('another process serves the studio while the first restarts', async () => {
  const [studio, one] = [aWorker('studio'), aWorker('one')]
  studio.state.status = 'restarting'
  pagesOf([studio.worker, one.worker]).serve(...(await exchange()))
  expect([studio.state.served, one.state.served]).toEqual([0, 1])
})

test('a page that is lost with its process is rendered by another', async () => {
  const studio = aWorker('studio')
  const failing = aWorker('failing', () => {
    failing.state.status = 'restarting'
    return 'lost'
  })
  expect(textOf(await pagesOf([studio.worker, failing.worker]).render(page))).toBe('studio')
})

test('a page that is requested while the only process restarts is rendered afterwards', async () => {
  const { worker, state } = aWorker('only')
  state.status = 'restarting'
  const found = pagesOf([worker]).render(page)
  state.status = 'ready'
  expect(textOf(await found)).toBe('only')
})

test('a page that is lost twice is not rendered a third time', async () => {
  const { worker, state } = aWorker('only', () => 'lost')
  expect(textOf(await pagesOf([worker]).render(page))).toBe('lost')
  expect(state.rendered).toBe(2)
})

test.each(['starting', 'stopped'] as const)(
  'a request at a process that is %s is told so',
  async (status) => {
    const { worker, state } = aWorker('only')
    state.status = status
    expect(textOf(await pagesOf([worker]).render(page))).toBe(status)
  },
)
