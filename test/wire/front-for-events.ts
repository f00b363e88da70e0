import { onTestFinished } from 'vitest'
import { readConfig } from '#server/config'
import { openFront } from '#server/internal/front'
import { openLog } from '#server/log'
import { createDialects } from '#wire/dialects'
import { someWireServices, type TestWireServices } from './posthog-fixture'

/** A front with every dialect, and services that remember what they were given. */
export async function aFrontForEvents(given?: TestWireServices) {
  const reading = readConfig({ PORT: '0' })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  const wire = given ?? (await someWireServices())
  const front = await openFront({
    config: reading.config,
    log: openLog({ level: 'silent', format: 'json' }),
    dialects: createDialects('no scripts'),
  })
  front.use({ wire, disk: async () => ({ freeBytes: 1, usedBytes: 0, trouble: undefined }) })
  onTestFinished(() => front.drain())
  const send = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${front.port}${path}`, { method: 'POST', headers, body })
  const sendPacked = (path: string, body: Buffer, headers: Record<string, string> = {}) =>
    send(path, new Uint8Array(body), { 'content-encoding': 'gzip', ...headers })
  return { wire, send, sendPacked }
}
