import { once } from 'node:events'
import { createServer, type OutgoingHttpHeaders } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openTestProduct, requireDone, testOrigin } from '#test/product/fixture'
import { operator } from '#projects/access'
import { readTrustedRequest } from './trusted-request'
import { answerSiteFrame, siteFramePath } from './site-frame'

const surroundings = { trusted: { by: 'nobody' } as const, addresses: () => [] }

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

/** The frame of a project whose site answers with these headers, as Vera's browser and a stranger's ask for it. */
async function aFrame(headers: OutgoingHttpHeaders = {}) {
  const site = await listening(
    createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html', ...headers }).end('<h1>Shop</h1>'),
    ),
  )
  const { product, aMember } = await openTestProduct({ outbound: { allow: '127.0.0.1', canMail: false } })
  const { project } = requireDone(
    await product.projects.create({ name: 'Acme', siteAddress: `${site}/?a=1&b=2` }, operator()),
  )
  const vera = await aMember({ project, role: 'viewer', name: 'Vera Viewer' })
  const { token } = await product.signIn.welcome(vera, testOrigin)
  const front = await listening(
    createServer((request, response) => {
      const trustedRequest = readTrustedRequest(request, surroundings)
      void answerSiteFrame({ request, response, trustedRequest }, { product })
    }),
  )
  const read = (cookie: string) => fetch(`${front}${siteFramePath}/${project.slug}`, { headers: { cookie } })
  return { site, ofMember: () => read(`sid=${token}`), ofStranger: () => read('') }
}

test('the frame shows the site in a sandbox, and may frame no other origin', async () => {
  const { site, ofMember } = await aFrame()
  const answer = await ofMember()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-security-policy')).toContain(`frame-src ${site}; frame-ancestors 'self'`)
  expect(answer.headers.get('content-security-policy')).not.toContain('script-src')
  const text = await answer.text()
  expect(text).toContain(`src="${site}/?a=1&amp;b=2"`)
  expect(text).toContain('sandbox="allow-scripts allow-same-origin allow-forms"')
})

test('a site that refuses frames has none', async () => {
  const { ofMember } = await aFrame({ 'x-frame-options': 'SAMEORIGIN' })
  const answer = await ofMember()
  expect([answer.status, await answer.text()]).toEqual([404, ''])
  expect(answer.headers.get('content-security-policy')).toContain("frame-src 'none'")
})

test('a stranger does not learn which site a project has', async () => {
  const { site, ofStranger } = await aFrame()
  const answer = await ofStranger()
  expect(answer.status).toBe(401)
  expect(JSON.stringify([...answer.headers]) + (await answer.text())).not.toContain(site)
})
