import { describe, expect, test } from 'vitest'
import { decodedPart, pathMatcher, PathRouter } from './router'

describe('a pattern', () => {
  test.each([
    // the pattern             the path                    the parts
    ['/_tilth/ready', '/_tilth/ready', {}],
    ['/_tilth/ready', '/_tilth/ready/', undefined],
    ['/_tilth/ready', '/_tilth/readyness', undefined],
    ['/share/*', '/share', {}],
    ['/share/*', '/share/', {}],
    ['/share/*', '/share/token/more', {}],
    ['/share/*', '/shared', undefined],
    ['/s/{survey}', '/s/abc', { survey: 'abc' }],
    ['/s/{survey}', '/s/abc/d', undefined],
    ['/s/{survey}', '/s/', { survey: '' }],
    ['/a.b/{one}/{two}', '/a.b/x%20y/z', { one: 'x%20y', two: 'z' }],
    ['/a.b/{one}', '/a-b/x', undefined],
  ] as const)('%s at %s', (pattern, path, parts) => {
    expect(pathMatcher(pattern)(path)).toEqual(parts)
  })
})

describe('a router', () => {
  const entry = (path: `/${string}`, method = 'GET') => ({ path, method })
  const [list, flag, all, change] = [
    entry('/projects/{project}/flags'),
    entry('/projects/{project}/flags/{key}'),
    entry('/projects'),
    entry('/projects/{project}/flags/{key}', 'PATCH'),
  ]
  const router = new PathRouter([list, flag, all, change])

  test('finds all entries of a path, in their order, with the parts of the path', () => {
    expect(router.all('/projects').map((match) => match.entry)).toEqual([all])
    expect(router.all('/projects/acme/flags/cta')).toMatchObject(
      [flag, change].map((found) => ({ entry: found, parts: { project: 'acme', key: 'cta' } })),
    )
    expect(router.all('/projects/acme')).toEqual([])
    expect(router.all('/v1/projects')).toEqual([])
  })

  test('leaves out what is not accepted', () => {
    const find = (path: string) => router.find(path, ({ method }) => method === 'PATCH')
    expect(find('/projects/acme/flags/cta')?.entry).toBe(change)
    expect(find('/projects')).toBeUndefined()
    const onlyNew = { ...entry('/js/{script}'), acceptsParts: ({ script = '' }) => script === 'new.js' }
    const scripts = new PathRouter([onlyNew])
    expect([scripts.all('/js/new.js').length, scripts.all('/js/old.js').length]).toEqual([1, 0])
  })

  test('finds the shortest prefix first, and entries with names last', () => {
    const [short, end, named] = [entry('/i/v0/e'), entry('/e'), entry('/v0/{what}')]
    const shown = new PathRouter([end, named, short], 4)
    const find = (...entries: object[]) => {
      const match = shown.find('/i/v0/e', (one) => entries.includes(one))
      return match && [match.entry, match.prefix, match.path]
    }
    expect(find(short, end, named)).toEqual([short, '', '/i/v0/e'])
    expect(find(end, named)).toEqual([end, '/i/v0', '/e'])
    expect(find(named)).toEqual([named, '/i', '/v0/e'])
  })
})

test.each([
  ['a%20b', 'a b'],
  ['%zz', '%zz'],
])('the part %s stands for %s', (text, decoded) => expect(decodedPart(text)).toBe(decoded))
