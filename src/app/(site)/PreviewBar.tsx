/** Tells visitors with a preview link that the post or page is a draft, scheduled or published. */
export function PreviewBar({ state }: { state: keyof typeof stateText }) {
  return (
    <p className="preview-bar">
      <strong>Preview.</strong> {stateText[state]} Only people with this link see it.
    </p>
  )
}

const stateText = {
  draft: 'This is a draft.',
  scheduled: 'This is not published yet.',
  published: 'This is how it reads now.',
  archived: 'This is archived.',
}
