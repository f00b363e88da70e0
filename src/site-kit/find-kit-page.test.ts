import { expect, test } from 'vitest'
import { findKitPage } from './find-kit-page'

const pages = ['/', '/pricing', '/docs/[slug]', '/docs/start', '/help/[...rest]'].map((address) => ({
  address,
  file: address,
}))

test.each([
  ['/', '/', {}],
  ['/pricing', '/pricing', {}],
  ['/docs/start', '/docs/start', {}],
  ['/docs/install', '/docs/[slug]', { slug: 'install' }],
  ['/help/a/b', '/help/[...rest]', { rest: ['a', 'b'] }],
])('%s is shown by the page at %s', (path, file, params) =>
  expect(findKitPage(pages, path)).toEqual({ file, params }),
)

test.each(['/docs', '/docs/', '/docs/a/b', '/help', '/other'])('%s is shown by no page', (path) =>
  expect(findKitPage(pages, path)).toBeUndefined(),
)
