import { expect, test } from 'vitest'
import { memoize, memoizeRepeated } from './memoize'

function counted() {
  const asked: string[] = []
  return {
    asked,
    find: (text: string) => {
      asked.push(text)
      return { text }
    },
  }
}

test('an answer is found once', () => {
  const { asked, find } = counted()
  const cached = memoize(10, find)
  expect([cached('a'), cached('b'), cached('a')]).toEqual([{ text: 'a' }, { text: 'b' }, { text: 'a' }])
  expect(asked).toEqual(['a', 'b'])
})

test('an answer that is seldom asked for twice is cached the second time', () => {
  const { asked, find } = counted()
  const cached = memoizeRepeated(10, find)
  expect([cached('a'), cached('a'), cached('a'), cached('b')].map(({ text }) => text)).toEqual([
    'a',
    'a',
    'a',
    'b',
  ])
  expect(asked).toEqual(['a', 'a', 'b'])
})

test('a text that no client repeats is not kept', () => {
  const { asked, find } = counted()
  const [cached, repeated] = [memoize(10, find), memoizeRepeated(10, find)]
  const long = 'a'.repeat(1001)
  for (const one of [cached, cached, repeated, repeated, repeated]) one(long)
  expect(asked).toHaveLength(5)
})
