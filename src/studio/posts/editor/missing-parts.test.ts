import { expect, test } from 'vitest'
import type { PostDraft } from './draft'
import { missingParts } from './PostEditor'

const whole: PostDraft = {
  title: 'Hello',
  slug: 'hello',
  excerpt: 'A greeting',
  body: 'Hello! ![A fox](/_tilth/images/a.png)',
  cover: undefined,
  tags: [],
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

test.each<[Partial<PostDraft>, RegExp[]]>([
  // where a post has            readers would miss
  [{}, []],
  [{ body: ' \n' }, [/no text/]],
  [{ body: '![](/a.png)' }, [/image has no alt text/]],
  [{ cover: { address: '/a.png', alt: '' } }, [/cover has no alt text/]],
  [{ excerpt: '' }, [/No excerpt/]],
])('%j', (part, sentences) => {
  const missing = missingParts('post', { ...whole, ...part })
  expect(missing).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)))
})

test('a page needs no excerpt', () => {
  expect(missingParts('page', { ...whole, excerpt: '' })).toEqual([])
})
