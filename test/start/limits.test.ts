import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtActions } from '../deep/fuzz/pages'
import { RawConnection } from './raw-connection'
import { browserHeaders, aTilth, aTilthForAll, type RunningTestTilth, titleOf } from './tilth'

const head = (tilth: RunningTestTilth, more = '') =>
  `POST /studio HTTP/1.1\r\nHost: localhost:${tilth.port}\r\ncontent-type: multipart/form-data; boundary=x\r\n${more}`

/** For those who do not keep it busy. */
const aSharedTilth = aTilthForAll()

test('a thousand who send slowly are shown out, and no one else notices', async () => {
  const tilth = await aTilth()
  const slow = await Promise.all(
    Array.from({ length: 1000 }, async () => (await RawConnection.open(tilth.port)).send(head(tilth))),
  )
  const shownOut = Promise.all(slow.map((talk) => talk.waitUntilClosed()))
  const answered = await healthAnswers(tilth, shownOut)
  expect(new Set((await shownOut).flat().map(({ status }) => status))).toEqual(new Set([408]))
  // one that waited for the slow senders would be the only one
  expect(answered).toBeGreaterThan(5)
})

/** The number of health checks answered, one request after another, until the promise settled. */
async function healthAnswers(tilth: RunningTestTilth, until: Promise<unknown>): Promise<number> {
  const watch = { isOver: false }
  void until.finally(() => (watch.isOver = true))
  let answered = 0
  while (!watch.isOver) {
    const answer = await fetch(`${tilth.address}/_tilth/health`)
    await answer.text()
    expect(answer.status).toBe(200)
    answered++
  }
  return answered
}

test('what is too large, too slow or two things at once gets an honest answer', async () => {
  const tilth = await aSharedTilth()
  const answerTo = async (text: string) => {
    const talk = await RawConnection.open(tilth.port)
    return (await talk.send(text).waitUntilClosed()).map(({ status }) => status)
  }
  const answers = await Promise.all([
    answerTo(head(tilth, `x-large: ${'a'.repeat(20_000)}\r\n\r\n`)),
    answerTo(head(tilth, 'content-length: 100\r\n\r\nhalf')),
    answerTo(head(tilth, `content-length: ${50 * 1024 ** 2}\r\n\r\n`)),
    answerTo(head(tilth, 'transfer-encoding: chunked\r\n\r\nzz\r\n')),
    answerTo(head(tilth, 'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n')),
  ])
  expect(answers).toEqual([[431], [408], [413], [400], [400]])
})

test('a foreign host gets a page that says which setting would let it in', async () => {
  const tilth = await aSharedTilth()
  const talk = await RawConnection.open(tilth.port)
  const [answer] = await talk
    .send('GET / HTTP/1.1\r\nHost: evil.example\r\naccept: text/html\r\n\r\n')
    .waitForResponses(1)
  expect(answer).toMatchObject({ status: 421 })
  expect(titleOf(answer?.body ?? '')).toBe('Misdirected Request')
  expect(answer?.body).toContain('TILTH_URL')
  talk.close()
})

test('a malformed address is a Bad Request, an unknown one cannot be found', async () => {
  const tilth = await aSharedTilth()
  const malformed = await fetch(`${tilth.address}/%E0%A4%A`, browserHeaders)
  expect([malformed.status, titleOf(await malformed.text())]).toEqual([400, 'Bad Request'])
  const unknown = await fetch(`${tilth.address}/nothing-here`, browserHeaders)
  expect([unknown.status, titleOf(await unknown.text())]).toEqual([404, 'This page could not be found'])
})

test.each([
  ['arguments that end too early', '["a'],
  ['arguments without an end', '['.repeat(5000)],
  ['lists in lists', '['.repeat(5000) + ']'.repeat(5000)],
  ['a number that is none', '["$nab"]'],
])('an action with %s is a Bad Request', async (_what, body) => {
  const tilth = await aSharedTilth()
  const answer = await fetch(`${tilth.address}/studio/sign-in`, {
    method: 'POST',
    headers: { ...browserHeaders.headers, origin: tilth.address, 'next-action': actionId('signIn') },
    body,
  })
  expect([answer.status, titleOf(await answer.text())]).toEqual([400, 'Bad Request'])
})

test('a form whose fields cannot be told apart is a Bad Request', async () => {
  const tilth = await aSharedTilth()
  const field = (name: string, value: string) =>
    `--ab\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const answer = await fetch(`${tilth.address}/studio/sign-in`, {
    method: 'POST',
    headers: {
      ...browserHeaders.headers,
      origin: tilth.address,
      'content-type': 'multipart/form-data; boundary=ab',
    },
    body: `${field(`$ACTION_ID_${actionId('signIn')}`, '')}${field('email', 'the boundary is in it: ab')}--ab--\r\n`,
  })
  expect([answer.status, titleOf(await answer.text())]).toEqual([400, 'Bad Request'])
})

function actionId(name: string): string {
  const found = builtActions(join(import.meta.dirname, '../..')).find((action) => action.name === name)
  if (!found) throw new Error(`There is no action "${name}".`)
  return found.id
}
