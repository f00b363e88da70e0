import { expect, test } from 'vitest'
import { RawConnection } from '../start/raw-connection'
import type { RunningTestTilth } from '../start/tilth'
import { frontRefusalCases, head, completeRequest } from './front-refusal-cases'
import { anOwnedTilth, sendCapture, fetchEvents, pageview, waitForStored } from './tilth-fixture'

test.each(Object.entries(frontRefusalCases))(
  'C12: %s, at the door of a Tilth that runs',
  async (_, survive) => {
    await survive(await anOwnedTilth())
  },
)

const zeros = 'x'.repeat(1024 ** 2)

/** What is said on a bare connection, and the statuses that come back before it is closed. */
type Said = [what: string, said: (tilth: RunningTestTilth) => string, answers: number[]]

const oddities: readonly Said[] = [
  ['a chunk of no size', (tilth) => `${head(tilth, 'transfer-encoding: chunked\r\n')}zz\r\n{}\r\n`, [400]],
  ['a chunk of a negative size', (tilth) => `${head(tilth, 'transfer-encoding: chunked\r\n')}-5\r\n`, [400]],
  [
    'a chunk larger than any number',
    (tilth) => `${head(tilth, 'transfer-encoding: chunked\r\n')}ffffffffffffffffff\r\n`,
    [400],
  ],
  [
    'a length and chunks at once',
    (tilth) => completeRequest(tilth, 'smuggled', 'transfer-encoding: chunked\r\n'),
    [400],
  ],
  ['two lengths', (tilth) => completeRequest(tilth, 'smuggled', 'content-length: 5\r\n'), [400]],
  ['a length that is none', (tilth) => `${head(tilth, 'content-length: 1e3\r\n')}{}`, [400]],
  ['a header of a megabyte', (tilth) => head(tilth, `x-large: ${zeros}\r\n`), [431]],
  [
    'no host',
    (tilth) =>
      completeRequest(tilth, 'homeless')
        .replace(/^Host: .*\r\n/m, '')
        .replace('content-', 'connection: close\r\ncontent-'),
    [400],
  ],
  [
    'two hosts',
    (tilth) => completeRequest(tilth, 'torn', `connection: close\r\nHost: evil.example\r\n`),
    [400],
  ],
  [
    'a host that is none',
    (tilth) =>
      completeRequest(tilth, 'odd', 'connection: close\r\n').replace(/^Host: .*$/m, 'Host: a b/../c'),
    [400],
  ],
  [
    'a whole address where a path belongs, as only proxies are asked',
    (tilth) =>
      completeRequest(tilth, 'proxied', 'connection: close\r\n').replace(
        'POST /e/',
        `POST ${tilth.address}/e/`,
      ),
    [400],
  ],
  [
    'no HTTP at all',
    () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n',
    [400],
  ],
]

test('C11: whatever is odd about a request, it has an answer, and nothing of it is stored', async () => {
  const tilth = await anOwnedTilth()
  for (const [what, said, answers] of oddities) {
    const talk = await RawConnection.open(tilth.port)
    const heard = await talk.send(said(tilth)).waitUntilClosed()
    expect([what, heard.map(({ status }) => status)]).toEqual([what, answers])
  }
  await sendCapture(tilth, pageview('ana'))
  await waitForStored(tilth, 1)
})

test('C11: who speaks the oldest HTTP, which names no host, is heard', async () => {
  const tilth = await anOwnedTilth()
  const talk = await RawConnection.open(tilth.port)
  const said = completeRequest(tilth, 'oldest')
    .replace('HTTP/1.1', 'HTTP/1.0')
    .replace(/^Host: .*\r\n/m, '')
  expect((await talk.send(said).waitUntilClosed()).map(({ status }) => status)).toEqual([200])
  await waitForStored(tilth, 1)
})

test('C11: a connection that breaks in the middle of a body leaves no event and harms no other', async () => {
  const tilth = await anOwnedTilth()
  for (let time = 0; time < 50; time++) {
    const talk = await RawConnection.open(tilth.port)
    const said = completeRequest(tilth, `torn ${time}`)
    talk.send(said.slice(0, said.length - 1 - time))
    talk.socket.resetAndDestroy()
    expect((await sendCapture(tilth, pageview(`whole ${time}`))).status).toBe(200)
  }
  await waitForStored(tilth, 50)
  expect((await fetchEvents(tilth)).filter(({ distinct_id }) => distinct_id.startsWith('torn'))).toEqual([])
})

test('C11: requests sent without waiting are answered one by one, and each is stored once', async () => {
  const tilth = await anOwnedTilth()
  const talk = await RawConnection.open(tilth.port)
  talk.send(Array.from({ length: 20 }, (_, n) => completeRequest(tilth, `pipelined ${n}`)).join(''))
  const answers = await talk.waitForResponses(20)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  talk.close()
  await waitForStored(tilth, 20)
  expect(new Set((await fetchEvents(tilth)).map(({ distinct_id }) => distinct_id)).size).toBe(20)
})

test('C11: who asks whether to go on and then says nothing is shown out, with no event', async () => {
  const tilth = await anOwnedTilth()
  const talk = await RawConnection.open(tilth.port)
  const said = completeRequest(tilth, 'hesitant', 'expect: 100-continue\r\n')
  talk.send(said.slice(0, said.indexOf('\r\n\r\n') + 4))
  expect((await talk.waitUntilClosed()).map(({ status }) => status)).toEqual([408])
  await sendCapture(tilth, pageview('ana'))
  await waitForStored(tilth, 1)
})
