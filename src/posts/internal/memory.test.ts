import { expect, test } from 'vitest'
import { aPost } from '#test/product/posts'
import { withBodyOutsideHeap } from './memory'

test('a post with its body outside the heap reads, copies and serializes like the post', () => {
  const post = aPost({ title: 'Über Äpfel', body: '한국어 안내\n\nsecond 🌱', publishedAt: new Date(0) })
  const stored = withBodyOutsideHeap(post)
  expect(stored.body).toBe(post.body)
  expect({ ...stored }).toEqual(post)
  expect(JSON.parse(JSON.stringify(stored))).toEqual(JSON.parse(JSON.stringify(post)))
})
