import { expect, test } from 'vitest'
import { changedFields, changedLabels, rebaseDraft } from './draft-fields'

const labels = { title: 'Title', tags: 'Tags', cover: 'Cover' }
const empty: { title: string; tags: string[]; cover: object | undefined } = {
  title: '',
  tags: ['news'],
  cover: undefined,
}
const cover = { address: '/a.png', alt: 'A fox' }

test('fields differ by what is in them, whatever the order of their keys', () => {
  const written = { ...empty, tags: [], cover }
  expect(changedFields(labels, empty, { ...empty, tags: ['news'] })).toEqual([])
  expect(
    changedFields(labels, written, { ...written, cover: { alt: cover.alt, address: cover.address } }),
  ).toEqual([])
  expect(changedFields(labels, empty, written)).toEqual(['tags', 'cover'])
  expect(changedLabels(labels, empty, written)).toEqual(['Tags', 'Cover'])
})

test('what was written while it was saved stays', () => {
  const sent = { ...empty, title: ' Hi ', tags: ['a'] }
  const saved = { ...sent, title: 'Hi' }
  expect(rebaseDraft({ ...sent, tags: ['a', 'b'] }, sent, saved)).toEqual({ ...saved, tags: ['a', 'b'] })
  expect(rebaseDraft({ ...sent, cover }, sent, saved)).toEqual({ ...saved, cover })
})
