import { expect, test } from 'vitest'
import { paths, postIdIn } from './paths'

test.each([
  // of a post             this is its address
  ['42', '42'],
  ['file:posts/hello.md', 'file%3Aposts/hello~md'],
  ['file:posts/a~b.c/über uns.md', 'file%3Aposts/a~~b~c/%C3%BCber%20uns~md'],
])('%s', (id, address) => {
  expect(paths.post('acme', id)).toBe(`/studio/acme/posts/post/${address}`)
  expect(postIdIn(address.split('/'))).toBe(id)
})
