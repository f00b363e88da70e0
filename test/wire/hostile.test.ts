import { describe, expect, test } from 'vitest'
import { RawConnection } from '../start/raw-connection'
import {
  asResponse,
  completeRequest,
  frontRefusalCases,
  head,
  type HostileTarget,
} from './front-refusal-cases'
import { aSharedTilth } from './shared-tilth'
import { sendCapture, fetchEvents, pageview, waitForStored } from './tilth-fixture'

const aProject = aSharedTilth()

const endless = 'no-length-chunked-forever'
const quick = Object.entries(frontRefusalCases).filter(([name]) => name !== endless)

test.each(quick)('C12: %s, at the door of a Tilth that runs', async (_, survive) => {
  await survive(await aProject())
})

describe.concurrent('a client that does not come to an end', () => {
  test(`C12: ${endless}, at the door of a Tilth that runs`, async () => {
    await frontRefusalCases[endless](await aProject())
  })

  test('C11: a client that sends "expect: 100-continue" and no body is disconnected, and nothing is stored', async () => {
    const project = await aProject()
    const talk = await RawConnection.open(project.port)
    const text = completeRequest(project, 'hesitant', 'expect: 100-continue\r\n')
    talk.send(text.slice(0, text.indexOf('\r\n\r\n') + 4))
    expect((await talk.waitUntilClosed()).map(({ status }) => status)).toEqual([408])
    await sendCapture(project, pageview('ana'))
    await waitForStored(project, 1)
  })
})

const zeros = 'x'.repeat(1024 ** 2)

/** The bytes sent over a bare connection, and the statuses that come back before it is closed. */
type HostileRequest = [what: string, said: (project: HostileTarget) => string, answers: number[]]

const oddities: readonly HostileRequest[] = [
  [
    'a chunk of no size',
    (project) => `${head(project, 'transfer-encoding: chunked\r\n')}zz\r\n{}\r\n`,
    [400],
  ],
  [
    'a chunk of a negative size',
    (project) => `${head(project, 'transfer-encoding: chunked\r\n')}-5\r\n`,
    [400],
  ],
  [
    'a chunk larger than any number',
    (project) => `${head(project, 'transfer-encoding: chunked\r\n')}ffffffffffffffffff\r\n`,
    [400],
  ],
  [
    'a length and chunks at once',
    (project) => completeRequest(project, 'smuggled', 'transfer-encoding: chunked\r\n'),
    [400],
  ],
  ['two lengths', (project) => completeRequest(project, 'smuggled', 'content-length: 5\r\n'), [400]],
  ['a length that is none', (project) => `${head(project, 'content-length: 1e3\r\n')}{}`, [400]],
  ['a header of a megabyte', (project) => head(project, `x-large: ${zeros}\r\n`), [431]],
  [
    'no host',
    (project) =>
      completeRequest(project, 'homeless')
        .replace(/^Host: .*\r\n/m, '')
        .replace('content-', 'connection: close\r\ncontent-'),
    [400],
  ],
  [
    'two hosts',
    (project) => completeRequest(project, 'torn', `connection: close\r\nHost: evil.example\r\n`),
    [400],
  ],
  [
    'a host that is none',
    (project) =>
      completeRequest(project, 'odd', 'connection: close\r\n').replace(/^Host: .*$/m, 'Host: a b/../c'),
    [400],
  ],
  [
    'a whole address where a path belongs, as only proxies are asked',
    (project) =>
      completeRequest(project, 'proxied', 'connection: close\r\n').replace(
        'POST /e/',
        `POST ${project.address}/e/`,
      ),
    [400],
  ],
  [
    'no HTTP at all',
    () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n',
    [400],
  ],
]

test('C11: every malformed request is answered, and nothing of it is stored', async () => {
  const project = await aProject()
  for (const [what, requestOf, answers] of oddities) {
    const talk = await RawConnection.open(project.port)
    const heard = await talk.send(requestOf(project)).waitUntilClosed()
    expect([what, heard.map(({ status }) => status)]).toEqual([what, answers])
  }
  await sendCapture(project, pageview('ana'))
  await waitForStored(project, 1)
})

test('C11: a request by HTTP/1.0, which names no host, is stored', async () => {
  const project = await aProject()
  const text = completeRequest(project, 'oldest')
    .replace('HTTP/1.1', 'HTTP/1.0')
    .replace(/^Host: .*\r\n/m, '')
  const answer = await (async () => {
    const talk = await RawConnection.open(project.port)
    const answers = await talk.send(text).waitUntilClosed()
    expect(answers).toHaveLength(1)
    return asResponse(answers[0])
  })()
  expect(answer.status).toBe(200)
  await waitForStored(project, 1)
})

test('C11: a connection that breaks in the middle of a body leaves no event and harms no other', async () => {
  const project = await aProject()
  for (let time = 0; time < 50; time++) {
    const talk = await RawConnection.open(project.port)
    const text = completeRequest(project, `torn ${time}`)
    talk.send(text.slice(0, text.length - 1 - time))
    talk.socket.resetAndDestroy()
    const whole = pageview(`whole ${time}`)
    expect((await sendCapture(project, whole)).status).toBe(200)
  }
  await waitForStored(project, 50)
  expect((await fetchEvents(project)).filter(({ distinct_id }) => distinct_id.startsWith('torn'))).toEqual([])
})

test('C11: requests sent without waiting are answered one by one, and each is stored once', async () => {
  const project = await aProject()
  let waiting = Array.from({ length: 20 }, (_, n) => completeRequest(project, `pipelined ${n}`))
  while (waiting.length > 0) {
    const talk = await RawConnection.open(project.port)
    const answers = await talk.send(waiting.join('')).waitForResponses(waiting.length)
    talk.close()
    // requests that a busy machine refuses unread are sent again
    for (const { status } of answers) expect([200, 503]).toContain(status)
    expect(answers).toHaveLength(waiting.length)
    waiting = waiting.filter((_, n) => answers[n]?.status !== 200)
  }
  await waitForStored(project, 20)
  expect(new Set((await fetchEvents(project)).map(({ distinct_id }) => distinct_id)).size).toBe(20)
})
