import { expect } from 'vitest'
import { RawConnection, type RawResponse } from '../start/raw-connection'
import type { RunningTestTilth } from '../start/tilth'
import { sendCapture, key, readMetric, pageview, type TestProject, waitForStored } from './tilth-fixture'

/** A project that is reached at this port, and what its Tilth said so far. */
export interface HostileTarget extends TestProject {
  port: number
  tilth: Pick<RunningTestTilth, 'out' | 'err'>
}

/** A request to capture, up to its body. */
export const head = (project: Pick<HostileTarget, 'port'>, more: string, path = '/e/'): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost:${project.port}\r\ncontent-type: text/plain\r\n${more}\r\n`

/** An event and the headers that go with it. */
export function completeRequest(project: HostileTarget, distinctId: string, more = ''): string {
  const body = JSON.stringify({ api_key: project.key ?? key, batch: [pageview(distinctId)] })
  const headers = `content-length: ${body.length}\r\nuser-agent: Mozilla/5.0 (X11; Linux x86_64)\r\n`
  return `${head(project, headers + more)}${body}`
}

/** Sends a request on a connection that stays open, again where a busy machine makes Tilth refuse it unread. */
const sendUntilRead = (talk: RawConnection, request: string): Promise<Response> =>
  (async () => {
    const { length } = talk.responses()
    const answers = await talk.send(request).waitForResponses(length + 1)
    return asResponse(answers[length])
  })()

export const asResponse = (answer: RawResponse | undefined): Response =>
  new Response(answer?.body, { status: answer?.status ?? 599, headers: answer?.headers ?? {} })

const MB = 1024 ** 2

/** The hostile cases that are answered before a dialect is asked, each against a Tilth that runs. */
export const frontRefusalCases = {
  async 'body-21MB'(project) {
    const talk = await RawConnection.open(project.port)
    talk.send(head(project, `content-length: ${21 * MB}\r\n`))
    for (let sent = 0; sent < 21; sent++) talk.send(Buffer.alloc(MB, 'x'))
    const [tooLarge] = await talk.waitForResponses(1)
    expect(tooLarge).toMatchObject({ status: 413, headers: { 'access-control-allow-origin': '*' } })
    const next = await sendUntilRead(talk, completeRequest(project, 'on the same connection'))
    expect([next.status, await next.text()]).toEqual([200, expect.any(String)])
    talk.close()
    await waitForStored(project, 1)
  },

  async 'no-length-chunked-forever'(project) {
    const before = await readMetric(project, 'process_resident_memory_bytes')
    const talk = await RawConnection.open(project.port)
    talk.send(head(project, 'transfer-encoding: chunked\r\n'))
    const dripping = setInterval(() => talk.send('b\r\n{"api_key":\r\n'), 1000)
    const answers = await talk.waitUntilClosed().finally(() => clearInterval(dripping))
    expect(answers.map(({ status }) => status)).toEqual([408])
    expect((await readMetric(project, 'process_resident_memory_bytes')) - before).toBeLessThan(64 * MB)
    expect(await sendCapture(project, pageview('ana'))).toMatchObject({ status: 200 })
    await waitForStored(project, 1)
  },

  async 'half-request-close'(project) {
    const loggedBytes = () => project.tilth.out.length + project.tilth.err.length
    const logged = loggedBytes()
    const before = await readMetric(project, 'tilth_connections')
    for (let time = 0; time < 50; time++) {
      const talk = await RawConnection.open(project.port)
      talk.send(completeRequest(project, 'half').slice(0, -10))
      talk.close()
    }
    await expect.poll(() => readMetric(project, 'tilth_connections')).toBeLessThanOrEqual(before + 1)
    await sendCapture(project, pageview('ana'))
    await waitForStored(project, 1)
    expect(loggedBytes() - logged).toBeLessThan(1000)
  },

  async 'options-preflight'(project) {
    const preflight = (path: string) =>
      fetch(project.address + path, {
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
} satisfies Record<string, (project: HostileTarget) => Promise<void>>
