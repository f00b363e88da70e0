import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pauseMs, SearchRequests } from './use-project-search'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function someRequests() {
  const asked: { text: string; signal: AbortSignal; answer: (names: string[]) => void; fail: () => void }[] =
    []
  const shown: [string, string[]][] = []
  let failures = 0
  const requests = new SearchRequests<string[]>({
    ask: (text, signal) =>
      new Promise((answer, reject) => {
        asked.push({ text, signal, answer, fail: () => reject(new Error('no answer')) })
      }),
    onAnswer: (names, text) => shown.push([text, names]),
    onFailure: () => (failures += 1),
  })
  return { requests, asked, shown, failures: () => failures }
}

test('letters typed in one go are one request', async () => {
  const { requests, asked } = someRequests()
  for (const text of ['o', 'on', 'onb', 'onbo ']) {
    requests.type(text)
    await vi.advanceTimersByTimeAsync(pauseMs - 1)
  }
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(asked.map(({ text }) => text)).toEqual(['onbo'])
})

test('a request is cancelled by the next letter, and its answer is not shown', async () => {
  const { requests, asked, shown } = someRequests()
  requests.type('plan')
  await vi.advanceTimersByTimeAsync(pauseMs)
  requests.type('plans')
  expect(asked[0]?.signal.aborted).toBe(true)
  asked[0]?.answer(['Plan'])
  await vi.advanceTimersByTimeAsync(pauseMs)
  asked[1]?.answer(['Plans'])
  await vi.advanceTimersByTimeAsync(0)
  expect(shown).toEqual([['plans', ['Plans']]])
})

test('nothing typed asks nothing, and a closed palette hears no failure', async () => {
  const { requests, asked, failures } = someRequests()
  requests.type('  ')
  await vi.advanceTimersByTimeAsync(pauseMs)
  expect(asked).toEqual([])
  requests.type('plan')
  await vi.advanceTimersByTimeAsync(pauseMs)
  requests.cancel()
  asked[0]?.fail()
  await vi.advanceTimersByTimeAsync(0)
  expect(failures()).toBe(0)
})

test('a request without an answer is a failure', async () => {
  const { requests, asked, failures } = someRequests()
  requests.type('plan')
  await vi.advanceTimersByTimeAsync(pauseMs)
  asked[0]?.fail()
  await vi.advanceTimersByTimeAsync(0)
  expect(failures()).toBe(1)
})
