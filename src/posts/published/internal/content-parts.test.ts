import { expect, test } from 'vitest'
import { aPost } from '#test/product/posts'
import { withBodyOutsideHeap } from '../../internal/memory'
import type { Post } from '../../post'
import { defaultSite } from '../../site'
import { type ContentState, partFingerprint } from './content-parts'

const site = { ...defaultSite, projectId: 1, origin: 'https://a.example', timeZone: 'UTC', writeKey: 'k' }
const ana = { slug: 'ana', name: 'Ana', bio: '', picture: undefined, links: [] }

/** Longer than what decides the opening. */
const long = Array.from({ length: 100 }, () => 'Fifty letters of words that are read, and no more.').join(
  '\n\n',
)

const first = aPost({ id: '1', body: long, tags: ['Soil'], series: 'Building it' })
const second = aPost({ id: '2', excerpt: 'Of stones.', tags: ['soil', 'C#'], authors: ['ana'] })
const home = aPost({ id: '3', kind: 'page', slug: '' })

const stateOf = (changes: Partial<ContentState> = {}): ContentState => {
  const state = { posts: [first, second], pages: [home], authors: [ana], site, ...changes }
  const all = [...state.posts, ...state.pages]
  return { visiblePost: (id) => all.find((post) => post.id === id), ...state }
}

const parts = [
  'site',
  'authors',
  'order',
  'posts',
  'pages',
  'tag soil',
  'tag c-sharp',
  'tag other',
  'series building-it',
  'author ana',
  'post 1',
  'post 2',
  'post 3',
  'entry 1',
  'entry 2',
]

const withChange = (post: Post, changes: Partial<Post>): Post[] =>
  [first, second].map((one) => (one === post ? { ...one, ...changes } : one))

test.each<[what: string, changes: Partial<ContentState>, changed: string[]]>([
  ['nothing', {}, []],
  ['the end of a text', { posts: withChange(first, { body: `${long} New.` }) }, ['posts', 'post 1']],
  ['its beginning', { posts: withChange(first, { body: `New. ${long}` }) }, ['posts', 'post 1', 'entry 1']],
  ['its length', { posts: withChange(first, { body: long + long }) }, ['posts', 'post 1', 'entry 1']],
  ['when it was changed', { posts: withChange(first, { changedAt: new Date(9) }) }, ['posts', 'post 1']],
  ['the text of one with an excerpt', { posts: withChange(second, { body: 'New.' }) }, ['posts', 'post 2']],
  ['the title of a post', { posts: withChange(first, { title: 'New' }) }, ['posts', 'post 1', 'entry 1']],
  [
    'a tag of a post',
    { posts: withChange(second, { tags: ['soil'] }) },
    ['posts', 'tag c-sharp', 'post 2', 'entry 2'],
  ],
  [
    'the label of a tag',
    { posts: withChange(first, { tags: ['SOIL'] }) },
    ['posts', 'tag soil', 'post 1', 'entry 1'],
  ],
  [
    'which post leads',
    { posts: withChange(first, { isFeatured: true }) },
    ['order', 'posts', 'post 1', 'entry 1'],
  ],
  ['the order of posts', { posts: [second, first] }, ['order', 'posts', 'tag soil']],
  [
    'a post that was taken back',
    { posts: [first] },
    ['order', 'posts', 'tag soil', 'tag c-sharp', 'author ana', 'post 2', 'entry 2'],
  ],
  ['a page', { pages: [{ ...home, title: 'New' }] }, ['pages', 'post 3']],
  ['an author', { authors: [{ ...ana, name: 'New' }] }, ['authors']],
  ['a setting', { site: { ...site, accent: '#000000' } }, ['site']],
])(
  'after a change of %s, only the parts that show it have another fingerprint',
  (_what, changes, changed) => {
    const [before, after] = [stateOf(), stateOf(changes)]
    const differs = parts.filter((part) => partFingerprint(part, before) !== partFingerprint(part, after))
    expect(differs).toEqual(changed)
  },
)

test('only a post that is not visible has no fingerprint', () => {
  const state = stateOf({ posts: [first] })
  expect(parts.filter((part) => partFingerprint(part, state) === undefined)).toEqual(['post 2', 'entry 2'])
  expect(partFingerprint('unknown', state)).toBeUndefined()
})

test('fingerprints are equal in every process, however a post is held in memory', () => {
  const copy = stateOf({
    posts: [structuredClone(first), withBodyOutsideHeap(second)],
    pages: [withBodyOutsideHeap(home)],
    authors: [{ ...ana }],
    site: { ...site },
  })
  for (const part of parts) expect(partFingerprint(part, copy)).toBe(partFingerprint(part, stateOf()))
})
