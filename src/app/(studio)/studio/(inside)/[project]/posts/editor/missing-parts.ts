import type { Post } from '#posts/post'
import type { PostDraft } from './draft'

/** What readers would miss, a sentence each: nothing that would keep it from being published. */
export function missingParts(kind: Post['kind'], draft: PostDraft): string[] {
  const { body, cover, excerpt } = draft
  return [
    body.trim() === '' && 'There is no text yet.',
    pictureWithoutWords.test(body) && 'A picture has no words for those who do not see it.',
    cover?.alt === '' && 'The cover has no words for those who do not see it.',
    kind === 'post' && excerpt === '' && 'There is no excerpt: lists show how the text begins.',
  ].filter((sentence) => sentence !== false)
}

const pictureWithoutWords = /!\[\s*\]\(/
