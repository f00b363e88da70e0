import { type Post, stateOf } from '#posts/post'

/** Tells visitors with a preview link that the post is a draft, scheduled or published. */
export function PreviewBar({ post, now }: { post: Post; now: Date }) {
  return (
    <p className="preview-bar">
      <strong>Preview.</strong> {stateText[stateOf(post, now)]} Only people with this link see it.
    </p>
  )
}

const stateText = {
  draft: 'This is a draft.',
  scheduled: 'This is not published yet.',
  published: 'This is how it reads now.',
  archived: 'This is archived.',
}
