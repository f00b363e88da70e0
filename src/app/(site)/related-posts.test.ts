import { expect, test } from 'vitest'
import { aPost } from '#test/product/posts'
import type { Post } from '#posts/post'
import { relatedTo, seriesOf, withTag } from './related-posts'

const post = (id: string, day: number, more: Partial<Post> = {}): Post =>
  aPost({ id, slug: id, title: id, publishedAt: new Date(Date.UTC(2026, 0, day)), ...more })

const newest = post('newest', 9, { tags: ['Privacy'] })
const second = post('second', 8, { series: 'Building it', tags: ['Privacy', 'Search'] })
const third = post('third', 7, { tags: ['search', 'privacy'] })
const fourth = post('fourth', 6)
const first = post('first', 5, { series: 'Building it' })
const all = [newest, second, third, fourth, first]

const ids = (posts: readonly Post[]) => posts.map(({ id }) => id)

test('to read next, what shares most tags comes first, then what is newest', () => {
  expect(ids(relatedTo(second, all, 3))).toEqual(['third', 'newest', 'fourth'])
})

test('the parts of a series lead on to each other, so they are not among what to read next', () => {
  expect(ids(relatedTo(first, all, 9))).toEqual(['newest', 'third', 'fourth'])
})

test('a series is read from its beginning', () => {
  expect(ids(seriesOf(all, 'building-it'))).toEqual(['first', 'second'])
})

test('a tag is the same however it is written', () => {
  expect(ids(withTag(all, 'search'))).toEqual(['second', 'third'])
})
