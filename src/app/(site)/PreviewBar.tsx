import { type Post, stateOf } from '../../posts/post'

/** Whoever follows such a link knows what they look at. */
export function PreviewBar({ post, now }: { post: Post; now: Date }) {
  return (
    <p className="preview-bar">
      <strong>Preview.</strong> {says[stateOf(post, now)]} Only people with this link see it.
    </p>
  )
}

const says = {
  draft: 'This is a draft.',
  scheduled: 'This is not published yet.',
  published: 'This is how it reads now.',
  archived: 'This is archived.',
}
