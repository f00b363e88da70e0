import { expect, test } from 'vitest'
import { combinationsOf, decisionsTag, withOrderedHead, withTag } from './page-variants'

const uses = [
  { key: 'hero', values: ['control', 'bold'] },
  { key: 'new', values: [false, true] },
]

test('a page is made for every combination, with the originals first', () => {
  expect(combinationsOf(uses)).toEqual([
    { hero: 'control', new: false },
    { hero: 'control', new: true },
    { hero: 'bold', new: false },
    { hero: 'bold', new: true },
  ])
  expect(combinationsOf([])).toEqual([{}])
  const many = Array.from({ length: 6 }, (_, at) => ({ key: `flag-${at}`, values: [false, true] }))
  expect(combinationsOf(many)).toBeUndefined()
})

test('the tag stands before what is shown, and the usual script is left to it', () => {
  const [original = {}, , bold = {}] = combinationsOf(uses) ?? []
  const files = new Map([
    [original, { uses: ['hero'] }],
    [bold, { file: '/_tilth/variants/1.html', uses: ['hero'] }],
  ])
  const tag = decisionsTag({ project: 'a"b', server: 'https://tilth.example/_tilth/', uses, files })
  const html =
    '<html><head><meta charSet="utf-8"/><title>$&</title><script async="" src="/_tilth/site-files.js" data-project="k"></script></head></html>'
  const page = withTag(html, tag)
  expect(page).toMatch(
    /^<html><head><meta charSet="utf-8"\/><script src="\/_tilth\/site-decide\.js" data-page="/,
  )
  expect(page).toMatch(/<\/script><title>\$&<\/title><\/head><\/html>$/)
  const written = /data-page="([^"]*)"/.exec(page)?.[1] ?? ''
  expect(JSON.parse(written.replaceAll('&quot;', '"'))).toEqual({
    project: 'a"b',
    server: 'https://tilth.example/_tilth/',
    keys: ['hero', 'new'],
    variants: {
      '["control",false]': { uses: ['hero'] },
      '["bold",false]': { file: '/_tilth/variants/1.html', uses: ['hero'] },
    },
  })
})

test('the same page is the same file, whatever was rendered first', () => {
  const preload = '<link rel="modulepreload" href="/_tilth/site/a.js"/>'
  const size = '<meta name="next-size-adjust" content=""/>'
  expect(withOrderedHead(`<head>${preload}<title>a</title>${size}</head>`)).toBe(
    withOrderedHead(`<head>${size}<title>a</title>${preload}</head>`),
  )
})
