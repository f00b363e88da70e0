import { expect, test } from 'vitest'
import { memoize, memoizeRepeated } from './memoize'

function counted() {
  const requests: string[] = []
  return {
    requests,
    find: (text: string) => {
      requests.push(text)
      return { text }
    },
  }
}

test('an answer is found once', () => {
  const { requests, find } = counted()
  const cached = memoize(10, find)
  expect([cached('a'), cached('b'), cached('a')]).toEqual([{ text: 'a' }, { text: 'b' }, { text: 'a' }])
  expect(requests).toEqual(['a', 'b'])
})

test('an answer that is seldom asked for twice is cached the second time', () => {
  const { requests, find } = counted()
  const cached = memoizeRepeated(10, find)
  expect([cached('a'), cached('a'), cached('a'), cached('b')].map(({ text }) => text)).toEqual([
    'a',
    'a',
    'a',
    'b',
  ])
  expect(requests).toEqual(['a', 'a', 'b'])
})

test('a text that no client repeats is not kept', () => {
  const { requests, find } = counted()
  const [cached, repeated] = [memoize(10, find), memoizeRepeated(10, find)]
  const long = 'a'.repeat(1001)
  for (const one of [cached, cached, repeated, repeated, repeated]) one(long)
  expect(requests).toHaveLength(5)
})
