import { expect, test } from 'vitest'
import { Talk } from '../start/talk'
import type { Tilth } from '../start/tilth'
import { atTheDoor, head, whole } from './at-the-door'
import { anOwnedTilth, capture, events, pageview, stored } from './whole-house'

test.each(Object.entries(atTheDoor))('C12: %s, at the door of a Tilth that runs', async (_, survive) => {
  await survive(await anOwnedTilth())
})

const zeros = 'x'.repeat(1024 ** 2)

/** What is said on a bare connection, and the statuses that come back before it is closed. */
type Said = [what: string, said: (tilth: Tilth) => string, answers: number[]]

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
    (tilth) => whole(tilth, 'smuggled', 'transfer-encoding: chunked\r\n'),
    [400],
  ],
  ['two lengths', (tilth) => whole(tilth, 'smuggled', 'content-length: 5\r\n'), [400]],
  ['a length that is none', (tilth) => `${head(tilth, 'content-length: 1e3\r\n')}{}`, [400]],
  ['a header of a megabyte', (tilth) => head(tilth, `x-large: ${zeros}\r\n`), [431]],
  [
    'no host',
    (tilth) =>
      whole(tilth, 'homeless')
        .replace(/^Host: .*\r\n/m, '')
        .replace('content-', 'connection: close\r\ncontent-'),
    [400],
  ],
  ['two hosts', (tilth) => whole(tilth, 'torn', `connection: close\r\nHost: evil.example\r\n`), [400]],
  [
    'a host that is none',
    (tilth) => whole(tilth, 'odd', 'connection: close\r\n').replace(/^Host: .*$/m, 'Host: a b/../c'),
    [400],
  ],
  [
    'a whole address where a path belongs, as only proxies are asked',
    (tilth) =>
      whole(tilth, 'proxied', 'connection: close\r\n').replace('POST /e/', `POST ${tilth.address}/e/`),
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
    const talk = await Talk.with(tilth.port)
    const heard = await talk.say(said(tilth)).untilClosed()
    expect([what, heard.map(({ status }) => status)]).toEqual([what, answers])
  }
  await capture(tilth, pageview('ana'))
  await stored(tilth, 1)
})

test('C11: who speaks the oldest HTTP, which names no host, is heard', async () => {
  const tilth = await anOwnedTilth()
  const talk = await Talk.with(tilth.port)
  const said = whole(tilth, 'oldest')
    .replace('HTTP/1.1', 'HTTP/1.0')
    .replace(/^Host: .*\r\n/m, '')
  expect((await talk.say(said).untilClosed()).map(({ status }) => status)).toEqual([200])
  await stored(tilth, 1)
})

test('C11: a connection that breaks in the middle of a body leaves no event and harms no other', async () => {
  const tilth = await anOwnedTilth()
  for (let time = 0; time < 50; time++) {
    const talk = await Talk.with(tilth.port)
    const said = whole(tilth, `torn ${time}`)
    talk.say(said.slice(0, said.length - 1 - time))
    talk.socket.resetAndDestroy()
    expect((await capture(tilth, pageview(`whole ${time}`))).status).toBe(200)
  }
  await stored(tilth, 50)
  expect((await events(tilth)).filter(({ distinct_id }) => distinct_id.startsWith('torn'))).toEqual([])
})

test('C11: requests sent without waiting are answered one by one, and each is stored once', async () => {
  const tilth = await anOwnedTilth()
  const talk = await Talk.with(tilth.port)
  talk.say(Array.from({ length: 20 }, (_, n) => whole(tilth, `pipelined ${n}`)).join(''))
  const answers = await talk.untilAnswers(20)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  talk.close()
  await stored(tilth, 20)
  expect(new Set((await events(tilth)).map(({ distinct_id }) => distinct_id)).size).toBe(20)
})

test('C11: who asks whether to go on and then says nothing is shown out, with no event', async () => {
  const tilth = await anOwnedTilth()
  const talk = await Talk.with(tilth.port)
  const said = whole(tilth, 'hesitant', 'expect: 100-continue\r\n')
  talk.say(said.slice(0, said.indexOf('\r\n\r\n') + 4))
  expect((await talk.untilClosed()).map(({ status }) => status)).toEqual([408])
  await capture(tilth, pageview('ana'))
  await stored(tilth, 1)
})
