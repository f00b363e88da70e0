import { expect, test } from 'vitest'
import { aPost } from '#test/product/posts'
import type { Post } from './post'
import { createSearch } from './search'

const called = (id: string, overrides: Partial<Post>): Post =>
  aPost({ id, slug: id, title: '', ...overrides })

const posts = [
  called('passing', { title: 'Pears', body: 'Unlike apples. [x](https://example.com/cherries)' }),
  called('trees', { title: 'Growing apples', body: 'On **trees**, mostly.' }),
  called('fruit', { title: 'Über Äpfel', tags: ['Obst'] }),
  called('short', { title: 'Harvest', excerpt: 'When apples fall' }),
  called('korean', { title: '한국어 안내', body: '사과' }),
]

test.each([
  // the words, the posts that are found
  ['apples', ['trees', 'short', 'passing']],
  ['APPLE', ['trees', 'short', 'passing']],
  ['apple tree', ['trees']],
  ['growing mostly', ['trees']],
  ['grwing', ['trees']],
  ['apfel', ['fruit']],
  ['über', ['fruit']],
  ['obst', ['fruit']],
  ['한국', ['korean']],
  ['사과', ['korean']],
  ['cherries', []],
  ['ostly', []],
  ['', []],
  [' – !', []],
  ['apples '.repeat(1000), ['trees', 'short', 'passing']],
])('“%.30s” finds %j', async (words, found) => {
  const search = await createSearch(posts, () => Promise.resolve())
  expect((await search(words)).map(({ id }) => id)).toEqual(found)
})
