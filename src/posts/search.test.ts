import { expect, test } from 'vitest'
import type { Post } from './post'
import { searchAmong } from './search'

const aPost = (id: string, said: Partial<Post>): Post => ({
  id,
  projectId: 1,
  kind: 'post',
  source: 'studio',
  slug: id,
  title: '',
  excerpt: '',
  body: '',
  cover: undefined,
  tags: [],
  authors: [],
  series: undefined,
  isFeatured: false,
  allowsComments: false,
  metaTitle: '',
  metaDescription: '',
  canonical: '',
  publishedAt: new Date('2026-01-01T00:00:00Z'),
  createdAt: new Date('2026-01-01T00:00:00Z'),
  changedAt: new Date('2026-01-01T00:00:00Z'),
  version: 1,
  archivedAt: undefined,
  trial: undefined,
  ...said,
})

const posts = [
  aPost('passing', { title: 'Pears', body: 'Unlike apples. [x](https://example.com/cherries)' }),
  aPost('trees', { title: 'Growing apples', body: 'On **trees**, mostly.' }),
  aPost('fruit', { title: 'Über Äpfel', tags: ['Obst'] }),
  aPost('short', { title: 'Harvest', excerpt: 'When apples fall' }),
  aPost('korean', { title: '한국어 안내', body: '사과' }),
]

test.each([
  // what is asked, what is found
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
])('“%.30s” finds %j', (words, found) => {
  expect(searchAmong(posts)(words).map(({ id }) => id)).toEqual(found)
})
