import { expect, test } from 'vitest'
import { differenceBetween } from '#posts/difference'
import { aPost } from '#test/product/posts'
import { fieldChanges, collapseUnchanged } from './field-changes'

const post = aPost({ tags: ['news'], publishedAt: undefined })

test('says what changed, and nothing else', () => {
  const after = { ...post, tags: [], isFeatured: true, publishedAt: new Date('2026-03-02T09:00:00Z') }
  expect(fieldChanges(post, after, 'Europe/Berlin')).toEqual([
    { field: 'Tags', before: 'news', after: '' },
    { field: 'Featured', before: '', after: 'Yes' },
    { field: 'Appears', before: '', after: '2 Mar 2026, 10:00' },
  ])
})

test('of the first version everything is new', () => {
  expect(fieldChanges(undefined, post, 'UTC').map(({ field }) => field)).toEqual([
    'Title',
    'URL slug',
    'Tags',
  ])
})

test('what stayed is cut to a few lines around what did not', () => {
  const lines = Array.from({ length: 20 }, (_, place) => `line ${place}`)
  const before = lines.join('\n')
  const after = lines.with(10, 'another line').join('\n')
  const shown = collapseUnchanged(differenceBetween(before, after))
  expect(shown.map((line) => ('left' in line ? line.left : [line.state, line.text.trim()]))).toEqual([
    7,
    ['same', 'line 7\nline 8\nline 9'],
    ['removed', 'line 10'],
    ['added', 'another line'],
    ['same', 'line 11\nline 12\nline 13'],
    6,
  ])
})
