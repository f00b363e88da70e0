import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestProduct, testOrigin } from '#test/product/fixture'
import { handleApiRequest } from '../endpoints'
import { handlePosthogRequest } from '../posthog/internal/handle'

test.each([
  // what another product's client reads          the page about that product
  ['/api/v1/sites', 'docs/sdk-plausible.md'],
  ['/api/v0/stats/total', 'docs/sdk-goatcounter.md'],
  ['/api/2.0/export', 'docs/sdk-mixpanel.md'],
  ['/api/2/export', 'docs/sdk-amplitude.md'],
  ['/api/export/datapoints', 'docs/sdk-simple-analytics.md'],
  ['/api/elsewhere', 'docs/posthog.md'],
])('who asks for %s with a key of that product is told of %s', async (path, page) => {
  const { product } = await openTestProduct()
  const address = new URL(`https://tilth.example.com${path}`)
  const request = {
    method: 'GET',
    authorization: 'Bearer theirs',
    body: async () => new Uint8Array(),
    origin: testOrigin,
  }
  const answer = path.startsWith('/api/v1/')
    ? await handleApiRequest(
        { ...request, path: path.slice('/api/v1'.length), query: address.searchParams },
        product,
      )
    : await handlePosthogRequest({ ...request, address, receivedAt: new Date() }, product)
  expect(answer.status).toBe(404)
  expect(JSON.stringify(answer.body)).toContain(`${page} `)
  expect(existsSync(join(import.meta.dirname, '../../..', page))).toBe(true)
})
