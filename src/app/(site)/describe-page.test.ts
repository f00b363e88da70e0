import { expect, test } from 'vitest'
import { titlesOf } from './describe-page'

const titled = (...titles: string[]) => titles.map((title) => ({ title }))

test('a list without a description is described by its first titles, as many as fit', () => {
  expect(titlesOf(titled('Boards 2', 'What comes next'))).toBe('Boards 2 · What comes next')
  const [first, ...others] = ['a', 'b', 'c'].map((sign) => sign.repeat(75))
  expect(titlesOf(titled(first ?? '', ...others))).toBe(`${first} · ${others[0]}`)
  expect(titlesOf(titled('a'.repeat(300)))).toBe('a'.repeat(300))
  expect(titlesOf([])).toBe('')
})
