import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../pages/browser'
import { aMember, openOwnerPage, type TestStudio, aSharedStudio } from '../studio/studio'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

const shared = aSharedStudio()

const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 1200, height: 600, channels: 3, background: 'green' } })
    .jpeg()
    .toBuffer()

interface Upload {
  bytes?: Uint8Array
  cookie?: string
  origin?: string
  project?: string
}

async function upload(
  { address }: TestStudio,
  { bytes, cookie = '', origin = address, project = 'acme' }: Upload,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${address}/_tilth/uploads/${project}?name=garden.jpg`, {
    method: 'POST',
    headers: { cookie, origin },
    body: Buffer.from(bytes ?? (await picture())),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> } // JSON of ours
}

const cookieOf = async (page: Awaited<ReturnType<typeof openOwnerPage>>): Promise<string> =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')

describe('a picture', () => {
  test('is taken from members who may write, and shown to everyone', async () => {
    const studio = await shared(browser)
    const cookie = await cookieOf(await openOwnerPage(studio))
    const { status, body } = await upload(studio, { cookie })
    expect({ status, body }).toMatchObject({ status: 200, body: { width: 1200, height: 600 } })
    expect(body['address']).toMatch(/^\/_tilth\/images\/[0-9a-f]{32}\.jpg$/)

    const shown = await fetch(`${studio.address}${String(body['address'])}`)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    const narrow = await fetch(`${studio.address}${String(body['address'])}?w=480`)
    expect(narrow.headers.get('content-type')).toBe('image/webp')
    expect(await sharp(await narrow.arrayBuffer()).metadata()).toMatchObject({ width: 480, height: 240 })
  })

  test('is refused from everyone else, in words', async () => {
    const studio = await shared(browser)
    const owner = await cookieOf(await openOwnerPage(studio))
    const viewer = await cookieOf(await aMember(studio, 'viewer', 'Vera'))
    expect(await upload(studio, {})).toMatchObject({ status: 401 })
    expect(await upload(studio, { cookie: owner, origin: 'https://evil.example' })).toMatchObject({
      status: 403,
    })
    expect(await upload(studio, { cookie: owner, project: 'unknown' })).toMatchObject({ status: 401 })
    expect(await upload(studio, { cookie: viewer })).toMatchObject({
      status: 422,
      body: { problem: expect.stringMatching(/editor/) },
    })
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    expect(await upload(studio, { cookie: owner, bytes: svg })).toMatchObject({
      status: 422,
      body: { problem: expect.stringMatching(/SVG/) },
    })
    expect((await upload(studio, { cookie: owner, bytes: new Uint8Array(12 * 1024 * 1024) })).status).toBe(
      413,
    )
  })

  test.each([
    '/_tilth/images/../store.db',
    '/_tilth/images/%2e%2e%2fstore.db',
    '/_tilth/images/',
    '/_tilth/images/x',
  ])('is not to be found at %s', async (path) => {
    const studio = await shared(browser)
    expect([400, 404]).toContain((await fetch(`${studio.address}${path}`)).status)
  })
})
