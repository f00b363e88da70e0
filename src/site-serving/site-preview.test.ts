import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openTestProduct, requireDone, testOrigin } from '#test/product/fixture'
import { readTrustedRequest } from '#http/trusted-request'
import { operator } from '#projects/access'
import { answerSitePreview, sitePreviewPath } from './site-preview'

const surroundings = { trusted: { by: 'nobody' } as const, addresses: () => [] }

const html =
  '<a class="x" href="/blog/hello?a=1&amp;b=2">Hello</a><a href="https://other.example/">Elsewhere</a>' +
  '<a href="//cdn.example/x">Protocol</a><a href="/s/abc">Survey</a><img src="/_tilth/images/1"/>' +
  '<p>href=&quot;/text&quot;</p><link href="/_next/static/a.css"/>'

/** The preview of a project's site, whose pages are rendered as `page`. */
async function aPreview(page: object = {}) {
  const { product, aMember } = await openTestProduct()
  const { project } = requireDone(await product.projects.create({ name: 'Acme' }, operator()))
  const other = requireDone(await product.projects.create({ name: 'Other' }, operator()))
  const vera = await aMember({ project, role: 'viewer', name: 'Vera Viewer' })
  const { token } = await product.signIn.welcome(vera, testOrigin)
  const rendered: string[] = []
  const staticPages = {
    preview: (_id: number, { path }: { path: string }) => {
      rendered.push(path)
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'",
      }
      return Promise.resolve({ status: 200, headers, body: Buffer.from(html), ...page })
    },
  }
  const front = createServer((request, response) => {
    const trustedRequest = readTrustedRequest(request, surroundings)
    void answerSitePreview({ request, response, trustedRequest }, { product, staticPages })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void front.close())
  await once(front, 'listening')
  // a server that listens on a port has this form of address
  const { port } = front.address() as { port: number }
  const read = (path: string, cookie = `sid=${token}`) =>
    fetch(`http://127.0.0.1:${port}${sitePreviewPath}${path}`, { headers: { cookie }, redirect: 'manual' })
  return { read, rendered, slug: project.slug, otherSlug: other.project.slug }
}

test('a member sees a page of the site, whose links lead to its other pages', async () => {
  const { read, rendered, slug } = await aPreview()
  const answer = await read(`/${slug}/blog?page=2`)
  expect([answer.status, rendered]).toEqual([200, ['/blog?page=2']])
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
  )
  const root = `${sitePreviewPath}/${slug}`
  expect(await answer.text()).toBe(html.replace('href="/blog/hello', `href="${root}/blog/hello`))
  expect((await read(`/${slug}`)).status).toBe(200)
  expect(rendered.at(-1)).toBe('/')
})

test('a redirect stays in the preview', async () => {
  const { read, slug } = await aPreview({ status: 308, headers: { location: '/blog/new' } })
  const answer = await read(`/${slug}/blog/old`)
  expect([answer.status, answer.headers.get('location')]).toEqual([
    308,
    `${sitePreviewPath}/${slug}/blog/new`,
  ])
})

test('strangers and members of other projects see no preview', async () => {
  const { read, rendered, slug, otherSlug } = await aPreview()
  const refused = await Promise.all([read(`/${slug}`, ''), read(`/${otherSlug}`), read('/..%2f'), read('')])
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  expect(rendered).toEqual([])
})
