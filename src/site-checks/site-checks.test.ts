import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openTestProduct, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'

const studio = 'https://tilth.example'

/** A site of one page on this machine, and a project that names its address. */
async function aSite(page: RequestListener, allow: string | undefined = '127.0.0.1') {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    page(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The site has no port.')
  const origin = `http://127.0.0.1:${address.port}`
  const { product, world } = await openTestProduct({ outbound: { allow, canMail: false } })
  const { project } = requireDone(
    await product.projects.create({ name: 'Shop', siteAddress: `${origin}/start` }, operator()),
  )
  const check = (by = studio) => product.siteChecks.check(project.id, by, operator())
  return { product, project, world, origin, requests, check }
}

const html =
  (body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)

test('a page is read where its redirects end, with what may be done with it', async () => {
  const { check, origin, project } = await aSite((request, response) => {
    if (request.url === '/start') return void response.writeHead(302, { location: '/home' }).end()
    return html(`<script data-project="${project.writeKey}"></script><button>Start free</button>`)(
      request,
      response,
    )
  })
  expect(await check()).toEqual({
    is: 'reached',
    page: {
      address: `${origin}/home`,
      mayBeFramed: true,
      hasTag: true,
      platform: undefined,
      buttons: ['Start free'],
    },
  })
})

test('a page that refuses frames is read all the same', async () => {
  const { check } = await aSite(html('<button>Start free</button>', { 'x-frame-options': 'DENY' }))
  expect(await check()).toMatchObject({
    is: 'reached',
    page: { mayBeFramed: false, buttons: ['Start free'] },
  })
})

test('an endless page is read by its beginning', async () => {
  const { check } = await aSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<button>Start free</button>')
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  expect(await check()).toMatchObject({ page: { buttons: ['Start free'] } })
})

test('a network that is not allowed is not reached', async () => {
  const { check, requests } = await aSite(html(''), 'hooks.example')
  expect(await check()).toEqual({
    is: 'unreachable',
    why: expect.stringContaining('is not on the open internet'),
  })
  expect(requests).toEqual([])
})

test('a page that redirects into such a network is not followed', async () => {
  const { check } = await aSite(
    (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.7/' }).end(),
  )
  expect(await check()).toMatchObject({ is: 'unreachable', why: expect.stringContaining('10.0.0.7') })
})

test('several looks share one request for a moment', async () => {
  const { check, requests, world } = await aSite(html(''))
  await Promise.all([check(), check()])
  await check()
  expect(requests).toHaveLength(1)
  world.advance('10 seconds')
  await check()
  expect(requests).toHaveLength(2)
})

test('Tilth’s own site and a project without one are told apart', async () => {
  const { check, origin, product, project, requests } = await aSite(html(''))
  expect(await check(origin)).toEqual({ is: 'own' })
  requireDone(await product.projects.change(project.id, { siteAddress: '' }, operator()))
  expect(await check()).toEqual({ is: 'absent' })
  expect(requests).toEqual([])
})
