import { expect, test } from 'vitest'
import { slugOf, tagAddress } from './post'

test.each([
  ['Über uns!', 'uber-uns'],
  ['C', 'c'],
  ['C#', 'c-sharp'],
  ['C++', 'c-plus-plus'],
  ['F# and C++ 20', 'f-sharp-and-c-plus-plus-20'],
  ['#news', 'news'],
  ['1+1', '1-1'],
  ['Q + A', 'q-a'],
  ['日本語', '日本語'],
])('“%s” has the slug %s', (text, slug) => expect(slugOf(text)).toBe(slug))

test('tags of different languages have different pages', () =>
  expect(new Set(['C', 'C#', 'C++'].map(tagAddress)).size).toBe(3))
