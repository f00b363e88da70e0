import type { Post } from '#posts/post'
import type { PostDraft } from './draft'

/** The parts that readers would miss, a sentence each; none of them prevents publishing. */
export function missingParts(kind: Post['kind'], draft: PostDraft): string[] {
  const { body, cover, excerpt } = draft
  return [
    body.trim() === '' && 'There is no text yet.',
    pictureWithoutWords.test(body) && 'An image has no alt text.',
    cover?.alt === '' && 'The cover has no alt text.',
    kind === 'post' && excerpt === '' && 'No excerpt: lists show the beginning of the text.',
  ].filter((sentence) => sentence !== false)
}

const pictureWithoutWords = /!\[\s*\]\(/
