import { expect, test } from 'vitest'
import { readFrontMatter } from './front-matter'

test.each<[string, string, object, string]>([
  ['nothing at all', 'Hello', {}, 'Hello'],
  ['an empty one', '---\n---\nHello', {}, 'Hello'],
  [
    'names and values',
    '---\ntitle: Hello\ntags: [a, b]\n---\n\nBody',
    { title: 'Hello', tags: ['a', 'b'] },
    '\nBody',
  ],
  ['lines as Windows ends them', '---\r\ntitle: Hello\r\n---\r\nBody', { title: 'Hello' }, 'Body'],
  ['a mark of the byte order', '\uFEFF---\ntitle: Hello\n---\nBody', { title: 'Hello' }, 'Body'],
  ['a date, which stays as it was written', '---\ndate: 2026-11-21\n---\n', { date: '2026-11-21' }, ''],
  ['a rule in the middle of a text', 'Above\n\n---\n\nBelow', {}, 'Above\n\n---\n\nBelow'],
])('before the text stands %s', (_, text, front, body) => {
  expect(readFrontMatter(text)).toEqual({ done: true, file: { fields: front, body } })
})

test.each([
  ['---\ntitle: "Hello\n---\nBody', /line \d+: .*quote/i],
  ['---\ntitle: Hello\ntitle: Again\n---\n', /line 3: .*unique/i],
  ['---\n- one\n- two\n---\n', /no list of names and values/],
  [`---\na: &a [1]\nb: [${'*a, '.repeat(50)}*a]\nc: &c [*a, *a]\n---\n`, /too often|cannot be read/],
])('%j is answered by what to fix', (text, says) => {
  expect(readFrontMatter(text)).toMatchObject({
    done: false,
    problems: [{ message: expect.stringMatching(says) }],
  })
})
