import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flagKeyIn, pagesBesideFlags } from '#flags/flag-address'
import { pagesBesidePosts, paths, postIdIn } from './paths'

test.each([
  // of a post             this is its address
  ['42', '42'],
  ['file:posts/hello.md', 'file%3Aposts/hello~md'],
  ['file:posts/a~b.c/über uns.md', 'file%3Aposts/a~~b~c/%C3%BCber%20uns~md'],
])('%s', (id, address) => {
  expect(paths.post('acme', id)).toBe(`/studio/acme/site/posts/${address}`)
  expect(postIdIn(address.split('/'))).toBe(id)
})

describe('no page stands in the place of a thing', () => {
  const project = join(import.meta.dirname, '../app/studio/(shell)/[project]')
  const foldersBeside = (section: string, thing: string): string[] =>
    readdirSync(join(project, section), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== thing)
      .map(({ name }) => name)

  test('a flag that is called like a page has another address', () => {
    expect(pagesBesideFlags).toEqual(expect.arrayContaining(foldersBeside('flags', '[flag]')))
    for (const key of pagesBesideFlags) {
      expect(paths.flag('acme', key, 'code')).toBe(`/studio/acme/flags/~${key}/code`)
      expect(flagKeyIn(`~${key}`)).toBe(key)
    }
    expect(paths.flag('acme', 'new-checkout')).toBe('/studio/acme/flags/new-checkout')
    expect(flagKeyIn('new-checkout')).toBe('new-checkout')
  })

  test('ids of posts, letters and surveys are no names of pages', () => {
    expect(pagesBesidePosts.toSorted()).toEqual(['', ...foldersBeside('site/posts', '[...post]')].toSorted())
    expect(foldersBeside('site/newsletter', '[letter]')).toEqual(['lists', 'new'])
    expect(foldersBeside('surveys', '[survey]')).toEqual(['new'])
  })
})
