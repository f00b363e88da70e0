import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { answerStream, StreamedBody } from './streamed-body'

async function aServer(parts: () => AsyncGenerator<string>) {
  const failures: unknown[] = []
  const server = createServer((_, response) => {
    void answerStream(response, new StreamedBody('text/csv', 'rows.csv', parts())).then((failure) =>
      failures.push(failure),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // a server that listens on a port has an address with one
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, failures }
}

async function* rows() {
  for (const row of ['a,b\n', '1,2\n']) yield row
}

test('a file is sent as a download that is not cached', async () => {
  const { url, failures } = await aServer(rows)
  const response = await fetch(url)

  expect(await response.text()).toBe('a,b\n1,2\n')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/csv',
    'content-disposition': 'attachment; filename="rows.csv"',
    'cache-control': 'no-store',
  })
  expect(failures).toEqual([undefined])
})

test('a file whose source fails is cut, so that no client takes it for a whole one', async () => {
  const { url, failures } = await aServer(async function* () {
    yield 'a,b\n'
    throw new Error('The engine is gone.')
  })
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow()
  expect(failures).toEqual([new Error('The engine is gone.')])
})

test('HEAD reads nothing', async () => {
  let isRead = false
  const { url } = await aServer(async function* () {
    isRead = true
    yield 'a'
  })
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
  expect(isRead).toBe(false)
})
