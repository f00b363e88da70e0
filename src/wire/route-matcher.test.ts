import { expect, test } from 'vitest'
import type { Dialect, WireRoute } from './dialect'
import { createRouteMatcher } from './route-matcher'

const route = (path: WireRoute['path'], methods: WireRoute['methods'] = ['POST']): WireRoute => ({
  path,
  methods,
  respond: () => ({ status: 200 }),
})

const one: Dialect = {
  name: 'one',
  routes: [
    route('/e'),
    route('/i/v0/e'),
    route('/static/{file}', ['GET']),
    route('/array/{token}/config.js', ['GET']),
  ],
}
const match = createRouteMatcher([one, { name: 'two', routes: [route('/script.js', ['GET'])] }])

test.each([
  // the request        the vendor's own path   the prefix    and parts
  ['POST', '/e', '/e', '', {}],
  ['POST', '/e/', '/e', '', {}],
  ['POST', '/ingest/i/v0/e/', '/i/v0/e', '/ingest', {}],
  ['POST', '/a/b/c/d/e', '/e', '/a/b/c/d', {}],
  ['GET', '/x/script.js', '/script.js', '/x', {}],
  ['HEAD', '/script.js', '/script.js', '', {}],
  ['OPTIONS', '/e/', '/e', '', {}],
  ['GET', '/array/phc_x/config.js', '/array/phc_x/config.js', '', { token: 'phc_x' }],
  ['GET', '/in/gest/array/a%20b/config.js', '/array/a%20b/config.js', '/in/gest', { token: 'a b' }],
])('%s %s is the vendor’s %s below "%s"', (method, path, own, prefix, parts) => {
  expect(match(method, path)).toMatchObject({ path: own, prefix, parts })
})

test('an address that could be a page’s is the vendor’s only when its query shows it', () => {
  const asked = route('/track', ['GET'])
  const find = createRouteMatcher([
    { name: 'one', routes: [{ ...asked, matchesQuery: (query) => query.has('data') }] },
  ])
  expect(find('GET', '/blog/track', 'data=x')).toMatchObject({ prefix: '/blog' })
  expect(find('GET', '/blog/track')).toBeUndefined()
})

test('a name that the vendor does not know is left to the site', () => {
  const scripts = route('/js/{script}', ['GET'])
  const find = createRouteMatcher([
    { name: 'one', routes: [{ ...scripts, acceptsParts: ({ script }) => script === 'script.js' }] },
  ])
  expect(find('GET', '/x/js/script.js')).toMatchObject({ prefix: '/x', parts: { script: 'script.js' } })
  for (const method of ['GET', 'HEAD', 'OPTIONS']) expect(find(method, '/js/app.js')).toBeUndefined()
})

test.each([
  ['GET', '/e', 'a page may have that address'],
  ['POST', '/a/b/c/d/x/e', 'nobody puts us that deep'],
  ['POST', '/studio/acme/e', 'the studio’s addresses are its own'],
  ['POST', '/api/v1/e', 'so are the management API’s'],
  ['GET', '/array/config.js', 'a part is missing'],
  ['POST', '/re', 'a whole part must match'],
])('%s %s is no one’s: %s', (method, path) => {
  expect(match(method, path)).toBeUndefined()
})
