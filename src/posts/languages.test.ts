import { expect, test } from 'vitest'
import { aPost } from '#test/product/posts'
import {
  blogLanguages,
  languageInPath,
  linkIn,
  nameOfLanguage,
  postsInLanguage,
  siteIn,
  translationKey,
} from './languages'
import { defaultSite } from './site'

const site = {
  ...defaultSite,
  words: { search: 'Find' },
  projectId: 1,
  origin: 'https://a.example',
  timeZone: 'UTC',
  writeKey: 'k',
}
const english = aPost({ id: '1', slug: 'hello' })
const german = aPost({ id: '2', slug: 'hallo', language: 'de', translationOf: 'hello' })
const brazilian = aPost({ id: '3', slug: 'ola', language: 'pt-BR' })
const all = [english, german, brazilian]

const idsIn = (language: string, posts = all): string[] =>
  postsInLanguage(posts, siteIn(site, language)).map(({ id }) => id)

test.each([
  ['en', ['1']],
  ['de', ['2']],
  ['pt-br', ['3']],
  ['fr', []],
])('the blog in %s lists its own posts', (language, ids) => expect(idsIn(language)).toEqual(ids))

test('a blog without a post in the language of the site lists all', () =>
  expect(idsIn('en', [german, brazilian])).toEqual(['2', '3']))

test('a page in another language has its words, and not those that the site has changed', () => {
  expect(siteIn(site, 'de')).toMatchObject({ language: 'de', mainLanguage: 'en', words: {} })
  expect(siteIn(siteIn(site, 'de'), 'en-GB')).toMatchObject({ language: 'en-GB', mainLanguage: 'en' })
  expect(siteIn(site, 'EN')).toBe(site)
})

test('each language of the blog has a list', () => {
  expect(blogLanguages(all, site)).toEqual([
    { language: 'en', address: '/blog' },
    { language: 'de', address: '/blog/languages/de' },
    { language: 'pt-BR', address: '/blog/languages/pt-br' },
  ])
  expect(blogLanguages(all, siteIn(site, 'de'))).toHaveLength(3)
  expect(blogLanguages([english], site)).toEqual([])
})

test.each([
  ['/blog/languages/de', 'de'],
  ['/blog/languages/pt-br/rss.xml', 'pt-br'],
  ['/blog/hello', undefined],
])('the language in %s is %s', (path, language) => expect(languageInPath(path)).toBe(language))

test('translations name the original', () => {
  expect(translationKey(german)).toBe(translationKey(english))
  expect(translationKey(brazilian)).not.toBe(translationKey(english))
})

test.each([
  ['de', 'Deutsch'],
  ['x', 'x'],
])('%s is called %s', (language, name) => expect(nameOfLanguage(language)).toBe(name))

const inGerman = siteIn(site, 'de')
const about = aPost({ kind: 'page', slug: 'de/about', title: 'Über uns', language: 'de' })

test.each<
  [what: string, link: Parameters<typeof linkIn>[1], found: typeof about | 'list' | undefined, shown: object]
>([
  ['no translation', { label: 'Docs', address: '/docs' }, undefined, { label: 'Docs', address: '/docs' }],
  [
    'a translation',
    { label: 'About', address: '/about' },
    about,
    { label: 'Über uns', address: '/de/about' },
  ],
  ['a list', { label: 'Blog', address: '/blog' }, 'list', { label: 'Blog', address: '/blog/languages/de' }],
  [
    'a text for the language',
    { label: 'About', labels: { DE: 'Wir' }, address: '/about' },
    about,
    { label: 'Wir', address: '/de/about' },
  ],
])('on a page in another language, a link of the site with %s', (_what, link, found, shown) =>
  expect(linkIn(inGerman, link, () => found)).toEqual(shown),
)
