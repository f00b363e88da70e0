import { expect } from 'vitest'
import { Talk } from '../start/talk'
import type { Tilth } from '../start/tilth'
import { capture, key, metric, pageview, stored } from './whole-house'

/** A request to capture, up to its body. */
export const head = (tilth: Tilth, more: string, path = '/e/'): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost:${tilth.port}\r\ncontent-type: text/plain\r\n${more}\r\n`

/** An event and the headers that go with it. */
export function whole(tilth: Tilth, distinctId: string, more = ''): string {
  const body = JSON.stringify({ api_key: key, batch: [pageview(distinctId)] })
  const headers = `content-length: ${body.length}\r\nuser-agent: Mozilla/5.0 (X11; Linux x86_64)\r\n`
  return `${head(tilth, headers + more)}${body}`
}

const MB = 1024 ** 2

/** The hostile cases that are answered before a dialect is asked, each against a Tilth that runs. */
export const atTheDoor: Record<string, (tilth: Tilth) => Promise<void>> = {
  async 'body-21MB'(tilth) {
    const talk = await Talk.with(tilth.port)
    talk.say(head(tilth, `content-length: ${21 * MB}\r\n`))
    for (let sent = 0; sent < 21; sent++) talk.say(Buffer.alloc(MB, 'x'))
    const [tooLarge] = await talk.untilAnswers(1)
    expect(tooLarge).toMatchObject({ status: 413, headers: { 'access-control-allow-origin': '*' } })
    talk.say(whole(tilth, 'on the same connection'))
    const [, next] = await talk.untilAnswers(2)
    expect(next?.status).toBe(200)
    talk.close()
    await stored(tilth, 1)
  },

  async 'no-length-chunked-forever'(tilth) {
    const before = await metric(tilth, 'process_resident_memory_bytes')
    const talk = await Talk.with(tilth.port)
    talk.say(head(tilth, 'transfer-encoding: chunked\r\n'))
    const dripping = setInterval(() => talk.say('b\r\n{"api_key":\r\n'), 1000)
    const answers = await talk.untilClosed().finally(() => clearInterval(dripping))
    expect(answers.map(({ status }) => status)).toEqual([408])
    expect((await metric(tilth, 'process_resident_memory_bytes')) - before).toBeLessThan(64 * MB)
    expect(await capture(tilth, pageview('ana'))).toMatchObject({ status: 200 })
    await stored(tilth, 1)
  },

  async 'half-request-close'(tilth) {
    const logged = tilth.out.length + tilth.err.length
    const before = await metric(tilth, 'tilth_connections')
    for (let time = 0; time < 50; time++) {
      const talk = await Talk.with(tilth.port)
      talk.say(whole(tilth, 'half').slice(0, -10))
      talk.close()
    }
    await expect.poll(() => metric(tilth, 'tilth_connections')).toBeLessThanOrEqual(before + 1)
    await capture(tilth, pageview('ana'))
    await stored(tilth, 1)
    expect(tilth.out.length + tilth.err.length - logged).toBeLessThan(1000)
  },

  async 'options-preflight'(tilth) {
    const preflight = (path: string) =>
      fetch(tilth.address + path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://shop.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,posthog-sdk-info',
        },
      })
    for (const path of ['/e/', '/ingest/batch/', '/api/event', '/_tilth/event', '/flags/']) {
      const { status, headers } = await preflight(path)
      expect([path, status]).toEqual([path, 204])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-headers')).toBe('content-type,posthog-sdk-info')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
    for (const path of ['/studio', '/api/v1/projects', '/blog'])
      expect((await preflight(path)).headers.get('access-control-allow-origin')).toBeNull()
  },
}
