import { describe, expect, test } from 'vitest'
import { differencesOf, draftIn, inputOf, type PostDraft } from './draft'

const empty: PostDraft = {
  title: 'Hello',
  slug: 'hello',
  excerpt: '',
  body: 'One',
  cover: undefined,
  tags: ['news'],
  authors: [],
  series: '',
  isFeatured: false,
  allowsComments: false,
  metaTitle: '',
  metaDescription: '',
  canonical: '',
  language: '',
  translationOf: '',
  order: '',
}
const cover = { address: '/_tilth/images/a.png', alt: 'A fox', width: 10, height: 20 }

test('says what differs, whatever it is made of', () => {
  expect(differencesOf(empty, { ...empty, tags: ['news'] })).toEqual([])
  expect(differencesOf(empty, { ...empty, tags: [], cover, body: '' })).toEqual(['Text', 'Cover', 'Tags'])
})

test('what is taken away is said as such', () => {
  expect(inputOf(empty, 3)).toMatchObject({ cover: null, series: null, version: 3 })
  expect(inputOf({ ...empty, cover, series: 'Foxes' }, 3)).toMatchObject({ cover, series: 'Foxes' })
})

describe('what a browser kept', () => {
  test.each([empty, { ...empty, cover }])('is read again', (draft) => {
    expect(draftIn(JSON.parse(JSON.stringify(draft)), empty)).toEqual(draft)
  })

  test.each([
    [undefined],
    [null],
    ['text'],
    [{}],
    [{ ...empty, body: 3 }],
    [{ ...empty, tags: 'news' }],
    [{ ...empty, tags: [1] }],
  ])('is left where it is no draft: %j', (kept) => {
    expect(draftIn(kept, empty)).toBeUndefined()
  })

  test('has no cover where that is none', () => {
    expect(draftIn({ ...empty, cover: { address: 3, alt: '' } }, empty)).toEqual(empty)
  })
})
