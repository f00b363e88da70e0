import { expect } from 'vitest'
import { RawConnection } from '../start/raw-connection'
import type { RunningTestTilth } from '../start/tilth'
import { sendCapture, key, readMetric, pageview, waitForStored } from './tilth-fixture'

/** A request to capture, up to its body. */
export const head = (tilth: RunningTestTilth, more: string, path = '/e/'): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost:${tilth.port}\r\ncontent-type: text/plain\r\n${more}\r\n`

/** An event and the headers that go with it. */
export function completeRequest(tilth: RunningTestTilth, distinctId: string, more = ''): string {
  const body = JSON.stringify({ api_key: key, batch: [pageview(distinctId)] })
  const headers = `content-length: ${body.length}\r\nuser-agent: Mozilla/5.0 (X11; Linux x86_64)\r\n`
  return `${head(tilth, headers + more)}${body}`
}

const MB = 1024 ** 2

/** The hostile cases that are answered before a dialect is asked, each against a Tilth that runs. */
export const frontRefusalCases: Record<string, (tilth: RunningTestTilth) => Promise<void>> = {
  async 'body-21MB'(tilth) {
    const talk = await RawConnection.open(tilth.port)
    talk.send(head(tilth, `content-length: ${21 * MB}\r\n`))
    for (let sent = 0; sent < 21; sent++) talk.send(Buffer.alloc(MB, 'x'))
    const [tooLarge] = await talk.waitForResponses(1)
    expect(tooLarge).toMatchObject({ status: 413, headers: { 'access-control-allow-origin': '*' } })
    talk.send(completeRequest(tilth, 'on the same connection'))
    const [, next] = await talk.waitForResponses(2)
    expect(next?.status).toBe(200)
    talk.close()
    await waitForStored(tilth, 1)
  },

  async 'no-length-chunked-forever'(tilth) {
    const before = await readMetric(tilth, 'process_resident_memory_bytes')
    const talk = await RawConnection.open(tilth.port)
    talk.send(head(tilth, 'transfer-encoding: chunked\r\n'))
    const dripping = setInterval(() => talk.send('b\r\n{"api_key":\r\n'), 1000)
    const answers = await talk.waitUntilClosed().finally(() => clearInterval(dripping))
    expect(answers.map(({ status }) => status)).toEqual([408])
    expect((await readMetric(tilth, 'process_resident_memory_bytes')) - before).toBeLessThan(64 * MB)
    expect(await sendCapture(tilth, pageview('ana'))).toMatchObject({ status: 200 })
    await waitForStored(tilth, 1)
  },

  async 'half-request-close'(tilth) {
    const logged = tilth.out.length + tilth.err.length
    const before = await readMetric(tilth, 'tilth_connections')
    for (let time = 0; time < 50; time++) {
      const talk = await RawConnection.open(tilth.port)
      talk.send(completeRequest(tilth, 'half').slice(0, -10))
      talk.close()
    }
    await expect.poll(() => readMetric(tilth, 'tilth_connections')).toBeLessThanOrEqual(before + 1)
    await sendCapture(tilth, pageview('ana'))
    await waitForStored(tilth, 1)
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
      const isPostHogs = ['/e/', '/ingest/batch/', '/flags/'].includes(path)
      expect(headers.get('access-control-allow-origin')).toBe(isPostHogs ? 'https://shop.example' : '*')
      expect(headers.get('access-control-allow-headers')).toBe('content-type,posthog-sdk-info')
      expect(headers.get('access-control-allow-credentials')).toBe(isPostHogs ? 'true' : null)
    }
    for (const path of ['/studio', '/api/v1/projects', '/blog'])
      expect((await preflight(path)).headers.get('access-control-allow-origin')).toBeNull()
  },
}
