import { expect, test } from 'vitest'
import { type DocEntry, docContents } from './doc-contents'

const page = (slug: string, title: string, order?: number, language?: string) => ({
  slug,
  title,
  order,
  language,
})

const manual = [
  page('', 'Home'),
  page('about', 'About'),
  page('docs', 'Manual'),
  page('docs/install', 'Installation', 1),
  page('docs/guides/flags', 'Flags'),
  page('docs/guides/boards', 'Boards'),
  page('docs/api', 'API', 3),
  page('docs/api/keys', 'Keys'),
]

const versioned = [
  page('docs', 'Manual'),
  page('docs/v1/start', 'Start'),
  page('docs/v1/old', 'Left out later'),
  page('docs/v2/start', 'Start'),
  page('docs/v10/start', 'Start', 2),
  page('docs/v10/first', 'Before all', 1),
]

const contentsAt = (slug: string, pages = manual) => docContents(page(slug, ''), pages)

const lines = (entries: readonly DocEntry[], indent = ''): string[] =>
  entries.flatMap(({ title, address, isCurrent, entries: inside }) => [
    `${indent}${title} ${address ?? '-'}${isCurrent ? ' *' : ''}`,
    ...lines(inside, `${indent}  `),
  ])

test('folders are sections, in the order that the pages say and then by title', () =>
  expect(lines(contentsAt('docs/guides/flags')?.entries ?? [])).toEqual([
    'Manual /docs',
    'Installation /docs/install',
    'API /docs/api',
    '  Keys /docs/api/keys',
    'Guides -',
    '  Boards /docs/guides/boards',
    '  Flags /docs/guides/flags *',
  ]))

test.each([
  ['docs', undefined, '/docs/install'],
  ['docs/install', '/docs', '/docs/api'],
  ['docs/api/keys', '/docs/api', '/docs/guides/boards'],
  ['docs/guides/flags', '/docs/guides/boards', undefined],
])('before and after %s are %s and %s', (slug, previous, next) => {
  const contents = contentsAt(slug)
  expect([contents?.previous?.address, contents?.next?.address]).toEqual([previous, next])
})

test.each(['', 'about'])('the page at /%s is in no folder', (slug) =>
  expect(contentsAt(slug)).toBeUndefined(),
)

test('versions are ordered by their numbers, and lead to the same page where they have it', () => {
  const contents = contentsAt('docs/v2/start', versioned)
  expect(contents?.versions).toEqual([
    { name: 'v10', address: '/docs/v10/start', isCurrent: false },
    { name: 'v2', address: '/docs/v2/start', isCurrent: true },
    { name: 'v1', address: '/docs/v1/start', isCurrent: false },
  ])
  expect([contents?.newest, contents?.canonical]).toEqual(['/docs/v10/start', '/docs/v10/start'])
  expect(lines(contents?.entries ?? [])).toEqual(['Start /docs/v2/start *'])
})

test('a page that the newest version has no more leads to its first one', () => {
  const contents = contentsAt('docs/v1/old', versioned)
  expect([contents?.newest, contents?.canonical]).toEqual(['/docs/v10/first', undefined])
})

test('the newest version names no newer one', () =>
  expect(contentsAt('docs/v10/start', versioned)?.newest).toBeUndefined())

test('the page above the versions shows the contents of the newest', () => {
  const contents = contentsAt('docs', versioned)
  expect(lines(contents?.entries ?? [])).toEqual(['Before all /docs/v10/first', 'Start /docs/v10/start'])
  expect(contents?.next?.address).toBe('/docs/v10/first')
  expect(contents?.newest).toBeUndefined()
})

test('versions may stand at the root of the site', () =>
  expect(
    contentsAt('v1/start', [page('v1/start', 'Start'), page('v2/start', 'Start'), page('about', 'About')])
      ?.versions,
  ).toHaveLength(2))

test('a translation has the contents of its own language', () => {
  const pages = [...manual, page('de/docs/start', 'Anfang', 1, 'de'), page('de/docs/api', 'API', 2, 'de')]
  const contents = docContents(page('de/docs/api', 'API', 2, 'de'), pages)
  expect(lines(contents?.entries ?? [])).toEqual(['Anfang /de/docs/start', 'API /de/docs/api *'])
})
