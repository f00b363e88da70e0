import { describe, expect, test } from 'vitest'
import { filterOfGroup, groupedPath, suggestedGroups } from './page-groups'

const groups = ['/boards/new', '/boards/:id', '/docs/*', '/a.b/:part/c']

test.each([
  ['/boards/4856', '/boards/:id'],
  ['/boards/4856/', '/boards/:id'],
  ['/boards/new', '/boards/new'],
  ['/boards', '/boards'],
  ['/boards/4856/edit', '/boards/4856/edit'],
  ['/docs/', '/docs/*'],
  ['/docs/en/start', '/docs/*'],
  ['/docs', '/docs'],
  ['/a.b/ü/c', '/a.b/:part/c'],
  ['/axb/ü/c', '/axb/ü/c'],
  ['', ''],
])('%j is a page of %j', (path, name) => expect(groupedPath(path, groups)).toBe(name))

test('groups are suggested for pages that differ by ids, and not for pages that have one', () => {
  const paths = [
    ...['1', '2', '3', '4'].map((id) => `/boards/${id}`),
    ...['1', '2', '3'].map((id) => `/people/${id}/edit`),
    ...['1', '2'].map((id) => `/rare/${id}`),
    '/invite/ana@acme.example',
    '/pricing',
    '/blog/hello',
    '/blog/again',
    '/blog/more',
  ]
  expect(suggestedGroups(paths, [])).toEqual([
    { pattern: '/boards/:id', pages: 4 },
    { pattern: '/people/:id/edit', pages: 3 },
  ])
  expect(suggestedGroups(paths, ['/boards/*'])).toEqual([{ pattern: '/people/:id/edit', pages: 3 }])
})

describe('a filter of a group', () => {
  const subject = { type: 'event', key: '$pathname' } as const

  test('leaves out the pages of earlier groups', () => {
    expect(filterOfGroup(subject, '/boards/:id', false, groups)).toEqual({
      all: [
        { ...subject, operator: 'regex', value: '^/boards/[^/]+/?$' },
        { ...subject, operator: 'not_regex', value: '^/boards/new/?$' },
      ],
    })
    expect(filterOfGroup(subject, '/boards/:id', true, groups)).toEqual({
      any: [
        { ...subject, operator: 'not_regex', value: '^/boards/[^/]+/?$' },
        { ...subject, operator: 'regex', value: '^/boards/new/?$' },
      ],
    })
  })

  test('is not made of a page without a group', () =>
    expect(filterOfGroup(subject, '/pricing', false, groups)).toBeUndefined())
})
